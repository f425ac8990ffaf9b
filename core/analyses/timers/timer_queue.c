/* SPDX-License-Identifier: MIT */
#include "core/analyses/timers/timer_queue.h"

/* So many calls in a row that look as if nothing waited are no chance. */
#define SIGNS_NEEDED 4

/* The calls held that may have waited in a queue: the newest ones. */
static size_t count_waiting(const struct timer_schedule *schedule)
{
	return MIN(schedule->queue_calls, schedule->calls.held);
}

/* Of the calls that may have waited in a queue, all but the newest ones are unknown. */
static void doubt_but(struct timer_schedule *schedule, size_t newest)
{
	for (size_t i = newest + 1; i <= count_waiting(schedule); i++) {
		timer_call_doubt(timer_ring_held(&schedule->calls, schedule->calls.held - i));
	}
}

static void forget(struct timer_schedule *schedule)
{
	schedule->queue_calls = 0;
	schedule->queue_signs = 0;
	schedule->is_queue_unknown = false;
}

/* From the next call on, if none is held. */
static void begin_unknown(struct timer_schedule *schedule)
{
	schedule->queue_calls = 1;
	schedule->queue_signs = 0;
	schedule->is_queue_unknown = true;
}

/* Whether the call is at a slot, after a time in which the thread executed nothing. */
static bool is_at_slot_after_pause(const struct timer_schedule *schedule, const struct timer_call *call)
{
	return call->facts.pause_ns > TIMER_QUEUE_PAUSE_NS &&
	       timer_phase_rest(schedule->period_ns, call->expected_ns, call->facts.now_ns) <=
		       timer_schedule_on_time_ns(schedule);
}

/* There is a queue. If calls are late by periods although nothing waits in it, rcl missed slots: the next ones count.
 */
static void follow_queue(struct timer_schedule *schedule, const struct timer_call *call)
{
	bool is_behind = call->facts.now_ns - call->expected_ns >= schedule->period_ns;

	schedule->queue_signs = is_behind && is_at_slot_after_pause(schedule, call) ? schedule->queue_signs + 1 : 0;
	if (schedule->queue_signs < SIGNS_NEEDED) {
		return;
	}
	schedule->queue_signs = 0;
	for (size_t i = 0; i < schedule->calls.held; i++) {
		timer_call_doubt(timer_ring_held(&schedule->calls, i));
	}
	timer_queue_resume(schedule, call);
	schedule->expected_ns = timer_phase_slot(schedule->expected_ns, 1, schedule->period_ns);
}

/* Which slots wait in the queue, if there is one, is known, or becomes unknown. */
static void begin_to_follow(struct timer_schedule *schedule, const struct timer_call *call)
{
	/* before the first call, its executor may not have run */
	schedule->is_queue_unknown = !schedule->has_last;
	schedule->queue_slot_ns = call->expected_ns;
	schedule->queue_signs = 0;
}

void timer_queue_follow(struct timer_schedule *schedule, const struct timer_call *call)
{
	if (!timer_call_may_be_queued(call)) {
		forget(schedule);
		return;
	}
	if (timer_rule_is_queued(schedule)) {
		follow_queue(schedule, call);
		return;
	}
	if (schedule->queue_calls == 0 && call->missed == 0) {
		return;
	}
	if (schedule->queue_calls == 0) {
		begin_to_follow(schedule, call);
	}
	schedule->queue_signs =
		call->missed == 0 && is_at_slot_after_pause(schedule, call) ? schedule->queue_signs + 1 : 0;
	schedule->queue_calls += schedule->queue_calls < UINT32_MAX;
	schedule->queue_slot_ns = timer_phase_slot(schedule->queue_slot_ns, 1, schedule->period_ns);
}

bool timer_queue_is_possible(const struct timer_schedule *schedule)
{
	return schedule->queue_calls > 0 && schedule->queue_signs < SIGNS_NEEDED;
}

void timer_queue_resume(struct timer_schedule *schedule, const struct timer_call *call)
{
	int64_t rest_ns = timer_phase_rest(schedule->period_ns, schedule->expected_ns, call->facts.now_ns);

	schedule->expected_ns = timer_phase_before(call->facts.now_ns, rest_ns);
}

bool timer_queue_correct(struct timer_schedule *schedule, const struct timer_call *call)
{
	size_t waiting = count_waiting(schedule);

	if (schedule->queue_calls == 0) {
		return false;
	}
	if (schedule->is_guess) {
		schedule->is_queue_unknown = true;
	} else {
		schedule->is_queued = schedule->shows_queue = true;
	}
	if (schedule->is_queue_unknown) {
		timer_queue_resume(schedule, call);
		return true;
	}
	for (size_t i = 1; i <= waiting; i++) {
		struct timer_call *held = timer_ring_held(&schedule->calls, schedule->calls.held - i);

		held->expected_ns = timer_phase_slot(schedule->queue_slot_ns, -(int64_t)i, schedule->period_ns);
		held->missed = 0;
	}
	schedule->expected_ns = schedule->queue_slot_ns;
	forget(schedule);
	return true;
}

/* Whether callbacks on its thread kept a call waiting. */
static bool was_kept(const struct timer_schedule *schedule, const struct timer_call *call)
{
	return call->facts.held_ns != TIMER_HELD_UNKNOWN &&
	       timer_call_unexplained_ns(call) <= timer_schedule_on_time_ns(schedule);
}

void timer_queue_end(struct timer_schedule *schedule)
{
	if (schedule->is_queue_unknown) {
		doubt_but(schedule, schedule->queue_signs);
		forget(schedule);
		return;
	}
	for (size_t i = 0; schedule->queue_calls > 0 && i < schedule->calls.held; i++) {
		struct timer_call *call = timer_ring_held(&schedule->calls, i);

		call->shows_none = true;
		schedule->shows_none |= call->missed > 0 && was_kept(schedule, call);
	}
	forget(schedule);
}

void timer_queue_doubt(struct timer_schedule *schedule)
{
	doubt_but(schedule, 0);
	schedule->queue_signs = 0;
}

void timer_queue_lose(struct timer_schedule *schedule, const struct timer_call *call)
{
	forget(schedule);
	if (timer_call_may_be_queued(call)) {
		begin_unknown(schedule);
	}
}

void timer_queue_begin_anew(struct timer_schedule *schedule)
{
	bool is_unknown = false;

	forget(schedule);
	for (size_t i = 0; i < schedule->calls.held; i++) {
		struct timer_call *call = timer_ring_held(&schedule->calls, i);

		is_unknown |= timer_call_may_be_queued(call) && call->missed > 0;
		if (is_unknown) {
			timer_call_doubt(call);
		}
	}
	if (is_unknown) {
		begin_unknown(schedule);
	}
}
