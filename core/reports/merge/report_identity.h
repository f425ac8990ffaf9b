/* SPDX-License-Identifier: MIT */
/*
 * Whether two reports are of the same recordings: they have the same attributes, rows, counts and totals. The longest
 * sample of each statistic is known by its time, so reports of different recordings differ. Paths, processes,
 * histograms and their resolution do not matter. What a manifest says to be of two robots counts for each.
 *
 * Cost: O(rows log rows). A recording that is part of a merged report and is given by itself as well is not found.
 */
#ifndef ROS2BT_REPORT_IDENTITY_H
#define ROS2BT_REPORT_IDENTITY_H

#include <glib.h>

/*
 * Of a report's tables (struct merged_table *), always in the same order, and the values of its attributes. NULL: no
 * statistic has samples. To be freed.
 */
char *report_identity(const GPtrArray *tables, const char *const *values, size_t value_count);

#endif
