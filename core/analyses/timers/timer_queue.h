/* SPDX-License-Identifier: MIT */
/*
 * Callbacks that wait in a queue after rcl has called their timer, as those of rclcpp's EventsExecutor. Neither that
 * nor the static executor, which has no queue, records events; nor does EventsCBGExecutor, which calls a timer when it
 * executes its callback, and so has no queue in this sense (rclcpp, src/rclcpp/experimental/timers_manager.cpp,
 * src/rclcpp/executors/events_cbg_executor/timer_manager.hpp). As long as the executor is busy, both explain its calls:
 *   - without a queue, a call that is late by whole periods has missed their slots
 *   - with a queue, it and the calls since have one slot after another
 * What they show later:
 *   - A call before it is expected, but after its slot in the queue: there is one.
 *   - Four calls in a row at their slots, each after the thread had executed nothing for a while: what was in a queue
 *     would have been executed by then. A thread that is preempted executes nothing either, and may be there by chance,
 *     but hardly four times in a row. If callbacks on the thread had kept the others waiting, its executor seems to
 *     have no queue; if that shows again and again, it has none (timer_shown_has_no_queue()).
 *
 * Until then, of calls that may have waited in a queue, neither the slot nor what they missed is known. So it is after
 * calls may have been lost, and if the first one is late: its executor may not have run since the creation. Slots that
 * rcl missed although there is a queue are not counted.
 *
 * Cost: the calls held. Times in ns.
 */
#ifndef ROS2BT_TIMER_QUEUE_H
#define ROS2BT_TIMER_QUEUE_H

#include "core/analyses/timers/timer_rule.h"

/* Takes the newest call held, to which the rule has been applied. */
void timer_queue_follow(struct timer_schedule *schedule, const struct timer_call *call);

/* Whether the slots that calls seem to have missed may still be in a queue, as far as the newest call shows. */
bool timer_queue_is_possible(const struct timer_schedule *schedule);

/* A call before it is expected: if there is a queue, the calls held and this one have their slots in it. */
bool timer_queue_correct(struct timer_schedule *schedule, const struct timer_call *call);

/* The newest call held shows that nothing is in a queue: what the calls held seem to have missed they have. */
void timer_queue_end(struct timer_schedule *schedule);

/* Calls before this one may have been lost, and what was in the queue, if there is one: unknown until that is empty. */
void timer_queue_lose(struct timer_schedule *schedule, const struct timer_call *call);

/* The next call is expected at the last slot before a call: that was not the next one, but the phase is known. */
void timer_queue_resume(struct timer_schedule *schedule, const struct timer_call *call);

/* The schedule began anew with the calls held. If one of them seems to have missed slots, it and what follows waits. */
void timer_queue_begin_anew(struct timer_schedule *schedule);

/* The calls held are to be decided, and those that may have waited in a queue cannot be. */
void timer_queue_doubt(struct timer_schedule *schedule);

#endif
