/* SPDX-License-Identifier: MIT */
/*
 * The message about a column to sort by that no table has: the column that was probably meant, and the columns of each
 * table, without `_ns` at the end, a statistic as `NAME_*`.
 */
#ifndef ROS2BT_TEXT_SORT_H
#define ROS2BT_TEXT_SORT_H

#include "core/tables/table.h"

/* A table by its schema as given, and by that with columns for its statistics. */
struct sorted_table {
	const struct table_schema *given, *schema;
};

/* To be freed. */
char *text_sort_problem(const char *parameter, const char *sort, const struct sorted_table *tables, size_t count);

#endif
