/* SPDX-License-Identifier: MIT */
#include "core/flow/take.h"

#include "core/flow/guessed_takes.h"
#include "core/flow/latched.h"
#include "core/flow/notes.h"
#include "core/flow/resolve.h"
#include "core/flow/settle.h"
#include "core/flow/take_links.h"

static void clear_pending(struct flow_linker *linker, struct pending_take *pending)
{
	if (pending->publication) {
		linked_publication_release(linker, pending->publication);
	}
	if (pending->note) {
		flow_note_release(linker, pending->note);
	}
	*pending = (struct pending_take){ 0 };
}

/* The message is delivered next. */
static void put_down(const struct pending_take *pending)
{
	if (pending->publication) {
		pending->publication->in_hand--;
	}
}

static void release_slot(struct flow_linker *linker, struct pending_take *pending)
{
	if (pending->in_hand) {
		flow_settle_free_slot(linker, pending->in_hand);
		pending->in_hand = NULL;
	}
}

void flow_take_begin(struct flow_linker *linker, struct flow_thread *thread, const struct waiting_take *take)
{
	struct pending_take *pending = &thread->pending;
	struct linked_publication *publication;

	flow_take_drop(linker, thread);
	pending->is_set = true;
	thread->is_cut = false;
	pending->has_no_callback = take->subscription && thread->has_executed && !thread->is_executing;
	pending->subscription = take->subscription;
	pending->service = take->service;
	pending->client = take->client;
	pending->take_ns = take->take_ns;
	pending->waiting = take_links_begin(linker, take, &publication);
	if (publication) {
		pending->publication = linked_publication_take_in_hand(publication);
		latched_prefetch_at_take(publication);
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

void flow_take_drop(struct flow_linker *linker, struct flow_thread *thread)
{
	struct pending_take *pending = &thread->pending;

	if (!pending->is_set) {
		return;
	}
	put_down(pending);
	if (pending->slot) {
		pending->slot->public.has_take = true;
		pending->slot->public.take_ns = pending->take_ns;
		flow_settle_delivered(linker, pending->publication, pending->slot, NULL);
		release_slot(linker, pending);
	} else if (pending->waiting) {
		pending->waiting->thread = NULL;
	} else if (pending->publication) {
		take_links_deliver(linker, pending->publication,
				   &(struct waiting_take){
					   .subscription = pending->subscription,
					   .service = pending->service,
					   .client = pending->client,
					   .take_ns = pending->take_ns,
				   });
	}
	clear_pending(linker, pending);
}

/* Whether the callback that starts may be the one for the pending message. */
static bool is_for(const struct pending_take *pending, const struct model_callback_info *info, bool is_intra_process)
{
	if (pending->is_intra_process != is_intra_process) {
		return false;
	}
	switch (info->kind) {
	case CALLBACK_KIND_SUBSCRIPTION:
		return pending->subscription &&
		       (pending->subscription == info->subscription ||
			(!pending->has_no_callback && (!pending->subscription->is_defined || !info->subscription ||
						       !info->subscription->is_defined)));
	case CALLBACK_KIND_SERVICE:
		return pending->service && (pending->service == info->service || !info->service);
	case CALLBACK_KIND_UNKNOWN:
		return !pending->has_no_callback;
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

/* Whether the execution that starts handles the pending message. */
static bool is_taken_for(struct flow_linker *linker, struct flow_thread *thread,
			 const struct linked_execution *execution, const struct model_callback_info *info,
			 bool is_intra_process)
{
	const struct pending_take *pending = &thread->pending;
	bool is_it = pending->is_set && is_for(pending, info, is_intra_process) &&
		     !executions_has_looked(linker->executions, thread->index, pending->take_ns);
	const void *of = pending->service ? (const void *)pending->service : pending->subscription;

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
	int64_t start_ns = execution->public.start_ns;

	put_down(pending);
	if (pending->slot) {
		pending->slot->public.has_take = true;
		pending->slot->public.take_ns = pending->take_ns;
		pending->slot->public.has_start = has_start;
		pending->slot->public.callback_start_ns = start_ns;
		flow_settle_delivered(linker, pending->publication, pending->slot, execution);
		release_slot(linker, pending);
	} else if (pending->waiting) {
		pending->waiting->thread = NULL;
		pending->waiting->has_start = has_start;
		pending->waiting->callback_start_ns = start_ns;
		pending->waiting->execution = linked_execution_reference(execution);
	} else if (pending->publication) {
		take_links_deliver(linker, pending->publication,
				   &(struct waiting_take){
					   .subscription = pending->subscription,
					   .service = pending->service,
					   .take_ns = pending->take_ns,
					   .has_start = has_start,
					   .callback_start_ns = start_ns,
					   .execution = execution,
				   });
	} else {
		flow_resolve_set_cause(linker, execution, NULL, NULL);
	}
	clear_pending(linker, pending);
}

void flow_take_dispatch(struct flow_linker *linker, struct flow_thread *thread, struct linked_execution *execution,
			const struct model_callback_info *info, bool is_intra_process)
{
	struct pending_take *pending = &thread->pending;

	if (!is_taken_for(linker, thread, execution, info, is_intra_process)) {
		flow_take_drop(linker, thread);
		flow_resolve_set_cause(linker, execution, NULL, NULL);
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

	if (pending->is_set && !pending->is_intra_process && pending->take_ns == execution->public.start_ns &&
	    pending->subscription == info->subscription && pending->service == info->service) {
		hand_over(linker, pending, execution, false);
	} else {
		flow_resolve_set_cause(linker, execution, NULL, NULL);
	}
}

static void rmw_take(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	uint32_t process = thread->process_index;
	struct waiting_take take = { .take_ns = record->time_ns, .key = record->word[RMW_TAKE__source_timestamp] };

	flow_take_drop(linker, thread);
	/* Nothing was taken; or there is no stamp: the middleware's own traffic, or a middleware without stamps. */
	if (!record->word[RMW_TAKE__taken] || take.key == 0) {
		return;
	}
	take.subscription = object_model_subscription_by_rmw(
		linker->model, process, record->word[RMW_TAKE__rmw_subscription_handle], record->time_ns);
	flow_take_begin(linker, thread, &take);
}

/* CARET's fork of rclcpp records the stamp when it dispatches; newer releases do so in rmw_take. */
static void dispatch(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	struct model_callback *callback;
	struct waiting_take take = {
		.take_ns = record->time_ns,
		.key = record->word[DISPATCH_SUBSCRIPTION_CALLBACK__source_stamp],
	};

	if (thread->pending.is_set && !thread->pending.is_intra_process && thread->pending.subscription) {
		return;
	}
	callback = object_model_callback(linker->model, thread->process_index,
					 record->word[DISPATCH_SUBSCRIPTION_CALLBACK__callback], record->time_ns);
	take.subscription = object_model_callback_info(linker->model, callback)->subscription;
	if (!take.subscription || take.key == 0) {
		return;
	}
	flow_take_begin(linker, thread, &take);
}

void flow_take_feed(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	flow_settle_close_open(linker, thread);
	linker->has_takes |= record->kind == EVENT_RMW_TAKE || record->kind == EVENT_DISPATCH_SUBSCRIPTION_CALLBACK;
	if (record->kind == EVENT_RMW_TAKE) {
		rmw_take(linker, thread, record);
	} else if (record->kind == EVENT_DISPATCH_SUBSCRIPTION_CALLBACK) {
		dispatch(linker, thread, record);
	} else if (thread->pending.is_set && linker->keeps_notes && thread->pending.note) {
		/* rcl_take, rclcpp_take: the same message */
		flow_note_offer(linker, flow_note_reference(thread->pending.note));
	}
}
