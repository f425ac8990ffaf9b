/* SPDX-License-Identifier: MIT */
#include "core/flow/take.h"

#include "core/flow/infer.h"
#include "core/flow/resolve.h"
#include "core/flow/settle.h"
#include "core/flow/waiting_takes.h"

/* --- which publication --- */

static bool fits(const struct linked_publication *publication, const struct waiting_take *take)
{
	const struct flow_publication *public = &publication->public;

	if (take->service || take->client_gid) {
		bool is_response = public->service != NULL;

		return publication->client_gid == take->client_gid &&
		       publication->sequence_number == take->sequence_number && is_response == take->is_response &&
		       (public->client || public->service);
	}
	if (public->client || public->service || !publication->queue) {
		return false;
	}
	return !take->subscription->topic || !publication->queue->topic ||
	       publication->queue->topic->name == take->subscription->topic;
}

static struct linked_publication *find(struct flow_linker *linker, const struct waiting_take *take, bool *is_ambiguous)
{
	struct linked_publication *found = NULL;

	*is_ambiguous = false;
	for (struct linked_publication *p = u64_map_get_pointer(&linker->by_key, take->key); p; p = p->next_with_key) {
		if (!fits(p, take)) {
			continue;
		}
		if (found) {
			*is_ambiguous = true;
			found->is_ambiguous = true;
			p->is_ambiguous = true;
			return NULL;
		}
		found = p;
	}
	return found;
}

static const char *take_name(const struct waiting_take *take)
{
	if (take->subscription) {
		return take->subscription->topic ? take->subscription->topic : "";
	}
	return take->service && take->service->name ? take->service->name : "";
}

static void note_unlinked(struct flow_linker *linker, const struct waiting_take *take)
{
	if (take->subscription) {
		flow_note_unlinked_take(linker, take->subscription, take->take_ns);
	}
}

/* What became of it is known; NULL: not linked. */
static void count_take(struct flow_linker *linker, const struct waiting_take *take,
		       const struct linked_publication *publication)
{
	if (take->subscription && take->subscription->is_defined) {
		linker->counts.takes++;
		linker->counts.linked_takes += publication != NULL;
		linker->counts.inferred_takes += publication && publication->public.is_stamp_inferred;
	}
}

/* --- deliveries --- */

/*
 * The delivery that the take makes. NULL if the subscription has the message already, or will get it through a ring
 * buffer: rclcpp throws the copy away (subscription_base.cpp, matches_any_intra_process_publishers()).
 */
static struct linked_delivery *delivery_of(struct flow_linker *linker, struct linked_publication *publication,
					   const struct waiting_take *take)
{
	struct linked_delivery *delivery =
		take->subscription ? publication_delivery_to(publication, take->subscription) : NULL;

	if (delivery && (delivery->public.outcome == FLOW_RECEIVED || delivery->public.is_intra_process)) {
		return NULL;
	}
	if (!delivery) {
		delivery = publication_add_delivery(linker, publication, take->subscription, false);
	}
	if (take->client) {
		delivery->public.client = take->client;
	} else {
		delivery->public.service = take->service;
	}
	delivery->public.is_inferred = publication->public.is_stamp_inferred;
	delivery->public.has_take = true;
	delivery->public.take_ns = take->take_ns;
	delivery->public.has_start = take->has_start;
	delivery->public.callback_start_ns = take->callback_start_ns;
	return delivery;
}

static void deliver(struct flow_linker *linker, struct linked_publication *publication, const struct waiting_take *take)
{
	struct linked_delivery *delivery = delivery_of(linker, publication, take);

	if (delivery) {
		publication_delivered(linker, publication, delivery, take->execution);
	} else if (take->execution) {
		execution_set_cause(linker, take->execution, NULL, NULL);
	}
}

/* --- takes that wait --- */

/* The wait is over, with a publication or without. The entry stays in the queue until its time. */
static void end_wait(struct flow_linker *linker, struct waiting_take *take, struct linked_publication *publication,
		     bool is_ambiguous)
{
	struct linked_execution *execution = take->execution;

	waiting_take_end(linker, take);
	if (take->note) {
		flow_note_set(take->note, publication);
		flow_note_release(linker, take->note);
		take->note = NULL;
	}
	count_take(linker, take, publication);
	if (!publication) {
		note_unlinked(linker, take);
		flow_count_topic(linker, is_ambiguous ? DIAGNOSTIC_AMBIGUOUS_LINK : DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION,
				 take_name(take));
	}
	if (take->thread) {
		/* Its callback has not started yet. */
		take->thread->pending.waiting = NULL;
		take->thread->pending.publication = publication ? publication_reference(publication) : NULL;
		take->thread = NULL;
		return;
	}
	if (publication) {
		deliver(linker, publication, take);
	} else if (execution) {
		execution_set_cause(linker, execution, NULL, NULL);
	}
	if (execution) {
		take->execution = NULL;
		execution_release(linker, execution);
	}
}

