/* SPDX-License-Identifier: MIT */
#include "core/analyses/timers/timer_order.h"

/* Whether a call seems to have missed slots and was made after a time. */
static bool has_missed_after(const struct timer_call *call, int64_t time_ns)
{
	return call->has_expected && call->missed > 0 && call->facts.has_executor && call->facts.earliest_ns > time_ns;
}

/* The oldest of the calls held that seems to have missed slots and was made after a time; NULL if none was. */
static struct timer_call *find_after(struct timer_schedule *schedule, int64_t time_ns)
{
	for (size_t i = 0; i < schedule->calls.held; i++) {
		struct timer_call *held = timer_ring_held(&schedule->calls, i);

		if (has_missed_after(held, time_ns)) {
			return held;
		}
	}
	return NULL;
}

bool timer_order_is_open(struct timer_schedule *schedule, const struct timer_call *call)
{
	return find_after(schedule, call->facts.silent_since_ns) != NULL;
}

void timer_order_doubt(const struct timer_call *last, struct timer_call *call)
{
	if (has_missed_after(call, last->facts.silent_since_ns)) {
		timer_call_doubt(call);
	}
}

/* Whether a call that is held was made later. */
static bool is_overtaken(struct timer_schedule *schedule, const struct timer_call *call)
{
	bool is_overtaken = false;

	for (size_t i = 0; i < schedule->calls.held; i++) {
		const struct timer_call_facts *held = &timer_ring_held(&schedule->calls, i)->facts;

		is_overtaken |= held->has_executor && held->earliest_ns > call->facts.earliest_ns;
	}
	return is_overtaken;
}

/* The call takes the slot of the one after it, which takes one that it seems to have missed. */
static void change_slots(const struct timer_schedule *schedule, struct timer_call *call, struct timer_call *after)
{
	int64_t passed = MAX(0, call->facts.earliest_ns - after->expected_ns) / schedule->period_ns;

	call->has_expected = true;
	call->is_unsure = after->is_unsure;
	call->expected_ns = after->expected_ns;
	call->missed = MIN((uint64_t)passed, after->missed - 1);
	after->missed -= call->missed + 1;
	after->facts.overtaken -= after->facts.overtaken > 0;
	after->expected_ns = timer_phase_slot(after->expected_ns, (int64_t)call->missed + 1, schedule->period_ns);
}

bool timer_order_correct(struct timer_schedule *schedule, struct timer_call *call)
{
	bool begins_anew = schedule->mode == TIMER_RESTARTED;
	struct timer_call *after = begins_anew ? NULL : find_after(schedule, call->facts.earliest_ns);

	if (!call->facts.has_executor || !(begins_anew ? is_overtaken(schedule, call) : after != NULL)) {
		return false;
	}
	if (after) {
		change_slots(schedule, call, after);
	} else {
		call->expected_ns = timer_ring_held(&schedule->calls, 0)->expected_ns;
	}
	call->facts.now_ns = call->facts.earliest_ns;
	return true;
}
