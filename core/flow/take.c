/* SPDX-License-Identifier: MIT */
#include "core/flow/take.h"

#include <string.h>

#include "core/flow/channels.h"
#include "core/flow/guessed_takes.h"
#include "core/flow/kept_messages.h"
#include "core/flow/notes.h"
#include "core/flow/polled_takes.h"
#include "core/flow/resolve.h"
#include "core/flow/settle.h"
#include "core/flow/take_links.h"
#include "core/flow/untaken_messages.h"

static inline void clear_pending(struct flow_linker *linker, struct pending_take *pending)
{
	if (pending->publication) {
		linked_publication_release(linker, pending->publication);
	}
	if (G_UNLIKELY(pending->note)) {
		flow_note_release(linker, pending->note);
	}
	memset(pending, 0, offsetof(struct pending_take, take));
}

/* What its delivery needs is fetched while it is on its way to the callback. */
static void expect_delivery(struct flow_linker *linker, struct pending_take *pending)
{
	const struct linked_publication *publication = pending->publication;
	const struct model_subscription *subscription = pending->take.delivery.subscription;

	if (!publication->queue || !subscription) {
		return;
	}
	pending->channel = flow_channel_find(publication->queue, subscription);
	if (pending->channel) {
		prefetch(pending->channel->pair, FLOW_PAIR_FETCHED);
		prefetch(pending->channel->way, FLOW_WAY_FETCHED);
	}
}

void flow_take_begin(struct flow_linker *linker, struct flow_thread *thread)
{
	struct pending_take *pending = &thread->pending;
	struct model_subscription *subscription = pending->take.delivery.subscription;
	struct linked_publication *publication;

	thread->is_cut = false;
	pending->is_set = true;
	pending->has_no_callback = subscription && thread->has_executed && !thread->is_executing;
	pending->waiting = take_links_begin(linker, &pending->take, &publication);
	if (publication) {
		pending->publication = linked_publication_take_in_hand(publication);
		expect_delivery(linker, pending);
	} else if (pending->waiting) {
		pending->waiting->thread = thread;
	}
	if (linker->keeps_notes) {
		pending->note = flow_note_create(linker, NULL);
		if (pending->waiting) {
			pending->waiting->note = flow_note_reference(pending->note);
		} else {
			flow_note_set(pending->note, publication);
		}
		flow_note_offer(linker, flow_note_reference(pending->note));
	}
}

/* The message reaches its callback, or none; `execution` is what handles it, or NULL. */
static void deliver(struct flow_linker *linker, struct pending_take *pending, struct linked_execution *execution)
{
	struct flow_delivery *take = &pending->take.delivery;

	take->execution = execution ? &execution->public : NULL;
	if (pending->publication) {
		pending->publication->in_hand--;
	}
	if (pending->slot) {
		pending->slot->public.has_take = true;
		pending->slot->public.take_ns = take->take_ns;
		pending->slot->public.has_start = take->has_start;
		pending->slot->public.callback_start_ns = take->callback_start_ns;
		pending->slot->public.execution = take->execution;
		flow_settle_delivered(linker, &pending->slot->public, NULL);
		if (pending->in_hand) {
			flow_settle_free_slot(linker, pending->in_hand);
		}
	} else if (pending->waiting) {
		pending->waiting->thread = NULL;
		pending->waiting->take.delivery = *take;
		if (execution) {
			linked_execution_reference(execution);
		}
	} else if (pending->publication) {
		take_links_deliver(linker, pending->publication, take, pending->channel);
	} else if (execution) {
		flow_resolve_now(linker, execution);
	}
	clear_pending(linker, pending);
}

/* The message reaches no callback; `execution` stands for what handles it otherwise, or is NULL. */
static void deliver_dropped(struct flow_linker *linker, struct pending_take *pending,
			    struct linked_execution *execution, bool is_polled)
{
	pending->take.delivery.is_polled = is_polled;
	if (!is_polled) {
		pending->take.delivery.callback_start_ns = 0;
	}
	deliver(linker, pending, execution);
}

