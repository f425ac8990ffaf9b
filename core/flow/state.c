/* SPDX-License-Identifier: MIT */
#include "core/flow/state.h"

/* --- notes --- */

struct flow_note *flow_note_create(struct flow_linker *linker, const struct linked_publication *publication)
{
	struct flow_note *note = object_pool_take(&linker->notes);

	note->references = 1;
	if (publication) {
		flow_note_set(note, publication);
	}
	return note;
}

struct flow_note *flow_note_reference(struct flow_note *note)
{
	note->references++;
	return note;
}

static void stop_waiting(struct flow_linker *linker, struct flow_note *note)
{
	struct linked_execution *awaited = (struct linked_execution *)note->awaited;

	if (awaited) {
		note->awaited = NULL;
		execution_release(linker, awaited);
	}
}

void flow_note_release(struct flow_linker *linker, struct flow_note *note)
{
	if (--note->references == 0) {
		stop_waiting(linker, note);
		object_pool_give(&linker->notes, note);
	}
}

bool flow_note_is_final(struct flow_linker *linker, struct flow_note *note)
{
	const struct linked_execution *awaited = (const struct linked_execution *)note->awaited;

	if (awaited && awaited->is_resolved) {
		note->parent_flow_id = awaited->public.flow_id;
		stop_waiting(linker, note);
	}
	return note->is_linked && !note->awaited;
}

void flow_note_set(struct flow_note *note, const struct linked_publication *publication)
{
	note->is_linked = true;
	if (!publication) {
		return;
	}
	note->flow_id = publication->public.id;
	note->first_publish_ns = publication->public.first_ns;
	if (publication->public.has_direct_parent) {
		/* The flow whose callback made the publication. */
		note->awaited = &execution_reference((struct linked_execution *)publication->public.parents[0])->public;
	}
}

void flow_note_offer(struct flow_linker *linker, struct flow_note *note)
{
	if (linker->note) {
		flow_note_release(linker, linker->note);
	}
	linker->note = note;
}

/* --- executions --- */

struct linked_execution *execution_create(struct flow_linker *linker, struct model_callback *callback,
					  const struct model_callback_info *info, uint32_t thread, int64_t start_ns)
{
	struct linked_execution *execution = object_pool_take(&linker->executions_pool);

	linker->counts.live_executions++;
	execution->references = 1;
	execution->serial = ++linker->next_serial;
	execution->subscription = info->subscription;
	execution->public.callback = callback;
	execution->public.thread = thread;
	execution->public.start_ns = start_ns;
	execution->public.kind = info->kind;
	return execution;
}

struct linked_execution *execution_reference(struct linked_execution *execution)
{
	execution->references++;
	return execution;
}

void execution_release(struct flow_linker *linker, struct linked_execution *execution)
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

/* --- publications --- */

struct linked_publication *publication_create(struct flow_linker *linker, struct flow_thread *thread, int64_t time_ns)
{
	struct linked_publication *publication = object_pool_take(&linker->publications);

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
	linker->aged_due_ns = linker->counts.live_publications > FLOW_LIVE_MAX
				      ? INT64_MIN
				      : MIN(linker->aged_due_ns, time_ns + FLOW_AGE_NS);
	return publication;
}

struct linked_publication *publication_reference(struct linked_publication *publication)
{
	publication->references++;
	return publication;
}

void publication_release(struct flow_linker *linker, struct linked_publication *publication)
{
	if (--publication->references > 0) {
		return;
	}
	for (size_t i = 0; i < publication->public.parent_count; i++) {
		execution_release(linker, (struct linked_execution *)publication->public.parents[i]);
	}
	if (publication->public.parents != &publication->only_parent) {
		g_free(publication->public.parents);
	}
	while (publication->deliveries) {
		struct linked_delivery *delivery = publication->deliveries;

		publication->deliveries = delivery->next;
		object_pool_give(&linker->deliveries, delivery);
	}
	/* The note lies in the third cache line, which nothing else here touches. */
	if (linker->keeps_notes && publication->note) {
		flow_note_release(linker, publication->note);
	}
	linker->counts.live_publications--;
	object_pool_give(&linker->publications, publication);
}

/* Room doubles. Most publications have one parent at most: that needs no memory of its own. */
static void make_room_for_parent(struct linked_publication *publication)
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

void publication_add_parent(struct flow_linker *linker, struct linked_publication *publication,
			    struct linked_execution *execution)
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

struct flow_publisher *flow_publisher(struct flow_linker *linker, struct model_publisher *model)
{
	struct flow_publisher *publisher;

	while (linker->publishers->len <= model->index) {
		g_ptr_array_add(linker->publishers, NULL);
	}
	publisher = g_ptr_array_index(linker->publishers, model->index);
	if (!publisher) {
		publisher = g_new0(struct flow_publisher, 1);
		publisher->model = model;
		publisher->channels = g_ptr_array_new();
		g_ptr_array_index(linker->publishers, model->index) = publisher;
	}
	if (!publisher->topic && model->topic) {
		publisher->topic = flow_topic(linker, model->topic);
	}
	return publisher;
}

struct flow_topic *flow_topic(struct flow_linker *linker, const char *name)
{
	struct flow_topic *topic = u64_map_get_pointer(&linker->topics, (uint64_t)(uintptr_t)name);

