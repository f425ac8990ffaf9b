/* SPDX-License-Identifier: MIT */
/*
 * The offset of the system time of a host from the clock of its trace, as an interval: set by a vote, then narrowed by
 * each certain match. While nothing confirms it, it widens by CLOCK_ERROR_NS and 500 ppm, by which NTP slews at most.
 * An offset is a stamp minus the time of an event. stamp_matcher.h describes the rule. Times in ns. Cost: O(1).
 */
#ifndef ROS2BT_STAMP_CLOCK_H
#define ROS2BT_STAMP_CLOCK_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "ros2bt/base/time_units.h"

#define CLOCK_ERROR_NS INT64_C(1000)  /* two traces of a host sample the offset of their clock separately */
#define CLOCK_DRIFT_DIVISOR 2000      /* 500 ppm */
#define CLOCK_CLOSE_NS INT64_C(60000) /* behind a write: recordings show 0.1 to 53 us */
#define CLOCK_EARLY_NS INT64_C(10000) /* before it, at most: a clock that is slewed; a guess */
#define CLOCK_TRUSTED 4		      /* so many close stamps show that the highest offset is the right one */
#define CLOCK_UNVOTED_NS NS_PER_MS    /* before the vote: how far the offset may be from zero */

struct stamp_clock {
	bool is_known;
	int64_t lowest_ns, highest_ns;
	int64_t at_ns; /* when these bounds were valid */
	guint close;   /* stamps that lie within CLOCK_CLOSE_NS behind their writes by the highest offset */
	/* When the writes began that had their stamps right behind them: the first and the last; INT64_MAX, MIN: none.
	 */
	int64_t confirmed_since_ns, confirmed_ns;
	int64_t retried_ns; /* the width when all waiting stamps were last retried */
};

/* The clocks of all hosts, and the current time of the trace. */
struct stamp_clocks {
	GArray *by_host; /* struct stamp_clock, all zero while nothing is known */
	int64_t now_ns;
};

/* Made when first asked for. The pointer is valid until another one is made. */
struct stamp_clock *stamp_clock_of(const struct stamp_clocks *clocks, uint32_t host);

static inline int64_t stamp_clock_drift(const struct stamp_clock *clock, int64_t now_ns)
{
	return MAX(now_ns - clock->at_ns, 0) / CLOCK_DRIFT_DIVISOR;
}

/* The bounds at a time. */
static inline int64_t stamp_clock_lowest(const struct stamp_clock *clock, int64_t now_ns)
{
	return clock->is_known ? clock->lowest_ns - (CLOCK_ERROR_NS + stamp_clock_drift(clock, now_ns))
			       : -CLOCK_UNVOTED_NS;
}

static inline int64_t stamp_clock_highest(const struct stamp_clock *clock, int64_t now_ns)
{
	return clock->is_known ? clock->highest_ns + (CLOCK_ERROR_NS + stamp_clock_drift(clock, now_ns))
			       : CLOCK_UNVOTED_NS;
}

/*
 * How far a stamp lies behind the beginning of a write: by the highest offset, which each match narrows to that of a
 * stamp which was made at once. Negative if the offset has drifted, or was not known so well.
 */
static inline int64_t stamp_clock_behind(const struct stamp_clock *clock, int64_t from_ns, int64_t stamp)
{
	return stamp - from_ns - clock->highest_ns;
}

/* How far before the beginning of its write a stamp may seem to lie; `voted_ns` while only a vote shows the offset. */
static inline int64_t stamp_clock_early(const struct stamp_clock *clock, int64_t now_ns, int64_t voted_ns)
{
	return clock->confirmed_ns == INT64_MIN
		       ? voted_ns
		       : MIN(CLOCK_ERROR_NS + stamp_clock_drift(clock, now_ns), CLOCK_EARLY_NS);
}

/* Whether the stamp was made right behind the beginning of the write, as nearly all are. Only if that can be told. */
static inline bool stamp_clock_is_close(const struct stamp_clock *clock, int64_t from_ns, int64_t stamp, int64_t now_ns)
{
	int64_t behind_ns = stamp_clock_behind(clock, from_ns, stamp);

	return clock->is_known && clock->close >= CLOCK_TRUSTED && behind_ns <= CLOCK_CLOSE_NS &&
	       behind_ns >= -stamp_clock_early(clock, now_ns, CLOCK_CLOSE_NS);
}

/* Replaces the bounds by the result of a vote, in which so many stamps were close by the highest offset. */
void stamp_clock_set(struct stamp_clock *clock, int64_t lowest_ns, int64_t highest_ns, guint close, int64_t now_ns);

/* Narrows the bounds by a stamp taken between two events; `until_ns` is INT64_MAX if only the first is known. */
void stamp_clock_learn(struct stamp_clock *clock, int64_t from_ns, int64_t until_ns, int64_t stamp, int64_t now_ns);

/* Whether an offset is known much better than when this was last so: then stamps that wait are worth a retry. */
bool stamp_clocks_are_better(const struct stamp_clocks *clocks);

#endif
