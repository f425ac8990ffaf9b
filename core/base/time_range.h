/* SPDX-License-Identifier: MIT */
/*
 * The part of a recording that counts in the statistics, from begin to end, both inclusive. Either may be missing.
 *
 * A limit may be relative to the recording. A limit relative to its start is resolved at the first runtime event, or at
 * the first event of any kind if there is no runtime event. One relative to its end requires that the end is known
 * before the recording is read:
 *
 *   [time_range_set_recording_end() if time_range_needs_end()] → time_range_start() → time_range_includes()
 */
#ifndef ROS2BT_TIME_RANGE_H
#define ROS2BT_TIME_RANGE_H

#include <stdbool.h>
#include <stdint.h>

enum moment_origin {
	MOMENT_FROM_EPOCH,
	MOMENT_FROM_DAY,   /* midnight, in UTC, of the day on which the recording starts */
	MOMENT_FROM_START, /* the recording's start, see above */
	MOMENT_FROM_END,   /* its last runtime event, or its last event of any kind if it has no runtime event */
};

struct moment {
	enum moment_origin origin;
	int64_t ns; /* since the origin; negative before it */
};

struct time_range {
	bool has_begin, has_end;
	struct moment begin, end; /* as given by the user */
	int64_t begin_ns, end_ns; /* since the Unix epoch; valid after time_range_start() */
};

/* Whether a limit depends on the recording's start. */
bool time_range_needs_start(const struct time_range *range);
bool time_range_needs_end(const struct time_range *range);
void time_range_set_recording_end(struct time_range *range, int64_t end_ns);

/* Resolves the limits. An end that is a time of day before the begin is on the next day. */
void time_range_start(struct time_range *range, int64_t start_ns);

static inline bool time_range_includes(const struct time_range *range, int64_t time_ns)
{
	return (!range->has_begin || time_ns >= range->begin_ns) && (!range->has_end || time_ns <= range->end_ns);
}

/* Limits a span to the part in the range. If there is none, it begins later than it ends. */
static inline void time_range_limit(const struct time_range *range, int64_t *begin_ns, int64_t *end_ns)
{
	if (range->has_begin && *begin_ns < range->begin_ns) {
		*begin_ns = range->begin_ns;
	}
	if (range->has_end && *end_ns > range->end_ns) {
		*end_ns = range->end_ns;
	}
}

#endif
