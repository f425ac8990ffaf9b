/* SPDX-License-Identifier: MIT */
#include "core/flow/flow_internal.h"

/* --- notes --- */

struct flow_note *flow_note_create(struct flow_linker *linker, const struct publication *publication)
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
	struct execution_node *awaited = (struct execution_node *)note->awaited;

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
	const struct execution_node *awaited = (const struct execution_node *)note->awaited;

	if (awaited && awaited->is_resolved) {
		note->parent_flow_id = awaited->public.flow_id;
		stop_waiting(linker, note);
	}
	return note->is_linked && !note->awaited;
}

void flow_note_set(struct flow_note *note, const struct publication *publication)
{
	note->is_linked = true;
	if (!publication) {
		return;
	}
	note->flow_id = publication->public.id;
	note->first_publish_ns = publication->public.first_ns;
	if (publication->public.has_direct_parent) {
		/* The flow whose callback made the publication. */
		note->awaited = &execution_reference((struct execution_node *)publication->public.parents[0])->public;
	}
}

void flow_note_tell(struct flow_linker *linker, struct flow_note *note)
{
	if (linker->note) {
		flow_note_release(linker, linker->note);
	}
	linker->note = note;
}

void flow_linker_keep_notes(struct flow_linker *linker)
{
	linker->keeps_notes = true;
}

struct flow_note *flow_linker_take_note(struct flow_linker *linker)
{
	struct flow_note *note = linker->note;

	linker->note = NULL;
	return note;
}

/* --- threads and processes --- */

static void set_at_index(GPtrArray *array, uint32_t index, void *value)
{
	if (array->len <= index) {
		g_ptr_array_set_size(array, (gint)index + 1);
	}
	g_ptr_array_index(array, index) = value;
}

struct thread *flow_add_thread(struct flow_linker *linker, uint32_t index)
{
	const struct recording_thread *of = recording_thread(linker->recording, index);
	struct thread *thread = g_new0(struct thread, 1);

	thread->index = index;
	thread->process_index = of->process;
	thread->has_vtid = of->has_vtid;
	thread->process = flow_process(linker, of->process);
	set_at_index(linker->threads, index, thread);
	return thread;
}

struct process *flow_add_process(struct flow_linker *linker, uint32_t index)
{
	struct process *process = g_new0(struct process, 1);

	u64_map_init(&process->buffers);
	u64_map_init(&process->copies);
	set_at_index(linker->processes, index, process);
	return process;
}

struct execution_node *flow_current_execution(struct flow_linker *linker, const struct thread *thread)
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

static void tell_topic_counts(struct flow_linker *linker)
{
	for (int what = 0; what < DIAGNOSTIC_COUNT; what++) {
		size_t position = 0;
		uint64_t topic;
		uint64_t count;

		while (u64_map_next(&linker->topic_counts[what], &position, &topic, &count)) {
			diagnostics_add(linker->diagnostics, what, (const char *)(uintptr_t)topic, count);
		}
	}
}

/* --- executions --- */

static void on_started(void *data, struct execution *execution)
{
	struct flow_linker *linker = data;
	struct thread *thread = flow_thread(linker, execution->thread);
	struct execution_node *node = object_pool_take(&linker->executions_pool);
	const struct model_callback_info *info = object_model_callback_info(linker->model, execution->callback);

	flow_publish_close(linker, thread);
	linker->counts.live_executions++;
	node->references = 1;
	node->serial = ++linker->next_serial;
	node->subscription = info->subscription;
	node->public.callback = execution->callback;
	node->public.thread = execution->thread;
	node->public.start_ns = execution->start_ns;
	node->public.kind = info->kind;
	execution->flow = node;
	if (thread->has_vtid) {
		flow_take_dispatch(linker, thread, node, info, execution->is_intra_process);
	} else {
		flow_take_drop(linker, thread);
		execution_set_cause(linker, node, NULL, NULL);
	}
	if (node->note) {
		flow_note_tell(linker, flow_note_reference(node->note));
	}
}

static void on_ended(void *data, struct execution *execution, enum execution_outcome outcome)
{
	struct flow_linker *linker = data;
	struct execution_node *node = execution->flow;

	if (!node) {
		return;
	}
	flow_publish_close(linker, flow_thread(linker, execution->thread));
	execution->flow = NULL;
	node->is_ended = true;
	node->public.is_complete = outcome == EXECUTION_COMPLETE;
	node->public.end_ns = outcome == EXECUTION_COMPLETE ? execution->end_ns : execution->start_ns;
	if (outcome == EXECUTION_COMPLETE && node->subscription) {
		flow_cache_keep(linker, node, node->subscription);
	}
	if (node->note) {
		flow_note_tell(linker, flow_note_reference(node->note));
	}
	execution_check_finished(linker, node);
	execution_release(linker, node);
}

