/* SPDX-License-Identifier: MIT */
/*
 * A record as one line of text: "callback_start 110 t0 s0 callback=0xf00 is_intra_process=1\n", with fields named as in
 * the first row of the table for their slot; "stream_end 200 s0\n" for records about the recording.
 */
#ifndef ROS2BT_TESTS_RECORD_TEXT_H
#define ROS2BT_TESTS_RECORD_TEXT_H

#include <glib.h>

#include "ros2bt/events/event_record.h"

void record_text_append(GString *text, const struct event_record *record);

#endif
