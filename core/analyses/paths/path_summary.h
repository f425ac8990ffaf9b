/* SPDX-License-Identifier: MIT */
/*
 * The summary `slowest_paths`: the paths with the largest p99 of their latency, and where most of their time goes. Of
 * paths that are the same up to their last node, the slowest one stands for all, so that the rows are different
 * pipelines; it counts the others.
 */
#ifndef ROS2BT_PATH_SUMMARY_H
#define ROS2BT_PATH_SUMMARY_H

#include "core/analyses/paths/path_rows.h"

extern const struct table_schema path_slowest_schema;

/* Columns of the texts of path_names.h, after that of the path itself. */
/* clang-format off */
#define COLUMNS_THAT_TELL_PATHS_APART \
	{ .name = "vpids", .label = "pids", .format = COLUMN_NAME, .role = COLUMN_ROLE_HIDDEN, \
	  .hints = HINT(.tells_apart = TELLS_APART_PROCESS, .wraps = true), CELL_VIA(written, vpids) }, \
	{ .name = "hostnames", .label = "on", .format = COLUMN_NAME, .role = COLUMN_ROLE_HIDDEN, \
	  .hints = HINT(.tells_apart = TELLS_APART_HOST, .wraps = true), CELL_VIA(written, hostnames) }, \
	{ .name = "begins", .label = "begins with", .role = COLUMN_ROLE_HIDDEN, .hints = HINT_TELLS_APART(WHICH), \
	  CELL_VIA(written, begins) }, \
	{ .name = "which", .format = COLUMN_NAME, .role = COLUMN_ROLE_HIDDEN, \
	  .hints = HINT(.tells_apart = TELLS_APART_WHICH, .wraps = true), CELL_VIA(written, which) }
/* clang-format on */

/* How many flows ended on a path, as a cell of its row. */
struct cell path_count_cell(const void *path);

/* Whether they are so few that their p99 says little, as a cell. */
struct cell path_is_rare_cell(const void *path);

/* Writes the slowest ones, the first SUMMARY_ROWS that are not hidden. The paths are those of the report, by id. */
void path_summary_write(const struct path_rows *rows, const struct row_list *usual, const struct row_list *rare,
			struct table_writer *writer);

#endif
