/* SPDX-License-Identifier: MIT */
#include "core/analyses/timers/timer_queue.h"

/* Whether one of the calls held seems to have missed slots, or one before them that was decided. */
static bool has_late(struct timer_schedule *schedule)
{
	bool has_late = schedule->queue_calls >= schedule->calls.held;

	for (size_t i = 0; i < schedule->calls.held; i++) {
		has_late |= timer_ring_held(&schedule->calls, i)->missed > 0;
	}
	return has_late;
}

/* Whether the call is at its slot, after a time in which the thread executed nothing. */
static bool is_sign(const struct timer_schedule *schedule, const struct timer_call *call)
{
	return call->facts.pause_ns > TIMER_QUEUE_PAUSE_NS &&
	       call->facts.now_ns - call->expected_ns <= timer_schedule_on_time_ns(schedule);
}

/* So many signs are no chance: a call that waited in a queue is at a slot in up to one of ten cases. */
static uint32_t signs_needed(const struct timer_schedule *schedule)
{
	return timer_schedule_on_time_ns(schedule) <= schedule->period_ns / 100 ? 1 : 2;
}

void timer_queue_follow(struct timer_schedule *schedule, const struct timer_call *call)
{
	if (call->facts.has_executor || call->facts.has_no_queue || !has_late(schedule)) {
		schedule->queue_calls = 0;
		schedule->is_queue_unknown = false;
		return;
	}
	if (schedule->queue_calls == 0) {
		schedule->queue_slot_ns = call->expected_ns;
		schedule->queue_signs = 0;
	}
	if (is_sign(schedule, call)) {
		schedule->queue_signs++;
	} else if (schedule->is_queue_unknown) {
		schedule->queue_signs = 0;
	}
	schedule->queue_calls += schedule->queue_calls < UINT32_MAX;
	schedule->queue_slot_ns = timer_phase_slot(schedule->queue_slot_ns, 1, schedule->period_ns);
}

bool timer_queue_is_possible(const struct timer_schedule *schedule)
{
	return schedule->queue_calls > 0 && schedule->queue_signs < signs_needed(schedule);
}

/* The calls held that may have waited in a queue: the newest ones. */
static size_t count_waiting(const struct timer_schedule *schedule)
{
	return MIN(schedule->queue_calls, schedule->calls.held);
}

bool timer_queue_correct(struct timer_schedule *schedule, const struct timer_call *call)
{
	size_t waiting = count_waiting(schedule);

	if (schedule->queue_calls == 0 || schedule->queue_slot_ns > call->facts.now_ns) {
		return false;
	}
	for (size_t i = 1; i <= waiting; i++) {
		struct timer_call *held = timer_ring_held(&schedule->calls, schedule->calls.held - i);

		held->expected_ns = timer_phase_slot(schedule->queue_slot_ns, -(int64_t)i, schedule->period_ns);
		held->missed = 0;
	}
	schedule->expected_ns = schedule->queue_slot_ns;
	schedule->is_queued = schedule->shows_queue = true;
	schedule->queue_calls = 0;
	return true;
}

/* Whether callbacks on its thread kept a call waiting. */
static bool was_kept(const struct timer_schedule *schedule, const struct timer_call *call)
{
	return call->facts.held_ns != TIMER_HELD_UNKNOWN &&
	       timer_call_unexplained_ns(call) <= timer_schedule_on_time_ns(schedule);
}

/* Of the calls that may have waited in a queue, all but the newest ones are unknown. */
static void doubt_but(struct timer_schedule *schedule, size_t newest)
{
	for (size_t i = newest + 1; i <= count_waiting(schedule); i++) {
		struct timer_call *held = timer_ring_held(&schedule->calls, schedule->calls.held - i);

		held->has_expected = false;
		held->missed = 0;
	}
}

void timer_queue_end(struct timer_schedule *schedule)
{
	if (schedule->is_queue_unknown) {
		doubt_but(schedule, schedule->queue_signs);
		schedule->is_queue_unknown = false;
		schedule->queue_calls = 0;
	}
	for (size_t i = 0; schedule->queue_calls > 0 && i < schedule->calls.held; i++) {
		const struct timer_call *call = timer_ring_held(&schedule->calls, i);

		schedule->shows_none |= call->missed > 0 && was_kept(schedule, call);
	}
	schedule->queue_calls = 0;
}

void timer_queue_doubt(struct timer_schedule *schedule)
{
	doubt_but(schedule, 0);
	schedule->queue_signs = 0;
}

void timer_queue_lose(struct timer_schedule *schedule)
{
	schedule->is_queue_unknown = schedule->is_queued || schedule->queue_calls > 0;
	schedule->queue_calls = schedule->is_queue_unknown;
	schedule->queue_signs = 0;
	schedule->queue_slot_ns = INT64_MAX;
}
