/* SPDX-License-Identifier: MIT */
/* What a message between two hosts says about the offset of their clocks (clock_relation.h). Times are in ns. */
#ifndef ROS2BT_CLOCK_BOUND_H
#define ROS2BT_CLOCK_BOUND_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Rates of computers' clocks differ by at most some 100 ppm, and by 500 ppm more while NTP slews one. */
#define CLOCK_DRIFT_MAX 1e-3
/* Times are whole nanoseconds, so a bound may be off by this much. */
#define CLOCK_ROUNDING_NS 1.0

struct clock_bound {
	int64_t at_ns; /* time of the reference */
	int64_t offset_ns;
	bool is_upper;
};

/* Whether two bounds contradict each other whatever the rates of the clocks. */
static inline bool clock_bounds_prove_step(const struct clock_bound *one, const struct clock_bound *other)
{
	const struct clock_bound *upper = one->is_upper ? one : other, *lower = one->is_upper ? other : one;
	double gap_ns = (double)lower->offset_ns - (double)upper->offset_ns;

	return one->is_upper != other->is_upper &&
	       gap_ns > CLOCK_DRIFT_MAX * fabs((double)one->at_ns - (double)other->at_ns) + 2 * CLOCK_ROUNDING_NS;
}

#endif
