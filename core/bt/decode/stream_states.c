/* SPDX-License-Identifier: MIT */
#include "core/bt/decode/stream_states.h"

#include <string.h>

#include "core/base/memory_layout.h"
#include "core/events/trace_files/first_packet.h"
#include "ros2bt/bt/origins.h"
#include "ros2bt/events/event_schema.h"

void stream_states_init(struct stream_states *states, struct recording *recording, uint64_t mip_version)
{
	*states = (struct stream_states){ .recording = recording, .mip_version = mip_version };
	u64_map_init(&states->streams);
	u64_map_init(&states->traces);
}

static void stream_state_destroy(struct stream_state *state)
{
	bt_stream_put_ref(state->stream);
	context_plan_clear(&state->context);
	g_aligned_free(state);
}

void stream_states_clear(struct stream_states *states)
{
	uint64_t key, value;

	for (size_t position = 0; u64_map_next(&states->streams, &position, &key, &value);) {
		stream_state_destroy((struct stream_state *)(uintptr_t)value);
	}
	for (size_t position = 0; u64_map_next(&states->traces, &position, &key, &value);) {
		bt_trace_put_ref((const bt_trace *)(uintptr_t)key);
	}
	u64_map_clear(&states->streams);
	u64_map_clear(&states->traces);
}

static uint32_t add_trace(struct stream_states *states, const bt_trace *trace, const bt_stream_class *stream_class)
{
	struct recording_trace_info info;
	uint8_t identity[16];

	origins_describe_trace(trace, bt_stream_class_borrow_default_clock_class_const(stream_class),
			       states->mip_version, &info, identity);
	return recording_add_trace(states->recording, &info);
}

static uint32_t trace_index(struct stream_states *states, const bt_stream *stream)
{
	const bt_trace *trace = bt_stream_borrow_trace_const(stream);
	uint64_t index = u64_map_get(&states->traces, (uintptr_t)trace);

	if (index == U64_MAP_NONE) {
		bt_trace_get_ref(trace);
		index = add_trace(states, trace, bt_stream_borrow_class_const(stream));
		u64_map_set(&states->traces, (uintptr_t)trace, index);
	}
	return (uint32_t)index;
}

/*
 * Whether packets are missing before the first one. source.ctf.fs names a stream after its first file, and filters keep
 * the name.
 */
static void note_first_packet(const struct stream_states *states, const struct stream_state *state)
{
	const bt_clock_class *clock =
		bt_stream_class_borrow_default_clock_class_const(bt_stream_borrow_class_const(state->stream));
	const char *path = bt_stream_get_name(state->stream);
	struct first_packet packet;
	int64_t begin_ns;

	if (!clock || !path || !first_packet_read(path, &packet)) {
		return;
	}
	if (bt_clock_class_cycles_to_ns_from_origin(clock, packet.begin, &begin_ns) !=
	    BT_CLOCK_CLASS_CYCLES_TO_NS_FROM_ORIGIN_STATUS_OK) {
		bt_current_thread_clear_error();
		return;
	}
	recording_set_stream_lost_before(states->recording, state->index, packet.sequence_number, begin_ns);
}

/* Whether the stream is one of a kernel that records which threads run. */
static bool has_switches(const bt_stream_class *stream_class)
{
	for (uint64_t i = 0; i < bt_stream_class_get_event_class_count(stream_class); i++) {
		const char *name =
			bt_event_class_get_name(bt_stream_class_borrow_event_class_by_index_const(stream_class, i));

		if (name && strcmp(name, "sched_switch") == 0) {
			return true;
		}
	}
	return false;
}

/* Whether all that the stream may contain defines objects. */
static bool has_definitions_only(const bt_stream_class *stream_class)
{
	uint64_t count = bt_stream_class_get_event_class_count(stream_class);

	for (uint64_t i = 0; i < count; i++) {
		const char *name =
			bt_event_class_get_name(bt_stream_class_borrow_event_class_by_index_const(stream_class, i));
		enum event_provider provider;
		const struct event_schema *schema = name ? event_schema_find(name, &provider) : NULL;

		if (!schema || schema->class != EVENT_CLASS_INIT) {
			return false;
		}
	}
	return count > 0;
}

