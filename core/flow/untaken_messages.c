/* SPDX-License-Identifier: MIT */
#include "core/flow/untaken_messages.h"

#include "core/flow/breaks.h"
#include "core/flow/channels.h"
#include "core/flow/conclusions.h"
#include "core/flow/endpoints.h"
#include "core/flow/notes.h"
#include "core/flow/polled_takes.h"
#include "core/flow/resolve.h"
#include "core/flow/settle.h"
#include "core/flow/topic_counts.h"

/* --- what the matcher asks --- */

static struct untaken_publication describe(void *data, const void *publication)
{
	const struct flow_publication *public = publication;

	return (struct untaken_publication){
		.first_ns = public->first_ns,
		.process = public->process,
		.thread = public->thread,
		.publisher = public->publisher,
		.has_inter_leg = public->has_inter_leg,
	};
}

static void free_leaving(struct flow_linker *linker, guint place)
{
	if (linker->leaving[place]) {
		linked_publication_release(linker, linker->leaving[place]);
		linker->leaving[place] = NULL;
	}
}

/*
 * What the matcher forgets has not been touched for long: it is released when FLOW_LEAVING more have been forgotten,
 * and by then its cache lines have been fetched, first its own, then those of what is freed with it.
 */
static void forget(void *data, void *publication)
{
	struct flow_linker *linker = data;
	guint place = linker->next_leaving++ % FLOW_LEAVING;
	const struct linked_publication *fetched = linker->leaving[(place + FLOW_LEAVING / 2) % FLOW_LEAVING];

	free_leaving(linker, place);
	linker->leaving[place] = publication;
	prefetch(publication, sizeof(struct linked_publication));
	if (fetched && fetched->public.parent_count > 0) {
		prefetch(fetched->public.parents[0], CACHE_LINE + 1);
	}
	if (fetched) {
		prefetch(fetched->last_delivery, sizeof(struct linked_delivery));
	}
}

static void hold(void *data, void *publication)
{
	linked_publication_take_in_hand(publication);
}

static void put_down(void *data, void *held)
{
	struct linked_publication *publication = held;

	publication->in_hand--;
	flow_conclude_check(data, publication);
	linked_publication_release(data, publication);
}

/* --- decisions --- */

/* NULL: the publication is unknown. */
static void end_note(struct flow_linker *linker, const struct untaken_callback *callback,
		     const struct linked_publication *publication)
{
	if (callback->note) {
		flow_note_set(callback->note, publication);
		flow_note_release(linker, callback->note);
	}
}

/* `delivery`: that of the publication to the subscription; NULL: none yet. */
static inline __attribute__((always_inline)) void
deliver(struct flow_linker *linker, struct model_subscription *subscription, const struct untaken_callback *callback,
	struct linked_publication *publication, struct linked_delivery *delivery)
{
	struct linked_execution *execution = callback->execution;
	struct flow_delivery unkept = { .publication = &publication->public, .subscription = subscription };
	struct flow_delivery *public = delivery ? &delivery->public : &unkept;

	public->is_inferred = true;
	public->has_start = true;
	public->take_ns = execution->public.start_ns; /* at the latest */
	public->callback_start_ns = execution->public.start_ns;
	public->execution = &execution->public;
	end_note(linker, callback, publication);
	/* nobody else refers to it, as it would while it runs, and as publications do to their parents */
	execution->public.is_over = execution->references == 1 && !execution->is_continued;
	flow_settle_delivered(linker, public, NULL);
	linked_execution_release(linker, execution);
}

static inline void set_unknown(struct flow_linker *linker, const struct untaken_callback *callback)
{
	end_note(linker, callback, NULL);
	flow_resolve_now(linker, callback->execution);
	linked_execution_release(linker, callback->execution);
}

