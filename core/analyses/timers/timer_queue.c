/* SPDX-License-Identifier: MIT */
#include "core/analyses/timers/timer_queue.h"

/* The oldest of the calls held that seems to have missed slots; their number if none has. */
static size_t find_late(struct timer_schedule *schedule)
{
	size_t i = 0;

	while (i < schedule->calls.held && timer_ring_held(&schedule->calls, i)->missed == 0) {
		i++;
	}
	return i;
}

bool timer_queue_is_possible(struct timer_schedule *schedule, const struct timer_call *call)
{
	if (call->facts.has_executor || find_late(schedule) == schedule->calls.held) {
		return false;
	}
	return call->facts.pause_ns <= TIMER_QUEUE_PAUSE_NS ||
	       call->facts.now_ns - call->expected_ns > timer_schedule_on_time_ns(schedule);
}

bool timer_queue_correct(struct timer_schedule *schedule, const struct timer_call *call)
{
	size_t late = find_late(schedule);
	int64_t slot_ns;

	if (call->facts.has_executor || late == schedule->calls.held) {
		return false;
	}
	slot_ns = timer_ring_held(&schedule->calls, late)->expected_ns;
	if (timer_phase_slot(slot_ns, (int64_t)(schedule->calls.held - late), schedule->period_ns) >
	    call->facts.now_ns) {
		return false;
	}
	for (size_t i = late; i < schedule->calls.held; i++) {
		timer_ring_held(&schedule->calls, i)->expected_ns = slot_ns;
		timer_ring_held(&schedule->calls, i)->missed = 0;
		slot_ns = timer_phase_slot(slot_ns, 1, schedule->period_ns);
	}
	schedule->expected_ns = slot_ns;
	schedule->is_queued = true;
	return true;
}
