/* SPDX-License-Identifier: MIT */
#include "core/analyses/timers/timer_waits.h"

void timer_waits_begin(struct timer_waits *waits, const struct poll *poll, bool is_interrupted)
{
	if (waits->woke_ns != TIMER_NEVER) {
		int64_t likely_ns = waits->is_look_up ? waits->waits_ns : waits->woke_ns;

		waits->idle = is_interrupted
				      ? (struct timer_idle){ waits->idle.certain_ns, waits->idle.likely_ns, likely_ns }
				      : (struct timer_idle){ waits->waits_ns, likely_ns, likely_ns };
	}
	waits->waits_ns = poll->time_ns;
	waits->woke_ns = TIMER_NEVER;
	waits->is_look_up = poll->kind == POLL_LOOK_UP;
	if (waits->idle.certain_ns == TIMER_NEVER) {
		return;
	}
	if (waits->marks_ns[1] == TIMER_NEVER || waits->idle.certain_ns - waits->marks_ns[1] >= TIMER_DISTRUST_NS) {
		waits->marks_ns[0] = waits->marks_ns[1];
		waits->marks_ns[1] = waits->idle.certain_ns;
	}
}

size_t timer_waits_skip(const struct timer_waits *waits, const struct poll *polls, size_t count)
{
	size_t i = count;

	if (waits->marks_ns[1] == TIMER_NEVER || polls[count - 1].time_ns - waits->marks_ns[1] >= TIMER_DISTRUST_NS) {
		return 0;
	}
	/* back over the last wait, to one that ended before it */
	while (i > 0 && polls[--i].kind == POLL_FIND) {}
	while (i > 0 && polls[--i].kind != POLL_FIND) {}
	while (i > 0 && polls[--i].kind == POLL_FIND) {}
	return i;
}

void timer_waits_forget(struct timer_waits *waits)
{
	int64_t possible_ns = waits->idle.possible_ns;

	*waits = (struct timer_waits)TIMER_NO_WAITS;
	waits->idle.possible_ns = possible_ns;
}

void timer_waits_end(struct timer_waits *waits, int64_t time_ns)
{
	if (timer_waits_goes_on(waits)) {
		waits->woke_ns = time_ns;
	}
}
