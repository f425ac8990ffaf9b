/* SPDX-License-Identifier: MIT */
/*
 * How the calls that a schedule holds are decided: by the schedule as it is, or by a new one that begins with them
 * (timer_schedule.h). Times in ns. Cost: O(calls held²) at most.
 */
#ifndef ROS2BT_TIMER_HELD_H
#define ROS2BT_TIMER_HELD_H

#include "core/analyses/timers/timer_rule.h"

/* What is known of a call is all that will be. */
void timer_held_decide(const struct timer_schedule *schedule, struct timer_call *call);

/*
 * The first one of the calls held before which the timer may not have been due, though nothing else seems to show that;
 * their number: none.
 */
size_t timer_held_first_vague(struct timer_schedule *schedule);

/* The calls held are unknown from this one on. */
void timer_held_doubt(struct timer_schedule *schedule, size_t first);

/* All calls held are as they seem. */
void timer_held_accept(struct timer_schedule *schedule);

/*
 * Begins the schedule anew with the calls held, of which the earliest were as late as a thread takes to wake up. If
 * they fit no schedule, the old one goes on; if that cannot be, as it began anew for certain, they are unknown. If the
 * creation was recorded late, the first call may have missed slots.
 */
void timer_held_begin_anew(struct timer_schedule *schedule);

/* Whether the newest calls held are all late by about the same time: by three times as much as they differ, or more. */
bool timer_held_are_late_alike(struct timer_schedule *schedule, size_t count);

/* Decides on all of them by what is known so far. */
void timer_held_settle(struct timer_schedule *schedule);

#endif