/* --- feeding --- */

static void note_runtime(struct process *process, const struct event_record *record)
{
	if (!process->has_run) {
		process->has_run = true;
		process->first_runtime_ns = record->time_ns;
	}
}

/* Events of the trace may be missing: no thread of it goes on where it was. */
static void forget_threads(struct flow_linker *linker, uint16_t stream)
{
	uint32_t trace = recording_stream_trace(linker->recording, stream);

	for (guint i = 0; i < linker->threads->len; i++) {
		struct thread *thread = g_ptr_array_index(linker->threads, i);

		if (thread && recording_thread(linker->recording, thread->index)->trace == trace) {
			flow_publish_forget(linker, thread);
			flow_take_drop(linker, thread);
		}
	}
}

static void feed_event(struct flow_linker *linker, struct thread *thread, const struct event_record *record)
{
	switch (record->kind) {
	case EVENT_RCLCPP_PUBLISH:
	case EVENT_RCL_PUBLISH:
	case EVENT_RMW_PUBLISH:
	case EVENT_RCLCPP_INTRA_PUBLISH:
	case EVENT_DDS_WRITE:
	case EVENT_DDS_BIND_ADDR_TO_STAMP:
	case EVENT_DDS_BIND_ADDR_TO_ADDR:
		flow_publish_feed(linker, thread, record);
		break;
	case EVENT_RMW_TAKE:
	case EVENT_RCL_TAKE:
	case EVENT_RCLCPP_TAKE:
	case EVENT_DISPATCH_SUBSCRIPTION_CALLBACK:
		flow_take_feed(linker, thread, record);
		break;
	case EVENT_RCLCPP_RING_BUFFER_ENQUEUE:
	case EVENT_RCLCPP_RING_BUFFER_DEQUEUE:
	case EVENT_RCLCPP_RING_BUFFER_CLEAR:
	case EVENT_MESSAGE_CONSTRUCT:
	case EVENT_DISPATCH_INTRA_PROCESS_SUBSCRIPTION_CALLBACK:
		flow_intra_feed(linker, thread, record);
		break;
	case EVENT_RMW_SEND_REQUEST:
	case EVENT_RMW_TAKE_REQUEST:
	case EVENT_RMW_SEND_RESPONSE:
	case EVENT_RMW_TAKE_RESPONSE:
		flow_service_feed(linker, thread, record);
		break;
	case EVENT_CALLBACK_START:
		/* on_started() follows */
		if (thread->pending.publication) {
			publication_is_dispatched(thread->pending.publication);
		}
		break;
	case EVENT_RCLCPP_EXECUTOR_EXECUTE:
		flow_publish_close(linker, thread);
		flow_take_drop(linker, thread);
		break;
	default:
		break;
	}
}

void flow_linker_feed(struct flow_linker *linker, const struct event_record *record)
{
	struct thread *thread;

	if (linker->note) {
		flow_note_release(linker, linker->note);
		linker->note = NULL;
	}
	if (record->kind >= EVENT_KIND_COUNT) {
		if (record->kind != RECORD_STREAM_END) {
			linker->now_ns = record->time_ns;
			forget_threads(linker, record->stream);
		}
		return;
	}
	switch (event_class_of(record->kind)) {
	case EVENT_CLASS_INIT:
		if (record->kind == EVENT_RCL_SUBSCRIPTION_INIT || record->kind == EVENT_AGNOCAST_SUBSCRIPTION_INIT) {
			flow_subscriptions_changed(linker);
		} else if (record->kind == EVENT_MESSAGE_LINK_PERIODIC_ASYNC ||
			   record->kind == EVENT_MESSAGE_LINK_PARTIAL_SYNC) {
			flow_cache_feed(linker, record);
		}
		return;
	case EVENT_CLASS_MARK:
	case EVENT_CLASS_POLL:
		return;
	case EVENT_CLASS_RUNTIME:
		break;
	}
	linker->now_ns = record->time_ns;
	thread = flow_thread(linker, record->thread);
	note_runtime(thread->process, record);
	if (linker->waiting_first) {
		flow_take_expire(linker);
	}
	if (linker->oldest && flow_is_aged(linker, linker->oldest)) {
		flow_settle_aged(linker);
	}
	feed_event(linker, thread, record);
	if (linker->has_new_calibration) {
		linker->has_new_calibration = false;
		linker->is_retrying_inference = true;
		flow_take_retry_inference(linker);
		linker->is_retrying_inference = false;
	}
}

void flow_linker_finish(struct flow_linker *linker)
{
	if (linker->is_finished) {
		return;
	}
	linker->is_finished = true;
	for (guint i = 0; i < linker->threads->len; i++) {
		struct thread *thread = g_ptr_array_index(linker->threads, i);

		if (thread) {
			flow_publish_forget(linker, thread);
			flow_take_drop(linker, thread);
		}
	}
	flow_take_finish(linker);
	flow_settle_all(linker);
	flow_cache_finish(linker);
	tell_topic_counts(linker);
}

