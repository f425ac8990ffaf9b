/* SPDX-License-Identifier: MIT */
/*
 * The offset of the system time of a host from the clock of its trace, as an interval: set by a vote, then narrowed
 * by each certain match. It widens by CLOCK_ERROR_NS and 100 ppm, the error of a cheap crystal, while nothing confirms
 * it. An offset is a stamp minus the time of an event. See stamp_matcher.h for the rule. All times in ns; O(1).
 */
#ifndef ROS2BT_STAMP_CLOCK_H
#define ROS2BT_STAMP_CLOCK_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/time_units.h"

#define CLOCK_ERROR_NS INT64_C(1000) /* two traces of a host sample the offset of their clock separately */
#define CLOCK_DRIFT_DIVISOR 10000    /* 100 ppm */
#define CLOCK_UNKNOWN_NS NS_PER_MS   /* before the vote: how far the offset may be from zero */

struct stamp_clock {
	bool is_known;
	int64_t lowest_ns, highest_ns;
	int64_t at_ns;	    /* when they held */
	int64_t retried_ns; /* the width when all that waits was last looked at */
};

/* The clocks of all hosts, and the time of the trace. */
struct stamp_clocks {
	GArray *by_host; /* struct stamp_clock, zero where nothing is known */
	int64_t now_ns;
};

/* Creates what is missing. The pointer is valid until a clock is created. */
struct stamp_clock *stamp_clock_of(const struct stamp_clocks *clocks, uint32_t host);

static inline int64_t stamp_clock_drift(const struct stamp_clock *clock, int64_t now_ns)
{
	return MAX(now_ns - clock->at_ns, 0) / CLOCK_DRIFT_DIVISOR;
}

/* The bounds now. */
static inline int64_t stamp_clock_lowest(const struct stamp_clock *clock, int64_t now_ns)
{
	return clock->is_known ? clock->lowest_ns - (CLOCK_ERROR_NS + stamp_clock_drift(clock, now_ns))
			       : -CLOCK_UNKNOWN_NS;
}

static inline int64_t stamp_clock_highest(const struct stamp_clock *clock, int64_t now_ns)
{
	return clock->is_known ? clock->highest_ns + (CLOCK_ERROR_NS + stamp_clock_drift(clock, now_ns))
			       : CLOCK_UNKNOWN_NS;
}

/* The result of a vote; whatever was known is replaced. */
void stamp_clock_set(struct stamp_clock *clock, int64_t lowest_ns, int64_t highest_ns, int64_t now_ns);

/* The stamp was taken between two events; `until_ns` is INT64_MAX if only the first is known. */
void stamp_clock_learn(struct stamp_clock *clock, int64_t from_ns, int64_t until_ns, int64_t stamp, int64_t now_ns);

#endif
