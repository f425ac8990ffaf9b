/* SPDX-License-Identifier: MIT */
/*
 * target_path.json of caret_report (report/analyze_path):
 *
 *   {"target_path_list": [{"name": "a", "path": ["/node", ["/node.*", "/topic"]], "include_first_callback": false}],
 *    "ignore_topic_list": ["/tf"], "ignore_node_list": ["/launch_ros_*"]}
 *
 * or the list alone. `path_blocks` may replace `path`: a list of paths, each of which begins with the last node of the
 * one before. JSON is read as YAML.
 *
 * Errors are G_MARKUP_ERRORs, "PATH:LINE: what".
 */
#ifndef ROS2BT_PATH_PATTERN_FILE_H
#define ROS2BT_PATH_PATTERN_FILE_H

#include "core/named_paths/architecture/path_pattern.h"

struct yaml_tree;

/* Whether a file is of this kind; otherwise it is an architecture file. */
bool path_patterns_are(const struct yaml_tree *tree);
/* Appends its patterns (struct path_pattern *), which the caller owns even if the file is refused. False with an
 * error. */
bool path_patterns_of(const struct yaml_tree *tree, GPtrArray *patterns, GError **error);

#endif
