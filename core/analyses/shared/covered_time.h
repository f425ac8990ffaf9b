/* SPDX-License-Identifier: MIT */
/*
 * Shares of the time over covered time (core/model/coverage.h): what a process spent in something while it was
 * recorded, divided by how long that was. What was recorded of it while streams of it were missing counts for neither.
 *
 * Whether a time is covered may be known later only (a stream that is silent goes on), so the last time that seems to
 * be uncovered is looked at again.
 *
 * Cost: O(1) for each time; where something is missing, a question to the coverage.
 */
#ifndef ROS2BT_COVERED_TIME_H
#define ROS2BT_COVERED_TIME_H

#include "core/model/coverage.h"
#include "ros2bt/base/time_units.h"

struct covered_time {
	int64_t uncovered_ns; /* of the sum of all, what lies in uncovered time */
	int64_t last_ns;      /* the last one that seemed to, or 0; from begin_ns to end_ns, in this process */
	int64_t begin_ns, end_ns;
	uint32_t process;
};

/* What lies in uncovered time, as far as is known by now. */
static inline int64_t covered_time_uncovered_ns(const struct covered_time *time, struct coverage *coverage)
{
	bool is_uncovered =
		time->last_ns > 0 && !coverage_process_is_whole(coverage, time->process, time->begin_ns, time->end_ns);

	return add_saturated(time->uncovered_ns, is_uncovered ? time->last_ns : 0);
}

/* The process spent `spent_ns` of the time from begin_ns to end_ns. */
static inline void covered_time_add(struct covered_time *time, struct coverage *coverage, uint32_t process,
				    int64_t begin_ns, int64_t end_ns, int64_t spent_ns)
{
	if (G_LIKELY(!coverage_has_any(coverage)) || coverage_process_is_whole(coverage, process, begin_ns, end_ns)) {
		return;
	}
	*time = (struct covered_time){
		.uncovered_ns = covered_time_uncovered_ns(time, coverage),
		.last_ns = spent_ns,
		.begin_ns = begin_ns,
		.end_ns = end_ns,
		.process = process,
	};
}

#endif