/* The publication has got its key. */
static void link_waiting(struct flow_linker *linker, struct linked_publication *publication, uint64_t key)
{
	struct waiting_take *next;

	for (struct waiting_take *take = u64_map_get_pointer(&linker->waiting_by_key, key); take; take = next) {
		bool is_ambiguous;
		struct linked_publication *found;

		next = take->next_with_key;
		if (!fits(publication, take)) {
			continue;
		}
		found = find(linker, take, &is_ambiguous);
		if (found || is_ambiguous) {
			end_wait(linker, take, found, is_ambiguous);
		}
	}
}

void flow_take_stamp_is_known(struct flow_linker *linker, struct linked_publication *publication, uint64_t stamp)
{
	if (publication_set_stamp(linker, publication, stamp)) {
		link_waiting(linker, publication, stamp);
	}
}

void flow_take_request_is_known(struct flow_linker *linker, struct linked_publication *publication, uint64_t key)
{
	if (publication_set_key(linker, publication, key)) {
		link_waiting(linker, publication, key);
	}
}

/* --- stamps that are not recorded --- */

static bool is_inferable(const struct waiting_take *take)
{
	return take->subscription && take->subscription->topic;
}

/* The publications whose stamps were found. */
static void link_inferred(struct flow_linker *linker)
{
	struct linked_publication *publication;
	uint64_t stamp;

	while ((publication = flow_infer_next(linker, &stamp)) != NULL) {
		publication->public.is_stamp_inferred = true;
		flow_take_stamp_is_known(linker, publication, stamp);
	}
}

void flow_take_infer_due(struct flow_linker *linker)
{
	flow_infer_advance(linker);
	link_inferred(linker);
}

/* The publication by stamp, or by inference where no stamps are recorded. */
static struct linked_publication *look_up(struct flow_linker *linker, const struct waiting_take *take,
					  bool *is_ambiguous)
{
	struct linked_publication *publication = find(linker, take, is_ambiguous);

	if (publication || *is_ambiguous || !is_inferable(take)) {
		return publication;
	}
	flow_infer_take(linker, take->subscription->topic, take->key);
	link_inferred(linker);
	return find(linker, take, is_ambiguous);
}

/* --- the end of a wait --- */

static void pop_waiting(struct flow_linker *linker)
{
	struct waiting_take *take = linker->waiting_first;

	if (!take->is_done) {
		bool is_ambiguous;
		struct linked_publication *publication = find(linker, take, &is_ambiguous);

		if (!publication && !is_ambiguous && is_inferable(take)) {
			is_ambiguous = flow_infer_is_ambiguous(linker, take->subscription->topic, take->key);
		}
		end_wait(linker, take, publication, is_ambiguous);
	}
	waiting_take_remove_first(linker);
}

/* What waits for longer than a stamp needs to be inferred may be any publication, until it is known. */
static void note_waiting(struct flow_linker *linker)
{
	struct waiting_take *take;

	while ((take = linker->waiting_unnoted) != NULL && take->take_ns + MATCHER_SETTLE_NS < linker->now_ns) {
		if (!take->is_done) {
			note_unlinked(linker, take);
		}
		linker->waiting_unnoted = take->next;
	}
}

void flow_take_expire(struct flow_linker *linker)
{
	note_waiting(linker);
	while (linker->waiting_first &&
	       (linker->waiting_first->is_done || linker->waiting_first->deadline_ns <= linker->now_ns)) {
		pop_waiting(linker);
	}
}

void flow_take_finish(struct flow_linker *linker)
{
	flow_infer_finish(linker);
	link_inferred(linker);
	while (linker->waiting_first) {
		pop_waiting(linker);
	}
}

/* --- the takes of a thread --- */

static void clear_pending(struct flow_linker *linker, struct pending *pending)
{
	if (pending->publication) {
		publication_release(linker, pending->publication);
	}
	if (pending->note) {
		flow_note_release(linker, pending->note);
	}
	*pending = (struct pending){ 0 };
}

static void release_slot(struct flow_linker *linker, struct pending *pending)
{
	if (pending->in_hand) {
		flow_slot_free(linker, pending->in_hand);
		pending->in_hand = NULL;
	}
}

void flow_take_begin(struct flow_linker *linker, struct flow_thread *thread, const struct waiting_take *take)
{
	struct pending *pending = &thread->pending;
	struct linked_publication *publication;
	bool is_ambiguous;

	flow_take_drop(linker, thread);
	pending->is_set = true;
	pending->subscription = take->subscription;
	pending->service = take->service;
	pending->client = take->client;
	pending->take_ns = take->take_ns;
	publication = look_up(linker, take, &is_ambiguous);
	if (linker->keeps_notes) {
		pending->note = flow_note_create(linker, NULL);
	}
	if (publication || is_ambiguous) {
		count_take(linker, take, publication);
	}
	if (publication) {
		pending->publication = publication_reference(publication);
		publication_is_taken(publication);
	} else if (is_ambiguous) {
		note_unlinked(linker, take);
		flow_count_topic(linker, DIAGNOSTIC_AMBIGUOUS_LINK, take_name(take));
	} else {
		pending->waiting = waiting_take_add(linker, take);
		pending->waiting->thread = thread;
		if (pending->note) {
			pending->waiting->note = flow_note_reference(pending->note);
		}
	}
	if (pending->note) {
		if (!pending->waiting) {
			flow_note_set(pending->note, publication);
		}
		flow_note_offer(linker, flow_note_reference(pending->note));
	}
}

