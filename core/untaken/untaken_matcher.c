/* SPDX-License-Identifier: MIT */
#include "core/untaken/untaken_matcher.h"

#include <glib.h>

#include "core/base/arena.h"
#include "core/base/slots.h"
#include "core/untaken/untaken_choice.h"
#include "ros2bt/base/u64_map.h"

struct untaken_matcher {
	struct untaken_chooser chooser;
	struct u64_map topics; /* name → struct untaken_topic *, of the arena */
	GPtrArray
		*subscriptions; /* struct untaken_subscription *, of the arena, by index of the model; NULL: not seen */
	struct arena *arena;	/* of the recording */
	/* Both ends of the list of the subscriptions that wait, in the order of their first undecided callbacks. */
	struct untaken_wait waiting;
	int64_t late_ns; /* see untaken_matcher_begin_late(); INT64_MIN: it was not called */
};

struct untaken_matcher *untaken_matcher_create(struct recording *recording, const struct untaken_user *user)
{
	struct untaken_matcher *matcher = g_new0(struct untaken_matcher, 1);

	matcher->chooser = (struct untaken_chooser){ recording, *user };
	u64_map_init(&matcher->topics);
	matcher->subscriptions = g_ptr_array_new();
	matcher->arena = recording_arena(recording);
	matcher->waiting = (struct untaken_wait){ &matcher->waiting, &matcher->waiting };
	matcher->late_ns = INT64_MIN;
	return matcher;
}

void untaken_matcher_destroy(struct untaken_matcher *matcher)
{
	const struct untaken_user *user = &matcher->chooser.user;
	size_t position = 0;
	uint64_t name, value;

	while (u64_map_next(&matcher->topics, &position, &name, &value)) {
		struct untaken_topic *topic = (struct untaken_topic *)(uintptr_t)value;

		for (guint i = 0; i < UNTAKEN_KEPT; i++) {
			if (topic->kept[i].publication) {
				user->forget(user->data, topic->kept[i].publication);
			}
		}
		arena_give(matcher->arena, topic, sizeof(*topic));
	}
	u64_map_clear(&matcher->topics);
	for (guint i = 0; i < matcher->subscriptions->len; i++) {
		arena_give(matcher->arena, matcher->subscriptions->pdata[i], sizeof(struct untaken_subscription));
	}
	g_ptr_array_free(matcher->subscriptions, TRUE);
	g_free(matcher);
}

/* --- topics and subscriptions --- */

struct untaken_topic *untaken_matcher_topic(struct untaken_matcher *matcher, const char *name)
{
	struct untaken_topic *topic = u64_map_get_pointer(&matcher->topics, (uintptr_t)name);

	if (!topic) {
		topic = arena_take(matcher->arena, sizeof(*topic));
		u64_map_set_pointer(&matcher->topics, (uintptr_t)name, topic);
	}
	return topic;
}

static G_GNUC_NO_INLINE struct untaken_subscription *add_subscription(struct untaken_matcher *matcher,
								      struct model_subscription *model)
{
	struct untaken_subscription *subscription = arena_take(matcher->arena, sizeof(*subscription));

	subscription->model = model;
	subscription->topic = untaken_matcher_topic(matcher, model->topic);
	subscription->peer = UNTAKEN_NO_PEER;
	if (matcher->late_ns != INT64_MIN) {
		untaken_choice_set_behind(subscription, matcher->late_ns);
	}
	*slot_at(matcher->subscriptions, model->index) = subscription;
	return subscription;
}

struct untaken_subscription *untaken_matcher_subscription(struct untaken_matcher *matcher,
							  struct model_subscription *model)
{
	struct untaken_subscription *subscription = slot_get(matcher->subscriptions, model->index);

	return G_LIKELY(subscription) ? subscription : add_subscription(matcher, model);
}

void untaken_matcher_publish(struct untaken_matcher *matcher, struct untaken_topic *topic, void *publication,
			     int64_t first_ns)
{
	const struct untaken_user *user = &matcher->chooser.user;
	uint64_t place = topic->count++ % UNTAKEN_KEPT;

	if (topic->kept[place].publication) {
		user->forget(user->data, topic->kept[place].publication);
	}
	topic->kept[place].publication = publication;
	topic->kept[place].first_ns = first_ns;
}

/* Candidates that are no longer kept. */
static void catch_up(struct untaken_subscription *subscription)
{
	if (subscription->topic->count > subscription->next + UNTAKEN_KEPT) {
		subscription->next = subscription->topic->count - UNTAKEN_KEPT;
		untaken_choice_set_behind(subscription, untaken_first_ns(subscription->topic, subscription->next));
	}
}

