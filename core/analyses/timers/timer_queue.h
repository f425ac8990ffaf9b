/* SPDX-License-Identifier: MIT */
/*
 * Callbacks that wait in a queue after rcl has called their timer, as those of rclcpp's EventsExecutor, which records
 * no events (timer_schedule.h). Cost: the calls held.
 */
#ifndef ROS2BT_TIMER_QUEUE_H
#define ROS2BT_TIMER_QUEUE_H

#include "core/analyses/timers/timer_rule.h"

/*
 * Whether the slots that calls held seem to have missed may still be in a queue: until a call is at its slot, after a
 * time in which the thread executed nothing.
 */
bool timer_queue_is_possible(struct timer_schedule *schedule, const struct timer_call *call);

/*
 * A call before it is expected. If one of the calls held seems to have missed slots, and each call since had one of its
 * own, the call is after the slot that follows: then there is a queue, and nothing was missed.
 */
bool timer_queue_correct(struct timer_schedule *schedule, const struct timer_call *call);

#endif
