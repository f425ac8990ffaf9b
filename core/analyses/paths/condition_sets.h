/* SPDX-License-Identifier: MIT */
/*
 * Sets of conditions (flow_linker_holds()), each with a number: a flow that has come a long way may depend on several.
 * Set 0 is empty. A set is a combination of conditions on which flows have come back through nodes without rclcpp:
 * usually few, so that their number is limited (CONDITION_SETS_MAX).
 */
#ifndef ROS2BT_CONDITION_SETS_H
#define ROS2BT_CONDITION_SETS_H

#include <glib.h>

#include "core/analyses/paths/path_nodes.h"

#define CONDITION_SETS_MAX 256
#define CONDITION_SETS_FULL UINT32_MAX

/* A GArray of uint32_t for each set, in order and without repetitions; to be freed. */
GPtrArray *condition_sets_create(void);

/*
 * The number of the set of these conditions (uint32_t), in any order; the array is changed. CONDITION_SETS_FULL if
 * there is no room for it. Linear in the sets.
 */
uint32_t condition_sets_find_or_add(GPtrArray *sets, GArray *conditions);

/* The same of the conditions on which flows have come to the node. */
uint32_t condition_sets_of_way(GPtrArray *sets, const struct path_node *node);

/* Whether all conditions of a set hold. */
bool condition_sets_hold(const GPtrArray *sets, uint32_t set, const struct flow_linker *flows);

#endif
