/* SPDX-License-Identifier: MIT */
#include "core/flow/flow_internal.h"

#include <string.h>

#include "core/base/memory_layout.h"

/* A subscription that has taken a later message takes no earlier one, threads that log out of order aside. */
#define OUT_OF_ORDER_NS INT64_C(100000000)
/* How long a publication of a topic that nobody is known to listen to may still find its first listener. */
#define LISTENER_WAIT_NS INT64_C(1000000000)
/* Messages on their way beside those in the queues. */
#define QUEUE_SLACK 16
#define WAITING_MAX 10000 /* executions that wait for one another; more are taken for a circle */

/* --- executions --- */

struct execution_node *execution_reference(struct execution_node *execution)
{
	execution->references++;
	return execution;
}

void execution_release(struct flow_linker *linker, struct execution_node *execution)
{
	if (--execution->references > 0) {
		return;
	}
	for (size_t i = 0; i < linker->listener_count; i++) {
		if (linker->listeners[i].released) {
			linker->listeners[i].released(linker->listeners[i].data, &execution->public);
		}
	}
	if (execution->note) {
		flow_note_release(linker, execution->note);
	}
	linker->counts.live_executions--;
	object_pool_give(&linker->executions_pool, execution);
}

void execution_check_finished(struct flow_linker *linker, struct execution_node *execution)
{
	if (execution->is_finished || !execution->is_ended || !execution->is_resolved ||
	    execution->unsettled_publications > 0 || execution->caches > 0) {
		return;
	}
	execution->is_finished = true;
	for (size_t i = 0; i < linker->listener_count; i++) {
		if (linker->listeners[i].finished) {
			linker->listeners[i].finished(linker->listeners[i].data, &execution->public,
						      execution->is_continued);
		}
	}
}

/* The first execution that the message comes from and that is not resolved itself. */
static struct execution_node *unresolved_parent(const struct publication *publication)
{
	for (size_t i = 0; i < publication->public.parent_count; i++) {
		struct execution_node *parent = (struct execution_node *)publication->public.parents[i];

		if (!parent->is_resolved) {
			return parent;
		}
	}
	return NULL;
}

/* The execution that has to be resolved before this one. */
static struct execution_node *awaited_by(const struct execution_node *execution)
{
	return execution->cause ? unresolved_parent(execution->cause) : NULL;
}

/* Whether an execution is, or waits for, `other`, as only times that lie make it. */
static bool waits_for(const struct execution_node *execution, const struct execution_node *other)
{
	for (unsigned int i = 0; execution && execution != other && i < WAITING_MAX; i++) {
		execution = awaited_by(execution);
	}
	return execution != NULL;
}

/* Marks it resolved and tells; false if it has to wait for another execution. */
static bool try_resolve(struct flow_linker *linker, struct execution_node *execution)
{
	struct execution_node *awaited = awaited_by(execution);

	if (awaited && !waits_for(awaited, execution)) {
		execution->next_dependent = awaited->dependents;
		awaited->dependents = execution_reference(execution);
		return false;
	}
	execution->is_resolved = true;
	for (size_t i = 0; i < linker->listener_count; i++) {
		if (linker->listeners[i].resolved) {
			linker->listeners[i].resolved(linker->listeners[i].data, &execution->public);
		}
	}
	execution->public.cause = NULL;
	if (execution->cause) {
		publication_release(linker, execution->cause);
		execution->cause = NULL;
	}
	return true;
}

/* Reverses a list of dependents, so that they are resolved in the order in which they came. */
static struct execution_node *in_order(struct execution_node *dependents)
{
	struct execution_node *reversed = NULL;

	while (dependents) {
		struct execution_node *next = dependents->next_dependent;

		dependents->next_dependent = reversed;
		reversed = dependents;
		dependents = next;
	}
	return reversed;
}

