/* SPDX-License-Identifier: MIT */
#include "core/flow/untaken_messages.h"

#include "core/flow/conclusions.h"
#include "core/flow/endpoints.h"
#include "core/flow/notes.h"
#include "core/flow/resolve.h"
#include "core/flow/settle.h"
#include "core/flow/topic_counts.h"
#include "core/flow/untaken_choice.h"

struct untaken_messages {
	struct u64_map topics;	  /* name → struct untaken_topic *, owned */
	GPtrArray *subscriptions; /* struct untaken_subscription *, owned, by index of the model; NULL: not seen */
	GQueue waiting;		  /* of their waiting_link, in the order of their first undecided execution */
};

struct untaken_messages *untaken_messages_create(void)
{
	struct untaken_messages *untaken = g_new0(struct untaken_messages, 1);

	u64_map_init(&untaken->topics);
	untaken->subscriptions = g_ptr_array_new_with_free_func(g_free);
	g_queue_init(&untaken->waiting);
	return untaken;
}

/* --- topics and subscriptions --- */

static struct untaken_topic *topic_of(struct untaken_messages *untaken, const char *name)
{
	struct untaken_topic *topic = u64_map_get_pointer(&untaken->topics, (uintptr_t)name);

	if (!topic) {
		topic = g_new0(struct untaken_topic, 1);
		u64_map_set_pointer(&untaken->topics, (uintptr_t)name, topic);
	}
	return topic;
}

static struct untaken_subscription *subscription_of(struct untaken_messages *untaken, struct model_subscription *model)
{
	struct untaken_subscription *subscription;

	if (untaken->subscriptions->len <= model->index) {
		g_ptr_array_set_size(untaken->subscriptions, (gint)model->index + 1);
	}
	subscription = g_ptr_array_index(untaken->subscriptions, model->index);
	if (!subscription) {
		subscription = g_new0(struct untaken_subscription, 1);
		subscription->waiting_link.data = subscription;
		subscription->model = model;
		subscription->topic = topic_of(untaken, model->topic);
		g_ptr_array_index(untaken->subscriptions, model->index) = subscription;
	}
	return subscription;
}

void untaken_messages_published(struct flow_linker *linker, struct linked_publication *publication)
{
	const char *name = publication->public.publisher->topic;
	struct untaken_topic *topic;
	struct linked_publication **place;

	if (!name) {
		return;
	}
	topic = topic_of(linker->untaken, name);
	place = &topic->kept[topic->count++ % UNTAKEN_KEPT];
	if (*place) {
		linked_publication_release(linker, *place);
	}
	*place = linked_publication_reference(publication);
}

/* Candidates that are no longer kept. */
static void catch_up(struct untaken_subscription *subscription)
{
	if (subscription->topic->count > subscription->next + UNTAKEN_KEPT) {
		subscription->next = subscription->topic->count - UNTAKEN_KEPT;
		untaken_choice_set_behind(
			subscription, untaken_publication(subscription->topic, subscription->next)->public.first_ns);
	}
}

/* --- decisions --- */

static void deliver(struct flow_linker *linker, struct untaken_subscription *subscription,
		    struct linked_publication *publication, struct linked_execution *execution)
{
	struct linked_delivery *delivery = linked_publication_delivery_to(publication, subscription->model);

	if (!delivery) {
		delivery = linked_publication_add_delivery(linker, publication, subscription->model, false);
	}
	delivery->public.is_inferred = true;
	delivery->public.has_start = true;
	delivery->public.take_ns = execution->public.start_ns; /* at the latest */
	delivery->public.callback_start_ns = execution->public.start_ns;
	linker->counts.inferred_takes++;
	flow_settle_delivered(linker, publication, delivery, execution);
}

/* Whether the publication can still be linked: it was not reported as final without the subscription. */
static bool can_deliver(const struct untaken_subscription *subscription, const struct linked_publication *publication)
{
	const struct linked_delivery *delivery = linked_publication_delivery_to(publication, subscription->model);

	return !delivery || (!publication->public.is_concluded && !delivery->public.is_reported &&
			     !delivery->public.is_intra_process);
}

static void decide(struct flow_linker *linker, struct untaken_subscription *subscription, struct undecided *undecided,
		   struct linked_publication *publication)
{
	struct linked_execution *execution = undecided->execution;

