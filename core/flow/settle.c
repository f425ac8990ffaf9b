/* SPDX-License-Identifier: MIT */
#include "core/flow/settle.h"

#include "core/flow/channels.h"
#include "core/flow/latched.h"
#include "core/flow/linked_executions.h"
#include "core/flow/outcome.h"
#include "core/flow/provenance.h"
#include "core/flow/resolve.h"
#include "core/flow/topic_counts.h"

/* How long a publication waits for the first subscription of its topic: a guess, above what discovery takes. */
#define LISTENER_WAIT_NS NS_PER_S

static void report_expected(struct flow_linker *linker, const struct linked_publication *publication,
			    const struct linked_delivery *delivery, enum flow_outcome outcome)
{
	for (size_t i = 0; i < linker->listener_count; i++) {
		if (linker->listeners[i].expected) {
			linker->listeners[i].expected(linker->listeners[i].data, &publication->public,
						      delivery->public.subscription, delivery->public.is_intra_process,
						      outcome);
		}
	}
}

/* --- settling --- */

/* Marks the subscriptions that have received the publication, or will receive it through a ring buffer. */
static void mark_receivers(struct flow_linker *linker, const struct linked_publication *publication)
{
	for (const struct linked_delivery *delivery = publication->deliveries; delivery; delivery = delivery->next) {
		if (delivery->public.subscription) {
			guint index = delivery->public.subscription->index;

			if (linker->marks->len <= index) {
				g_array_set_size(linker->marks, index + 1);
			}
			g_array_index(linker->marks, uint64_t, index) = publication->public.id;
		}
	}
}

static bool is_marked(const struct flow_linker *linker, const struct linked_publication *publication,
		      const struct model_subscription *subscription)
{
	return subscription->index < linker->marks->len &&
	       g_array_index(linker->marks, uint64_t, subscription->index) == publication->public.id;
}

/* Whether all others can no longer receive it. O(channels), so not at each delivery. */
static bool others_have_passed(struct flow_linker *linker, const struct linked_publication *publication)
{
	const GPtrArray *channels = publication->queue->channels;

	mark_receivers(linker, publication);
	for (guint i = 0; i < channels->len; i++) {
		const struct flow_channel *channel = g_ptr_array_index(channels, i);

		if (channel->has_inter && !is_marked(linker, publication, channel->subscription) &&
		    !flow_channel_has_passed(linker, channel, publication)) {
			return false;
		}
	}
	return true;
}

static bool is_settled(struct flow_linker *linker, struct linked_publication *publication)
{
	int64_t age_ns = linker->now_ns - publication->public.first_ns;

	if (publication->is_open || publication->undelivered_slots > 0 ||
	    (publication->is_waiting_for_stamp && age_ns < FLOW_BIND_WAIT_NS)) {
		return false;
	}
	if (publication->public.has_intra_leg && !publication->deliveries &&
	    flow_process(linker, publication->public.process)->buffers.count == 0) {
		/* A release that records no ring buffers: the dispatch may follow. */
		return age_ns >= LISTENER_WAIT_NS;
	}
	if (!publication->public.has_inter_leg) {
		return true;
	}
	if (flow_channel_awaits_first(publication)) {
		return false;
	}
	if (publication->queue->channels->len == 0) {
		const struct flow_topic *topic = publication->queue->topic;

		return (topic && topic->subscription_count > 0) || age_ns >= LISTENER_WAIT_NS;
	}
	if (publication->received >= publication->queue->channels->len) {
		return true;
	}
	if (linker->now_ns - publication->checked_ns < FLOW_OUT_OF_ORDER_NS / 2) {
		return false;
	}
	publication->checked_ns = linker->now_ns;
	return others_have_passed(linker, publication);
}

/* --- reports to the listeners --- */

/* For a subscription that has received it, or should have. */
static void report_delivery(struct flow_linker *linker, const struct linked_publication *publication,
			    struct linked_delivery *delivery, bool is_end_of_trace)
{
	if (delivery->public.is_reported) {
		report_expected(linker, publication, delivery, FLOW_RECEIVED);
		return;
	}
	if (delivery->public.outcome == FLOW_RECEIVED) {
		/* Still in its ring buffer. */
		delivery->public.outcome = is_end_of_trace ? FLOW_IN_FLIGHT : FLOW_UNKNOWN;
	}
	report_expected(linker, publication, delivery, delivery->public.outcome);
}

/* Between processes, for a subscription that has not received it. Returns whether it should have. */
static bool report_missed(struct flow_linker *linker, struct linked_publication *publication,
			  struct flow_channel *channel, bool is_end_of_trace)
{
	struct linked_delivery *delivery;

	if (flow_process(linker, channel->subscription->process)->first_runtime_ns > publication->public.first_ns) {
		return false;
	}
	delivery = linked_publication_add_delivery(linker, publication, channel->subscription, false);
	delivery->public.outcome = flow_outcome_of_missed(linker, publication, channel, is_end_of_trace);
	report_expected(linker, publication, delivery, delivery->public.outcome);
	return delivery->public.outcome != FLOW_NOT_EXPECTED;
}

/* The same for all subscriptions that have met the publisher, between processes. */
static bool report_all_missed(struct flow_linker *linker, struct linked_publication *publication, bool is_end_of_trace)
{
	const GPtrArray *channels = publication->queue->channels;
	bool is_expected = false;

	if (!publication->public.has_inter_leg || publication->received >= channels->len) {
		return false;
	}
	mark_receivers(linker, publication);
	for (guint i = 0; i < channels->len; i++) {
		struct flow_channel *channel = g_ptr_array_index(channels, i);

		if (channel->has_inter && !is_marked(linker, publication, channel->subscription)) {
			is_expected |= report_missed(linker, publication, channel, is_end_of_trace);
		}
	}
	return is_expected;
}

