/* SPDX-License-Identifier: MIT */
/* Names of paths and their nodes, by the definitions known so far. Definitions may be late: ask again for a report. */
#ifndef ROS2BT_PATH_NAMES_H
#define ROS2BT_PATH_NAMES_H

#include "core/analyses/paths/path_tree.h"

/* The ROS 2 node of a tree node, or the process in brackets where that is unknown. To be freed. */
char *path_node_name(const struct path_tree *tree, const struct path_node *node);

/* The topic or service by which the flow arrived at a tree node. */
const char *path_node_via(const struct path_tree *tree, const struct path_node *node);

/* The whole way to a node: "/lidar > /scan > /filter". To be freed. */
char *path_text(const struct path_tree *tree, const struct path_node *node);

/* The processes of its nodes, as "12 > 34 > 12", with "?" for a process without vpid. To be freed. */
char *path_vpids_text(const struct path_tree *tree, const struct path_node *node);

/* Whether the report is about the path that ends at the node (parameters `nodes`, `topics` and `paths`). */
bool path_is_chosen(const struct path_tree *tree, const struct path_node *last);

#endif