	if (publication && !can_deliver(subscription, publication)) {
		publication = NULL;
	}
	if (undecided->note) {
		flow_note_set(undecided->note, publication);
		flow_note_release(linker, undecided->note);
	}
	if (publication) {
		deliver(linker, subscription, publication, execution);
	} else {
		flow_resolve_set_cause(linker, execution, NULL, NULL);
	}
	linked_execution_release(linker, execution);
}

static void put_down(struct flow_linker *linker, struct untaken_subscription *subscription, uint64_t held)
{
	for (uint64_t i = 0; i < held; i++) {
		struct linked_publication *publication = subscription->held[i];

		publication->in_hand--;
		flow_conclude_check(linker, publication);
		linked_publication_release(linker, publication);
	}
}

static void count_unknown(struct flow_linker *linker, const struct untaken_subscription *subscription, guint candidates)
{
	flow_topic_counts_add(linker, candidates > 0 ? DIAGNOSTIC_AMBIGUOUS_LINK : DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION,
			      subscription->model->topic);
}

/* The first executions, which started before any candidate was published: another publisher's. */
static void decide_strangers(struct flow_linker *linker, struct untaken_subscription *subscription)
{
	guint strangers = 0;

	while (strangers < subscription->count && subscription->undecided[strangers].published <= subscription->next) {
		if (!linker->has_takes) {
			count_unknown(linker, subscription, 0);
		}
		decide(linker, subscription, &subscription->undecided[strangers++], NULL);
	}
	subscription->count -= strangers;
	memmove(subscription->undecided, subscription->undecided + strangers,
		subscription->count * sizeof(*subscription->undecided));
}

/* Decides all undecided executions; not `is_rested`: as unknown. */
static void close_period(struct flow_linker *linker, struct untaken_subscription *subscription, bool is_rested)
{
	struct linked_publication *chosen[UNTAKEN_KEPT] = { NULL };
	guint undecided, candidates;

	g_queue_unlink(&linker->untaken->waiting, &subscription->waiting_link);
	decide_strangers(linker, subscription);
	undecided = subscription->count;
	if (undecided == 0) {
		return;
	}
	candidates = untaken_choice_make(linker, subscription, chosen);
	if (!is_rested || linker->has_takes) {
		memset(chosen, 0, sizeof(chosen));
	}
	for (guint i = 0; i < undecided; i++) {
		if (!chosen[i] && !linker->has_takes) {
			count_unknown(linker, subscription, candidates);
		}
		decide(linker, subscription, &subscription->undecided[i], chosen[i]);
	}
	put_down(linker, subscription, subscription->in_hand - subscription->next);
	subscription->next = subscription->in_hand;
	subscription->count = 0;
	subscription->is_contemporary = false;
}

/* --- executions --- */

/* How long a rest proves that no message is left: as long as the last execution was late. */
static int64_t needed_rest_ns(const struct untaken_subscription *subscription)
{
	const struct undecided *last = &subscription->undecided[subscription->count - 1];
	int64_t late_ns = 0;

	if (last->published > subscription->next) {
		late_ns = last->execution->public.start_ns -
			  subscription->held[last->published - 1 - subscription->next]->public.first_ns;
	}
	return CLAMP(late_ns, UNTAKEN_REST_NS, UNTAKEN_LONG_REST_NS);
}

/* Whether the thread has rested since the last undecided execution. */
static bool has_rested(struct flow_linker *linker, const struct untaken_subscription *subscription)
{
	const struct linked_execution *last = subscription->undecided[subscription->count - 1].execution;
	const struct flow_thread *thread = flow_thread(linker, last->public.thread);
	int64_t rest_ns = 0;

	if (!last->is_ended) {
		return false;
	}
	if (thread->rest_begin_ns > last->public.start_ns) {
		rest_ns = thread->rested_ns - thread->rest_begin_ns;
	}
	if (!thread->is_in_callback) {
		rest_ns = MAX(rest_ns, linker->now_ns - thread->free_ns);
	}
	return rest_ns >= needed_rest_ns(subscription);
}

static void begin_wait(struct flow_linker *linker, struct untaken_subscription *subscription,
		       struct linked_execution *execution)
{
	struct undecided *undecided = &subscription->undecided[subscription->count];

