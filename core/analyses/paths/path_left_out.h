/* SPDX-License-Identifier: MIT */
/* What the tables of paths lack, because there were too many different ways (PATH_NODES_MAX), as a sentence. */
#ifndef ROS2BT_PATH_LEFT_OUT_H
#define ROS2BT_PATH_LEFT_OUT_H

#include "core/analyses/paths/path_tree.h"

/*
 * Says by which topics traversals were not followed, the five with the most first: "too many different paths:
 * traversals left out by /tf (3000), /b (12)". Empty if none was; flows from outside the time range do not count.
 */
void path_left_out_describe(const struct path_tree *tree, GString *text);

#endif
