/* SPDX-License-Identifier: MIT */
/*
 * The straight line that a range of bounds (clock_bound.h) gives, and how far the truth may be from it.
 *
 * Of messages both ways the line is the middle one of those that leave each message time to travel, moved up or down
 * until the nearest bounds above and below are equally far away. Of messages one way it is the line with the least sum
 * of latencies, on which the fastest message takes no time.
 *
 * Times are in ns. Cost: O(bounds x corners of a polygon).
 */
#ifndef ROS2BT_CLOCK_FIT_H
#define ROS2BT_CLOCK_FIT_H

#include <math.h>

#include "core/clocks/clock_polygon.h"

/* Bounds in order of time, of which some are left out because they contradict all others. */
struct clock_bounds {
	const struct clock_bound *at;
	bool *is_left_out;
	double reach_ns;  /* no two offsets are further apart */
	double margin_ns; /* the time that messages there and back take together at least, see clock_polygon.h */
};

/* Messages in a row are slow by chance if the logarithm of how unlikely that is, of so many, is less than this. */
#define CLOCK_FIT_UNLIKELY 7
/* and one message counts so much at most, because the slowest are slower than exponential scatter explains. */
#define CLOCK_FIT_EVIDENCE 2
/* Fewer messages of one direction tell nothing about the rate of a clock; a line by more of them may tilt. */
#define CLOCK_FIT_MESSAGES_FOR_RATE 16
#define CLOCK_FIT_TILTS 2

struct clock_fit {
	const struct clock_bound *origin; /* borrowed: the line begins there */
	struct clock_line line;
	uint64_t upper_count, lower_count;
	double room_ns;	      /* between the nearest bounds above and below; infinite with bounds of one direction */
	double scatter_ns[2]; /* of latencies: their mean above the least; by is_upper */
	double extent_ns; /* the largest distance of another line without contradiction, within the range; likewise */
};

/* Of the bounds from `begin` to the one before `end`, at least one. */
struct clock_fit clock_fit_range(const struct clock_bounds *bounds, size_t begin, size_t end);

static inline bool clock_fit_is_two_ways(const struct clock_fit *fit)
{
	return fit->upper_count > 0 && fit->lower_count > 0;
}

static inline uint64_t clock_fit_count(const struct clock_fit *fit)
{
	return fit->upper_count + fit->lower_count;
}

/* Whether anything is known about the other side of the messages, see clock_fit_complete(). */
static inline bool clock_fit_is_bounded(const struct clock_fit *fit)
{
	return isfinite(fit->room_ns);
}

/*
 * Moves the line of messages one way, as if there were messages back: those of the range leave as much room as the
 * shortest round trip and scatter as those of another fit (`model`), so the fastest of a few is late.
 */
void clock_fit_complete(struct clock_fit *fit, const struct clock_bounds *bounds, size_t begin, size_t end,
			const struct clock_fit *model, double round_ns);

/* The offset at a time of the reference. */
double clock_fit_offset(const struct clock_fit *fit, const struct clock_bound *at);

/* What a bound's message took by the line, minus the unknown difference of the ways there and back. */
double clock_fit_latency(const struct clock_fit *fit, const struct clock_bound *bound);

/*
 * The largest distance of the bounds above and below from the line, at the time of any message, if the clock departs
 * from the line's rate by at most `wander` (a number, such as 2e-6).
 */
double clock_fit_corridor(const struct clock_bounds *bounds, size_t begin, size_t end, const struct clock_fit *fit,
			  double wander);

/*
 * The most that a clock may be off where nothing comes from the other direction for a while: if messages in a row are
 * all slower than chance explains, the clock may have changed meanwhile. 0 if none are.
 */
double clock_fit_slow_run(const struct clock_bounds *bounds, size_t begin, size_t end, const struct clock_fit *fit);

/*
 * The largest distance, where they meet, of any two lines of which one satisfies the bounds before and the other those
 * after: the clock may have changed its rate once, at any message. Both leave room of margin_ns.
 */
double clock_fit_farthest_bend(const struct clock_bounds *bounds, size_t begin, size_t end, const struct clock_fit *fit,
			       double margin_ns);

/*
 * The least time that a message there and one back took together, how much of it may be wandering meanwhile, and by how
 * much the fastest of so many messages are late on average.
 */
struct clock_round_trip {
	double took_ns, wandered_ns, late_ns;
};

/*
 * By messages that follow each other closely: the line need not be right for that, only its drift nearly (to `wander`).
 * Infinite without bounds of both directions.
 */
struct clock_round_trip clock_fit_round_trip(const struct clock_bounds *bounds, size_t begin, size_t end,
					     const struct clock_fit *fit, double wander);

#endif
