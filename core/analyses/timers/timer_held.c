/* SPDX-License-Identifier: MIT */
#include "core/analyses/timers/timer_held.h"

#include "core/analyses/timers/timer_order.h"
#include "core/analyses/timers/timer_queue.h"
#include "core/analyses/timers/timer_slack.h"

void timer_held_decide(const struct timer_schedule *schedule, struct timer_call *call)
{
	bool is_unsure = call->is_unsure && schedule->slack_ns > 0;
	bool may_be_queued = timer_call_may_be_queued(call) && call->missed > 0 && !call->shows_none;

	call->is_judged = true;
	if (is_unsure || may_be_queued || (call->facts.overtaken > 0 && call->missed > 0)) {
		timer_call_doubt(call);
	}
}

void timer_held_accept(struct timer_schedule *schedule)
{
	for (size_t i = 0; i < schedule->calls.held; i++) {
		timer_held_decide(schedule, timer_ring_held(&schedule->calls, i));
	}
	schedule->calls.held = 0;
	schedule->idle_calls = 0;
	schedule->mode = TIMER_SETTLED;
}

/*
 * When the first of the calls held was expected: within a period before it, and after the call before it. If it is the
 * first call of all and precedes what its creation shows, it was late by no more than the others show.
 */
static int64_t first_slot_ns(struct timer_schedule *schedule, bool is_first)
{
	const struct timer_call *first = timer_ring_as_made(&schedule->calls, schedule->calls.held).list[0];
	struct timer_phase_calls calls = timer_ring_newest(&schedule->calls, schedule->calls.held, schedule->period_ns);
	int64_t now_ns = first->facts.now_ns;
	int64_t phase_ns = is_first ? now_ns - timer_phase_of_first(&calls)
				    : timer_phase_rest(schedule->period_ns, timer_phase_best(&calls), now_ns);
	int64_t wake_up_ns = MIN(first->facts.wake_up_ns, MAX(0, schedule->period_ns - 1 - phase_ns));

	return MIN(MAX(timer_phase_before(now_ns, phase_ns + wake_up_ns), schedule->held_after_ns), now_ns);
}

/* Of a schedule that begins anew, the creation matters only if it is the first one, by this much earlier. */
static void limit_slack_of_new(struct timer_schedule *schedule, const struct timer_call *first, int64_t earlier_ns)
{
	schedule->slack_ns = earlier_ns < schedule->slack_ns ? schedule->slack_ns - earlier_ns : 0;
	timer_rule_replay(schedule, first->expected_ns);
	for (size_t i = 0; i < schedule->calls.held; i++) {
		timer_slack_confirm(schedule, timer_ring_held(&schedule->calls, i));
	}
}

/* Whether there are more calls held than slots: rclcpp makes them before their time, and what seems idle is not. */
static bool are_too_many(struct timer_schedule *schedule, const struct timer_call *first)
{
	const struct timer_call *last = timer_ring_made_last(&schedule->calls);
	uint64_t time_ns = (uint64_t)last->facts.now_ns - (uint64_t)first->facts.now_ns;

	return schedule->calls.held > 2 + time_ns / (uint64_t)schedule->period_ns;
}

void timer_held_begin_anew(struct timer_schedule *schedule)
{
	struct timer_call *first = timer_ring_as_made(&schedule->calls, schedule->calls.held).list[0];
	struct timer_call *started = timer_ring_held(&schedule->calls, 0);
	int64_t old_expected_ns = first->expected_ns;
	bool is_first = schedule->held_after_ns == INT64_MIN && first->facts.now_ns < old_expected_ns;
	bool fits = timer_rule_replay(schedule, first_slot_ns(schedule, is_first)) < MAX(schedule->calls.held / 2, 1);

	if (!fits && (!schedule->is_new || are_too_many(schedule, first))) {
		timer_rule_replay(schedule, old_expected_ns);
	} else {
		int64_t earlier_ns = is_first ? add_saturated(old_expected_ns, -first->expected_ns) : INT64_MAX;

		limit_slack_of_new(schedule, first, earlier_ns);
		started->begins_anew = true;
		started->is_first = is_first;
		first->has_expected &= earlier_ns > TIMER_CREATION_LATE_MAX_NS - schedule->period_ns;
		schedule->is_guess = true;
	}
	if (!fits && schedule->is_new && !are_too_many(schedule, first)) {
		timer_held_doubt(schedule, 0);
	}
	timer_queue_begin_anew(schedule);
	timer_held_accept(schedule);
}

bool timer_held_are_late_alike(struct timer_schedule *schedule, size_t count)
{
	struct timer_phase_calls calls = timer_ring_newest(&schedule->calls, count, schedule->period_ns);
	int64_t least_ns = INT64_MAX;

	for (size_t i = schedule->calls.held - count; i < schedule->calls.held; i++) {
		least_ns = MIN(least_ns, timer_call_unexplained_ns(timer_ring_held(&schedule->calls, i)));
	}
	return least_ns >= TIMER_SHIFT_NS && least_ns / 3 >= timer_phase_median(&calls, timer_phase_best(&calls));
}

size_t timer_held_first_vague(struct timer_schedule *schedule)
{
	size_t i = 0;

	while (i < schedule->calls.held && !timer_ring_held(&schedule->calls, i)->is_vague) {
		i++;
	}
	return i;
}

void timer_held_doubt(struct timer_schedule *schedule, size_t first)
{
	for (size_t i = first; i < schedule->calls.held; i++) {
		timer_call_doubt(timer_ring_held(&schedule->calls, i));
	}
}

static size_t first_idle(struct timer_schedule *schedule)
{
	size_t i = 0;

	while (i < schedule->calls.held && !timer_ring_held(&schedule->calls, i)->seems_idle) {
		i++;
	}
	return i;
}

/*
 * No call follows that shows when rcl read its clock, or whether the schedule began anew: only what is certain counts.
 */
static void settle_late(struct timer_schedule *schedule)
{
	struct timer_call *last = timer_ring_held(&schedule->calls, schedule->calls.held - 1);

	if (last->facts.has_executor) {
		last->missed -= timer_rule_doubtful(schedule, last);
	}
	timer_queue_doubt(schedule);
	timer_held_doubt(schedule, first_idle(schedule));
	for (size_t i = 0; i < schedule->calls.held; i++) {
		timer_order_doubt(last, timer_ring_held(&schedule->calls, i));
	}
	timer_held_accept(schedule);
}

void timer_held_settle(struct timer_schedule *schedule)
{
	if (schedule->calls.held == 0) {
		schedule->mode = TIMER_SETTLED;
	} else if (schedule->mode == TIMER_RESTARTED) {
		timer_held_begin_anew(schedule);
	} else {
		settle_late(schedule);
	}
}
