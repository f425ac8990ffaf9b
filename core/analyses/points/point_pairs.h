/* SPDX-License-Identifier: MIT */
/*
 * Pairs of a start and an end: of stages, and of paths, whose start is that of their first stage and whose end is that
 * of their last one. Never a wrong pair:
 *
 *   - A start and an end belong together if row and key are the same, in the same place: a thread, a process, a host,
 *     or anywhere (enum point_scope).
 *   - Where the same key is already open, its end was lost: the earlier start counts as without end, and the new one
 *     is open.
 *   - An end without a start is counted. What is open at the end of the recording is without end.
 *   - doubtful: events may have been lost between start and end (executions.h), or tracing was off, so the two may
 *     belong to two turns with one key. Such a pair counts and has an instance, but its duration is no sample. Where
 *     keys only ever rise, none occurs twice, and no pair is doubtful.
 *   - unknown: those of without_start and without_end whose other half may lie before or after the recording, or where
 *     events were lost, given the longest duration so far.
 *   - out_of_order: it ended after one that started later, in the same place.
 *
 * A pair counts if its start lies within the options' [begin, end]; an end without start, if the end does.
 *
 * O(1) per start and end.
 */
#ifndef ROS2BT_POINT_PAIRS_H
#define ROS2BT_POINT_PAIRS_H

#include "core/analyses/points/points_state.h"

/* Opens the row of this index with points->key; the caller sets the callback. Valid until the next call. */
struct open_point *point_pairs_begin(struct points *points, guint index, const struct event_record *record);

/* Ends what is open in the row with points->key. False: nothing is. */
bool point_pairs_end(struct points *points, guint index, const struct event_record *record);

/* Counts an end for which point_pairs_end() found nothing open. */
void point_pairs_count_end(struct points *points, guint index, const struct event_record *record);

#endif