/* Whether the publication can still be linked: it was not reported as final without the subscription. */
static bool can_deliver(const struct linked_publication *publication, const struct linked_delivery *delivery,
			const struct model_subscription *subscription)
{
	return delivery ? !publication->public.is_concluded && !delivery->public.is_reported &&
				  !delivery->public.is_intra_process
			: !flow_channels_have_received(publication, subscription);
}

/* Where takes are recorded: whether it is still true that the callback has none. */
static bool has_no_take(struct flow_linker *linker, const struct model_subscription *subscription,
			const struct linked_execution *execution)
{
	if (execution->may_lack_take || polled_takes_are_recorded(subscription)) {
		return false;
	}
	flow_topic_counts_add(linker, DIAGNOSTIC_TAKE_NOT_RECORDED, subscription->topic, 1);
	return true;
}

static void unknown(void *data, struct model_subscription *subscription, const struct untaken_place *first, guint count,
		    bool has_candidates)
{
	enum diagnostic why = has_candidates ? DIAGNOSTIC_AMBIGUOUS_LINK : DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION;
	struct flow_linker *linker = data;
	guint without_take = 0;

	for (guint i = 0; i < count; i++) {
		without_take += !linker->has_takes || has_no_take(linker, subscription, first[i].callback.execution);
		set_unknown(linker, &first[i].callback);
	}
	if (without_take > 0) {
		flow_topic_counts_add(linker, why, subscription->topic, without_take);
	}
}

/* Whether events of either process may be missing since the publication. */
static bool may_miss(struct flow_linker *linker, const struct flow_publication *publication,
		     const struct model_subscription *subscription, int64_t start_ns)
{
	int64_t first_ns = publication->first_ns;

	return !flow_breaks_are_none(linker) &&
	       (flow_breaks_overlap(linker, flow_process(linker, publication->process), first_ns, start_ns) ||
		flow_breaks_overlap(linker, flow_process(linker, subscription->process), first_ns, start_ns));
}

static G_GNUC_NO_INLINE void give(struct flow_linker *linker, struct model_subscription *subscription,
				  const struct untaken_place *place, struct linked_publication *publication)
{
	const struct untaken_callback *callback = &place->callback;
	struct linked_delivery *delivery = flow_channels_find_delivery(publication, subscription, NULL);
	bool is_deliverable = can_deliver(publication, delivery, subscription);

	if (may_miss(linker, &publication->public, subscription, callback->start_ns)) {
		unknown(linker, subscription, place, 1, true);
	} else if ((!linker->has_takes || has_no_take(linker, subscription, callback->execution)) && is_deliverable) {
		deliver(linker, subscription, callback, publication, delivery);
	} else {
		set_unknown(linker, callback);
	}
}

/* Nearly always, give() would only deliver the message. */
static void given(void *data, struct model_subscription *subscription, const struct untaken_place *place, void *held)
{
	struct flow_linker *linker = data;
	struct linked_publication *publication = held;

	publication->in_hand--;
	if (G_LIKELY(flow_breaks_are_none(linker) && !linker->has_takes &&
		     !linked_publication_may_have_reached(publication, subscription))) {
		deliver(linker, subscription, &place->callback, publication, NULL);
	} else {
		give(linker, subscription, place, publication);
	}
	flow_conclude_check(linker, publication);
	linked_publication_release(linker, publication);
}

/* --- what it hears --- */

void untaken_messages_create(struct flow_linker *linker)
{
	linker->follows_untaken = true;
	linker->untaken = untaken_matcher_create(linker->recording, &(struct untaken_user){
									    .data = linker,
									    .describe = describe,
									    .forget = forget,
									    .hold = hold,
									    .put_down = put_down,
									    .given = given,
									    .unknown = unknown,
								    });
}

void untaken_messages_destroy(struct flow_linker *linker)
{
	untaken_matcher_destroy(linker->untaken);
	for (guint i = 0; i < FLOW_LEAVING; i++) {
		free_leaving(linker, i);
	}
}

