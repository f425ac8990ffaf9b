/* SPDX-License-Identifier: MIT */
#include "core/analyses/timers/timer_slack.h"

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

void timer_slack_confirm(struct timer_schedule *schedule, struct timer_call *call)
{
	const struct timer_call_facts *facts = &call->facts;
	int64_t slot_ns = timer_phase_slot(call->expected_ns, (int64_t)call->missed, schedule->period_ns);
	int64_t since_ns = facts->has_wait		 ? facts->wait_begin_ns
			   : facts->pause_ns < INT64_MAX ? facts->start_ns - facts->pause_ns
							 : INT64_MIN;

	/* what a wait found that ended before the slot had been due before */
	bool is_found_before = facts->has_wait && facts->wait_end_ns < slot_ns;

	if (schedule->slack_ns > 0 && facts->now_ns >= slot_ns && !is_found_before &&
	    facts->now_ns - slot_ns <= timer_schedule_on_time_ns(schedule) && since_ns < slot_ns - TIMER_AWAITED_NS) {
		schedule->slack_ns = 0;
		schedule->is_unsure = call->is_unsure = false;
	}
}
