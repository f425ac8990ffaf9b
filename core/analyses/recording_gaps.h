/* SPDX-License-Identifier: MIT */
/*
 * What a recording lacks as a whole, for the diagnostics: lost events and packets of each trace, events that do not
 * tell their process or thread, event classes of unknown layout, no events at all.
 */
#ifndef ROS2BT_RECORDING_GAPS_H
#define ROS2BT_RECORDING_GAPS_H

#include "ros2bt/diagnostics.h"
#include "ros2bt/event_record.h"
#include "ros2bt/recording.h"

struct recording_gaps;

/* The recording is borrowed and must outlive the gaps. */
struct recording_gaps *recording_gaps_create(struct recording *recording);
void recording_gaps_destroy(struct recording_gaps *gaps);

/* Takes every record. O(1). */
void recording_gaps_feed(struct recording_gaps *gaps, const struct event_record *record);

void recording_gaps_finish(struct recording_gaps *gaps, struct diagnostics *diagnostics);

#endif
