/* SPDX-License-Identifier: MIT */
/*
 * Objects of nodes without rclcpp (rclpy, rclc, …), as far as the object model has to tell them from rclcpp's: see
 * object_model_inferred_subscription() and object_model_is_wait_period() in ros2bt/object_model.h.
 *
 * Called by define.c, after the definition of which each is about. Definitions may come in any order; a part of rclcpp
 * belongs to the subscription that had the handle at its time, or is the next to get it.
 *
 * O(definitions of one handle).
 */
#ifndef ROS2BT_MODEL_PLAIN_H
#define ROS2BT_MODEL_PLAIN_H

#include "core/model/objects.h"

/* Timers of one period in one process; see model_note_timer(). */
#define WAIT_TIMERS_MIN 10
#define WAIT_TIMERS_SURE 1000

/* A subscription has got its rcl part or its rclcpp part. */
void model_note_subscription(struct object_model *model, uint32_t process, uint64_t handle);

void model_note_service(struct object_model *model, uint32_t process);
void model_note_rclcpp(struct object_model *model, uint32_t process);
void model_note_caret(struct object_model *model, uint32_t process);

/*
 * A timer without rclcpp is defined. A period is one of waits once there are WAIT_TIMERS_MIN of them and half of them
 * at an address where there was one before, or WAIT_TIMERS_SURE: so a node with many timers of one period keeps them.
 */
void model_note_timer(struct object_model *model, uint32_t process, int64_t period_ns, bool is_at_old_address);

bool model_has_rclcpp(const struct object_model *model, uint32_t process);

#endif
