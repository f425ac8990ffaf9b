/* SPDX-License-Identifier: MIT */
#include "core/named_paths/caret/caret_records.h"

#include "core/base/arena_parts.h"
#include "core/base/slots.h"
#include "ros2bt/base/u64_map.h"

const enum event_kind caret_records_kinds[] = {
	EVENT_CALLBACK_START,
	EVENT_RCLCPP_PUBLISH,
	EVENT_RCLCPP_INTRA_PUBLISH,
	EVENT_RCL_PUBLISH,
	EVENT_RMW_PUBLISH,
	EVENT_DDS_WRITE,
	EVENT_DDS_BIND_ADDR_TO_STAMP,
	EVENT_RMW_TAKE,
	EVENT_DISPATCH_SUBSCRIPTION_CALLBACK,
	EVENT_RCLCPP_RING_BUFFER_ENQUEUE,
	EVENT_RCLCPP_RING_BUFFER_DEQUEUE,
	EVENT_KIND_COUNT,
};

/* A message that a thread has published within the process, put into a ring buffer, or taken out of one. */
struct passing {
	bool is_set;
	int64_t publish_ns;
	struct caret_publisher *publisher;
};

struct thread_state {
	bool is_known;
	uint32_t process;
	int64_t start_ns;     /* of the last callback, or CARET_NO_TIME */
	bool is_publishing;   /* `row` and `publisher` belong to the last rclcpp_publish */
	bool has_bound_stamp; /* by dds_bind_addr_to_stamp */
	int64_t row[CARET_PUBLICATION_COLUMNS];
	struct model_publisher *publisher; /* NULL: not known yet */
	struct passing intra, dequeued;
	bool has_taken;
	int64_t stamp; /* of that take */
};

struct process_state {
	struct u64_map buffers; /* address → struct u64_map *: slot → struct passing * */
};

struct caret_records {
	struct recording *recording; /* borrowed, like the next two */
	struct object_model *model;
	struct executions *executions;
	struct caret_objects objects;
	GArray *threads;      /* struct thread_state, by index of the recording */
	GPtrArray *processes; /* struct process_state *, likewise; NULL: none */
	bool has_buffers;     /* some process records ring buffers */
};

/* --- threads --- */

static struct thread_state *thread_of(struct caret_records *records, uint32_t index)
{
	struct thread_state *thread;

	thread = array_at(records->threads, struct thread_state, index);
	if (!thread->is_known) {
		thread->is_known = true;
		thread->process = recording_thread(records->recording, index)->process;
		thread->start_ns = CARET_NO_TIME;
	}
	return thread;
}

/* --- publications --- */

/* The last publication of the thread is complete. Without publisher it is dropped: it never reached rcl. */
static void end_publication(struct caret_records *records, struct thread_state *thread)
{
	if (thread->is_publishing && thread->publisher) {
		const struct caret_publisher *of = caret_objects_publisher(&records->objects, thread->publisher);

		if (of->inter) {
			int64_t *row = caret_table_add(of->inter);

			for (size_t i = 0; i < CARET_PUBLICATION_COLUMNS; i++) {
				row[i] = thread->row[i];
			}
		}
	}
	thread->is_publishing = false;
}

static void set_once(int64_t *time_ns, int64_t value)
{
	*time_ns = *time_ns == CARET_NO_TIME ? value : *time_ns;
}

static int64_t running_callback(const struct caret_records *records, const struct event_record *record)
{
	const struct execution *execution = executions_current(records->executions, record->thread, record->time_ns);

	return execution ? (int64_t)execution->callback->index : CARET_NO_TIME;
}

static void begin_publication(struct caret_records *records, struct thread_state *thread,
			      const struct event_record *record)
{
	end_publication(records, thread);
	for (size_t i = 0; i < CARET_PUBLICATION_COLUMNS; i++) {
		thread->row[i] = CARET_NO_TIME;
	}
	thread->row[CARET_PUBLICATION_PUBLISH] = record->time_ns;
	thread->row[CARET_PUBLICATION_BEGIN] = thread->start_ns;
	thread->row[CARET_PUBLICATION_CALLBACK] = running_callback(records, record);
	thread->is_publishing = true;
	thread->has_bound_stamp = false;
	thread->publisher = NULL;
	if (record_has(record, RCLCPP_PUBLISH__publisher_handle) && record->word[RCLCPP_PUBLISH__publisher_handle]) {
		thread->publisher =
			object_model_publisher(records->model, thread->process,
					       record->word[RCLCPP_PUBLISH__publisher_handle], record->time_ns);
	}
}

static void publish_by_rcl(struct caret_records *records, struct thread_state *thread,
			   const struct event_record *record)
{
	if (thread->is_publishing && thread->row[CARET_PUBLICATION_RCL] == CARET_NO_TIME) {
		thread->row[CARET_PUBLICATION_RCL] = record->time_ns;
		thread->publisher = object_model_publisher(
			records->model, thread->process, record->word[RCL_PUBLISH__publisher_handle], record->time_ns);
	}
}

