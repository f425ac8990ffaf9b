/* SPDX-License-Identifier: MIT */
/*
 * Where the time of a path goes, hop by hop: the table `path_hops`, means over all traversals, and the tables
 * `worst_paths` and `worst_path_hops` of the slowest traversals.
 */
#ifndef ROS2BT_PATH_HOP_TABLES_H
#define ROS2BT_PATH_HOP_TABLES_H

#include "core/analyses/paths/path_tree.h"

extern const struct table_schema path_hop_schema, path_worst_schema, path_worst_hop_schema;

/* The rows of a path in path_hops, from the first callback on. */
void path_hop_tables_write(const struct path_tree *tree, struct table_writer *writer, const struct path *path);

/* The rows of a path in worst_paths and worst_path_hops. `hops` may be NULL. */
void path_hop_tables_write_worst(const struct path_tree *tree, struct table_writer *worst_writer,
				 struct table_writer *hops, const struct path *path);

/* The callback that held the messages of a hop longest, as a text; NULL if there is none. To be freed. */
char *path_hop_held_by(const struct path_tree *tree, const struct path *path, const struct path_node *node);

#endif
