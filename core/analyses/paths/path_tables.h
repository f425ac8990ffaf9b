/* SPDX-License-Identifier: MIT */
/* The tables of the analysis paths: their columns, and how rows are written at the end (see paths.c). */
#ifndef ROS2BT_PATH_TABLES_H
#define ROS2BT_PATH_TABLES_H

#include "core/analyses/paths/path_tree.h"
#include "core/analyses/shared/path_columns.h"

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

/* Of the tables whose rows paths.c writes. */
struct path_instance {
	struct cell path_id;
	struct traversal_cells times;
	struct cell instance; /* as in path_hop_instances */
};

struct path_hop_instance {
	struct cell path_id;
	struct hop_instance_cells of;
};

extern const struct table_schema path_instance_schema, path_hop_instance_schema;

struct final_silence;

/* Writes all tables except those of instances, schedules and the timeline. It changes nothing, so that flows may be
 * under way. */
void path_tables_write(const struct path_tree *tree, struct final_silence *silence,
		       struct table_writer *const *writers);

#endif