/* Whether what was taken is of an action: its clients and servers take messages and requests without a callback. */
static bool is_of_action(const struct pending_take *pending)
{
	const struct model_subscription *subscription = pending->take.delivery.subscription;
	const char *name = NULL;
	size_t length;

	if (subscription && subscription->is_defined && !subscription->has_rclcpp) {
		name = subscription->topic;
	} else if (pending->take.delivery.service && !pending->take.is_response) {
		name = pending->take.delivery.service->name;
	}
	return name && action_part_of(name, &length) != ACTION_PART_NONE;
}

/* Whether a callback of which no event tells what it handles may be the one for the pending message. */
static bool may_be_for(const struct pending_take *pending)
{
	return !pending->has_no_callback && !is_of_action(pending);
}

/* The message was taken by hand, for an indirect link, which keeps it: an execution stands for it. */
static void keep_polled(struct flow_linker *linker, struct flow_thread *thread)
{
	struct pending_take *pending = &thread->pending;
	struct model_subscription *subscription = pending->take.delivery.subscription;
	int64_t take_ns = pending->take.delivery.take_ns;
	struct model_callback *callback = object_model_polled_subscription(linker->model, subscription);
	struct linked_execution *execution = linked_execution_create(
		linker, callback, object_model_callback_info(linker->model, callback), thread->index, take_ns);

	execution->public.is_complete = true;
	execution->public.is_polled = true;
	execution->public.end_ns = take_ns;
	deliver_dropped(linker, pending, execution, true);
	kept_messages_keep(linker, execution, subscription);
	execution->is_ended = true;
	flow_resolve_await_less(linker, execution);
	linked_execution_release(linker, execution);
}

/* Whether the subscription has the message already, or gets it through a ring buffer. */
static bool is_second_copy(const struct pending_take *pending)
{
	const struct linked_publication *publication = pending->publication;
	const struct model_subscription *subscription = pending->take.delivery.subscription;
	const struct linked_delivery *delivery =
		publication ? linked_publication_delivery_to(publication, subscription) : NULL;

	return delivery ? delivery->public.outcome == FLOW_RECEIVED || delivery->public.is_intra_process
			: publication && flow_channels_have_received(publication, subscription);
}

void flow_take_drop_pending(struct flow_linker *linker, struct flow_thread *thread)
{
	struct pending_take *pending = &thread->pending;
	struct model_subscription *subscription = pending->take.delivery.subscription;
	bool is_polled = !is_of_action(pending) && polled_takes_has_polled(linker, thread);

	if (is_polled && kept_messages_keeps(linker, subscription) && !is_second_copy(pending) &&
	    !object_model_inferred_subscription(linker->model, subscription)) {
		keep_polled(linker, thread);
	} else {
		deliver_dropped(linker, pending, NULL, is_polled);
	}
}

void flow_take_end_polls(struct flow_linker *linker, struct flow_thread *thread)
{
	if (polled_takes_has_polled(linker, thread)) {
		flow_take_drop(linker, thread);
	}
	for (guint i = 0; i < linker->threads->len; i++) {
		struct flow_thread *other = g_ptr_array_index(linker->threads, i);

		if (other && other->process_index == thread->process_index && other->pending.has_no_callback &&
		    polled_takes_has_polled(linker, other)) {
			flow_take_drop(linker, other);
		}
	}
}

/* Whether the callback that starts may be the one for the pending message. */
static bool is_for(const struct pending_take *pending, const struct model_callback_info *info, bool is_intra_process)
{
	const struct model_subscription *subscription = pending->take.delivery.subscription;
	const struct model_service *service = pending->take.delivery.service;

	if (pending->is_intra_process != is_intra_process) {
		return false;
	}
	switch (info->kind) {
	case CALLBACK_KIND_SUBSCRIPTION:
		return subscription &&
		       (subscription == info->subscription ||
			((!subscription->is_defined || !info->subscription || !info->subscription->is_defined) &&
			 may_be_for(pending)));
	case CALLBACK_KIND_SERVICE:
		return service && (service == info->service || !info->service);
	case CALLBACK_KIND_UNKNOWN:
		return may_be_for(pending);
	case CALLBACK_KIND_TIMER:
	case CALLBACK_KIND_INFERRED: /* has no callback_start */
		break;
	}
	return false;
}