/* --- life --- */

struct flow_linker *flow_linker_create(struct recording *recording, struct object_model *model,
				       struct executions *executions, struct diagnostics *diagnostics)
{
	struct flow_linker *linker = g_new0(struct flow_linker, 1);

	linker->recording = recording;
	linker->model = model;
	linker->executions = executions;
	linker->diagnostics = diagnostics;
	object_pool_init(&linker->publications, sizeof(struct publication));
	object_pool_init(&linker->executions_pool, sizeof(struct execution_node));
	object_pool_init(&linker->deliveries, sizeof(struct delivery));
	object_pool_init(&linker->waiting_takes, sizeof(struct waiting_take));
	object_pool_init(&linker->notes, sizeof(struct flow_note));
	linker->threads = g_ptr_array_new_with_free_func(g_free);
	linker->processes = g_ptr_array_new();
	linker->publishers = g_ptr_array_new();
	linker->undefined_subscriptions = g_ptr_array_new();
	linker->marks = g_array_new(FALSE, TRUE, sizeof(uint64_t));
	linker->links = g_ptr_array_new_with_free_func(g_free);
	linker->caches = g_ptr_array_new_with_free_func(g_free);
	linker->inference = inference_create();
	executions_add_listener(executions, &(struct executions_listener){
						    .data = linker,
						    .started = on_started,
						    .ended = on_ended,
					    });
	return linker;
}

static void free_values(struct u64_map *map)
{
	size_t position = 0;
	uint64_t key;
	uint64_t value;

	while (u64_map_next(map, &position, &key, &value)) {
		g_free((void *)(uintptr_t)value);
	}
	u64_map_clear(map);
}

static void free_topics(struct flow_linker *linker)
{
	size_t position = 0;
	uint64_t key;
	uint64_t value;

	while (u64_map_next(&linker->topics, &position, &key, &value)) {
		g_ptr_array_free(((struct topic *)(uintptr_t)value)->subscriptions, TRUE);
	}
	free_values(&linker->topics);
}

/* A run that was broken off: what is under way is let go in the ordinary way, but nobody is told of it. */
static void abandon(struct flow_linker *linker)
{
	for (size_t i = 0; i < linker->listener_count; i++) {
		linker->listeners[i] = (struct flow_listener){
			.data = linker->listeners[i].data,
			.released = linker->listeners[i].released,
		};
	}
	flow_linker_finish(linker);
}

void flow_linker_destroy(struct flow_linker *linker)
{
	if (!linker) {
		return;
	}
	if (!linker->is_finished) {
		abandon(linker);
	}
	for (guint i = 0; i < linker->publishers->len; i++) {
		struct publisher *publisher = g_ptr_array_index(linker->publishers, i);

		if (publisher) {
			flow_publisher_clear(linker, publisher);
			g_ptr_array_free(publisher->receivers, TRUE);
		}
	}
	flow_cache_clear(linker);
	g_ptr_array_set_free_func(linker->publishers, g_free);
	g_ptr_array_free(linker->publishers, TRUE);
	for (guint i = 0; i < linker->processes->len; i++) {
		struct process *process = g_ptr_array_index(linker->processes, i);

		if (process) {
			flow_intra_clear_process(linker, process);
			g_free(process);
		}
	}
	g_ptr_array_free(linker->processes, TRUE);
	g_ptr_array_free(linker->threads, TRUE);
	g_ptr_array_free(linker->undefined_subscriptions, TRUE);
	g_ptr_array_free(linker->links, TRUE);
	g_ptr_array_free(linker->caches, TRUE);
	g_array_free(linker->marks, TRUE);
	free_topics(linker);
	free_values(&linker->channels);
	u64_map_clear(&linker->by_key);
	u64_map_clear(&linker->waiting_by_key);
	for (int what = 0; what < DIAGNOSTIC_COUNT; what++) {
		u64_map_clear(&linker->topic_counts[what]);
	}
	inference_destroy(linker->inference);
	object_pool_clear(&linker->publications);
	object_pool_clear(&linker->executions_pool);
	object_pool_clear(&linker->deliveries);
	object_pool_clear(&linker->waiting_takes);
	object_pool_clear(&linker->notes);
	g_free(linker);
}

void flow_linker_add_listener(struct flow_linker *linker, const struct flow_listener *listener)
{
	g_assert(linker->listener_count < FLOW_LISTENERS_MAX);
	linker->listeners[linker->listener_count++] = *listener;
}

void flow_linker_counts(const struct flow_linker *linker, struct flow_counts *counts)
{
	*counts = linker->counts;
}
