/* SPDX-License-Identifier: MIT */
/* Units of time. All times and durations are in ns, as int64_t. */
#ifndef ROS2BT_TIME_UNITS_H
#define ROS2BT_TIME_UNITS_H

#include <stdint.h>

#define NS_PER_US INT64_C(1000)
#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S INT64_C(1000000000)
#define S_PER_DAY INT64_C(86400)
#define NS_PER_DAY (S_PER_DAY * NS_PER_S)

/* Differences of times fit 64 bits (event_record.h). Sums of hostile ones may not: they stay at the ends of the range.
 */
static inline int64_t add_saturated(int64_t left, int64_t right)
{
	int64_t sum;

	return __builtin_add_overflow(left, right, &sum) ? (right < 0 ? INT64_MIN : INT64_MAX) : sum;
}

/* How much later `to_ns` is, to the ns: a time since the epoch as a double is rounded to 256 ns. */
static inline double time_between(int64_t from_ns, int64_t to_ns)
{
	int64_t difference_ns;

	return __builtin_sub_overflow(to_ns, from_ns, &difference_ns) ? (double)to_ns - (double)from_ns
								      : (double)difference_ns;
}

#endif
