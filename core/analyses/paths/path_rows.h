/* SPDX-License-Identifier: MIT */
/*
 * What the rows of the table `paths` have beside what traversals counted: texts, and sums along the path. Made when a
 * row is written, since most of thousands of paths are in no text.
 */
#ifndef ROS2BT_PATH_ROWS_H
#define ROS2BT_PATH_ROWS_H

#include "core/analyses/paths/path_tree.h"
#include "core/tables/row_list.h"

struct final_silence;

struct written_path {
	const char *text, *vpids, *hostnames, *begins, *which; /* see path_names.h */
	uint64_t lost, unknown;				       /* flows, at any node on the way */
	struct cell rate_to_end;
	struct row_quantiles quantiles; /* in the summary, as the next one */
	const char *most;
};

/* All borrowed. */
struct path_rows {
	const struct path_tree *tree;
	struct final_silence *silence;
	struct row_list *owner; /* of what is filled */
};

/* Before the rows of a report: none is filled, and it becomes known how long processes were silent at the end. */
void path_rows_begin(const struct path_rows *rows);
/* Fills a row, unless it is filled. */
void path_rows_fill(const struct path_rows *rows, struct path *path);

#endif
