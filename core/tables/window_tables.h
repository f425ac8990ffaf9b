/* SPDX-License-Identifier: MIT */
/*
 * The tables of a window of time: what their rows gained since they were written the last time. It stands between those
 * who write tables and an output, and keeps what each row was, so that neither has to know of windows: rows that only
 * grow are written again and again, and the output gets the differences, or the rows as they are (the whole).
 *
 * In a window, a cell is
 *
 *   a name, or a number that tells rows apart (vpid, a number of the row)   as it is
 *   a distribution                           the samples of the window (core/statistics/duration_difference.h); empty
 *                                            if the output does not look at it (table_writer.needs)
 *   a sum (COLUMN_MERGE_SUM)                 what was added; 0 if it became less, as what is unknown may
 *   the largest of something (..._MAX)       itself if it grew, else empty: the largest of the window is unknown
 *   a rate                                   one over the mean of the row's distribution `period`, or the number of
 *                                            what happened over the length of the window; empty before and in the
 *                                            first window in which it happens, since it may begin in the midst
 *   anything else                            empty: it is known of the whole only
 *
 * What was empty for some windows (a distribution: without samples), as what is unknown may be, has gained in the next
 * one what was added since it was written the last time.
 *
 * Main tables that have names have windows. Of gaps, a window has the rows that grew. The worst instances are
 * those of the whole. Other tables (parts, summaries, instances) have no rows in a window.
 *
 * A row is found again by its names and by what else tells it apart; rows that are equal in all of these by their
 * order. One that had no number, as the only one of its names, is number 1 when another appears (object_numbers.h). One
 * whose distributions have fewer samples than before is not that row: it has no window this time.
 *
 * Memory: a copy of the rows. Cost of a window: O(buckets) for each distribution that grew and that is looked at.
 */
#ifndef ROS2BT_WINDOW_TABLES_H
#define ROS2BT_WINDOW_TABLES_H

#include <stdint.h>

#include "core/tables/table.h"

struct window_tables;

struct window_tables *window_tables_create(void);
void window_tables_destroy(struct window_tables *windows); /* NULL is allowed */

/*
 * Where to write from now on: its tables pass rows on to those of `target`, which is borrowed. A later call gives the
 * same rows another target; the writers before are used no more.
 */
struct table_output *window_tables_open(struct window_tables *windows, struct table_output *target);

/* All tables are about to be written: of a window of this length. 0: as they are. */
void window_tables_begin(struct window_tables *windows, int64_t length_ns);
/* All tables were written. */
void window_tables_end(struct window_tables *windows);

#endif
