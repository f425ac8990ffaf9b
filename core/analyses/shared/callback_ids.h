/* SPDX-License-Identifier: MIT */
/*
 * The callback_id of each callback that runs, as in the table `callbacks`: numbers from 0 in the order of the first
 * executions, inferred ones among them. For instances of other analyses, which are written before the end. O(1).
 */
#ifndef ROS2BT_CALLBACK_IDS_H
#define ROS2BT_CALLBACK_IDS_H

#include "ros2bt/executions.h"
#include "ros2bt/inferred_executions.h"

struct callback_ids;

/* Listens to both, which are borrowed. */
struct callback_ids *callback_ids_create(struct executions *executions, struct inferred_executions *inferred);
void callback_ids_destroy(struct callback_ids *ids);

/* Of a callback that has run. */
uint64_t callback_ids_of(const struct callback_ids *ids, const struct model_callback *callback);

#endif