/* Iterative: a chain of executions that wait for each other may be long. */
static void resolve_with_dependents(struct flow_linker *linker, struct execution_node *first)
{
	struct execution_node *todo = execution_reference(first);

	todo->next_dependent = NULL;
	while (todo) {
		struct execution_node *execution = todo;
		struct execution_node *last;

		todo = execution->next_dependent;
		execution->next_dependent = NULL;
		if (try_resolve(linker, execution)) {
			struct execution_node *dependents = in_order(execution->dependents);

			execution->dependents = NULL;
			for (last = dependents; last && last->next_dependent; last = last->next_dependent) {}
			if (last) {
				last->next_dependent = todo;
				todo = dependents;
			}
			execution_check_finished(linker, execution);
		}
		execution_release(linker, execution);
	}
}

void execution_set_cause(struct flow_linker *linker, struct execution_node *execution, struct publication *publication,
			 struct delivery *delivery)
{
	if (publication) {
		execution->cause = publication_reference(publication);
		execution->public.cause = &delivery->public;
		execution->public.flow_id = publication->public.id;
	}
	resolve_with_dependents(linker, execution);
}

/* --- publications --- */

struct publication *publication_create(struct flow_linker *linker, struct thread *thread, int64_t time_ns)
{
	struct publication *publication = object_pool_take(&linker->publications);

	publication->references = 1;
	publication->is_open = true;
	publication->public.id = ++linker->next_id;
	publication->public.first_ns = time_ns;
	publication->public.last_ns = time_ns;
	publication->public.thread = thread->index;
	publication->public.process = thread->process_index;
	/* All unsettled publications, in order. */
	publication->references++;
	publication->older = linker->newest;
	if (linker->newest) {
		linker->newest->newer = publication;
	} else {
		linker->oldest = publication;
	}
	linker->newest = publication;
	linker->counts.live_publications++;
	return publication;
}

struct publication *publication_reference(struct publication *publication)
{
	publication->references++;
	return publication;
}

void publication_release(struct flow_linker *linker, struct publication *publication)
{
	if (--publication->references > 0) {
		return;
	}
	for (size_t i = 0; i < publication->public.parent_count; i++) {
		execution_release(linker, (struct execution_node *)publication->public.parents[i]);
	}
	if (publication->public.parents != &publication->only_parent) {
		g_free(publication->public.parents);
	}
	while (publication->deliveries) {
		struct delivery *delivery = publication->deliveries;

		publication->deliveries = delivery->next;
		object_pool_give(&linker->deliveries, delivery);
	}
	if (publication->note) {
		flow_note_release(linker, publication->note);
	}
	linker->counts.live_publications--;
	object_pool_give(&linker->publications, publication);
}

/* Room doubles. Most publications have one parent at most: that needs no memory of its own. */
static void make_room_for_parent(struct publication *publication)
{
	struct flow_publication *public = &publication->public;

	if (public->parent_count == 0) {
		public->parents = &publication->only_parent;
	} else if (public->parent_count == 1) {
		public->parents = g_new(struct flow_execution *, 2);
		public->parents[0] = publication->only_parent;
	} else if ((public->parent_count & (public->parent_count - 1)) == 0) {
		public->parents = g_renew(struct flow_execution *, public->parents, (gsize)2 * public->parent_count);
	}
}

void publication_add_parent(struct flow_linker *linker, struct publication *publication,
			    struct execution_node *execution)
{
	struct flow_publication *public = &publication->public;

	for (size_t i = 0; i < public->parent_count; i++) {
		if (public->parents[i] == &execution->public) {
			return;
		}
	}
	if (public->parent_count == FLOW_PARENTS_MAX) {
		diagnostics_add(linker->diagnostics, DIAGNOSTIC_PATHS_CAPPED, "origins of one publication", 1);
		return;
	}
	make_room_for_parent(publication);
	public->parents[public->parent_count++] = &execution_reference(execution)->public;
	if (!publication->is_settled) {
		execution->unsettled_publications++;
	}
}

struct publisher *flow_publisher(struct flow_linker *linker, struct model_publisher *model)
{
	struct publisher *publisher;

	while (linker->publishers->len <= model->index) {
		g_ptr_array_add(linker->publishers, NULL);
	}
	publisher = g_ptr_array_index(linker->publishers, model->index);
	if (!publisher) {
		publisher = g_new0(struct publisher, 1);
		publisher->model = model;
		publisher->receivers = g_ptr_array_new();
		g_ptr_array_index(linker->publishers, model->index) = publisher;
	}
	if (!publisher->topic && model->topic) {
		publisher->topic = flow_topic(linker, model->topic);
	}
	return publisher;
}

