/* SPDX-License-Identifier: MIT */
/* The tables of the analysis paths: their columns, and how rows are written at the end (see paths.c). */
#ifndef ROS2BT_PATH_TABLES_H
#define ROS2BT_PATH_TABLES_H

#include "core/analyses/paths/path_tree.h"

enum {
	TABLE_PATHS,
	TABLE_HOPS,
	TABLE_INSTANCES,
	TABLE_HOP_INSTANCES,
	TABLE_SLOWEST,
	TABLE_WORST,
	TABLE_WORST_HOPS,
	TABLE_TRACKS,
	TABLE_LABELS,
	TABLE_EVENTS,
	TABLE_HOP_SCHEDULING,
	TABLE_WHY,
};

extern const struct table_schema *const path_tables[]; /* by the enumerators; ended by NULL */

/*
 * The rows of a traversal of a path in the tables of instances, if they are written; the traversal is the one that the
 * path counted last.
 */
void path_tables_write_instance(struct table_writer *const *writers, const struct path *path, const struct step *last,
				int64_t end_ns);

struct final_silence;

/* Writes all tables except those of instances, schedules and the timeline. It changes nothing, so that flows may be
 * under way. */
void path_tables_write(const struct path_tree *tree, struct final_silence *silence,
		       struct table_writer *const *writers);

#endif
