/* SPDX-License-Identifier: MIT */
#include "core/flow/settle.h"

#include "core/flow/channels.h"
#include "core/flow/conclusions.h"
#include "core/flow/doubtful_origins.h"
#include "core/flow/latched.h"
#include "core/flow/linked_executions.h"
#include "core/flow/outcome.h"
#include "core/flow/provenance.h"
#include "core/flow/resolve.h"
#include "core/flow/servers.h"
#include "core/flow/topic_counts.h"

/* How long a publication waits for the first subscription of its topic: a guess, above what discovery takes. */
#define LISTENER_WAIT_NS NS_PER_S

/* --- when it is settled --- */

/*
 * If the bits do not tell of all who have received the publication, or will through a ring buffer: marks the others.
 * Returns whether that is so.
 */
static bool mark_receivers(const struct linked_publication *publication)
{
	if (!publication->public.has_intra_leg && publication->queue->channel_count <= FLOW_RECEIVED_BITS) {
		return false;
	}
	for (const struct linked_delivery *delivery = publication->deliveries; delivery; delivery = delivery->next) {
		if (delivery->public.subscription) {
			flow_subscription(delivery->public.subscription)->mark = publication->public.id;
		}
	}
	return true;
}

/* Of a channel of which the bits do not tell. */
static inline bool is_marked(const struct linked_publication *publication, const struct flow_channel *channel,
			     bool has_marks)
{
	return has_marks && flow_subscription(channel->subscription)->mark == publication->public.id;
}

/* Whether all others can no longer receive it. O(channels), so not at each delivery. */
static G_GNUC_NO_INLINE bool others_have_passed(struct flow_linker *linker,
						const struct linked_publication *publication)
{
	const struct flow_publisher *publisher = publication->queue;
	bool has_marks = mark_receivers(publication);

	for (guint i = linked_publication_next_without_bit(publication, 0); i < publisher->channel_count;
	     i = linked_publication_next_without_bit(publication, i + 1)) {
		const struct flow_channel *channel = publisher->channels[i];

		if (!is_marked(publication, channel, has_marks) && channel->last > 0 &&
		    !flow_channel_has_passed(linker, channel, publication)) {
			return false;
		}
	}
	return true;
}

static bool is_settled(struct flow_linker *linker, struct linked_publication *publication)
{
	int64_t age_ns = linker->now_ns - publication->public.first_ns;

	if (publication->is_open || publication->is_doubtful || publication->undelivered_slots > 0 ||
	    (publication->is_waiting_for_stamp && age_ns < FLOW_BIND_WAIT_NS)) {
		return false;
	}
	if (publication->public.has_intra_leg && !publication->deliveries && age_ns < LISTENER_WAIT_NS &&
	    flow_process(linker, publication->public.process)->buffers.count == 0) {
		/* A release that records no ring buffers: the dispatch may follow. */
		return false;
	}
	if (!publication->public.has_inter_leg) {
		return true;
	}
	if (flow_channel_awaits_first(linker, publication)) {
		return false;
	}
	if (publication->queue->channel_count == 0) {
		const struct flow_topic *topic = publication->queue->topic;

		return (topic && topic->subscription_count > 0) || age_ns >= LISTENER_WAIT_NS;
	}
	if (publication->received >= publication->queue->channel_count) {
		return true;
	}
	publication->checked_ns = linker->now_ns;
	if (publication->queue->has_inter && publication->received == 0 && !publication->deliveries &&
	    publication->sequence == publication->queue->sequence) {
		return false; /* just published: no subscription has received it or a later one */
	}
	return others_have_passed(linker, publication);
}

/* --- who should have received it --- */

/* Whether a thread has taken it for the subscription. O(threads), but hardly any publication is in hand by then. */
static bool is_in_hand_for(const struct flow_linker *linker, const struct linked_publication *publication,
			   const struct model_subscription *subscription)
{
	for (guint i = 0; publication->in_hand > 0 && i < linker->threads->len; i++) {
		const struct flow_thread *thread = g_ptr_array_index(linker->threads, i);

		if (thread && thread->pending.publication == publication &&
		    thread->pending.take.delivery.subscription == subscription) {
			return true;
		}
	}
	return false;
}

/* Between processes, for a subscription that has not received it. Returns whether it should have. */
static bool add_missing(struct flow_linker *linker, struct linked_publication *publication,
			struct flow_channel *channel, bool is_end_of_trace)
{
	enum flow_outcome outcome;

	if (flow_process(linker, channel->subscription->process)->first_runtime_ns > publication->public.first_ns) {
		return false;
	}
	outcome = flow_outcome_of_missed(linker, publication, channel, is_end_of_trace);
	linked_publication_add_delivery(
		linker, publication,
		&(struct flow_delivery){ .subscription = channel->subscription, .outcome = outcome });
	if (publication->missing++ == 0) {
		publication->first_missing = publication->last_delivery;
	}
	return outcome != FLOW_NOT_EXPECTED;
}