struct topic *flow_topic(struct flow_linker *linker, const char *name)
{
	struct topic *topic = u64_map_get_pointer(&linker->topics, (uint64_t)(uintptr_t)name);

	if (!topic) {
		topic = g_new0(struct topic, 1);
		topic->name = name;
		topic->subscriptions = g_ptr_array_new();
		u64_map_set_pointer(&linker->topics, (uint64_t)(uintptr_t)name, topic);
	}
	return topic;
}

/* NULL is allowed: nothing is read. */
static void prefetch(const void *object, size_t size)
{
	uintptr_t begin = (uintptr_t)object;

	for (size_t offset = 0; offset < size; offset += CACHE_LINE) {
		__builtin_prefetch((const void *)(begin + offset), 1);
	}
}

/*
 * What leaves the latched publications when this one is settled has not been touched for long: it is fetched into the
 * cache step by step, while the last taker of this one is on its way to its callback.
 */
static const struct publication *next_to_leave(const struct publication *publication)
{
	const struct publisher *publisher = publication->queue;

	return publisher && publisher->latched_count > 0 ? publisher->latched[publisher->latched_first] : NULL;
}

void publication_is_taken(const struct publication *publication)
{
	const struct publication *leaving = next_to_leave(publication);

	if (leaving) {
		prefetch(leaving, offsetof(struct publication, message));
	}
}

void publication_is_dispatched(const struct publication *publication)
{
	const struct publication *leaving = next_to_leave(publication);

	if (!leaving) {
		return;
	}
	if (leaving->public.parent_count > 0) {
		prefetch(leaving->public.parents[0], sizeof(struct execution_node));
	}
	prefetch(leaving->deliveries, sizeof(*leaving->deliveries));
}

static void prefetch_path(const struct publication *publication)
{
	const struct publication *leaving = next_to_leave(publication);

	if (leaving && leaving->public.parent_count > 0) {
		__builtin_prefetch(leaving->public.parents[0]->path_data, 1);
	}
}

void publication_set_publisher(struct flow_linker *linker, struct publication *publication,
			       struct model_publisher *model)
{
	struct publisher *publisher = flow_publisher(linker, model);

	publication->public.publisher = model;
	publication->sequence = ++publisher->sequence;
	publication->queue = publisher;
	publication_reference(publication);
	if (publisher->last) {
		publisher->last->next_of_publisher = publication;
	} else {
		publisher->first = publication;
	}
	publisher->last = publication;
}

/* Makes the publication known by its stamp (or request key) and links the takes that wait for it. */
void publication_set_key(struct flow_linker *linker, struct publication *publication, uint64_t key)
{
	struct publication *other;

	if (publication->is_indexed || publication->is_forgotten) {
		return;
	}
	other = u64_map_get_pointer(&linker->by_key, key);
	publication->next_with_key = other;
	publication->is_indexed = true;
	publication->public.has_stamp = true;
	publication->public.source_timestamp = (int64_t)key;
	publication->is_waiting_for_stamp = false;
	u64_map_set_pointer(&linker->by_key, key, publication_reference(publication));
	flow_take_key_is_known(linker, publication, key);
}

static void forget_key(struct flow_linker *linker, struct publication *publication)
{
	uint64_t key = (uint64_t)publication->public.source_timestamp;
	struct publication *head;

	if (!publication->is_indexed) {
		return;
	}
	head = u64_map_get_pointer(&linker->by_key, key);
	if (head == publication) {
		if (publication->next_with_key) {
			u64_map_set_pointer(&linker->by_key, key, publication->next_with_key);
		} else {
			u64_map_remove(&linker->by_key, key);
		}
	} else {
		while (head->next_with_key != publication) {
			head = head->next_with_key;
		}
		head->next_with_key = publication->next_with_key;
	}
	publication->is_indexed = false;
	publication_release(linker, publication);
}

