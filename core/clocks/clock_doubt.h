/* SPDX-License-Identifier: MIT */
/*
 * By how much the line of a piece (clock_fit.h) may be off, with the assumptions of clock_relation.h. In ns. What is
 * compared, and why, is explained in docs/internals/clocks.md, "The uncertainty".
 */
#ifndef ROS2BT_CLOCK_DOUBT_H
#define ROS2BT_CLOCK_DOUBT_H

#include "core/clocks/clock_fit.h"

/* Of the shortest round trip: what a clock that wanders, or changes its rate, may do unseen. */
#define CLOCK_DOUBT_UNSEEN_SHARE 0.05
/* Between two pieces: slower messages than by so many times their usual scatter are not expected. */
#define CLOCK_DOUBT_PLAUSIBLE_SCATTERS 12

/*
 * The most that a time may be off in the piece from `begin` to before `end`, apart from where it meets its neighbours.
 * `round_ns`: the shortest round trip. For messages both ways. O(messages).
 */
double clock_doubt_piece(const struct clock_bounds *bounds, size_t begin, size_t end, const struct clock_fit *fit,
			 double round_ns);

/*
 * The most that a time at the end of a piece (or at its begin, with `is_begin`) may be off if the clock left its line
 * there for the other one, `step_ns` higher, as fast as a clock may run. O(messages meanwhile).
 */
double clock_doubt_slew(const struct clock_bounds *bounds, size_t begin, size_t end, bool is_begin,
			const struct clock_fit *fit, double step_ns, double round_ns);

/* Messages next to where two pieces meet that may belong to either; by both lines they are at most so far apart. */
struct clock_zone {
	size_t begin, end;
	double apart_ns;
};

/*
 * About the boundary `at` of two pieces, which begin and end at `begin` and `end`: as long as no message would take
 * less than is possible by the line of the other piece, and all together would not be so slow that it is implausible.
 */
struct clock_zone clock_doubt_zone(const struct clock_bounds *bounds, size_t begin, size_t at, size_t end,
				   const struct clock_fit *before, const struct clock_fit *after);

#endif
