/* SPDX-License-Identifier: MIT */
/* Records as lines of text that contain everything a record holds: for debugging, and for comparing readers. */
#ifndef ROS2BT_RECORD_DUMP_H
#define ROS2BT_RECORD_DUMP_H

#include <stdio.h>

#include "ros2bt/events/event_record.h"
#include "ros2bt/events/recording.h"

void record_dump_write(FILE *file, const struct event_record *record);

/* Hosts, traces, streams, processes, threads and events that could not be decoded. */
void recording_dump_write(FILE *file, const struct recording *recording);

#endif
