/* SPDX-License-Identifier: MIT */
/*
 * Nodes without rclcpp (rclpy, rclc, …): which subscriptions and services belong to them, the inferred callbacks of
 * those, and which of their timers only wait. The questions are part of ros2bt/model/object_model.h:
 * object_model_inferable_count(), object_model_inferred_subscription(), object_model_inferred_service(),
 * object_model_polled_subscription() and object_model_is_wait_period().
 *
 * init_events.c calls each function below after it has added the definition in question. Definitions may arrive in any
 * order: an rclcpp part belongs to the subscription that had the handle at its time, or to the next one to get it.
 *
 * Cost: O(definitions of one handle).
 */
#ifndef ROS2BT_WITHOUT_RCLCPP_H
#define ROS2BT_WITHOUT_RCLCPP_H

#include "core/model/object_store.h"

/* Timers of one period in one process; see model_note_timer(). */
#define WAIT_TIMERS_MIN 10
#define WAIT_TIMERS_SURE 1000

/* The rcl part or the rclcpp part of the subscription at a handle was defined. */
void model_note_subscription(struct object_model *model, uint32_t process, uint64_t handle);

/* The process has a service, uses rclcpp, or is recorded by CARET (and so uses rclcpp). */
void model_note_service(struct object_model *model, uint32_t process);
void model_note_rclcpp(struct object_model *model, uint32_t process);
void model_note_caret(struct object_model *model, uint32_t process);

/*
 * A timer was defined; is_at_old_address: an earlier timer had its address. A period is one of waits if at least
 * WAIT_TIMERS_MIN timers have it and half of them reused an address, or if WAIT_TIMERS_SURE have it. The second rule
 * does not apply to a node with a few hundred real timers of one period.
 */
void model_note_timer(struct object_model *model, uint32_t process, int64_t period_ns, bool is_at_old_address);

#endif
