/* SPDX-License-Identifier: MIT */
/*
 * What a recording lacks as a whole, for the diagnostics: lost events and packets of each trace, events whose process
 * or thread is not recorded, event classes of unknown layout, no events at all.
 *
 * Memory: two words a thread and four a trace.
 */
#ifndef ROS2BT_RECORDING_DEFECTS_H
#define ROS2BT_RECORDING_DEFECTS_H

#include "ros2bt/diagnostics.h"
#include "ros2bt/event_record.h"
#include "ros2bt/recording.h"

struct recording_defects;

/* The recording is borrowed and must outlive the defects. */
struct recording_defects *recording_defects_create(struct recording *recording);
void recording_defects_destroy(struct recording_defects *defects);

/* Takes every record. O(1). */
void recording_defects_feed(struct recording_defects *defects, const struct event_record *record);

/* Adds the counts as of now to the diagnostics. */
void recording_defects_diagnose(const struct recording_defects *defects, struct diagnostics *diagnostics);

#endif