	if (subscription->count == 0) {
		g_queue_push_tail_link(&linker->untaken->waiting, &subscription->waiting_link);
		subscription->in_hand = subscription->next;
		linker->aged_due_ns = MIN(linker->aged_due_ns, execution->public.start_ns + FLOW_BIND_WAIT_NS);
	} else if (!subscription->undecided[subscription->count - 1].execution->is_ended ||
		   subscription->undecided[subscription->count - 1].execution->public.thread !=
			   execution->public.thread) {
		subscription->is_contemporary = true;
	}
	*undecided = (struct undecided){
		.execution = linked_execution_reference(execution),
		.published = subscription->topic->count,
	};
	for (; subscription->in_hand < undecided->published; subscription->in_hand++) {
		subscription->held[subscription->in_hand - subscription->next] = linked_publication_take_in_hand(
			untaken_publication(subscription->topic, subscription->in_hand));
	}
	if (linker->keeps_notes) {
		undecided->note = flow_note_create(linker, NULL);
		execution->note = flow_note_reference(undecided->note);
	}
	subscription->count++;
}

static void note_start(struct flow_thread *thread, int64_t start_ns)
{
	if (!thread->is_in_callback && start_ns - thread->free_ns >= UNTAKEN_REST_NS) {
		thread->rest_begin_ns = thread->free_ns;
		thread->rested_ns = start_ns;
	}
	thread->is_in_callback = true;
}

bool untaken_messages_started(struct flow_linker *linker, struct flow_thread *thread,
			      struct linked_execution *execution, const struct model_callback_info *info,
			      bool is_intra_process)
{
	int64_t start_ns = execution->public.start_ns;
	struct untaken_subscription *subscription;

	note_start(thread, start_ns);
	if (info->kind != CALLBACK_KIND_SUBSCRIPTION || !info->subscription || !info->subscription->topic) {
		return false;
	}
	subscription = subscription_of(linker->untaken, info->subscription);
	if (is_intra_process) {
		subscription->has_intra = true;
		return false;
	}
	if (subscription->count > 0 && has_rested(linker, subscription)) {
		close_period(linker, subscription, true);
	} else if (subscription->count > 0 && (subscription->count == UNTAKEN_KEPT ||
					       subscription->topic->count - subscription->next >= UNTAKEN_KEPT)) {
		close_period(linker, subscription, false);
		untaken_choice_set_behind(subscription, start_ns);
	}
	if (subscription->count == 0) {
		catch_up(subscription);
		untaken_choice_drop_stale(subscription, thread);
	}
	begin_wait(linker, subscription, execution);
	return true;
}

void untaken_messages_ended(struct flow_linker *linker, struct flow_thread *thread)
{
	thread->is_in_callback = false;
	thread->free_ns = linker->now_ns;
}

/* --- ends of waits --- */

int64_t untaken_messages_due_ns(const struct flow_linker *linker)
{
	const struct untaken_subscription *first = g_queue_peek_head(&linker->untaken->waiting);

	return first ? first->undecided[0].execution->public.start_ns + FLOW_BIND_WAIT_NS : INT64_MAX;
}

void untaken_messages_expire(struct flow_linker *linker)
{
	while (linker->now_ns >= untaken_messages_due_ns(linker)) {
		struct untaken_subscription *subscription = g_queue_peek_head(&linker->untaken->waiting);

		close_period(linker, subscription, has_rested(linker, subscription));
	}
}

static void end_all(struct flow_linker *linker, bool may_rest)
{
	struct untaken_subscription *subscription;

	while ((subscription = g_queue_peek_head(&linker->untaken->waiting))) {
		close_period(linker, subscription, may_rest && has_rested(linker, subscription));
	}
}

void untaken_messages_forget(struct flow_linker *linker)
{
	GPtrArray *subscriptions = linker->untaken->subscriptions;

	end_all(linker, false);
	for (guint i = 0; i < subscriptions->len; i++) {
		struct untaken_subscription *subscription = g_ptr_array_index(subscriptions, i);

		if (subscription) {
			subscription->next = subscription->topic->count;
			untaken_choice_set_behind(subscription, linker->now_ns);
		}
	}
}

void untaken_messages_finish(struct flow_linker *linker)
{
	end_all(linker, true);
}

void untaken_messages_destroy(struct flow_linker *linker)
{
	struct untaken_messages *untaken = linker->untaken;
	size_t position = 0;
	uint64_t name, value;

	while (u64_map_next(&untaken->topics, &position, &name, &value)) {
		struct untaken_topic *topic = (struct untaken_topic *)(uintptr_t)value;

		for (guint i = 0; i < UNTAKEN_KEPT; i++) {
			if (topic->kept[i]) {
				linked_publication_release(linker, topic->kept[i]);
			}
		}
		g_free(topic);
	}
	u64_map_clear(&untaken->topics);
	g_ptr_array_free(untaken->subscriptions, TRUE);
	g_free(untaken);
}
