/* SPDX-License-Identifier: MIT */
/*
 * Which clock a timer runs by. No event records that: it is inferred from the calls so far.
 *
 * A timer does not run by the clock of the trace if the median of the periods that no callback delayed differs from the
 * timer's period by more than chance, and these periods are alike or follow no schedule at all.
 */
#ifndef ROS2BT_TIMER_CLOCK_H
#define ROS2BT_TIMER_CLOCK_H

#include "core/analyses/timers/timer_counts.h"

#define TIMER_FREE_CALLS_MIN 8 /* periods before the clock is judged */

enum timer_clock {
	TIMER_CLOCK_UNKNOWN,
	TIMER_CLOCK_STEADY, /* calls follow the clock of the trace, whichever clock that is */
	TIMER_CLOCK_OTHER,  /* calls do not, as with simulated time */
};

enum timer_clock timer_row_clock(const struct timer_row *row);

/*
 * Whether the period, by median and mean, differs from the timer's by more than 1 % and more than chance (a 95 % range
 * of a median). Both are needed: the median alone is wrong where every other call is late, the mean where the timer was
 * stopped.
 */
bool timer_row_runs_by_other_clock(const struct timer_row *row);

/* How much longer the periods are than the timer's, in percent; false if that is not known. */
bool timer_row_rate_error(const struct timer_row *row, double *percent);

#endif
