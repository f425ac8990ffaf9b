/* SPDX-License-Identifier: MIT */
/*
 * Which processes and subscriptions use rclcpp, as far as recorded: the state of the object model that
 * core/model/without_rclcpp.h maintains. Embedded: init and clear. Memory: a byte per process and subscription, an
 * entry per inferred callback and per period of timers without rclcpp.
 */
#ifndef ROS2BT_RCLCPP_USE_H
#define ROS2BT_RCLCPP_USE_H

#include <glib.h>

#include "ros2bt/base/u64_map.h"

struct rclcpp_use {
	size_t inferable_count; /* subscriptions without an rclcpp part + processes without rclcpp that have services */
	GArray *is_counted;	/* bool by subscription: it was counted in `inferable_count` */
	GArray *has_services;	/* bool by process */
	GArray *has_rclcpp;	/* bool by process */
	GArray *has_caret;	/* bool by process */
	struct u64_map waits;	/* process and period → timers << 32 | timers at a reused address */
	struct u64_map callbacks;    /* subscription or service → its inferred struct callback_object */
	GPtrArray *callback_origins; /* struct definition *, owned: of the inferred callbacks */
};

void rclcpp_use_init(struct rclcpp_use *rclcpp);
void rclcpp_use_clear(struct rclcpp_use *rclcpp);

#endif