	if (!topic) {
		topic = g_new0(struct flow_topic, 1);
		topic->name = name;
		u64_map_set_pointer(&linker->topics, (uint64_t)(uintptr_t)name, topic);
	}
	return topic;
}

void publication_set_publisher(struct flow_linker *linker, struct linked_publication *publication,
			       struct model_publisher *model)
{
	struct flow_publisher *publisher = flow_publisher(linker, model);

	publication->public.publisher = model;
	publication->sequence = ++publisher->sequence;
	publication->public.number = (uint32_t)publisher->sequence;
	publication->queue = publisher;
	publication_reference(publication);
	if (publisher->last) {
		publisher->last->next_of_publisher = publication;
	} else {
		publisher->first = publication;
	}
	publisher->last = publication;
}

/* Makes the publication known by its key: its source timestamp, or request_key() of service.c of a request or response.
 */
bool publication_set_key(struct flow_linker *linker, struct linked_publication *publication, uint64_t key)
{
	if (publication->is_indexed || publication->is_forgotten) {
		return false;
	}
	publication->key = key;
	publication->next_with_key = u64_map_get_pointer(&linker->by_key, key);
	publication->is_indexed = true;
	u64_map_set_pointer(&linker->by_key, key, publication_reference(publication));
	return true;
}

bool publication_set_stamp(struct flow_linker *linker, struct linked_publication *publication, uint64_t stamp)
{
	if (!publication_set_key(linker, publication, stamp)) {
		return false;
	}
	publication->public.has_stamp = true;
	publication->public.source_timestamp = (int64_t)stamp;
	publication->is_waiting_for_stamp = false;
	return true;
}

struct linked_delivery *publication_add_delivery(struct flow_linker *linker, struct linked_publication *publication,
						 struct model_subscription *subscription, bool is_intra_process)
{
	struct linked_delivery *delivery = object_pool_take(&linker->deliveries);

	delivery->public.publication = &publication->public;
	delivery->public.subscription = subscription;
	delivery->public.is_intra_process = is_intra_process;
	delivery->next = publication->deliveries;
	publication->deliveries = delivery;
	return delivery;
}

struct linked_delivery *publication_delivery_to(const struct linked_publication *publication,
						const struct model_subscription *subscription)
{
	for (struct linked_delivery *delivery = publication->deliveries; delivery; delivery = delivery->next) {
		if (delivery->public.subscription == subscription) {
			return delivery;
		}
	}
	return NULL;
}

/* --- threads and processes --- */

static void set_at_index(GPtrArray *array, uint32_t index, void *value)
{
	if (array->len <= index) {
		g_ptr_array_set_size(array, (gint)index + 1);
	}
	g_ptr_array_index(array, index) = value;
}

static void add_trace(struct flow_process *process, uint32_t trace)
{
	for (guint i = 0; i < process->traces->len; i++) {
		if (g_array_index(process->traces, uint32_t, i) == trace) {
			return;
		}
	}
	g_array_append_val(process->traces, trace);
}

struct flow_thread *flow_add_thread(struct flow_linker *linker, uint32_t index)
{
	const struct recording_thread *of = recording_thread(linker->recording, index);
	struct flow_thread *thread = g_new0(struct flow_thread, 1);

	thread->index = index;
	thread->process_index = of->process;
	thread->has_vtid = of->has_vtid;
	thread->process = flow_process(linker, of->process);
	add_trace(thread->process, of->trace);
	set_at_index(linker->threads, index, thread);
	return thread;
}

struct flow_process *flow_add_process(struct flow_linker *linker, uint32_t index)
{
	struct flow_process *process = g_new0(struct flow_process, 1);

	u64_map_init(&process->buffers);
	u64_map_init(&process->copies);
	process->traces = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	set_at_index(linker->processes, index, process);
	return process;
}

struct linked_execution *flow_current_execution(struct flow_linker *linker, const struct flow_thread *thread)
{
	const struct execution *current;

	/* Without vtids it may be another thread's. */
	if (!thread->has_vtid) {
		return NULL;
	}
	current = executions_current(linker->executions, thread->index);
	return current ? current->flow : NULL;
}

void flow_count_topic(struct flow_linker *linker, enum diagnostic what, const char *topic)
{
	uint64_t key = (uint64_t)(uintptr_t)string_pool_intern(recording_pool(linker->recording), topic);
	uint64_t count = u64_map_get(&linker->topic_counts[what], key);

	u64_map_set(&linker->topic_counts[what], key, count == U64_MAP_NONE ? 1 : count + 1);
}

void flow_note_unlinked_take(struct flow_linker *linker, const struct model_subscription *subscription, int64_t take_ns)
{
	static const int64_t never = INT64_MIN;

	while (linker->unlinked_takes->len <= subscription->index) {
		g_array_append_val(linker->unlinked_takes, never);
	}
	g_array_index(linker->unlinked_takes, int64_t, subscription->index) = take_ns;
}

int64_t flow_last_unlinked_take_ns(const struct flow_linker *linker, const struct model_subscription *subscription)
{
	return subscription->index < linker->unlinked_takes->len
		       ? g_array_index(linker->unlinked_takes, int64_t, subscription->index)
		       : INT64_MIN;
}