static void forget_stampless(struct flow_linker *linker, struct publication *publication)
{
	struct topic *topic;
	struct publication *previous = NULL;

	if (!publication->is_in_stampless_list) {
		return;
	}
	topic = publication->queue->topic;
	/* They leave about in the order in which they came: the walk is short. */
	for (struct publication *p = topic->stampless_first; p != publication; p = p->next_stampless) {
		previous = p;
	}
	if (previous) {
		previous->next_stampless = publication->next_stampless;
	} else {
		topic->stampless_first = publication->next_stampless;
	}
	if (topic->stampless_last == publication) {
		topic->stampless_last = previous;
	}
	publication->is_in_stampless_list = false;
	publication_release(linker, publication);
}

/* --- what subscriptions have got --- */

struct delivery *publication_add_delivery(struct flow_linker *linker, struct publication *publication,
					  struct model_subscription *subscription, bool is_intra_process)
{
	struct delivery *delivery = object_pool_take(&linker->deliveries);

	delivery->public.publication = &publication->public;
	delivery->public.subscription = subscription;
	delivery->public.is_intra_process = is_intra_process;
	delivery->next = publication->deliveries;
	publication->deliveries = delivery;
	return delivery;
}

static uint64_t channel_key(const struct publisher *publisher, const struct model_subscription *subscription)
{
	return (uint64_t)publisher->model->index << 32 | subscription->index;
}

static void channel_received(struct flow_linker *linker, struct publisher *publisher,
			     struct model_subscription *subscription, uint64_t sequence)
{
	uint64_t key = channel_key(publisher, subscription);
	struct channel *channel = u64_map_get_pointer(&linker->channels, key);

	if (!channel) {
		channel = g_new0(struct channel, 1);
		u64_map_set_pointer(&linker->channels, key, channel);
		if (!publisher->topic) {
			g_ptr_array_add(publisher->receivers, subscription);
		}
	}
	if (sequence <= channel->newest) {
		return;
	}
	if (linker->now_ns - channel->newest_since_ns >= OUT_OF_ORDER_NS) {
		channel->passed = channel->newest;
		channel->newest = sequence;
		channel->newest_since_ns = linker->now_ns;
	}
}

static bool has_passed(const struct flow_linker *linker, const struct publisher *publisher,
		       const struct model_subscription *subscription, uint64_t sequence)
{
	const struct channel *channel = u64_map_get_pointer(&linker->channels, channel_key(publisher, subscription));
	uint64_t depth = subscription->queue_depth + publisher->model->queue_depth;

	if (channel && (sequence < channel->passed ||
			(sequence < channel->newest && linker->now_ns - channel->newest_since_ns >= OUT_OF_ORDER_NS))) {
		return true;
	}
	return subscription->queue_depth > 0 && publisher->model->queue_depth > 0 && depth < UINT32_MAX &&
	       publisher->sequence > sequence + depth + QUEUE_SLACK;
}

struct delivery *publication_delivery_to(const struct publication *publication,
					 const struct model_subscription *subscription)
{
	for (struct delivery *delivery = publication->deliveries; delivery; delivery = delivery->next) {
		if (delivery->public.subscription == subscription) {
			return delivery;
		}
	}
	return NULL;
}

/* Whether the subscription gets the publication through a ring buffer: then it throws the other copy away. */
static bool is_intra_process_for(const struct publication *publication, const struct model_subscription *subscription)
{
	if (!publication->public.has_intra_leg) {
		return false;
	}
	for (const struct delivery *delivery = publication->deliveries; delivery; delivery = delivery->next) {
		if (delivery->public.is_intra_process && delivery->public.subscription == subscription) {
			return true;
		}
	}
	return false;
}

/* Whether the subscription was there and its process was recorded when the message was published. */
static bool is_expected(struct flow_linker *linker, const struct publication *publication,
			const struct model_subscription *subscription)
{
	const struct process *process = flow_process(linker, subscription->process);

	return publication->public.has_inter_leg && subscription->since_ns <= publication->public.first_ns &&
	       process->has_run && process->first_runtime_ns <= publication->public.first_ns &&
	       !is_intra_process_for(publication, subscription);
}

