/* SPDX-License-Identifier: MIT */
#include "core/analyses/points/point_losses.h"

bool point_losses_lie_between(const struct points *points, uint32_t thread, int64_t from_ns, int64_t to_ns)
{
	return (thread != RECORDING_NONE &&
		executions_may_miss_events(points->analysis.context.executions, thread, from_ns, to_ns)) ||
	       recording_was_off(points->analysis.context.recording, from_ns, to_ns);
}

/* The longest duration of the row so far; INT64_MAX: none. */
static int64_t longest_ns(const struct point_row *row)
{
	return row->count > row->doubtful ? row->duration.longest_ns : INT64_MAX;
}

bool point_losses_may_have_start(const struct points *points, const struct point_row *row, uint32_t thread,
				 int64_t end_ns)
{
	int64_t earliest_ns;

	return __builtin_sub_overflow(end_ns, longest_ns(row), &earliest_ns) || earliest_ns < points->begin_ns ||
	       point_losses_lie_between(points, thread, earliest_ns, end_ns);
}

bool point_losses_may_have_end(const struct points *points, const struct point_row *row, const struct open_point *open,
			       int64_t now_ns)
{
	int64_t latest_ns;

	return __builtin_add_overflow(open->start_ns, longest_ns(row), &latest_ns) || latest_ns > now_ns ||
	       point_losses_lie_between(points, open->thread, open->start_ns, latest_ns);
}