/* The same for all subscriptions that have met the publisher, between processes. */
static G_GNUC_NO_INLINE bool add_all_missing(struct flow_linker *linker, struct linked_publication *publication,
					     bool is_end_of_trace)
{
	const struct flow_publisher *publisher = publication->queue;
	bool has_marks = mark_receivers(publication), is_expected = false;

	for (guint i = linked_publication_next_without_bit(publication, 0); i < publisher->channel_count;
	     i = linked_publication_next_without_bit(publication, i + 1)) {
		struct flow_channel *channel = publisher->channels[i];

		if (!is_marked(publication, channel, has_marks) && channel->last > 0 &&
		    !is_in_hand_for(linker, publication, channel->subscription)) {
			is_expected |= add_missing(linker, publication, channel, is_end_of_trace);
		}
	}
	return is_expected;
}

static bool has_subscription(const struct linked_publication *publication)
{
	for (const struct linked_delivery *delivery = publication->deliveries; delivery; delivery = delivery->next) {
		if (delivery->public.subscription) {
			return true;
		}
	}
	return false;
}

static void complete_deliveries(struct flow_linker *linker, struct linked_publication *publication,
				bool is_end_of_trace)
{
	bool is_expected = publication->in_hand > 0 || publication->received > 0 || has_subscription(publication);

	if (publication->queue && publication->public.has_inter_leg &&
	    publication->received < publication->queue->channel_count) {
		is_expected |= add_all_missing(linker, publication, is_end_of_trace);
	}
	if (!is_expected && publication->steps && publication->queue && publication->queue->topic) {
		flow_topic_counts_add(linker, DIAGNOSTIC_PUBLICATION_WITHOUT_TAKER, publication->queue->topic->name, 1);
	}
}

/* --- settling --- */

static void remove_from_queue(struct flow_linker *linker, struct linked_publication *publication)
{
	struct flow_publisher *publisher = publication->queue;
	struct linked_publication *previous = NULL;

	/* Almost always the first. */
	for (struct linked_publication *p = publisher->first; p != publication; p = p->next_of_publisher) {
		previous = p;
	}
	if (previous) {
		previous->next_of_publisher = publication->next_of_publisher;
	} else {
		publisher->first = publication->next_of_publisher;
	}
	if (publisher->last == publication) {
		publisher->last = previous;
	}
	publication->next_of_publisher = NULL;
	latched_add(linker, publisher, publication);
}

/* Without a step, another publication has become what this one was: split() in publish.c. */
static void report_settled(struct flow_linker *linker, const struct linked_publication *publication)
{
	if (!publication->queue || !publication->steps) {
		return;
	}
	FLOW_TELL(&linker->hearers, settled, &publication->public);
}

static void settle_now(struct flow_linker *linker, struct linked_publication *publication, bool is_end_of_trace)
{
	if (publication->is_settled) {
		return;
	}
	if (publication->queue) {
		doubtful_origins_give_up(linker, publication);
	}
	publication->is_settled = true;
	complete_deliveries(linker, publication, is_end_of_trace);
	report_settled(linker, publication);
	publication_list_remove(&linker->unsettled, publication);
	if (publication->queue) {
		remove_from_queue(linker, publication);
	} else {
		publication->is_forgotten = true;
		linked_publication_forget_key(linker, publication);
	}
	flow_conclude(linker, publication, is_end_of_trace);
	linked_publication_release(linker, publication);
}

void flow_settle_first(struct flow_linker *linker, struct flow_publisher *publisher)
{
	while (is_settled(linker, publisher->first)) {
		prefetch(publisher->first->next_of_publisher, sizeof(struct linked_publication)); /* asked next */
		settle_now(linker, publisher->first, false);
		if (!flow_settle_is_due(linker, publisher)) {
			return;
		}
	}
}

void flow_settle_decided(struct flow_linker *linker)
{
	for (; linker->decided; doubtful_origins_drop_decided(linker)) {
		for (guint i = 0; i < linker->decided->count; i++) {
			struct linked_publication *publication = linker->decided->publications[i];

			if (publication->queue) {
				flow_settle_publisher(linker, publication->queue);
			}
			linked_publication_release(linker, publication);
		}
	}
}

static bool is_aged(const struct flow_linker *linker, const struct linked_publication *publication)
{
	return linker->now_ns - publication->public.first_ns >= FLOW_AGE_NS ||
	       linker->counts.live_publications > FLOW_LIVE_MAX;
}

void flow_settle_aged(struct flow_linker *linker)
{
	while (linker->unsettled.oldest && is_aged(linker, linker->unsettled.oldest)) {
		settle_now(linker, linker->unsettled.oldest, false);
	}
	linker->aged_due_ns =
		linker->unsettled.oldest ? linker->unsettled.oldest->public.first_ns + FLOW_AGE_NS : INT64_MAX;
}

