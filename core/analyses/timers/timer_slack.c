/* SPDX-License-Identifier: MIT */
#include "core/analyses/timers/timer_slack.h"

#include "core/base/int128.h"

/* A wait that lasted before a slot for less than this times as long as behind it may have found the timer due. */
#define AWAITED_TIMES 8

void timer_slack_take(struct timer_schedule *schedule, int64_t by_ns)
{
	schedule->expected_ns = timer_phase_before(schedule->expected_ns, by_ns);
	/* a period earlier, the phase is the one that it is not */
	schedule->close_ns = MAX(TIMER_CREATION_NS, schedule->close_ns - by_ns);
	schedule->slack_ns = MAX(0, MIN(schedule->slack_ns, schedule->period_ns) - by_ns);
	schedule->is_unsure = false;
}

void timer_slack_limit(struct timer_schedule *schedule, const struct timer_call *call)
{
	bool is_phase_known = schedule->mode != TIMER_RESTARTED && !schedule->is_unsure;

	if (is_phase_known && call->facts.idle_ns > schedule->expected_ns - schedule->slack_ns) {
		schedule->slack_ns = MAX(0, schedule->expected_ns - call->facts.idle_ns);
	}
}

/* Whether the call was on time, and its executor waited for the slot: for long before it, and hardly longer. */
static bool was_awaited(const struct timer_schedule *schedule, const struct timer_call_facts *facts, int64_t slot_ns)
{
	int64_t late_ns = facts->now_ns - slot_ns;
	int64_t until_ns = facts->has_wait ? facts->wait_end_ns : facts->now_ns;
	int64_t since_ns = facts->has_wait		 ? facts->wait_begin_ns
			   : facts->pause_ns < INT64_MAX ? facts->start_ns - facts->pause_ns
							 : INT64_MIN;
	int128 behind_ns = (int128)until_ns - slot_ns;

	/* what a wait found that ended before the slot had been due before */
	return late_ns >= 0 && late_ns <= timer_schedule_on_time_ns(schedule) && behind_ns >= 0 &&
	       since_ns < slot_ns - MAX(TIMER_AWAITED_NS, AWAITED_TIMES * behind_ns);
}

void timer_slack_confirm(struct timer_schedule *schedule, struct timer_call *call)
{
	if (schedule->slack_ns > 0 &&
	    was_awaited(schedule, &call->facts,
			timer_phase_slot(call->expected_ns, (int64_t)call->missed, schedule->period_ns))) {
		schedule->slack_ns = 0;
		schedule->is_unsure = call->is_unsure = false;
	}
}