/* The subscriptions of a publisher: those of its topic, else those that were seen to get its messages. */
static const GPtrArray *publisher_listeners(const struct publisher *publisher)
{
	return publisher->topic ? publisher->topic->subscriptions : publisher->receivers;
}

void publication_close(struct flow_linker *linker, struct publication *publication)
{
	publication->is_open = false;
	if (publication->is_settled) {
		return;
	}
	if (!publication->queue) {
		if (!publication->public.client && !publication->public.service) {
			/* No event told its publisher. */
			publication_settle_now(linker, publication, false);
		}
		return;
	}
	publication_is_taken(publication);
	if (publication->public.has_inter_leg) {
		const GPtrArray *listeners = publisher_listeners(publication->queue);

		for (guint i = 0; i < listeners->len; i++) {
			publication->expected += is_expected(linker, publication, g_ptr_array_index(listeners, i));
		}
	}
	publisher_settle(linker, publication->queue);
}

static void tell_expected(struct flow_linker *linker, const struct publication *publication,
			  const struct delivery *delivery, enum flow_outcome outcome)
{
	for (size_t i = 0; i < linker->listener_count; i++) {
		if (linker->listeners[i].expected) {
			linker->listeners[i].expected(linker->listeners[i].data, &publication->public,
						      delivery->public.subscription, delivery->public.is_intra_process,
						      outcome);
		}
	}
}

static void tell_lost(struct flow_linker *linker, const struct publication *publication, struct delivery *delivery,
		      bool is_end_of_trace)
{
	delivery->public.is_lost = true;
	tell_expected(linker, publication, delivery, is_end_of_trace ? FLOW_IN_FLIGHT : FLOW_LOST);
}

void publication_delivered(struct flow_linker *linker, struct publication *publication, struct delivery *delivery,
			   struct execution_node *execution)
{
	struct flow_delivery *public = &delivery->public;

	prefetch_path(publication);
	public->execution = execution ? &execution->public : NULL;
	public->is_told = true;
	if (execution) {
		for (size_t i = 0; i < publication->public.parent_count; i++) {
			((struct execution_node *)publication->public.parents[i])->is_continued = true;
		}
	}
	for (size_t i = 0; i < linker->listener_count; i++) {
		if (linker->listeners[i].delivered) {
			linker->listeners[i].delivered(linker->listeners[i].data, public);
		}
	}
	publication_reference(publication);
	if (execution) {
		execution_set_cause(linker, execution, publication, delivery);
	}
	if (publication->is_settled) {
		if (public->subscription) {
			tell_expected(linker, publication, delivery,
				      delivery->public.is_lost ? FLOW_CAME_LATE : FLOW_RECEIVED);
			delivery->public.is_lost = false;
		}
	} else if (publication->queue) {
		if (!public->is_intra_process) {
			publication->received += is_expected(linker, publication, public->subscription);
			channel_received(linker, publication->queue, public->subscription, publication->sequence);
		}
		publisher_settle(linker, publication->queue);
	} else if (!publication->is_open) {
		publication_settle_now(linker, publication, false);
	}
	publication_release(linker, publication);
}

/* --- settling --- */

/* Marks the subscriptions that have got the publication, or will get it through a ring buffer. */
static void mark_receivers(struct flow_linker *linker, const struct publication *publication)
{
	for (const struct delivery *delivery = publication->deliveries; delivery; delivery = delivery->next) {
		if (delivery->public.subscription) {
			guint index = delivery->public.subscription->index;

			if (linker->marks->len <= index) {
				g_array_set_size(linker->marks, index + 1);
			}
			g_array_index(linker->marks, uint64_t, index) = publication->public.id;
		}
	}
}

static bool is_marked(const struct flow_linker *linker, const struct publication *publication,
		      const struct model_subscription *subscription)
{
	return subscription->index < linker->marks->len &&
	       g_array_index(linker->marks, uint64_t, subscription->index) == publication->public.id;
}