/* --- subscriptions that wait --- */

static void wait_last(struct untaken_matcher *matcher, struct untaken_subscription *subscription)
{
	struct untaken_wait *wait = &subscription->wait;

	*wait = (struct untaken_wait){ matcher->waiting.earlier, &matcher->waiting };
	wait->earlier->later = matcher->waiting.earlier = wait;
}

static void wait_no_more(const struct untaken_subscription *subscription)
{
	subscription->wait.earlier->later = subscription->wait.later;
	subscription->wait.later->earlier = subscription->wait.earlier;
}

/* --- decisions --- */

/* The first callbacks, which started before any candidate was published: another publisher's. */
static void decide_strangers(const struct untaken_user *user, struct untaken_subscription *subscription)
{
	struct untaken_place *places = subscription->places;
	guint strangers = 0;

	while (strangers < subscription->count && places[strangers].published <= subscription->next) {
		strangers++;
	}
	user->unknown(user->data, subscription->model, places, strangers, false);
	subscription->count -= strangers;
	for (guint i = 0; i < subscription->count; i++) {
		places[i].callback = places[i + strangers].callback; /* `published` is asked for no more */
	}
}

/* Decides all undecided callbacks; not `is_rested`: as unknown. */
static void decide_several(const struct untaken_matcher *matcher, struct untaken_subscription *subscription,
			   bool is_rested)
{
	const struct untaken_user *user = &matcher->chooser.user;
	struct untaken_place *places = subscription->places, *chosen[UNTAKEN_KEPT];
	bool has_candidates;

	if (places[0].published <= subscription->next) {
		decide_strangers(user, subscription);
		if (subscription->count == 0) {
			return;
		}
	}
	has_candidates = untaken_choice_make(&matcher->chooser, subscription, is_rested, chosen);
	for (guint i = 0, first = 0; i < subscription->count; first = i) {
		while (i < subscription->count && !chosen[i]) {
			i++;
		}
		if (i > first) {
			user->unknown(user->data, subscription->model, &places[first], i - first, has_candidates);
		} else {
			user->given(user->data, subscription->model, &places[i], chosen[i]->held);
			chosen[i++]->held = NULL;
		}
	}
	for (guint i = 0; i < subscription->in_hand; i++) {
		if (places[i].held) {
			user->put_down(user->data, places[i].held);
		}
	}
	subscription->next += subscription->in_hand;
	subscription->count = subscription->in_hand = 0;
	subscription->is_contemporary = false;
}

/* The same for one callback and one publication before it, as there are most often. */
static inline void decide_lone(const struct untaken_matcher *matcher, struct untaken_subscription *subscription,
			       bool is_rested)
{
	const struct untaken_user *user = &matcher->chooser.user;
	const struct untaken_place *place = subscription->places;
	bool is_candidate, is_it = untaken_choice_make_lone(&matcher->chooser, subscription, is_rested, &is_candidate);

	subscription->next++;
	subscription->count = subscription->in_hand = 0;
	subscription->is_contemporary = false; /* callbacks before any publication may have left it */
	if (is_it) {
		user->given(user->data, subscription->model, place, place->held);
		return;
	}
	user->unknown(user->data, subscription->model, place, 1, is_candidate);
	user->put_down(user->data, place->held);
}

static void close_period(struct untaken_matcher *matcher, struct untaken_subscription *subscription, bool is_rested)
{
	wait_no_more(subscription);
	if (subscription->count == 1 && subscription->in_hand == 1) {
		decide_lone(matcher, subscription, is_rested);
	} else {
		decide_several(matcher, subscription, is_rested);
	}
}

/* --- callbacks --- */

/* How late the last callback was: as long a rest proves that no message is left, or UNTAKEN_LONG_REST_NS. */
static int64_t lateness_ns(const struct untaken_subscription *subscription)
{
	const struct untaken_place *last = &subscription->places[subscription->count - 1];

	return last->published > subscription->next ? last->callback.start_ns - subscription->newest_ns : 0;
}

/* Whether the thread has rested since the last undecided callback. */
static inline bool has_rested(const struct untaken_subscription *subscription, int64_t now_ns)
{
	const struct untaken_callback *last = &subscription->places[subscription->count - 1].callback;
	const struct untaken_thread *thread = last->thread;
	int64_t rest_ns = 0;

	if (thread->rest_begin_ns > last->start_ns) {
		rest_ns = thread->rested_ns - thread->rest_begin_ns;
	}
	if (!thread->is_in_callback) {
		rest_ns = MAX(rest_ns, now_ns - thread->free_ns);
	}
	return rest_ns >= UNTAKEN_REST_NS && *last->has_ended &&
	       rest_ns >= MIN(lateness_ns(subscription), UNTAKEN_LONG_REST_NS);
}