static struct stream_state *add_stream(struct stream_states *states, const bt_stream *stream)
{
	const bt_stream_class *stream_class = bt_stream_borrow_class_const(stream);
	struct stream_state *state = g_aligned_alloc0(1, sizeof(*state), CACHE_LINE);

	bt_stream_get_ref(stream);
	state->stream = stream;
	state->trace = trace_index(states, stream);
	state->index = recording_add_stream(states->recording, state->trace);
	state->record_head = event_record_head(&(struct event_record){ .stream = state->index });
	state->has_clock = bt_stream_class_borrow_default_clock_class_const(stream_class) != NULL;
	context_plan_init(&state->context, stream_class, recording_pool(states->recording));
	state->thread = RECORDING_NONE;
	state->ids = RECORDING_NONE;
	note_first_packet(states, state);
	if (has_switches(stream_class)) {
		recording_set_stream_has_switches(states->recording, state->index);
	}
	state->has_definitions_only = has_definitions_only(stream_class);
	states->definitions_only += state->has_definitions_only;
	recording_set_stream_has_definitions_only(states->recording, state->index, state->has_definitions_only);
	u64_map_set_pointer(&states->streams, (uintptr_t)stream, state);
	return state;
}

void stream_states_begin_batch(struct stream_states *states)
{
	uint64_t key, value;

	for (size_t position = 0; u64_map_next(&states->streams, &position, &key, &value);) {
		((struct stream_state *)(uintptr_t)value)->polls = NULL;
	}
}

void stream_states_note_more(struct stream_states *states, struct stream_state *state)
{
	if (!state->has_definitions_only) {
		return;
	}
	state->has_definitions_only = false;
	states->definitions_only--;
	recording_set_stream_has_definitions_only(states->recording, state->index, false);
}

struct stream_state *stream_states_find_other(struct stream_states *states, const bt_stream *stream)
{
	struct stream_state *state = u64_map_get_pointer(&states->streams, (uintptr_t)stream);

	states->last = state ? state : add_stream(states, stream);
	return states->last;
}

void stream_states_remove(struct stream_states *states, struct stream_state *state)
{
	(void)u64_map_remove(&states->streams, (uintptr_t)state->stream);
	states->last = NULL;
	states->definitions_only -= state->has_definitions_only;
	stream_state_destroy(state);
}

static bool is_same_context(const struct recording_context *one, const struct recording_context *other)
{
	return one->vpid == other->vpid && one->vtid == other->vtid && one->pid_ns == other->pid_ns;
}

static const bt_field *read_context(const struct stream_state *state, const bt_event *event,
				    struct recording_context *context)
{
	const bt_field *fields = state->context.has_context ? bt_event_borrow_common_context_field_const(event) : NULL;

	context_plan_read(&state->context, fields, context);
	return fields;
}

uint32_t stream_state_find_thread(struct stream_state *state, struct recording *recording, const bt_event *event)
{
	struct recording_context context;
	const bt_field *fields = read_context(state, event, &context);

	if (state->thread != RECORDING_NONE && is_same_context(&context, &state->last_context)) {
		return state->thread;
	}
	state->last_context = context;
	state->thread = recording_find_thread(recording, state->trace, &context);
	if (state->thread == RECORDING_NONE) {
		state->thread = recording_add_thread(recording, state->trace, &context,
						     context_plan_procname(&state->context, fields));
	}
	return state->thread;
}

void stream_state_name_process(const struct stream_state *state, struct recording *recording, const bt_event *event,
			       uint32_t thread)
{
	const bt_field *fields = state->context.has_context ? bt_event_borrow_common_context_field_const(event) : NULL;
	const char *procname = fields ? context_plan_procname(&state->context, fields) : NULL;

	recording_name_process(recording, thread, procname, procname ? strlen(procname) : 0);
}

uint32_t stream_state_ids(struct stream_state *state, struct recording *recording, const bt_event *event)
{
	struct recording_context context;

	(void)read_context(state, event, &context);
	if (!context.has_vpid || !context.has_vtid) {
		return RECORDING_NONE;
	}
	if (state->ids == RECORDING_NONE || !is_same_context(&context, &state->last_ids)) {
		state->last_ids = context;
		state->ids = recording_add_ids(recording, &context);
	}
	return state->ids;
}
