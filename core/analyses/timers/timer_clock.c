/* SPDX-License-Identifier: MIT */
#include "core/analyses/timers/timer_clock.h"

#include <math.h>

/* Whether at least half of the calls follow no schedule. */
static bool is_irregular(const struct timer_row *row)
{
	return row->irregular >= row->followed / 2;
}

/* The mean and the median differ from the period on the same side: the mean is at hand, so it decides first. */
bool timer_row_runs_by_other_clock(const struct timer_row *row)
{
	const struct duration_statistics *periods = &row->free_period;
	struct duration_totals totals = duration_statistics_totals(periods);
	double period_ns = (double)row->schedule.period_ns, mean_ns = duration_totals_mean(&totals);
	double median_ns, spread_ns, difference_ns;

	if (totals.count < TIMER_FREE_CALLS_MIN || fabs(mean_ns - period_ns) <= period_ns / 100) {
		return false;
	}
	median_ns = (double)duration_statistics_quantile_of(periods, &totals, 0.5);
	spread_ns = (double)(duration_statistics_quantile_of(periods, &totals, 0.9) -
			     duration_statistics_quantile_of(periods, &totals, 0.1));
	difference_ns =
		median_ns < period_ns ? period_ns - MAX(median_ns, mean_ns) : MIN(median_ns, mean_ns) - period_ns;
	return difference_ns > period_ns / 100 && difference_ns > 2 * spread_ns / sqrt((double)totals.count) &&
	       (spread_ns <= median_ns / 2 || is_irregular(row));
}

enum timer_clock timer_row_clock(const struct timer_row *row)
{
	if (!timer_schedule_is_known(&row->schedule)) {
		return TIMER_CLOCK_UNKNOWN;
	}
	if (timer_row_runs_by_other_clock(row)) {
		return TIMER_CLOCK_OTHER;
	}
	return row->most_punctual > 0 ? TIMER_CLOCK_STEADY : TIMER_CLOCK_UNKNOWN;
}

bool timer_row_rate_error(const struct timer_row *row, double *percent)
{
	double period_ns = (double)row->schedule.period_ns;

	if (timer_row_clock(row) == TIMER_CLOCK_OTHER) {
		*percent = 100 * (duration_statistics_mean(&row->free_period) / period_ns - 1);
		return true;
	}
	if (!timer_row_has_known_periods(row) || row->slots_ns <= 0) {
		return false;
	}
	*percent = 100 * (int128_to_double(row->span_ns) / int128_to_double(row->slots_ns) - 1);
	return true;
}
