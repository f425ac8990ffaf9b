/* SPDX-License-Identifier: MIT */
#include "core/session/report_period.h"

#include <glib.h>

#include "core/base/text/human_text.h"

struct report_period *report_period_create(int64_t period_ns)
{
	struct report_period *period = g_new(struct report_period, 1);

	*period = (struct report_period){
		.period_ns = period_ns,
		.begin_ns = INT64_MAX,
		.due_ns = INT64_MAX,
		.reached_ns = INT64_MIN,
	};
	return period;
}

/* How much of a period what was reached is after its beginning. Any difference of times fits 64 bits without sign. */
static uint64_t since_last_end(const struct report_period *period)
{
	return ((uint64_t)period->reached_ns - (uint64_t)period->begin_ns) % (uint64_t)period->period_ns;
}

static void find_end(struct report_period *period)
{
	uint64_t left = (uint64_t)period->period_ns - since_last_end(period);

	period->due_ns = (uint64_t)INT64_MAX - (uint64_t)period->reached_ns > left
				 ? (int64_t)((uint64_t)period->reached_ns + left)
				 : INT64_MAX;
}

void report_period_reach(struct report_period *period, int64_t time_ns)
{
	if (G_UNLIKELY(period->begin_ns == INT64_MAX)) {
		period->begin_ns = period->reached_ns = time_ns;
		find_end(period);
	}
	period->reached_ns = MAX(period->reached_ns, time_ns);
}

int64_t report_period_last_end(const struct report_period *period)
{
	return (int64_t)((uint64_t)period->reached_ns - since_last_end(period));
}

void report_period_next(struct report_period *period)
{
	find_end(period);
	period->written_us = g_get_monotonic_time();
}

bool report_period_wait(struct report_period *period, int64_t monotonic_us)
{
	int64_t period_us = period->period_ns / 1000;

	if (period->written_us == 0) {
		period->written_us = monotonic_us;
	}
	period->is_live = true;
	return period->begin_ns != INT64_MAX &&
	       (uint64_t)(monotonic_us - period->written_us) >= (uint64_t)period_us + (uint64_t)period_us / 2;
}

char *report_period_text(int64_t as_of_ns, bool has_lag, int64_t lag_ns)
{
	char time[HUMAN_TEXT_SIZE], lag[HUMAN_TEXT_SIZE];

	return has_lag ? g_strdup_printf("as of %s UTC, %s behind the clock", human_text_time(time, as_of_ns),
					 human_text_duration(lag, lag_ns))
		       : g_strdup_printf("as of %s UTC", human_text_time(time, as_of_ns));
}

char *report_period_window_text(int64_t window_ns, int64_t as_of_ns, bool has_lag, int64_t lag_ns)
{
	g_autofree char *text = report_period_text(as_of_ns, has_lag, lag_ns);
	char window[HUMAN_TEXT_SIZE];

	return g_strdup_printf("the last %s %s", human_text_duration(window, window_ns), text);
}
