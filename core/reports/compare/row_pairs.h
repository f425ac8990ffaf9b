/* SPDX-License-Identifier: MIT */
/*
 * Which rows of two sides correspond: those with the same names in the same table. The period of a timer is one of its
 * names, so a timer whose period was changed has no such row. It corresponds to the row that differs only in the
 * period, if there is exactly one on each side that has no other: anything else would be a guess.
 */
#ifndef ROS2BT_ROW_PAIRS_H
#define ROS2BT_ROW_PAIRS_H

#include <glib.h>

#include "core/reports/compare/block_series.h"

/* Keys of rows (block_series.h), borrowed; NULL on the side that has no such row. */
struct row_pair {
	const char *base, *changed;
};

/* struct row_pair, in an order that depends on nothing but the names; to be freed. O(rows × log(rows)). */
GArray *row_pairs_find(const GPtrArray *base, const GPtrArray *changed);

#endif
