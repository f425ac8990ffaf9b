/* SPDX-License-Identifier: MIT */
/*
 * The tables of named paths: `named_paths` with its hops and instances, `response_instances`, `frequencies`, and the
 * summary of the slowest ones.
 *
 * Response times (core/analyses/named_paths/response_times.h) and periods are over the flows as of the write: O(n log
 * n). A recording has parts for them: a part begins with a flow of which it is unknown what became of it, and after a
 * break of the process that the path begins in. Nothing is charged from one part to another.
 */
#ifndef ROS2BT_NAMED_TABLES_H
#define ROS2BT_NAMED_TABLES_H

#include "core/analyses/named_paths/named_results.h"

enum named_table {
	NAMED_TABLE_PATHS,
	NAMED_TABLE_HOPS,
	NAMED_TABLE_INSTANCES,
	NAMED_TABLE_HOP_INSTANCES,
	NAMED_TABLE_RESPONSES,
	NAMED_TABLE_FREQUENCIES,
	NAMED_TABLE_SUMMARY,
	NAMED_TABLE_ELEMENTS, /* these two with contexts=caret only: caret_tables.h */
	NAMED_TABLE_RECORDS,
};

extern const struct table_schema *const named_tables[]; /* ended by NULL */

/* All tables but those of instances, as of now. */
void named_tables_write(const struct named_results *results, struct table_writer *const *writers);

/* The tables of instances that are about all flows together: at the end, once. */
void named_tables_write_instances(const struct named_results *results, struct table_writer *const *writers);

#endif