/* The message went to nobody: taken by hand, or thrown away by rclcpp. */
void flow_take_drop(struct flow_linker *linker, struct flow_thread *thread)
{
	struct pending *pending = &thread->pending;

	if (!pending->is_set) {
		return;
	}
	if (pending->slot) {
		pending->slot->public.has_take = true;
		pending->slot->public.take_ns = pending->take_ns;
		publication_delivered(linker, pending->publication, pending->slot, NULL);
		release_slot(linker, pending);
	} else if (pending->waiting) {
		pending->waiting->thread = NULL;
	} else if (pending->publication) {
		deliver(linker, pending->publication,
			&(struct waiting_take){
				.subscription = pending->subscription,
				.service = pending->service,
				.client = pending->client,
				.take_ns = pending->take_ns,
			});
	}
	clear_pending(linker, pending);
}

/* Whether the callback that starts is the one for the pending message. What is unknown may be. */
static bool is_for(const struct pending *pending, const struct model_callback_info *info, bool is_intra_process)
{
	if (pending->is_intra_process != is_intra_process) {
		return false;
	}
	switch (info->kind) {
	case CALLBACK_KIND_SUBSCRIPTION:
		return pending->subscription &&
		       (pending->subscription == info->subscription || !pending->subscription->is_defined ||
			!info->subscription || !info->subscription->is_defined);
	case CALLBACK_KIND_SERVICE:
		return pending->service && (pending->service == info->service || !info->service);
	case CALLBACK_KIND_UNKNOWN:
		return true;
	case CALLBACK_KIND_TIMER:
	case CALLBACK_KIND_INFERRED: /* no callback_start has one */
		break;
	}
	return false;
}

/* The pending message is the one that the execution handles. */
static void hand_over(struct flow_linker *linker, struct pending *pending, struct linked_execution *execution,
		      bool has_start)
{
	int64_t start_ns = execution->public.start_ns;

	if (pending->slot) {
		pending->slot->public.has_take = true;
		pending->slot->public.take_ns = pending->take_ns;
		pending->slot->public.has_start = has_start;
		pending->slot->public.callback_start_ns = start_ns;
		publication_delivered(linker, pending->publication, pending->slot, execution);
		release_slot(linker, pending);
	} else if (pending->waiting) {
		pending->waiting->thread = NULL;
		pending->waiting->has_start = has_start;
		pending->waiting->callback_start_ns = start_ns;
		pending->waiting->execution = execution_reference(execution);
	} else if (pending->publication) {
		deliver(linker, pending->publication,
			&(struct waiting_take){
				.subscription = pending->subscription,
				.service = pending->service,
				.take_ns = pending->take_ns,
				.has_start = has_start,
				.callback_start_ns = start_ns,
				.execution = execution,
			});
	} else {
		execution_set_cause(linker, execution, NULL, NULL);
	}
	clear_pending(linker, pending);
}

void flow_take_dispatch(struct flow_linker *linker, struct flow_thread *thread, struct linked_execution *execution,
			const struct model_callback_info *info, bool is_intra_process)
{
	struct pending *pending = &thread->pending;

	if (!pending->is_set || !is_for(pending, info, is_intra_process)) {
		flow_take_drop(linker, thread);
		execution_set_cause(linker, execution, NULL, NULL);
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
	struct pending *pending = &thread->pending;

	if (pending->is_set && !pending->is_intra_process && pending->take_ns == execution->public.start_ns &&
	    pending->subscription == info->subscription && pending->service == info->service) {
		hand_over(linker, pending, execution, false);
	} else {
		execution_set_cause(linker, execution, NULL, NULL);
	}
}

static void rmw_take(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	uint32_t process = thread->process_index;
	struct waiting_take take = { .take_ns = record->time_ns, .key = record->word[RMW_TAKE__source_timestamp] };

	flow_take_drop(linker, thread);
	/* Nothing taken; or no stamp: the middleware's own traffic, or a middleware without stamps. */
	if (!record->word[RMW_TAKE__taken] || take.key == 0) {
		return;
	}
	take.subscription = object_model_subscription_by_rmw(
		linker->model, process, record->word[RMW_TAKE__rmw_subscription_handle], record->time_ns);
	flow_take_begin(linker, thread, &take);
}

/* CARET's fork of rclcpp records the stamp when it dispatches; newer releases already did in rmw_take. */
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
	flow_close_open_publication(linker, thread);
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