/* Publications up to the callback are candidates. */
static void hold_candidates(struct untaken_matcher *matcher, struct untaken_subscription *subscription)
{
	const struct untaken_user *user = &matcher->chooser.user;
	const struct untaken_topic *topic = subscription->topic;

	while (subscription->next + subscription->in_hand < topic->count) {
		uint64_t number = subscription->next + subscription->in_hand;
		struct untaken_place *place = &subscription->places[subscription->in_hand++];

		place->held = topic->kept[number % UNTAKEN_KEPT].publication;
		subscription->newest_ns = untaken_first_ns(topic, number);
		user->hold(user->data, place->held);
	}
}

static void begin_period(struct untaken_matcher *matcher, struct untaken_subscription *subscription,
			 const struct untaken_thread *thread)
{
	catch_up(subscription);
	/* the newest candidate is never stale */
	if (subscription->topic->count > subscription->next + 1 || subscription->is_behind) {
		untaken_choice_drop_stale(&matcher->chooser, subscription, thread);
	}
	wait_last(matcher, subscription);
}

static struct untaken_callback *add_callback(struct untaken_matcher *matcher, struct untaken_subscription *subscription,
					     const struct untaken_thread *thread, int64_t start_ns)
{
	struct untaken_place *place = &subscription->places[subscription->count++];

	place->callback.thread = thread;
	place->callback.start_ns = start_ns;
	place->published = subscription->topic->count;
	hold_candidates(matcher, subscription);
	return &place->callback;
}

void untaken_matcher_take_intra(struct untaken_subscription *subscription)
{
	subscription->has_intra = true;
}

struct untaken_callback *untaken_matcher_take(struct untaken_matcher *matcher,
					      struct untaken_subscription *subscription,
					      const struct untaken_thread *thread, int64_t start_ns, int64_t now_ns)
{
	if (subscription->count > 0) {
		const struct untaken_callback *last = &subscription->places[subscription->count - 1].callback;

		if (has_rested(subscription, now_ns)) {
			close_period(matcher, subscription, true);
		} else if (subscription->count == UNTAKEN_KEPT ||
			   subscription->topic->count - subscription->next >= UNTAKEN_KEPT) {
			close_period(matcher, subscription, false);
			untaken_choice_set_behind(subscription, start_ns);
		} else if (!*last->has_ended || last->thread != thread) {
			subscription->is_contemporary = true;
		}
	}
	if (subscription->count == 0) {
		begin_period(matcher, subscription, thread);
	}
	return add_callback(matcher, subscription, thread, start_ns);
}

/* --- ends of waits --- */

int64_t untaken_matcher_due_ns(const struct untaken_matcher *matcher)
{
	const struct untaken_subscription *first = (const struct untaken_subscription *)matcher->waiting.later;

	return &first->wait == &matcher->waiting ? INT64_MAX : first->places[0].callback.start_ns + UNTAKEN_WAIT_NS;
}

/* Of what is due by then. */
static void end_waits(struct untaken_matcher *matcher, int64_t due_ns, bool may_rest, int64_t now_ns)
{
	while (untaken_matcher_due_ns(matcher) <= due_ns) {
		struct untaken_subscription *subscription = (struct untaken_subscription *)matcher->waiting.later;

		close_period(matcher, subscription, may_rest && has_rested(subscription, now_ns));
	}
}

void untaken_matcher_expire(struct untaken_matcher *matcher, int64_t now_ns)
{
	end_waits(matcher, now_ns, true, now_ns);
}

void untaken_matcher_forget(struct untaken_matcher *matcher, int64_t now_ns)
{
	end_waits(matcher, INT64_MAX - 1, false, now_ns);
	for (guint i = 0; i < matcher->subscriptions->len; i++) {
		struct untaken_subscription *subscription = g_ptr_array_index(matcher->subscriptions, i);

		if (subscription) {
			subscription->next = subscription->topic->count;
			untaken_choice_set_behind(subscription, now_ns);
		}
	}
}

void untaken_matcher_begin_late(struct untaken_matcher *matcher, int64_t now_ns)
{
	untaken_matcher_forget(matcher, now_ns);
	matcher->late_ns = now_ns;
}

void untaken_matcher_finish(struct untaken_matcher *matcher, int64_t now_ns)
{
	end_waits(matcher, INT64_MAX - 1, true, now_ns);
}
