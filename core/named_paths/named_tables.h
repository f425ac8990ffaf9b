/* SPDX-License-Identifier: MIT */
/*
 * The tables of named paths: `named_paths` with its hops and instances, `response_instances`, `frequencies`, and the
 * summary of the slowest ones. Instances of flows and of their hops are written at once (named_results.h), all else
 * from the results as of now; response times and periods take O(n log n) in the flows (named_path_times.h).
 */
#ifndef ROS2BT_NAMED_TABLES_H
#define ROS2BT_NAMED_TABLES_H

#include "core/named_paths/named_results.h"

enum named_table {
	NAMED_TABLE_PATHS,
	NAMED_TABLE_HOPS,
	NAMED_TABLE_INSTANCES,
	NAMED_TABLE_HOP_INSTANCES,
	NAMED_TABLE_RESPONSES,
	NAMED_TABLE_FREQUENCIES,
	NAMED_TABLE_SUMMARY,
	NAMED_TABLE_ELEMENTS, /* this and the next: only with contexts=caret, see caret_tables.h */
	NAMED_TABLE_RECORDS,
};

extern const struct table_schema *const named_tables[]; /* ended by NULL */

/* All tables except instances, as of now. */
void named_tables_write(const struct named_results *results, struct table_writer *const *writers);

/* `response_instances` and `frequencies`, which need all flows: once, at the end. */
void named_tables_write_instances(const struct named_results *results, struct table_writer *const *writers);

#endif
