/* SPDX-License-Identifier: MIT */
/* Why no flow came to the end of a named path, for people. */
#ifndef ROS2BT_NAMED_REASONS_H
#define ROS2BT_NAMED_REASONS_H

#include "core/analyses/named_paths/named_ways.h"

/* Of a path without complete flows; to be freed. Where the recording lacks one of its nodes, publishers or
 * subscriptions no flow counts, not even as unknown. */
char *named_reason_of(const struct named_ways *ways, struct named_path *path);

/* Adds a path without nodes, and with the reason, for each pattern that no flow went along to its end. */
void named_reasons_add_patterns(struct named_ways *ways);

#endif