static void publish_by_rmw(struct thread_state *thread, const struct event_record *record, unsigned int stamp_slot)
{
	if (thread->is_publishing && thread->row[CARET_PUBLICATION_WRITE] == CARET_NO_TIME) {
		thread->row[CARET_PUBLICATION_WRITE] = record->time_ns;
		if (record_has(record, stamp_slot)) {
			set_once(&thread->row[CARET_PUBLICATION_STAMP], (int64_t)record->word[stamp_slot]);
		}
	}
}

static void bind_stamp(struct thread_state *thread, const struct event_record *record)
{
	if (thread->is_publishing && !thread->has_bound_stamp) {
		thread->has_bound_stamp = true;
		thread->row[CARET_PUBLICATION_STAMP] = (int64_t)record->word[DDS_BIND_ADDR_TO_STAMP__source_stamp];
	}
}

static void publish_intra(struct caret_records *records, struct thread_state *thread, const struct event_record *record)
{
	struct model_publisher *publisher = object_model_publisher(
		records->model, thread->process, record->word[RCLCPP_INTRA_PUBLISH__publisher_handle], record->time_ns);
	struct caret_publisher *of = caret_objects_publisher(&records->objects, publisher);

	if (of->intra) {
		int64_t *row = caret_table_add(of->intra);

		row[0] = record->time_ns;
		row[1] = thread->start_ns;
		row[2] = running_callback(records, record);
	}
	thread->intra = (struct passing){ true, record->time_ns, of };
}

/* --- within a process --- */

static struct u64_map *slots_of(struct caret_records *records, uint32_t process, uint64_t buffer)
{
	struct arena *arena = recording_arena(records->recording);
	gpointer *slot = slot_at(records->processes, process);
	struct process_state *state = *slot;
	struct u64_map *slots;

	if (!state) {
		state = *slot = arena_take(arena, sizeof(*state));
		arena_map(arena, &state->buffers);
	}
	slots = u64_map_get_pointer(&state->buffers, buffer);
	if (!slots) {
		slots = arena_take(arena, sizeof(*slots));
		arena_map(arena, slots);
		u64_map_set_pointer(&state->buffers, buffer, slots);
	}
	return slots;
}

static void enqueue(struct caret_records *records, struct thread_state *thread, const struct event_record *record)
{
	struct u64_map *slots;
	struct passing *slot;

	records->has_buffers = true;
	if (!thread->intra.is_set) {
		return;
	}
	slots = slots_of(records, thread->process, record->word[RCLCPP_RING_BUFFER_ENQUEUE__buffer]);
	slot = u64_map_get_pointer(slots, record->word[RCLCPP_RING_BUFFER_ENQUEUE__index]);
	if (!slot) {
		slot = arena_take(recording_arena(records->recording), sizeof(*slot));
		u64_map_set_pointer(slots, record->word[RCLCPP_RING_BUFFER_ENQUEUE__index], slot);
	}
	*slot = thread->intra;
}

static void dequeue(struct caret_records *records, struct thread_state *thread, const struct event_record *record)
{
	const struct u64_map *slots =
		slots_of(records, thread->process, record->word[RCLCPP_RING_BUFFER_DEQUEUE__buffer]);
	const struct passing *slot = u64_map_get_pointer(slots, record->word[RCLCPP_RING_BUFFER_DEQUEUE__index]);

	records->has_buffers = true;
	thread->dequeued = slot ? *slot : (struct passing){ 0 };
}

static void add_delivery(struct caret_publisher *publisher, int64_t publish_ns, int64_t start_ns,
			 const struct model_callback *callback)
{
	if (publisher->deliveries) {
		int64_t *row = caret_table_add(publisher->deliveries);

		row[CARET_DELIVERY_PUBLISH] = publish_ns;
		row[CARET_DELIVERY_START] = start_ns;
		row[CARET_DELIVERY_COLUMNS] = callback->index;
	}
}

/* Without ring buffers, the flow linker follows a message and its copies. */
static void on_delivered(void *data, const struct flow_delivery *delivery)
{
	struct caret_records *records = data;
	const struct flow_publication *publication = delivery->publication;

	if (delivery->is_intra_process && delivery->execution && publication->publisher && !records->has_buffers) {
		add_delivery(caret_objects_publisher(&records->objects, publication->publisher), publication->first_ns,
			     delivery->callback_start_ns, delivery->execution->callback);
	}
}

/* --- callbacks --- */

static struct caret_receiver *callback_of(struct caret_records *records, const struct thread_state *thread,
					  uint64_t address, int64_t time_ns, struct model_callback **callback)
{
	*callback = object_model_callback(records->model, thread->process, address, time_ns);
	return caret_objects_receiver(&records->objects, *callback);
}

