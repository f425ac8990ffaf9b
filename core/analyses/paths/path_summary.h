/* SPDX-License-Identifier: MIT */
/* The summary `slowest_paths`: the paths with the largest p99 of their latency, and where most of their time goes. */
#ifndef ROS2BT_PATH_SUMMARY_H
#define ROS2BT_PATH_SUMMARY_H

#include "core/analyses/paths/path_tree.h"

extern const struct table_schema path_slowest_schema;

/* Columns of the texts of path_names.h, after that of the processes. */
/* clang-format off */
#define COLUMNS_THAT_TELL_PATHS_APART \
	{ .name = "hostnames", .label = "on", .format = COLUMN_NAME, .role = COLUMN_ROLE_HIDDEN, \
	  .hints = HINT(.tells_apart = TELLS_APART_HOST, .wraps = true) }, \
	{ .name = "begins", .label = "begins with", .role = COLUMN_ROLE_HIDDEN, .hints = HINT_TELLS_APART(WHICH) }, \
	{ .name = "which", .format = COLUMN_NAME, .role = COLUMN_ROLE_HIDDEN, \
	  .hints = HINT(.tells_apart = TELLS_APART_WHICH, .wraps = true) }
/* clang-format on */

/* A path as its rows are sorted and written. */
struct path_row {
	const struct path *path;
	char *text, *vpids, *hostnames, *begins, *which; /* owned; see path_names.h */
	uint64_t lost, unknown;				 /* flows, at any node on the way */
	int64_t p99_ns;					 /* of the latency, once they are sorted */
};

void path_row_clear(gpointer data);

/* The order of rows (struct path_row): by text, then by id. */
gint path_row_compare(gconstpointer a, gconstpointer b);

/* Sorts the rows (struct path_row), the slowest first, and writes the first SUMMARY_ROWS that are not hidden. */
void path_summary_write(const struct path_tree *tree, struct table_writer *writer, GArray *rows);

#endif
