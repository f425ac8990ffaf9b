/* SPDX-License-Identifier: MIT */
#include "core/bt/mirror/mirror_state.h"

#include "ros2bt/bt/field_copy.h"
#include "ros2bt/bt/own.h"

static bool copy_environment(const bt_trace *original, bt_trace *copy)
{
	uint64_t count = bt_trace_get_environment_entry_count(original);

	for (uint64_t i = 0; i < count; i++) {
		const char *name;
		const bt_value *value;
		bt_trace_set_environment_entry_status status = BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK;

		bt_trace_borrow_environment_entry_by_index_const(original, i, &name, &value);
		if (bt_value_is_string(value)) {
			status = bt_trace_set_environment_entry_string(copy, name, bt_value_string_get(value));
		} else if (bt_value_is_signed_integer(value)) {
			status = bt_trace_set_environment_entry_integer(copy, name, bt_value_integer_signed_get(value));
		}
		if (status != BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK) {
			return false;
		}
	}
	return true;
}

static bool copy_trace(struct mirror *mirror, const bt_trace *original, bt_trace *copy)
{
	const char *name = bt_trace_get_name(original);

#ifdef HAVE_BT2_MIP1
	if (mirror->mip_version > 0) {
		const char *namespace = bt_trace_get_namespace(original);

		if (namespace && bt_trace_set_namespace(copy, namespace) != BT_TRACE_SET_NAMESPACE_STATUS_OK) {
			return false;
		}
	}
#endif
	bt_trace_set_user_attributes(copy, bt_trace_borrow_user_attributes_const(original));
	return (!name || bt_trace_set_name(copy, name) == BT_TRACE_SET_NAME_STATUS_OK) &&
	       copy_environment(original, copy);
}

static bt_trace *mirror_trace(struct mirror *mirror, const bt_trace *original)
{
	bt_trace *found = u64_map_get_pointer(&mirror->traces, mirror_address_of(original));
	g_autoptr(bt_trace) copy = NULL;
	bt_trace_class *trace_class;

	if (found) {
		return found;
	}
	trace_class = mirror_trace_class(mirror, bt_trace_borrow_class_const(original));
	if (!trace_class) {
		return NULL;
	}
	copy = bt_trace_create(trace_class);
	if (!copy || !copy_trace(mirror, original, copy)) {
		return mirror_failed(mirror, "trace", bt_trace_get_name(original));
	}
	KEEP_ORIGINAL(mirror, original, trace);
	KEEP_COPY(mirror, copy, trace);
	u64_map_set_pointer(&mirror->traces, mirror_address_of(original), copy);
	return g_steal_pointer(&copy);
}

static uint64_t free_stream_id(const bt_trace *original, const bt_trace *copy)
{
	const bt_trace *traces[] = { original, copy };
	uint64_t id = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(traces); i++) {
		uint64_t count = bt_trace_get_stream_count(traces[i]);

		for (uint64_t k = 0; k < count; k++) {
			id = MAX(id, bt_stream_get_id(bt_trace_borrow_stream_by_index_const(traces[i], k)) + 1);
		}
	}
	return id;
}

static bool is_stream_id_used(const bt_trace *trace, const bt_stream_class *stream_class, uint64_t id)
{
	uint64_t count = bt_trace_get_stream_count(trace);

	for (uint64_t i = 0; i < count; i++) {
		const bt_stream *stream = bt_trace_borrow_stream_by_index_const(trace, i);

		if (bt_stream_borrow_class_const(stream) == stream_class && bt_stream_get_id(stream) == id) {
			return true;
		}
	}
	return false;
}

static bt_stream *make_stream(struct mirror *mirror, const bt_stream *original, bool has_own_id, const char *name)
{
	const bt_trace *original_trace = bt_stream_borrow_trace_const(original);
	bt_stream_class *stream_class = mirror_stream_class(mirror, bt_stream_borrow_class_const(original));
	bt_trace *trace = stream_class ? mirror_trace(mirror, original_trace) : NULL;
	uint64_t id = bt_stream_get_id(original);
	bt_stream *made;

	if (!trace) {
		return NULL;
	}
	if (has_own_id || is_stream_id_used(trace, stream_class, id)) {
		id = free_stream_id(original_trace, trace);
	}
	made = bt_stream_create_with_id(stream_class, trace, id);
	if (!made) {
		return mirror_failed(mirror, "stream", name);
	}
	KEEP_COPY(mirror, made, stream);
	return !name || bt_stream_set_name(made, name) == BT_STREAM_SET_NAME_STATUS_OK
		       ? made
		       : mirror_failed(mirror, "stream", name);
}

bt_stream *mirror_stream(struct mirror *mirror, const bt_stream *original)
{
	bt_stream *copy = u64_map_get_pointer(&mirror->streams, mirror_address_of(original));

	if (copy) {
		return copy;
	}
	copy = make_stream(mirror, original, false, bt_stream_get_name(original));
	if (copy) {
		bt_stream_set_user_attributes(copy, bt_stream_borrow_user_attributes_const(original));
		KEEP_ORIGINAL(mirror, original, stream);
		u64_map_set_pointer(&mirror->streams, mirror_address_of(original), copy);
	}
	return copy;
}

bt_stream *mirror_add_stream(struct mirror *mirror, const bt_stream *original, const char *name)
{
	return make_stream(mirror, original, true, name);
}

bt_packet *mirror_add_packet(struct mirror *mirror, bt_stream *stream, const bt_packet *original)
{
	bt_packet *made = bt_packet_create(stream);
	const bt_field *context = bt_packet_borrow_context_field_const(original);

	if (!made || (context && !field_copy(context, bt_packet_borrow_context_field(made)))) {
		bt_packet_put_ref(made);
		return mirror_failed(mirror, "packet of stream", bt_stream_get_name(stream));
	}
	return made;
}

bt_packet *mirror_packet(struct mirror *mirror, const bt_packet *original)
{
	bt_packet *copy = u64_map_get_pointer(&mirror->packets, mirror_address_of(original));
	bt_stream *stream;

	if (copy) {
		return copy;
	}
	stream = mirror_stream(mirror, bt_packet_borrow_stream_const(original));
	copy = stream ? mirror_add_packet(mirror, stream, original) : NULL;
	if (copy) {
		bt_packet_get_ref(original);
		u64_map_set_pointer(&mirror->packets, mirror_address_of(original), copy);
	}
	return copy;
}

void mirror_forget_packet(struct mirror *mirror, const bt_packet *original)
{
	uint64_t copy = u64_map_remove(&mirror->packets, mirror_address_of(original));

	if (copy != U64_MAP_NONE) {
		bt_packet_put_ref((const bt_packet *)(uintptr_t)copy);
		bt_packet_put_ref(original);
	}
}
