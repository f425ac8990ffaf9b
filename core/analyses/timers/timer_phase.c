/* SPDX-License-Identifier: MIT */
#include "core/analyses/timers/timer_phase.h"

#include <glib.h>
#include <stdlib.h>

#include "core/base/compare_numbers.h"
#include "core/base/int128.h"

/* From 0 to below the period. */
static int64_t rest_of(int64_t time_ns, int64_t period_ns)
{
	int64_t rest_ns = time_ns % period_ns;

	return rest_ns < 0 ? rest_ns + period_ns : rest_ns;
}

int64_t timer_phase_rest(int64_t period_ns, int64_t time_ns, int64_t other_ns)
{
	int64_t rest_ns = rest_of(other_ns, period_ns) - rest_of(time_ns, period_ns);

	return rest_ns < 0 ? rest_ns + period_ns : rest_ns;
}

int64_t timer_phase_slot(int64_t slot_ns, int64_t periods, int64_t period_ns)
{
	int128 later_ns = slot_ns + (int128)periods * period_ns;

	return (int64_t)CLAMP(later_ns, -TIMER_EXPECTED_MAX_NS, TIMER_EXPECTED_MAX_NS);
}

int64_t timer_phase_before(int64_t slot_ns, int64_t by_ns)
{
	return timer_phase_slot(slot_ns, -1, by_ns);
}

bool timer_phase_is_near(int64_t period_ns, int64_t time_ns, int64_t other_ns)
{
	int64_t rest_ns = timer_phase_rest(period_ns, time_ns, other_ns);

	return MIN(rest_ns, period_ns - rest_ns) <= period_ns / 8;
}

int64_t timer_phase_best(const struct timer_phase_calls *calls)
{
	int64_t best_ns = calls->times_ns[0];
	int128 least_ns = -1;

	for (size_t i = 0; i < calls->count; i++) {
		int128 sum_ns = 0;

		for (size_t j = 0; j < calls->count; j++) {
			sum_ns += timer_phase_rest(calls->period_ns, calls->times_ns[i], calls->times_ns[j]);
		}
		if (least_ns < 0 || sum_ns < least_ns) {
			best_ns = calls->times_ns[i];
			least_ns = sum_ns;
		}
	}
	return best_ns;
}

int64_t timer_phase_median(const struct timer_phase_calls *calls, int64_t phase_ns)
{
	int64_t rests_ns[TIMER_PHASE_CALLS_MAX] = { 0 };

	for (size_t i = 0; i < calls->count; i++) {
		rests_ns[i] = timer_phase_rest(calls->period_ns, phase_ns, calls->times_ns[i]);
	}
	qsort(rests_ns, calls->count, sizeof(*rests_ns), compare_times);
	return rests_ns[calls->count / 2];
}

int64_t timer_phase_of_first(const struct timer_phase_calls *calls)
{
	int64_t first_ns = calls->times_ns[0];
	int128 slot_ns = first_ns; /* of the call */

	for (size_t i = 0; i < calls->count; i++) {
		int64_t time_ns = calls->times_ns[i];
		int64_t room_ns = calls->period_ns - 1 - (calls->times_ns[0] - first_ns);

		if (time_ns < slot_ns && slot_ns - time_ns <= room_ns) {
			first_ns -= (int64_t)(slot_ns - time_ns);
			slot_ns = time_ns;
		}
		slot_ns += (int128)(MAX(calls->earliest_ns[i] - slot_ns, 0) / calls->period_ns + 1) * calls->period_ns;
	}
	return first_ns;
}
