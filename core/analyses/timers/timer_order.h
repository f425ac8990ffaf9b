/* SPDX-License-Identifier: MIT */
/*
 * Calls of threads that share an executor, whose callbacks start in another order than rcl called the timer: one of the
 * threads was preempted before its callback started. Then a call that started before, and was made after that one,
 * seems to have missed slots. Times in ns. Cost: the calls held.
 */
#ifndef ROS2BT_TIMER_ORDER_H
#define ROS2BT_TIMER_ORDER_H

#include "core/analyses/timers/timer_rule.h"

/*
 * Whether a thread may still start the callback for which rcl made a call before one of those held that seem to have
 * missed slots. `call`: the last one, which tells what is known now.
 */
bool timer_order_is_open(struct timer_schedule *schedule, const struct timer_call *call);

/*
 * No call follows `last`: of a call held that seems to have missed slots, it is not known when it was expected, if a
 * thread may still start a callback for which rcl made a call before.
 */
void timer_order_doubt(const struct timer_call *last, struct timer_call *call);

/*
 * A call that rcl made before one of the calls held took the slot of that one, and that one a slot that it seems to
 * have missed. Returns whether it is such a call; then rcl read its clock at the earliest time, which facts.now_ns is
 * now, both have their slots, and the schedule is as it was. Of a schedule that begins anew, they get them later
 * (timer_held.h).
 */
bool timer_order_correct(struct timer_schedule *schedule, struct timer_call *call);

#endif