/* Whether only the order of events tells what the callback handles. */
static bool is_guess(const struct model_callback_info *info, bool is_intra_process)
{
	return !is_intra_process &&
	       (info->kind == CALLBACK_KIND_UNKNOWN ||
		(info->kind == CALLBACK_KIND_SUBSCRIPTION && (!info->subscription || !info->subscription->is_defined)));
}

/* The usual case, in which nothing has to be guessed: the message is of the subscription whose callback starts. */
static inline bool is_of(const struct pending_take *pending, const struct model_callback_info *info,
			 bool is_intra_process)
{
	return info->kind == CALLBACK_KIND_SUBSCRIPTION && info->subscription &&
	       info->subscription == pending->take.delivery.subscription && info->subscription->is_defined &&
	       pending->is_intra_process == is_intra_process;
}

/* Whether the execution that starts handles the pending message. */
static bool is_taken_for(struct flow_linker *linker, struct flow_thread *thread,
			 const struct linked_execution *execution, const struct model_callback_info *info,
			 bool is_intra_process)
{
	const struct pending_take *pending = &thread->pending;
	const struct flow_delivery *take = &pending->take.delivery;
	bool is_it;
	const void *of;

	if (G_LIKELY(pending->is_set && is_of(pending, info, is_intra_process))) {
		return !executions_has_looked(linker->executions, thread->index, take->take_ns) ||
		       pending->is_announced;
	}
	is_it = pending->is_set && is_for(pending, info, is_intra_process) &&
		(!executions_has_looked(linker->executions, thread->index, take->take_ns) || pending->is_announced);
	of = take->service ? (const void *)take->service : take->subscription;
	if (is_it && !of) {
		return true; /* a request to a service without definition: nothing tells it from others */
	}
	return G_UNLIKELY(is_guess(info, is_intra_process))
		       ? guessed_takes_start(linker, thread, execution->public.callback, is_it ? of : NULL)
		       : is_it;
}

/* The execution handles the pending message. */
static void hand_over(struct flow_linker *linker, struct pending_take *pending, struct linked_execution *execution,
		      bool has_start)
{
	pending->take.delivery.has_start = has_start;
	pending->take.delivery.callback_start_ns = execution->public.start_ns;
	deliver(linker, pending, execution);
}

void flow_take_dispatch(struct flow_linker *linker, struct flow_thread *thread, struct linked_execution *execution,
			const struct model_callback_info *info, bool is_intra_process)
{
	struct pending_take *pending = &thread->pending;

	if (!is_taken_for(linker, thread, execution, info, is_intra_process)) {
		if (info->kind == CALLBACK_KIND_SUBSCRIPTION && !pending->is_set && !is_intra_process) {
			untaken_messages_missed(linker, thread, info);
		}
		flow_take_drop(linker, thread);
		flow_resolve_now(linker, execution);
		return;
	}
	if (pending->note) {
		execution->note = flow_note_reference(pending->note);
	}
	hand_over(linker, pending, execution, true);
}

void flow_take_infer(struct flow_linker *linker, struct flow_thread *thread, struct linked_execution *execution,
		     const struct model_callback_info *info)
{
	struct pending_take *pending = &thread->pending;
	const struct flow_delivery *take = &pending->take.delivery;

	if (pending->is_set && !pending->is_intra_process && take->take_ns == execution->public.start_ns &&
	    take->subscription == info->subscription && take->service == info->service) {
		hand_over(linker, pending, execution, false);
	} else {
		flow_resolve_now(linker, execution);
	}
}

