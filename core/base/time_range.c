/* SPDX-License-Identifier: MIT */
#include "core/base/time_range.h"

#include "ros2bt/base/time_units.h"

static void make_absolute(struct moment *moment, enum moment_origin origin, int64_t origin_ns)
{
	if (moment->origin == origin) {
		*moment = (struct moment){ MOMENT_FROM_EPOCH, add_saturated(origin_ns, moment->ns) };
	}
}

static bool has_limit_from(const struct time_range *range, enum moment_origin origin)
{
	return (range->has_begin && range->begin.origin == origin) || (range->has_end && range->end.origin == origin);
}

bool time_range_needs_start(const struct time_range *range)
{
	return has_limit_from(range, MOMENT_FROM_START) || has_limit_from(range, MOMENT_FROM_DAY);
}

bool time_range_needs_end(const struct time_range *range)
{
	return has_limit_from(range, MOMENT_FROM_END);
}

void time_range_set_recording_end(struct time_range *range, int64_t end_ns)
{
	make_absolute(&range->begin, MOMENT_FROM_END, end_ns);
	make_absolute(&range->end, MOMENT_FROM_END, end_ns);
}

static int64_t start_of_day(int64_t time_ns)
{
	int64_t of_day_ns = time_ns % NS_PER_DAY;

	return time_ns - of_day_ns - (of_day_ns < 0 ? NS_PER_DAY : 0);
}

static int64_t resolve(struct moment moment, int64_t start_ns)
{
	make_absolute(&moment, MOMENT_FROM_DAY, start_of_day(start_ns));
	make_absolute(&moment, MOMENT_FROM_START, start_ns);
	return moment.ns;
}

void time_range_start(struct time_range *range, int64_t start_ns)
{
	range->begin_ns = resolve(range->begin, start_ns);
	range->end_ns = resolve(range->end, start_ns);
	if (range->has_begin && range->end.origin == MOMENT_FROM_DAY && range->end_ns < range->begin_ns) {
		range->end_ns = add_saturated(range->end_ns, NS_PER_DAY);
	}
}
