/* SPDX-License-Identifier: MIT */
/*
 * Where a recording differs from an architecture, at the nodes of its named paths: callbacks that are not there or have
 * another symbol, publications of callbacks that the file does not name, contexts that are not evaluated. For the table
 * `diagnostics`.
 */
#ifndef ROS2BT_ARCHITECTURE_DIFFERENCES_H
#define ROS2BT_ARCHITECTURE_DIFFERENCES_H

#include "core/analyses/named_paths/named_ways.h"

/* `publishing`: index of a publisher << 32 | of a callback → its publications. */
void architecture_differences_add(const struct named_ways *ways, const struct u64_map *publishing,
				  struct diagnostics *findings);

#endif