static struct linked_delivery *in_order_made(struct linked_delivery *deliveries)
{
	struct linked_delivery *reversed = NULL;

	while (deliveries) {
		struct linked_delivery *delivery = deliveries;

		deliveries = delivery->next;
		delivery->next = reversed;
		reversed = delivery;
	}
	return reversed;
}

static void report_all_expected(struct flow_linker *linker, struct linked_publication *publication,
				bool is_end_of_trace)
{
	bool is_expected = false;

	publication->deliveries = in_order_made(publication->deliveries);
	for (struct linked_delivery *delivery = publication->deliveries; delivery; delivery = delivery->next) {
		if (delivery->public.subscription) {
			report_delivery(linker, publication, delivery, is_end_of_trace);
			is_expected = true;
		}
	}
	if (!publication->queue) {
		return;
	}
	is_expected |= report_all_missed(linker, publication, is_end_of_trace);
	if (!is_expected && publication->queue->topic) {
		flow_topic_counts_add(linker, DIAGNOSTIC_PUBLICATION_WITHOUT_TAKER, publication->queue->topic->name);
	}
	for (size_t i = 0; i < linker->listener_count; i++) {
		if (linker->listeners[i].settled) {
			linker->listeners[i].settled(linker->listeners[i].data, &publication->public);
		}
	}
}

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

static void settle_now(struct flow_linker *linker, struct linked_publication *publication, bool is_end_of_trace)
{
	if (publication->is_settled) {
		return;
	}
	linked_publication_reference(publication);
	publication->is_settled = true;
	report_all_expected(linker, publication, is_end_of_trace);
	for (size_t i = 0; i < publication->public.parent_count; i++) {
		struct linked_execution *parent = (struct linked_execution *)publication->public.parents[i];

		parent->unsettled_publications--;
		flow_resolve_check_finished(linker, parent);
	}
	if (publication->older) {
		publication->older->newer = publication->newer;
	} else {
		linker->oldest = publication->newer;
	}
	if (publication->newer) {
		publication->newer->older = publication->older;
	} else {
		linker->newest = publication->older;
	}
	publication->older = NULL;
	publication->newer = NULL;
	linked_publication_release(linker, publication);
	if (publication->queue) {
		remove_from_queue(linker, publication);
	} else {
		publication->is_forgotten = true;
		linked_publication_forget_key(linker, publication);
	}
	linked_publication_release(linker, publication);
}

void flow_settle_publisher(struct flow_linker *linker, struct flow_publisher *publisher)
{
	if (!publisher->topic && publisher->model->topic) {
		publisher->topic = flow_topic(linker, publisher->model->topic);
	}
	while (publisher->first && is_settled(linker, publisher->first)) {
		settle_now(linker, publisher->first, false);
	}
}

static bool is_aged(const struct flow_linker *linker, const struct linked_publication *publication)
{
	return linker->now_ns - publication->public.first_ns >= FLOW_AGE_NS ||
	       linker->counts.live_publications > FLOW_LIVE_MAX;
}

void flow_settle_aged(struct flow_linker *linker)
{
	while (linker->oldest && is_aged(linker, linker->oldest)) {
		settle_now(linker, linker->oldest, false);
	}
	linker->aged_due_ns = linker->oldest ? linker->oldest->public.first_ns + FLOW_AGE_NS : INT64_MAX;
}

void flow_settle_all(struct flow_linker *linker)
{
	while (linker->oldest) {
		settle_now(linker, linker->oldest, true);
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
	latched_prefetch_at_take(publication);
	flow_settle_publisher(linker, publication->queue);
}

void flow_settle_delivered(struct flow_linker *linker, struct linked_publication *publication,
			   struct linked_delivery *delivery, struct linked_execution *execution)
{
	struct flow_delivery *public = &delivery->public;

	latched_prefetch_at_delivery(publication);
	public->execution = execution ? &execution->public : NULL;
	public->is_reported = true;
	if (execution) {
		/* Whether it comes from a candidate is unknown yet. */
		for (size_t i = provenance_candidate_count(linker->provenance, publication->public.candidates);
		     i < publication->public.parent_count; i++) {
			((struct linked_execution *)publication->public.parents[i])->is_continued = true;
		}
	}
	for (size_t i = 0; i < linker->listener_count; i++) {
		if (linker->listeners[i].delivered) {
			linker->listeners[i].delivered(linker->listeners[i].data, public);
		}
	}
	linked_publication_reference(publication);
	if (execution) {
		flow_resolve_set_cause(linker, execution, publication, delivery);
	}
	if (public->subscription && publication->queue) {
		flow_channel_received(linker, publication, delivery);
	}
	if (publication->is_settled) {
		if (public->subscription) {
			report_expected(linker, publication, delivery, flow_outcome_when_late(public));
			public->outcome = FLOW_RECEIVED;
		}
	} else if (publication->queue) {
		publication->received++;
		flow_settle_publisher(linker, publication->queue);
	} else if (!publication->is_open) {
		settle_now(linker, publication, false);
	}
	linked_publication_release(linker, publication);
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
	linked_publication_release(linker, publication);
	g_slice_free(struct ring_slot, slot);
}
