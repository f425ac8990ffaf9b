/* SPDX-License-Identifier: MIT */
#include "core/untaken/untaken_choice.h"

/* How much longer than the last candidate one must have waited in vain to be none. */
#define VAIN_WAITS 4

void untaken_choice_set_behind(struct untaken_subscription *subscription, int64_t time_ns)
{
	subscription->is_behind = true;
	subscription->behind_ns = time_ns;
}

/* --- candidates --- */

static bool is_candidate(const struct untaken_subscription *subscription, const struct untaken_publication *publication)
{
	return publication->has_inter_leg &&
	       !(subscription->has_intra && publication->process == subscription->model->process);
}

static int64_t start_of(const struct untaken_subscription *subscription, guint i)
{
	return subscription->places[i].callback.start_ns;
}

/* Whether another thread published within UNTAKEN_TIE_NS of it, and before the callback of either. */
static bool is_tied(const struct untaken_publication *left, const struct untaken_publication *right,
		    int64_t start_of_left_ns)
{
	return left->thread != right->thread && right->first_ns - left->first_ns < UNTAKEN_TIE_NS &&
	       right->first_ns < start_of_left_ns;
}

/* Of the process of a publisher: see untaken_subscription.is_near. Most subscriptions hear of one process. */
static inline bool is_near(const struct untaken_chooser *chooser, struct untaken_subscription *subscription,
			   uint32_t process)
{
	if (subscription->peer != process) {
		const struct recording_process *from = recording_process(chooser->recording, process);
		const struct recording_process *to =
			recording_process(chooser->recording, subscription->model->process);

		subscription->peer = process;
		subscription->is_near = from->host == to->host && from->has_vpid && to->has_vpid;
	}
	return subscription->is_near;
}

/* When a rest begins that a candidate cannot outlast, seen from its end: INT64_MIN if that is not known. */
static int64_t vain_since(const struct untaken_subscription *subscription, const struct untaken_thread *thread)
{
	for (uint64_t number = subscription->topic->count; number-- > subscription->next;) {
		int64_t last_ns = untaken_first_ns(subscription->topic, number);
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
static bool is_early(const struct untaken_publication *publication)
{
	return publication->first_ns - publication->publisher->since_ns < UNTAKEN_DISCOVERY_NS;
}

static bool is_early_number(const struct untaken_chooser *chooser, const struct untaken_topic *topic, uint64_t number)
{
	struct untaken_publication publication =
		untaken_describe(chooser, topic->kept[number % UNTAKEN_KEPT].publication);

	return is_early(&publication);
}

void untaken_choice_drop_stale(const struct untaken_chooser *chooser, struct untaken_subscription *subscription,
			       const struct untaken_thread *thread)
{
	int64_t since_ns;

	if (thread->rested_ns == 0) {
		return;
	}
	since_ns = vain_since(subscription, thread);
	if (thread->rest_begin_ns > since_ns) {
		return;
	}
	if (subscription->is_behind && subscription->behind_ns <= since_ns) {
		subscription->is_behind = false;
	}
	while (subscription->next < subscription->topic->count) {
		int64_t first_ns = untaken_first_ns(subscription->topic, subscription->next);

		if (first_ns > since_ns || (first_ns > since_ns - UNTAKEN_DISCOVERY_NS &&
					    is_early_number(chooser, subscription->topic, subscription->next))) {
			return;
		}
		subscription->next++;
	}
}

/* Whether none will be chosen, whatever the candidates are: then it only matters whether there is one. */
static bool is_hopeless(const struct untaken_subscription *subscription)
{
	return subscription->is_behind || subscription->in_hand < subscription->count ||
	       (subscription->is_contemporary && subscription->count > 1);
}

static bool keeps_one(const struct untaken_subscription *subscription)
{
	return subscription->count == 1 && subscription->model->queue_depth == 1;
}

/* With that many candidates none will be chosen, or all are known: no others are looked at. */
static guint enough(const struct untaken_subscription *subscription)
{
	return keeps_one(subscription) ? UNTAKEN_KEPT : subscription->count + 1;
}

/* The candidates of the undecided callbacks among those in hand, in order, the first `most` of them. */
static guint collect(const struct untaken_chooser *chooser, struct untaken_subscription *subscription, guint most,
		     struct untaken_place **candidates, struct untaken_publication *described)
{
	guint count = 0;

	for (guint i = 0; i < subscription->in_hand && count < most; i++) {
		described[count] = untaken_describe(chooser, subscription->places[i].held);
		if (is_candidate(subscription, &described[count])) {
			candidates[count++] = &subscription->places[i];
		}
	}
	return count;
}

/* Messages of several publishers, of which the middleware was still matching one: they arrive in any order. */
static bool is_unordered(const struct untaken_publication *candidates, guint count)
{
	bool has_early = false, has_several = false;

	for (guint i = 0; i < count; i++) {
		has_early |= is_early(&candidates[i]);
		has_several |= candidates[i].publisher != candidates[0].publisher;
	}
	return has_early && has_several;
}

static void choose_none(const struct untaken_subscription *subscription, struct untaken_place *candidates[UNTAKEN_KEPT])
{
	for (guint i = 0; i < subscription->count; i++) {
		candidates[i] = NULL;
	}
}

/* One candidate for each callback: NULL for those that may be another one's. */
static void pair_in_order(const struct untaken_chooser *chooser, struct untaken_subscription *subscription,
			  struct untaken_place *candidates[UNTAKEN_KEPT], const struct untaken_publication *described)
{
	bool is_tied_before = false;

	for (guint i = 0; i < subscription->count; i++) {
		int64_t start_ns = start_of(subscription, i);
		bool is_tied_behind =
			i + 1 < subscription->count && is_tied(&described[i], &described[i + 1], start_ns);

		if (described[i].first_ns >= start_ns) {
			choose_none(subscription, candidates);
			return;
		}
		if (is_tied_before || is_tied_behind || !is_near(chooser, subscription, described[i].process)) {
			candidates[i] = NULL;
		}
		is_tied_before = is_tied_behind;
	}
}

/* What the rules for several come to. */
bool untaken_choice_make_lone(const struct untaken_chooser *chooser, struct untaken_subscription *subscription,
			      bool is_rested, bool *has_candidate)
{
	struct untaken_publication described = untaken_describe(chooser, subscription->places[0].held);

	*has_candidate = is_candidate(subscription, &described);
	return *has_candidate && is_rested && !subscription->is_behind &&
	       described.first_ns < start_of(subscription, 0) && is_near(chooser, subscription, described.process);
}

bool untaken_choice_make(const struct untaken_chooser *chooser, struct untaken_subscription *subscription,
			 bool is_rested, struct untaken_place *candidates[UNTAKEN_KEPT])
{
	struct untaken_publication described[UNTAKEN_KEPT];
	bool can_choose = is_rested && !is_hopeless(subscription);
	guint count = collect(chooser, subscription, can_choose ? enough(subscription) : 1, candidates, described);

	if (can_choose && count == subscription->count && !is_unordered(described, count)) {
		pair_in_order(chooser, subscription, candidates, described);
	} else if (can_choose && count > 1 && keeps_one(subscription) &&
		   start_of(subscription, 0) - described[count - 1].first_ns < UNTAKEN_REST_NS &&
		   !is_unordered(described, count) &&
		   !is_tied(&described[count - 2], &described[count - 1], start_of(subscription, 0))) {
		candidates[0] = candidates[count - 1];
		pair_in_order(chooser, subscription, candidates, &described[count - 1]);
	} else {
		choose_none(subscription, candidates);
	}
	return count > 0;
}