void flow_settle_all(struct flow_linker *linker)
{
	flow_conclude_all(linker);
	while (linker->unsettled.oldest) {
		settle_now(linker, linker->unsettled.oldest, true);
	}
}

/* --- deliveries, and the end of publish events --- */

static void close_publication(struct flow_linker *linker, struct linked_publication *publication)
{
	publication->is_open = false;
	if (publication->is_settled) {
		return;
	}
	if (!publication->queue) {
		if (!publication->public.client && !publication->public.service) {
			/* No event holds its publisher. */
			settle_now(linker, publication, false);
		}
		return;
	}
	flow_settle_publisher(linker, publication->queue);
}

/* A callback has received the message. Whether it comes from a candidate is unknown yet. */
static inline void mark_continued(struct flow_linker *linker, const struct flow_publication *publication)
{
	size_t first = publication->candidates == 0
			       ? 0
			       : provenance_candidate_count(linker->provenance, publication->candidates);

	for (size_t i = first; i < publication->parent_count; i++) {
		((struct linked_execution *)publication->parents[i])->is_continued = true;
	}
}

/* A delivery that is not kept yet; is_next: the subscription has received the message before, too. */
static bool may_be_asked_for(const struct flow_linker *linker, const struct linked_publication *publication,
			     const struct flow_delivery *delivery, const struct flow_channel *channel, bool is_next)
{
	return !is_next || channel->place >= FLOW_RECEIVED_BITS || publication->is_open ||
	       publication->public.has_intra_leg || (delivery->execution && delivery->execution->cause) ||
	       linker->hearers.expected.call || recording_host_count(linker->recording) > 1;
}

void flow_settle_delivered(struct flow_linker *linker, struct flow_delivery *delivery, struct flow_channel *channel)
{
	struct linked_publication *publication = (struct linked_publication *)delivery->publication;
	struct linked_execution *execution = (struct linked_execution *)delivery->execution;
	bool is_next = false;

	delivery->is_reported = true;
	if (execution && !publication->has_marked_parents) {
		publication->is_taken_on = publication->has_marked_parents = true;
		latched_prefetch(publication);
		mark_continued(linker, &publication->public);
	}
	FLOW_TELL(&linker->hearers, delivered, delivery);
	if (execution && G_UNLIKELY(publication->public.candidates)) {
		FLOW_TELL(&linker->hearers, continued, &publication->public);
	}
	if (execution && delivery->subscription) {
		flow_subscription(delivery->subscription)->last_callback = execution->public.callback;
	}
	linker->way = NULL;
	if (delivery->subscription && publication->queue) {
		channel = channel ? channel : flow_channel_meet(linker, publication->queue, delivery->subscription);
		if (!delivery->is_intra_process) {
			is_next = channel->last + 1 == publication->sequence;
			flow_channel_receive(linker, channel, publication);
		}
		linker->way = &channel->way;
		FLOW_TELL(&linker->hearers, received, delivery, &channel->pair);
	}
	if (execution) {
		flow_resolve_set_cause(linker, execution, publication, delivery);
	}
	if (!delivery->is_kept && may_be_asked_for(linker, publication, delivery, channel, is_next)) {
		delivery = &linked_publication_add_delivery(linker, publication, delivery)->public;
		if (execution && execution->public.cause) {
			execution->public.cause = delivery;
		}
	}
	if (publication->is_settled) {
		flow_conclude_arrived(linker, publication, delivery);
	} else if (publication->queue) {
		/* Those of the channels: nothing tells whose a ring buffer is that was made before the recording. */
		publication->received += delivery->subscription != NULL;
		flow_settle_publisher(linker, publication->queue);
	} else if (!publication->is_open && !flow_servers_await(linker, publication)) {
		settle_now(linker, publication, false);
	}
}

void flow_settle_close(struct flow_linker *linker, struct flow_thread *thread)
{
	struct linked_publication *publication = thread->open;

	thread->open = NULL;
	close_publication(linker, publication);
	linked_publication_release(linker, publication);
}

void flow_settle_drop_slot(struct flow_linker *linker, struct ring_slot *slot, bool was_free)
{
	slot->delivery->public.outcome = flow_outcome_of_dropped(linker, &slot->publication->public, was_free);
	flow_settle_free_slot(linker, slot);
}

void flow_settle_free_slot(struct flow_linker *linker, struct ring_slot *slot)
{
	struct linked_publication *publication = slot->publication;

	publication->undelivered_slots--;
	if (publication->queue) {
		flow_settle_publisher(linker, publication->queue);
	}
	flow_conclude_check(linker, publication);
	linked_publication_release(linker, publication);
	g_slice_free(struct ring_slot, slot);
}
