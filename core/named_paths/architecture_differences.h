/* SPDX-License-Identifier: MIT */
/*
 * Where a recording differs from an architecture, at the nodes of its named paths: callbacks that the recording lacks
 * or that have another symbol, publications from callbacks that the file does not name, contexts that cannot be
 * evaluated. Rows of the table `diagnostics`. O(nodes × objects of the model), at the end.
 */
#ifndef ROS2BT_ARCHITECTURE_DIFFERENCES_H
#define ROS2BT_ARCHITECTURE_DIFFERENCES_H

#include "core/named_paths/named_ways.h"

/* `publishing`: index of a publisher << 32 | index of a callback → number of publications. */
void architecture_differences_add(const struct named_ways *ways, const struct u64_map *publishing,
				  struct diagnostics *findings);

#endif
