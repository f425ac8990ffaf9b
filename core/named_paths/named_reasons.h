/* SPDX-License-Identifier: MIT */
/* Why no flow reached the end of a named path: texts for the column `reason`. O(paths × ways), at the end. */
#ifndef ROS2BT_NAMED_REASONS_H
#define ROS2BT_NAMED_REASONS_H

#include "core/named_paths/named_ways.h"

/* For a path without complete flows; to be freed. If the recording lacks one of its nodes, publishers or
 * subscriptions, its counts are reset: no flow was possible. */
char *named_reason_of(const struct named_ways *ways, struct named_path *path);

/* Adds a path with a reason and without nodes, for each pattern of which no way reached the end. */
void named_reasons_add_patterns(struct named_ways *ways);

#endif