/* Whether all that have not got it can not get it any more. O(subscriptions), so not at each delivery. */
static bool others_have_passed(struct flow_linker *linker, const struct publication *publication)
{
	const GPtrArray *listeners = publisher_listeners(publication->queue);

	mark_receivers(linker, publication);
	for (guint i = 0; i < listeners->len; i++) {
		const struct model_subscription *subscription = g_ptr_array_index(listeners, i);

		if (!is_marked(linker, publication, subscription) && is_expected(linker, publication, subscription) &&
		    !has_passed(linker, publication->queue, subscription, publication->sequence)) {
			return false;
		}
	}
	return true;
}

static bool is_settled(struct flow_linker *linker, struct publication *publication)
{
	int64_t age_ns = linker->now_ns - publication->public.first_ns;

	if (publication->is_open || publication->undelivered_slots > 0 ||
	    (publication->is_waiting_for_stamp && age_ns < FLOW_BIND_WAIT_NS)) {
		return false;
	}
	if (publication->public.has_intra_leg && !publication->deliveries &&
	    flow_process(linker, publication->public.process)->buffers.count == 0) {
		/* A release that records no ring buffers: the dispatch is still to come. */
		return age_ns >= LISTENER_WAIT_NS;
	}
	if (!publication->public.has_inter_leg ||
	    (publication->expected > 0 && publication->received >= publication->expected)) {
		return true;
	}
	if (publication->expected == 0) {
		return age_ns >= LISTENER_WAIT_NS;
	}
	if (linker->now_ns - publication->checked_ns < OUT_OF_ORDER_NS / 2) {
		return false;
	}
	publication->checked_ns = linker->now_ns;
	return others_have_passed(linker, publication);
}

static void tell_all_expected(struct flow_linker *linker, struct publication *publication, bool is_end_of_trace)
{
	const GPtrArray *listeners = publication->queue ? publisher_listeners(publication->queue) : NULL;
	struct delivery *reversed = NULL;
	bool is_told = false;

	/* Deliveries in the order in which they were made. */
	while (publication->deliveries) {
		struct delivery *delivery = publication->deliveries;

		publication->deliveries = delivery->next;
		delivery->next = reversed;
		reversed = delivery;
	}
	publication->deliveries = reversed;
	for (struct delivery *delivery = reversed; delivery; delivery = delivery->next) {
		if (delivery->public.subscription) {
			if (delivery->public.is_told) {
				tell_expected(linker, publication, delivery, FLOW_RECEIVED);
			} else {
				tell_lost(linker, publication, delivery, is_end_of_trace);
			}
			is_told = true;
		}
	}
	mark_receivers(linker, publication);
	for (guint i = 0; listeners && i < listeners->len; i++) {
		struct model_subscription *subscription = g_ptr_array_index(listeners, i);

		if (!is_marked(linker, publication, subscription) && is_expected(linker, publication, subscription)) {
			tell_lost(linker, publication,
				  publication_add_delivery(linker, publication, subscription, false), is_end_of_trace);
			is_told = true;
		}
	}
	if (!is_told && publication->queue && publication->queue->topic) {
		flow_count_topic(linker, DIAGNOSTIC_PUBLICATION_WITHOUT_TAKER, publication->queue->topic->name);
	}
}

static void forget(struct flow_linker *linker, struct publication *publication)
{
	publication->is_forgotten = true;
	forget_stampless(linker, publication);
	forget_key(linker, publication);
	publication_release(linker, publication);
}

/* The settled publication stays known among the last ones of its publisher. Takes the reference of the queue. */
static void latch(struct flow_linker *linker, struct publisher *publisher, struct publication *publication)
{
	uint64_t depth = publisher->model->queue_depth;
	unsigned int limit = depth == 0 || depth > FLOW_LATCHED_MAX ? FLOW_LATCHED_MAX : (unsigned int)depth;

	while (publisher->latched_count >= limit) {
		forget(linker, publisher->latched[publisher->latched_first]);
		publisher->latched_first = (publisher->latched_first + 1) % FLOW_LATCHED_MAX;
		publisher->latched_count--;
	}
	publisher->latched[(publisher->latched_first + publisher->latched_count++) % FLOW_LATCHED_MAX] = publication;
}

