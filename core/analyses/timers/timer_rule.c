/* SPDX-License-Identifier: MIT */
#include "core/analyses/timers/timer_rule.h"

#include "core/base/int128.h"

bool timer_rule_is_queued(const struct timer_schedule *schedule)
{
	return schedule->is_queued && !schedule->is_queue_unknown;
}

bool timer_rule_was_queued(const struct timer_schedule *schedule, const struct timer_call *call)
{
	return timer_rule_is_queued(schedule) &&
	       call->facts.pause_ns <=
		       MAX(TIMER_QUEUE_PAUSE_NS,
			   timer_phase_rest(schedule->period_ns, schedule->expected_ns, call->facts.now_ns));
}

/* What a call missed if rcl read its clock then. */
static uint64_t missed_at(const struct timer_schedule *schedule, const struct timer_call *call, int64_t now_ns)
{
	return now_ns < call->expected_ns
		       ? 0
		       : ((uint64_t)now_ns - (uint64_t)call->expected_ns) / (uint64_t)schedule->period_ns;
}

/* What depends on when exactly the timer was created. A schedule whose slots are known to a tenth of a period counts.
 */
static void note_slack(struct timer_schedule *schedule, struct timer_call *call)
{
	bool was_unsure = schedule->is_unsure;

	schedule->is_unsure = missed_at(schedule, call, add_saturated(call->facts.now_ns, schedule->slack_ns)) >
			      missed_at(schedule, call, call->facts.now_ns);
	call->is_unsure = was_unsure || schedule->is_unsure || schedule->slack_ns > schedule->period_ns / 10;
}

void timer_rule_apply(struct timer_schedule *schedule, struct timer_call *call)
{
	call->has_expected = !schedule->is_ambiguous;
	schedule->is_ambiguous = false;
	call->expected_ns = schedule->expected_ns;
	call->is_early = call->facts.now_ns < call->expected_ns;
	call->missed = timer_rule_is_queued(schedule) ? 0 : missed_at(schedule, call, call->facts.now_ns);
	schedule->expected_ns = timer_phase_slot(call->expected_ns, (int64_t)call->missed + 1, schedule->period_ns);
	call->is_unsure = false;
	if (G_UNLIKELY(schedule->slack_ns > 0)) {
		note_slack(schedule, call);
	}
}

uint64_t timer_rule_doubtful(const struct timer_schedule *schedule, const struct timer_call *call)
{
	if (!call->has_expected || call->missed == 0) {
		return 0;
	}
	if (!call->facts.has_executor) {
		return call->missed;
	}
	return call->missed - MIN(call->missed, missed_at(schedule, call, call->facts.earliest_ns));
}

bool timer_rule_is_close(const struct timer_schedule *schedule, const struct timer_call *call)
{
	int64_t next_ns = timer_phase_slot(call->expected_ns, (int64_t)call->missed + 1, schedule->period_ns);

	return call->facts.now_ns < next_ns && call->facts.now_ns >= next_ns - schedule->close_ns &&
	       call->facts.now_ns >= call->expected_ns;
}

bool timer_rule_correct(struct timer_schedule *schedule, struct timer_call *last, const struct timer_call *call)
{
	uint64_t most = timer_rule_doubtful(schedule, last);
	int128 early_ns = (int128)schedule->expected_ns - call->facts.now_ns;
	uint128 least = (uint128)((early_ns - 1) / schedule->period_ns + 1);

	if (least > most) {
		return false;
	}
	schedule->is_ambiguous = least < most;
	schedule->expected_ns = timer_phase_slot(schedule->expected_ns, -(int64_t)least, schedule->period_ns);
	last->missed -= (uint64_t)least;
	return true;
}

/* The next one of the calls that are replayed. */
static void replay(struct timer_schedule *schedule, struct timer_call *last, struct timer_call *call)
{
	if (last && call->facts.now_ns < schedule->expected_ns && !timer_call_may_be_queued(call)) {
		(void)timer_rule_correct(schedule, last, call);
	}
	timer_rule_apply(schedule, call);
}

size_t timer_rule_replay(struct timer_schedule *schedule, int64_t expected_ns)
{
	struct timer_ring_calls made = timer_ring_as_made(&schedule->calls, schedule->calls.held);
	size_t early = 0;

	schedule->expected_ns = MAX(expected_ns, -TIMER_EXPECTED_MAX_NS);
	for (size_t i = 0; i < made.count; i++) {
		replay(schedule, i > 0 ? made.list[i - 1] : NULL, made.list[i]);
		early += made.list[i]->is_early;
	}
	return early;
}
