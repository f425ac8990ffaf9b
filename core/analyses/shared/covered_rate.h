/* SPDX-License-Identifier: MIT */
/*
 * How often something happens, over covered time (core/model/coverage.h): how many of its periods per second, where a
 * period is the time from one occurrence to the next. No period lies across a time in which one of the processes that
 * take part was not recorded. In a complete recording that is the number of occurrences but one, over the time from the
 * first to the last; the same as 1 / mean period of a callback.
 *
 * Occurrences may come out of order, across the last period that is broken at most. Cost: O(1) each; where something is
 * missing, a question to the coverage.
 */
#ifndef ROS2BT_COVERED_RATE_H
#define ROS2BT_COVERED_RATE_H

#include "core/analyses/shared/cells.h"
#include "ros2bt/base/time_units.h"

/* What each occurrence touches comes last, in 16 bytes. */
struct covered_rate {
	uint64_t broken; /* periods across uncovered time, and how long they are */
	int64_t broken_ns;
	int64_t broken_from_ns, broken_to_ns; /* the last of them */
	int64_t first_ns;		      /* only with a count, as last_ns */
	uint64_t count;
	int64_t last_ns;
};

/* Whether all processes that take part were recorded between two times. NULL: at any time so far. */
typedef bool (*covered_rate_is_whole)(const void *data, int64_t from_ns, int64_t to_ns);

/* It is not later than the last one. In the last broken period, it divides that. */
static inline void covered_rate_divide(struct covered_rate *rate, int64_t time_ns, covered_rate_is_whole is_whole,
				       const void *data)
{
	bool is_whole_before, is_whole_after;

	if (!is_whole || time_ns <= rate->broken_from_ns || time_ns >= rate->broken_to_ns) {
		return;
	}
	is_whole_before = is_whole(data, rate->broken_from_ns, time_ns);
	is_whole_after = is_whole(data, time_ns, rate->broken_to_ns);
	rate->broken += is_whole_before || is_whole_after ? 0 : 1;
	if (is_whole_after) {
		rate->broken_ns -= rate->broken_to_ns - time_ns;
		rate->broken_to_ns = time_ns;
		return;
	}
	rate->broken_ns -= is_whole_before ? time_ns - rate->broken_from_ns : 0;
	rate->broken_from_ns = time_ns;
}

static inline void covered_rate_add(struct covered_rate *rate, int64_t time_ns, covered_rate_is_whole is_whole,
				    const void *data)
{
	if (rate->count++ == 0) {
		rate->first_ns = rate->last_ns = time_ns;
		return;
	}
	if (G_UNLIKELY(time_ns <= rate->last_ns)) {
		covered_rate_divide(rate, time_ns, is_whole, data);
		rate->first_ns = MIN(rate->first_ns, time_ns);
		return;
	}
	if (is_whole && G_UNLIKELY(!is_whole(data, rate->last_ns, time_ns))) {
		rate->broken++;
		rate->broken_ns = add_saturated(rate->broken_ns, time_ns - rate->last_ns);
		rate->broken_from_ns = rate->last_ns;
		rate->broken_to_ns = time_ns;
	}
	rate->last_ns = time_ns;
}

/* As rate_to_end_cell(). Empty without periods. */
static inline struct cell covered_rate_to_end_cell(const struct covered_rate *rate, double silent_ns)
{
	double time_ns = time_between(rate->first_ns, rate->last_ns) - (double)rate->broken_ns;

	return rate->count == 0 ? CELL_NONE : rate_to_end_cell(rate->count - rate->broken, time_ns, silent_ns);
}

/* Empty without periods. */
static inline struct cell covered_rate_cell(const struct covered_rate *rate)
{
	return covered_rate_to_end_cell(rate, 0);
}

#endif
