/* SPDX-License-Identifier: MIT */
/*
 * The phase of a timer's schedule, inferred from the times of TIMER_PHASE_CALLS_MAX calls at most, in order. Calls are
 * made at or after their slots, which are whole periods apart. Times in ns. Cost: O(calls²).
 */
#ifndef ROS2BT_TIMER_PHASE_H
#define ROS2BT_TIMER_PHASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TIMER_PHASE_CALLS_MAX 8

/* Longer periods (36 years) are no schedule, so that the difference of two times fits 64 bits. */
#define TIMER_PERIOD_MAX_NS (INT64_C(1) << 60)
#define TIMER_EXPECTED_MAX_NS (INT64_C(1) << 62)

struct timer_phase_calls {
	int64_t period_ns;
	size_t count;				    /* 1 or more */
	int64_t times_ns[TIMER_PHASE_CALLS_MAX];    /* when each was made at the latest, … */
	int64_t earliest_ns[TIMER_PHASE_CALLS_MAX]; /* … and at the earliest */
};

/* The slot some periods after another one, and a time before a slot: both within TIMER_EXPECTED_MAX_NS of 0. */
int64_t timer_phase_slot(int64_t slot_ns, int64_t periods, int64_t period_ns);
int64_t timer_phase_before(int64_t slot_ns, int64_t by_ns);

/* Whether two times are whole periods apart, within an eighth of one. */
bool timer_phase_is_near(int64_t period_ns, int64_t time_ns, int64_t other_ns);

/* The time from time_ns to another time, minus whole periods. */
int64_t timer_phase_rest(int64_t period_ns, int64_t time_ns, int64_t other_ns);

/* The time of the call that the others follow soonest: its phase is the one that fits best. */
int64_t timer_phase_best(const struct timer_phase_calls *calls);

/* By how much the calls follow a phase: the median. */
int64_t timer_phase_median(const struct timer_phase_calls *calls, int64_t phase_ns);

/*
 * The slot of the first call, which was on time unless the calls after it show that it was late: they are never before
 * their slots. It was late by less than a period. Each took the slot that was the next one when it was made at the
 * earliest, or a later one.
 */
int64_t timer_phase_of_first(const struct timer_phase_calls *calls);

#endif