void flow_publisher_clear(struct flow_linker *linker, struct publisher *publisher)
{
	while (publisher->latched_count > 0) {
		forget(linker, publisher->latched[publisher->latched_first]);
		publisher->latched_first = (publisher->latched_first + 1) % FLOW_LATCHED_MAX;
		publisher->latched_count--;
	}
}

static void remove_from_queue(struct flow_linker *linker, struct publication *publication)
{
	struct publisher *publisher = publication->queue;
	struct publication *previous = NULL;

	/* Almost always the first. */
	for (struct publication *p = publisher->first; p != publication; p = p->next_of_publisher) {
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
	latch(linker, publisher, publication);
}

void publication_settle_now(struct flow_linker *linker, struct publication *publication, bool is_end_of_trace)
{
	if (publication->is_settled) {
		return;
	}
	publication_reference(publication);
	publication->is_settled = true;
	tell_all_expected(linker, publication, is_end_of_trace);
	for (size_t i = 0; i < publication->public.parent_count; i++) {
		struct execution_node *parent = (struct execution_node *)publication->public.parents[i];

		parent->unsettled_publications--;
		execution_check_finished(linker, parent);
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
	publication_release(linker, publication);
	if (publication->queue) {
		remove_from_queue(linker, publication);
	} else {
		publication->is_forgotten = true;
		forget_key(linker, publication);
	}
	publication_release(linker, publication);
}

void publisher_settle(struct flow_linker *linker, struct publisher *publisher)
{
	if (!publisher->topic && publisher->model->topic) {
		publisher->topic = flow_topic(linker, publisher->model->topic);
	}
	while (publisher->first && is_settled(linker, publisher->first)) {
		publication_settle_now(linker, publisher->first, false);
	}
}

void flow_settle_aged(struct flow_linker *linker)
{
	while (linker->oldest && flow_is_aged(linker, linker->oldest)) {
		publication_settle_now(linker, linker->oldest, false);
	}
}

void flow_settle_all(struct flow_linker *linker)
{
	while (linker->oldest) {
		publication_settle_now(linker, linker->oldest, true);
	}
}

/* --- topics --- */

bool flow_subscription_comes_before(struct flow_linker *linker, const struct model_subscription *left,
				    const struct model_subscription *right)
{
	const struct recording_process *left_process = recording_process(linker->recording, left->process);
	const struct recording_process *right_process = recording_process(linker->recording, right->process);

	if (left->since_ns != right->since_ns) {
		return left->since_ns < right->since_ns;
	}
	if (left_process->vpid != right_process->vpid) {
		return left_process->vpid < right_process->vpid;
	}
	if (left_process->pid_ns != right_process->pid_ns) {
		return left_process->pid_ns < right_process->pid_ns;
	}
	return left->handle < right->handle;
}

static bool add_to_topic(struct flow_linker *linker, struct model_subscription *subscription)
{
	GPtrArray *subscriptions;
	guint place;

	if (!subscription->topic) {
		return false;
	}
	subscriptions = flow_topic(linker, subscription->topic)->subscriptions;
	for (place = subscriptions->len; place > 0; place--) {
		if (!flow_subscription_comes_before(linker, subscription,
						    g_ptr_array_index(subscriptions, place - 1))) {
			break;
		}
	}
	g_ptr_array_insert(subscriptions, (gint)place, subscription);
	return true;
}

/* Subscriptions were defined: finds them, and those that were seen before they were defined. */
void flow_subscriptions_changed(struct flow_linker *linker)
{
	for (guint i = 0; i < linker->undefined_subscriptions->len;) {
		if (add_to_topic(linker, g_ptr_array_index(linker->undefined_subscriptions, i))) {
			g_ptr_array_remove_index_fast(linker->undefined_subscriptions, i);
		} else {
			i++;
		}
	}
	for (; linker->subscriptions_seen < object_model_subscription_count(linker->model);
	     linker->subscriptions_seen++) {
		struct model_subscription *subscription =
			object_model_subscription_at(linker->model, linker->subscriptions_seen);

		if (!add_to_topic(linker, subscription)) {
			g_ptr_array_add(linker->undefined_subscriptions, subscription);
		}
	}
}
