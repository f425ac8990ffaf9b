/* SPDX-License-Identifier: MIT */
#include "core/analyses/timers/timer_delays.h"

#include <glib.h>

#include "core/analyses/shared/thread_uses.h"

/* Whether two callbacks of a process may be mutually exclusive. */
static bool may_exclude(const struct timer_delays *delays, struct model_callback *timer, struct model_callback *other)
{
	struct model_callback_group group, other_group;
	const char *node = object_model_callback_info(delays->model, timer)->node;

	if (object_model_callback_group(delays->model, timer, &group) &&
	    object_model_callback_group(delays->model, other, &other_group)) {
		return group.address == other_group.address;
	}
	return node && node == object_model_callback_info(delays->model, other)->node;
}

/*
 * The longest use that the timer's callback may have had to wait for, if it is longer than that. What went on when it
 * started did not exclude it.
 */
static struct thread_use longest_use(const struct timer_delays *delays, const struct timer_delay *delay,
				     const struct thread_uses *uses, int64_t than_ns)
{
	struct thread_use longest = { NULL, than_ns };

	for (const struct thread_period *after = uses->after - uses->goes_on; after > uses->oldest; after--) {
		struct thread_use use = { after[-1].callback, thread_uses_ns(uses, &after[-1]) };

		if (use.used_ns > longest.used_ns && may_exclude(delays, delay->callback, use.callback)) {
			longest = use;
		}
	}
	return longest;
}

/* The longest of other threads of the process, if it is longer than what is known; of several, the first thread's. */
static void find_on_other_threads(const struct timer_delays *delays, const struct timer_delay *delay,
				  struct timer_hold *hold)
{
	uint32_t process = delay->callback->process, holding = 0;
	int64_t since_ns = delay->expected_ns;

	for (uint32_t i = recent_threads_first(delays->recent, process, since_ns); i != RECORDING_NONE;
	     i = recent_threads_next(delays->recent, process, i, since_ns)) {
		const struct thread_uses *uses =
			i == delay->thread ? NULL : thread_history_find(delays->history, i, since_ns, delay->start_ns);
		struct thread_use use = { 0 };

		if (uses) {
			use = longest_use(delays, delay, uses, hold->held_ns - (i < holding));
		}
		if (use.callback) {
			hold->held_ns = hold->holder_ns = use.used_ns;
			hold->holder = use.callback;
			holding = i;
		}
	}
}

/* What its callback may have had to wait for, of one thread. */
static int64_t excluding_ns(const struct timer_delays *delays, const struct timer_delay *delay, uint32_t thread)
{
	const struct thread_uses *uses =
		thread_history_find(delays->history, thread, delay->expected_ns, delay->start_ns);
	int64_t sum_ns = 0;

	for (const struct thread_period *use = uses ? uses->oldest : NULL; use && use < uses->after - uses->goes_on;
	     use++) {
		if (may_exclude(delays, delay->callback, use->callback)) {
			sum_ns += thread_uses_ns(uses, use);
		}
	}
	return sum_ns;
}

int64_t timer_delays_in_turn_ns(const struct timer_delays *delays, const struct timer_delay *delay)
{
	uint32_t process = delay->callback->process;
	int64_t since_ns = delay->expected_ns, sum_ns = 0;

	for (uint32_t i = recent_threads_first(delays->recent, process, since_ns); i != RECORDING_NONE;
	     i = recent_threads_next(delays->recent, process, i, since_ns)) {
		sum_ns = MIN(sum_ns + excluding_ns(delays, delay, i), delay->start_ns - since_ns);
	}
	return sum_ns;
}

struct timer_hold timer_delays_hold(const struct timer_delays *delays, const struct timer_delay *delay,
				    const struct thread_uses *uses, bool is_shared)
{
	struct timer_hold hold = { 0 };
	struct thread_use most;

	if (!uses) {
		return hold;
	}
	most = uses->total_ns > 0 ? thread_uses_most(uses) : (struct thread_use){ 0 };
	hold = (struct timer_hold){ true, uses->total_ns, most.callback, most.used_ns };
	if (is_shared) {
		find_on_other_threads(delays, delay, &hold);
	}
	return hold;
}
