/* SPDX-License-Identifier: MIT */
#include "core/flow/untaken_choice.h"

#include "core/flow/breaks.h"

/* How much longer than the last candidate one must have waited in vain to be none. */
#define VAIN_WAITS 4

void untaken_choice_set_behind(struct untaken_subscription *subscription, int64_t time_ns)
{
	subscription->is_behind = true;
	subscription->behind_ns = time_ns;
}

/* --- candidates --- */

static bool is_candidate(const struct untaken_subscription *subscription, const struct linked_publication *publication)
{
	return publication->public.has_inter_leg &&
	       !(subscription->has_intra && publication->public.process == subscription->model->process);
}

/* Whether another thread published within UNTAKEN_TIE_NS of it, and before the callback of either. */
static bool is_tied(const struct linked_publication *left, const struct linked_publication *right,
		    const struct undecided *of_left)
{
	return left->public.thread != right->public.thread &&
	       right->public.first_ns - left->public.first_ns < UNTAKEN_TIE_NS &&
	       right->public.first_ns < of_left->execution->public.start_ns;
}

/* Whether no event of the publisher and of the subscription can be missing while the message was under way. */
static bool is_covered(struct flow_linker *linker, const struct untaken_subscription *subscription,
		       const struct linked_publication *publication, int64_t to_ns)
{
	const struct recording_process *from = recording_process(linker->recording, publication->public.process);
	const struct recording_process *to = recording_process(linker->recording, subscription->model->process);

	return from->host == to->host && from->has_vpid && to->has_vpid &&
	       !flow_breaks_overlap(linker, flow_process(linker, publication->public.process),
				    publication->public.first_ns, to_ns) &&
	       !flow_breaks_overlap(linker, flow_process(linker, subscription->model->process),
				    publication->public.first_ns, to_ns);
}

/* When a rest begins that a candidate cannot outlast, seen from its end: INT64_MIN if that is not known. */
static int64_t vain_since(const struct untaken_subscription *subscription, const struct flow_thread *thread)
{
	for (uint64_t number = subscription->topic->count; number-- > subscription->next;) {
		int64_t last_ns = untaken_publication(subscription->topic, number)->public.first_ns;
		int64_t waited_ns = thread->rested_ns - last_ns;

		if (waited_ns > NS_PER_DAY) {
			return INT64_MIN;
		}
		if (waited_ns >= 0) {
			return last_ns - MAX(UNTAKEN_VAIN_NS, VAIN_WAITS * waited_ns);
		}
	}
	return thread->rested_ns - UNTAKEN_LONG_REST_NS;
}

/* Whether the publisher was made so late that the middleware may still have been matching it with its subscriptions. */
static bool is_early(const struct linked_publication *publication)
{
	return publication->public.first_ns - publication->public.publisher->since_ns < UNTAKEN_DISCOVERY_NS;
}

void untaken_choice_drop_stale(struct untaken_subscription *subscription, const struct flow_thread *thread)
{
	int64_t since_ns = vain_since(subscription, thread);

	if (thread->rested_ns == 0 || thread->rest_begin_ns > since_ns) {
		return;
	}
	if (subscription->is_behind && subscription->behind_ns <= since_ns) {
		subscription->is_behind = false;
	}
	while (subscription->next < subscription->topic->count) {
		const struct linked_publication *first = untaken_publication(subscription->topic, subscription->next);

		if (first->public.first_ns > (is_early(first) ? since_ns - UNTAKEN_DISCOVERY_NS : since_ns)) {
			return;
		}
		subscription->next++;
	}
}

/* The candidates of the undecided executions, in order. */
static guint collect(const struct untaken_subscription *subscription, struct linked_publication **candidates)
{
	uint64_t held = subscription->undecided[subscription->count - 1].published - subscription->next;
	guint count = 0;

	for (uint64_t i = 0; i < held; i++) {
		if (is_candidate(subscription, subscription->held[i])) {
			candidates[count++] = subscription->held[i];
		}
	}
	return count;
}

static int64_t start_of(const struct untaken_subscription *subscription, guint i)
{
	return subscription->undecided[i].execution->public.start_ns;
}

/* Messages of several publishers, of which the middleware was still matching one: they arrive in any order. */
static bool is_unordered(struct linked_publication *const *candidates, guint count)
{
	bool has_early = false, has_several = false;

	for (guint i = 0; i < count; i++) {
		has_early |= is_early(candidates[i]);
		has_several |= candidates[i]->public.publisher != candidates[0]->public.publisher;
	}
	return has_early && has_several;
}

static void choose_none(struct linked_publication *candidates[UNTAKEN_KEPT])
{
	for (guint i = 0; i < UNTAKEN_KEPT; i++) {
		candidates[i] = NULL;
	}
}

/* One candidate for each execution: NULL for those that may be another one's. */
static void pair_in_order(struct flow_linker *linker, const struct untaken_subscription *subscription,
			  struct linked_publication *candidates[UNTAKEN_KEPT])
{
	bool is_unsure[UNTAKEN_KEPT + 1] = { false };

	for (guint i = 0; i < subscription->count; i++) {
		if (candidates[i]->public.first_ns >= start_of(subscription, i)) {
			choose_none(candidates);
			return;
		}
		if (!is_covered(linker, subscription, candidates[i], start_of(subscription, i))) {
			is_unsure[i] = true;
		}
		if (i + 1 < subscription->count &&
		    is_tied(candidates[i], candidates[i + 1], &subscription->undecided[i])) {
			is_unsure[i] = is_unsure[i + 1] = true;
		}
	}
	for (guint i = 0; i < subscription->count; i++) {
		candidates[i] = is_unsure[i] ? NULL : candidates[i];
	}
}

guint untaken_choice_make(struct flow_linker *linker, const struct untaken_subscription *subscription,
			  struct linked_publication *candidates[UNTAKEN_KEPT])
{
	guint count = collect(subscription, candidates);

	if (!subscription->is_behind && count == subscription->count &&
	    (count == 1 || !subscription->is_contemporary) && !is_unordered(candidates, count)) {
		pair_in_order(linker, subscription, candidates);
		return count;
	}
	if (!subscription->is_behind && subscription->count == 1 && count > 1 &&
	    subscription->model->queue_depth == 1 &&
	    start_of(subscription, 0) - candidates[count - 1]->public.first_ns < UNTAKEN_REST_NS &&
	    !is_unordered(candidates, count) &&
	    !is_tied(candidates[count - 2], candidates[count - 1], &subscription->undecided[0])) {
		candidates[0] = candidates[count - 1];
		pair_in_order(linker, subscription, candidates);
		return count;
	}
	choose_none(candidates);
	return count;
}
