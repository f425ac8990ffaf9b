/* SPDX-License-Identifier: MIT */
/*
 * Defects of a recording as a whole, for the diagnostics: lost events and packets of each trace, streams that begin
 * later than others because their first packets were overwritten, events without the contexts vpid or vtid, event
 * classes of unknown layout, no events at all.
 *
 * Memory: 8 bytes per thread, 32 bytes per trace.
 */
#ifndef ROS2BT_RECORDING_DEFECTS_H
#define ROS2BT_RECORDING_DEFECTS_H

#include "ros2bt/events/diagnostics.h"
#include "ros2bt/events/event_record.h"
#include "ros2bt/events/recording.h"

struct recording_defects;

/* The recording is borrowed and must outlive the defects. */
struct recording_defects *recording_defects_create(struct recording *recording);
void recording_defects_destroy(struct recording_defects *defects);

/* Takes losses, and ignores all other records. O(1). */
void recording_defects_lose(struct recording_defects *defects, const struct event_record *record);

/*
 * Takes each event while recording_defects_counts(): of which threads they are matters only if threads lack ids. To be
 * asked when threads may have been added, before their events. O(1), and O(added threads).
 */
void recording_defects_count(struct recording_defects *defects, uint32_t thread);
bool recording_defects_counts(struct recording_defects *defects);

/* Whether events of a process are among those lost so far, as far as can be told. O(traces + streams²). */
bool recording_defects_may_lack(const struct recording_defects *defects, const char *hostname, int64_t vpid);

/* Adds the counts as of now to the diagnostics. */
void recording_defects_diagnose(const struct recording_defects *defects, struct diagnostics *diagnostics);

#endif