void untaken_messages_published(struct flow_linker *linker, struct linked_publication *publication)
{
	struct flow_topic *topic = publication->queue->topic;

	if (!topic) {
		return;
	}
	if (G_UNLIKELY(!topic->untaken)) {
		topic->untaken = untaken_matcher_topic(linker->untaken, topic->name);
	}
	untaken_matcher_publish(linker->untaken, topic->untaken, linked_publication_reference(publication),
				publication->public.first_ns);
}

static struct untaken_subscription *untaken_of(struct flow_linker *linker, struct model_subscription *subscription)
{
	struct flow_subscription *of = flow_subscription(subscription);

	if (G_UNLIKELY(!of->untaken)) {
		of->untaken = untaken_matcher_subscription(linker->untaken, subscription);
	}
	return of->untaken;
}

static void begin_wait(struct flow_linker *linker, const struct flow_thread *thread, struct linked_execution *execution,
		       struct model_subscription *subscription)
{
	int64_t start_ns = execution->public.start_ns;
	struct untaken_callback *callback = untaken_matcher_take(linker->untaken, untaken_of(linker, subscription),
								 &thread->untaken, start_ns, linker->now_ns);

	callback->execution = linked_execution_reference(execution);
	callback->has_ended = &execution->is_ended;
	callback->note = NULL;
	flow_linker_wake_aged(linker, start_ns + UNTAKEN_WAIT_NS);
	if (linker->keeps_notes) {
		execution->note = flow_note_create(linker, NULL);
		callback->note = flow_note_reference(execution->note);
	}
}

/* Whether its topic is known, mostly without a look at what the model keeps of it. */
static bool has_topic(const struct model_subscription *subscription)
{
	return flow_subscription(subscription)->untaken || subscription->topic;
}

/* Whether the callback that starts on the thread is of a subscription whose takes are not recorded. */
static bool lacks_takes(const struct flow_thread *thread, const struct model_subscription *subscription)
{
	return !thread->pending.is_set && !thread->is_cut && !polled_takes_are_recorded(subscription);
}

bool untaken_messages_started(struct flow_linker *linker, struct flow_thread *thread,
			      struct linked_execution *execution, const struct model_callback_info *info,
			      bool is_intra_process)
{
	untaken_thread_start(&thread->untaken, execution->public.start_ns);
	if (info->kind != CALLBACK_KIND_SUBSCRIPTION || !info->subscription || !has_topic(info->subscription)) {
		return false;
	}
	if (is_intra_process) {
		untaken_matcher_take_intra(untaken_of(linker, info->subscription));
		return false;
	}
	if (linker->has_takes && !lacks_takes(thread, info->subscription)) {
		return false;
	}
	if (thread->is_cut) {
		execution->may_lack_take = true;
	}
	begin_wait(linker, thread, execution, info->subscription);
	return true;
}

/* From now on. Callbacks run, the one that has just started among them. */
static void follow_late(struct flow_linker *linker)
{
	linker->has_followed_late = true;
	untaken_matcher_begin_late(linker->untaken, linker->now_ns);
	for (guint i = 0; i < linker->threads->len; i++) {
		struct flow_thread *thread = linker->threads->pdata[i];

		if (thread) {
			thread->untaken = (struct untaken_thread){ .is_in_callback = true };
		}
	}
}

void untaken_messages_missed(struct flow_linker *linker, const struct flow_thread *thread,
			     const struct model_callback_info *info)
{
	if (linker->follows_untaken || !linker->has_takes || !thread->has_vtid || !info->subscription ||
	    !info->subscription->topic || !lacks_takes(thread, info->subscription)) {
		return;
	}
	flow_topic_counts_add(linker, DIAGNOSTIC_TAKE_NOT_RECORDED, info->subscription->topic, 1);
	flow_topic_counts_add(linker, DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION, info->subscription->topic, 1);
	linker->follows_untaken = true;
	follow_late(linker);
}