void flow_take_recorded(struct flow_linker *linker)
{
	if (!linker->has_takes) {
		linker->has_takes = true;
		linker->follows_untaken = untaken_matcher_due_ns(linker->untaken) != INT64_MAX;
	}
}

static void rmw_take(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	struct flow_take *take = flow_take_next(linker, thread);
	bool is_taken = record->word[RMW_TAKE__taken] != 0;
	struct model_subscription *subscription = object_model_subscription_by_rmw(
		linker->model, thread->process_index, record->word[RMW_TAKE__rmw_subscription_handle], record->time_ns);

	take->key = record->word[RMW_TAKE__source_timestamp];
	/* There is no stamp: the middleware's own traffic, or a middleware without stamps. */
	if (is_taken && take->key == 0) {
		polled_takes_mark(subscription);
		return;
	}
	take->delivery.polled_since_ns = polled_takes_note(subscription, record->time_ns, is_taken);
	if (is_taken) {
		take->message = record->word[RMW_TAKE__message];
		take->delivery.subscription = subscription;
		take->delivery.take_ns = record->time_ns;
		flow_take_begin(linker, thread);
	}
}

/* Once for a take, and only if the event is of the same message. */
static void rmw_payload(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	struct pending_take *pending = &thread->pending;
	const struct model_subscription *subscription = pending->take.delivery.subscription;
	uint64_t message = record->word[RMW_PAYLOAD__message], bytes = record->word[RMW_PAYLOAD__payload_size];

	if (!pending->is_set || !subscription || message == 0 || pending->take.message != message || bytes == 0 ||
	    subscription->rmw_handle != record->word[RMW_PAYLOAD__rmw_subscription_handle]) {
		return;
	}
	pending->take.message = 0;
	if (pending->publication) {
		take_links_size_is_known(linker, pending->publication, bytes);
	} else if (pending->waiting) {
		pending->waiting->bytes = bytes;
	}
}

/* CARET's fork of rclcpp records the stamp when it dispatches; newer releases do so in rmw_take. */
static void dispatch(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	struct model_callback *callback;
	struct model_subscription *subscription;
	struct flow_take *take;

	if (thread->pending.is_set && !thread->pending.is_intra_process && thread->pending.take.delivery.subscription) {
		return;
	}
	callback = object_model_callback(linker->model, thread->process_index,
					 record->word[DISPATCH_SUBSCRIPTION_CALLBACK__callback], record->time_ns);
	subscription = object_model_callback_info(linker->model, callback)->subscription;
	if (subscription) {
		polled_takes_mark(subscription);
	}
	if (!subscription || record->word[DISPATCH_SUBSCRIPTION_CALLBACK__source_stamp] == 0) {
		return;
	}
	take = flow_take_next(linker, thread);
	take->key = record->word[DISPATCH_SUBSCRIPTION_CALLBACK__source_stamp];
	take->delivery.subscription = subscription;
	take->delivery.take_ns = record->time_ns;
	flow_take_begin(linker, thread);
}

/* rmw_payload, rcl_take, rclcpp_take: the same message. */
static void follow_take(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	if (record->kind == EVENT_RMW_PAYLOAD) {
		rmw_payload(linker, thread, record);
	}
	if (thread->pending.is_set && linker->keeps_notes && thread->pending.note) {
		flow_note_offer(linker, flow_note_reference(thread->pending.note));
	}
}

void flow_take_feed(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	flow_settle_close_open(linker, thread);
	if (G_UNLIKELY(!linker->has_takes) &&
	    (record->kind == EVENT_RMW_TAKE || record->kind == EVENT_DISPATCH_SUBSCRIPTION_CALLBACK)) {
		flow_take_recorded(linker);
	}
	if (record->kind == EVENT_RMW_TAKE) {
		rmw_take(linker, thread, record);
	} else if (record->kind == EVENT_DISPATCH_SUBSCRIPTION_CALLBACK) {
		dispatch(linker, thread, record);
	} else {
		follow_take(linker, thread, record);
	}
}