static void take(struct caret_records *records, struct thread_state *thread, const struct event_record *record)
{
	const struct model_subscription *subscription = object_model_subscription_by_rmw(
		records->model, thread->process, record->word[RMW_TAKE__rmw_subscription_handle], record->time_ns);
	const struct caret_taker *of = caret_objects_taker(&records->objects, subscription);

	thread->has_taken = true;
	thread->stamp = (int64_t)record->word[RMW_TAKE__source_timestamp];
	if (of->takes) {
		caret_objects_add(of->takes, thread->stamp, record->time_ns);
	}
}

static void dispatch(struct caret_records *records, const struct thread_state *thread,
		     const struct event_record *record)
{
	struct model_callback *callback;
	struct caret_receiver *of = callback_of(records, thread, record->word[DISPATCH_SUBSCRIPTION_CALLBACK__callback],
						record->time_ns, &callback);

	of->dispatched_stamp = (int64_t)record->word[DISPATCH_SUBSCRIPTION_CALLBACK__source_stamp];
}

static void start(struct caret_records *records, struct thread_state *thread, const struct event_record *record)
{
	struct model_callback *callback;
	struct caret_receiver *of =
		callback_of(records, thread, record->word[CALLBACK_START__callback], record->time_ns, &callback);
	bool is_intra_process = record->word[CALLBACK_START__is_intra_process];
	int64_t stamp = CARET_NO_TIME;

	thread->start_ns = record->time_ns;
	if (thread->dequeued.is_set) {
		add_delivery(thread->dequeued.publisher, thread->dequeued.publish_ns, record->time_ns, callback);
		thread->dequeued.is_set = false;
	}
	if (!is_intra_process) {
		stamp = thread->has_taken ? thread->stamp : of->dispatched_stamp;
		of->dispatched_stamp = CARET_NO_TIME;
		thread->has_taken = false;
	}
	if (of->receptions && (is_intra_process || stamp != CARET_NO_TIME)) {
		caret_objects_add(of->receptions, record->time_ns, stamp);
	}
}

static void on_started(void *data, struct execution *execution)
{
}

static void on_ended(void *data, struct execution *execution, enum execution_outcome outcome)
{
	struct caret_records *records = data;
	struct caret_receiver *of;

	if (outcome != EXECUTION_COMPLETE && outcome != EXECUTION_DOUBTFUL) {
		return;
	}
	of = caret_objects_receiver(&records->objects, execution->callback);
	if (of->executions) {
		caret_objects_add(of->executions, execution->start_ns, execution->end_ns);
	}
}

/* --- life --- */

struct caret_records *caret_records_create(const struct analysis_context *context, GHashTable *nodes,
					   GHashTable *topics)
{
	struct arena *arena = recording_arena(context->recording);
	struct caret_records *records = arena_take(arena, sizeof(*records));

	*records = (struct caret_records){
		.recording = context->recording,
		.model = context->model,
		.executions = context->executions,
		.threads = arena_array(arena, sizeof(struct thread_state)),
		.processes = arena_pointers(arena),
	};
	caret_objects_init(&records->objects, arena, context->model, nodes, topics);
	executions_add_listener(
		context->executions,
		&(struct executions_listener){ .data = records, .started = on_started, .ended = on_ended });
	flow_linker_add_listener(context->flows, &(struct flow_listener){ .data = records, .delivered = on_delivered });
	return records;
}

void caret_records_feed(struct caret_records *records, const struct event_record *record)
{
	struct thread_state *thread = thread_of(records, record->thread);

	switch (record->kind) {
	case EVENT_CALLBACK_START:
		start(records, thread, record);
		break;
	case EVENT_RCLCPP_PUBLISH:
		begin_publication(records, thread, record);
		break;
	case EVENT_RCL_PUBLISH:
		publish_by_rcl(records, thread, record);
		break;
	case EVENT_RMW_PUBLISH:
		publish_by_rmw(thread, record, RMW_PUBLISH__timestamp);
		break;
	case EVENT_DDS_WRITE:
		publish_by_rmw(thread, record, DDS_WRITE__timestamp);
		break;
	case EVENT_DDS_BIND_ADDR_TO_STAMP:
		bind_stamp(thread, record);
		break;
	case EVENT_RCLCPP_INTRA_PUBLISH:
		publish_intra(records, thread, record);
		break;
	case EVENT_RCLCPP_RING_BUFFER_ENQUEUE:
		enqueue(records, thread, record);
		break;
	case EVENT_RCLCPP_RING_BUFFER_DEQUEUE:
		dequeue(records, thread, record);
		break;
	case EVENT_RMW_TAKE:
		take(records, thread, record);
		break;
	case EVENT_DISPATCH_SUBSCRIPTION_CALLBACK:
		dispatch(records, thread, record);
		break;
	default:
		break;
	}
}

void caret_records_finish(struct caret_records *records)
{
	for (guint i = 0; i < records->threads->len; i++) {
		end_publication(records, &g_array_index(records->threads, struct thread_state, i));
	}
}

const struct caret_objects *caret_records_objects(const struct caret_records *records)
{
	return &records->objects;
}
