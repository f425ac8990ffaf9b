/* SPDX-License-Identifier: MIT */
/* Names of paths and their nodes, by the definitions known so far. Definitions may be late: ask again for a report. */
#ifndef ROS2BT_PATH_NAMES_H
#define ROS2BT_PATH_NAMES_H

#include "core/analyses/paths/path_tree.h"

/* The process of a tree node; the first one if no flow came there (path_nodes_root()). */
uint32_t path_node_process(const struct path_node *node);

/* The ROS 2 node of a tree node, NULL if that is unknown. */
const char *path_node_known_name(const struct path_tree *tree, const struct path_node *node);

/* The same, or the process in brackets if it is unknown. To be freed. */
char *path_node_name(const struct path_tree *tree, const struct path_node *node);

/* The topic or service by which the flow arrived at a tree node. */
const char *path_node_via(const struct path_tree *tree, const struct path_node *node);

/* The whole way to a node: "/lidar > /scan > /filter". To be freed. */
char *path_text(const struct path_tree *tree, const struct path_node *node);

/* Finds out of each node whether the text of the way to it has a hidden name (hidden_names.h), as known so far. */
void path_names_judge(const struct path_tree *tree);

/* The processes of its nodes, as "12 > 34 > 12", with "?" for a process without vpid. To be freed. */
char *path_vpids_text(const struct path_tree *tree, const struct path_node *node);

/* The hosts of its nodes, as "robot1 > robot1 > gpu". To be freed. */
char *path_hostnames_text(const struct path_tree *tree, const struct path_node *node);

/*
 * Which of several callbacks of the same names each of its nodes is, as "1 > 2 > -" (object_numbers.h), or "callback 2"
 * of those of which it is not known what they are of; NULL if each is the only one. To be freed.
 */
char *path_which_text(const struct path_tree *tree, const struct path_node *node);

/*
 * What a flow begins with there: "timer 100 ms", "publication" and "request" (outside callbacks), "message" (whose
 * publication is not recorded, or not where it came from), "service", "callback" (of an unknown kind), or "round". To
 * be freed.
 */
char *path_begins_text(const struct path_tree *tree, const struct path_node *node);

/* Whether the report is about the path that ends at the node (parameters `nodes`, `topics` and `paths`). */
bool path_is_chosen(const struct path_tree *tree, const struct path_node *last);

#endif
