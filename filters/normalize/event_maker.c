/* SPDX-License-Identifier: MIT */
#include "filters/normalize/event_maker.h"

#include <glib.h>
#include <string.h>

#include "core/bt/field_copy.h"
#include "core/bt/own.h"
#include "core/bt/component_log.h"
#include "core/base/u64_map.h"

/* The event classes of supplied events of a stream class; NULL until needed. */
struct supplied_classes {
	const bt_event_class *by_kind[EVENT_KIND_COUNT];
};

struct event_maker {
	bt_self_message_iterator *self;
	struct mirror *mirror;	 /* borrowed; keeps originals and copies */
	struct u64_map supplied; /* original stream class → struct supplied_classes * */
	struct u64_map changed;	 /* original event class → const bt_event_class * */
};

struct event_maker *event_maker_create(bt_self_message_iterator *self, struct mirror *mirror)
{
	struct event_maker *maker = g_new0(struct event_maker, 1);

	maker->self = self;
	maker->mirror = mirror;
	u64_map_init(&maker->supplied);
	u64_map_init(&maker->changed);
	return maker;
}

void event_maker_destroy(struct event_maker *maker)
{
	uint64_t key, value;

	if (!maker) {
		return;
	}
	for (size_t position = 0; u64_map_next(&maker->supplied, &position, &key, &value);) {
		g_free((struct supplied_classes *)(uintptr_t)value);
	}
	u64_map_clear(&maker->supplied);
	u64_map_clear(&maker->changed);
	g_free(maker);
}

static void *failed(struct event_maker *maker, enum event_kind kind)
{
	iterator_error(maker->self, "cannot make an event ros2:%s: memory is short", event_schema_of(kind)->name);
	return NULL;
}

/* Field classes */

static bt_field_class *unsigned_class(bt_trace_class *trace_class, uint64_t bits, bool is_hexadecimal)
{
	bt_field_class *made = bt_field_class_integer_unsigned_create(trace_class);

	if (made) {
		bt_field_class_integer_set_field_value_range(made, bits);
		if (is_hexadecimal) {
			bt_field_class_integer_set_preferred_display_base(
				made, BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_HEXADECIMAL);
		}
	}
	return made;
}

static bt_field_class *signed_class(bt_trace_class *trace_class, uint64_t bits)
{
	bt_field_class *made = bt_field_class_integer_signed_create(trace_class);

	if (made) {
		bt_field_class_integer_set_field_value_range(made, bits);
	}
	return made;
}

static bt_field_class *array_class(bt_trace_class *trace_class, bt_field_class *element, uint64_t length)
{
	bt_field_class *made = NULL;

	if (element) {
		made = length ? bt_field_class_array_static_create(trace_class, element, length)
			      : bt_field_class_array_dynamic_create(trace_class, element, NULL);
	}
	bt_field_class_put_ref(element);
	return made;
}

static bt_field_class *class_of_type(bt_trace_class *trace_class, enum field_type type)
{
	switch (type) {
	case FIELD_TYPE_ADDRESS:
		return unsigned_class(trace_class, 64, true);
	case FIELD_TYPE_U64:
		return unsigned_class(trace_class, 64, false);
	case FIELD_TYPE_I64:
		return signed_class(trace_class, 64);
	case FIELD_TYPE_I32:
		return signed_class(trace_class, 32);
	case FIELD_TYPE_STRING:
		return bt_field_class_string_create(trace_class);
	case FIELD_TYPE_GID:
		return array_class(trace_class, unsigned_class(trace_class, 8, false), GID_SIZE);
	case FIELD_TYPE_ADDRESSES:
		return array_class(trace_class, unsigned_class(trace_class, 64, true), 0);
	}
	return NULL;
}

static bool append_member(bt_field_class *structure, const char *name, bt_field_class *member)
{
	bool is_done = structure && member &&
		       bt_field_class_structure_append_member(structure, name, member) ==
			       BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK;

	bt_field_class_put_ref(member);
	return is_done;
}

/* Fields of the newest layout that a record holds. */
static bool is_in_layout(const struct event_field *field)
{
	return field->slot != SKIP && event_field_in_release(field, RELEASE_NEWEST);
}

static bool set_payload_class(bt_event_class *event_class, bt_trace_class *trace_class,
			      const struct event_schema *schema)
{
	g_autoptr(bt_field_class) payload = bt_field_class_structure_create(trace_class);

	for (size_t i = 0; i < schema->field_count; i++) {
		const struct event_field *field = &schema->fields[i];

		if (is_in_layout(field) &&
		    !append_member(payload, field->name, class_of_type(trace_class, field->type))) {
			return false;
		}
	}
	return payload &&
	       bt_event_class_set_payload_field_class(event_class, payload) == BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK;
}

static bool add_label(bt_field_class *enumeration, const char *label, enum normalized_how how)
{
	g_autoptr(bt_integer_range_set_unsigned) ranges = bt_integer_range_set_unsigned_create();

	return ranges &&
	       bt_integer_range_set_unsigned_add_range(ranges, how, how) == BT_INTEGER_RANGE_SET_ADD_RANGE_STATUS_OK &&
	       bt_field_class_enumeration_unsigned_add_mapping(enumeration, label, ranges) ==
		       BT_FIELD_CLASS_ENUMERATION_ADD_MAPPING_STATUS_OK;
}

static bt_field_class *how_class(bt_trace_class *trace_class)
{
	g_autoptr(bt_field_class) made = bt_field_class_enumeration_unsigned_create(trace_class);

	if (!made) {
		return NULL;
	}
	bt_field_class_integer_set_field_value_range(made, 8);
	return add_label(made, "changed", NORMALIZED_CHANGED) && add_label(made, "supplied", NORMALIZED_SUPPLIED) &&
			       add_label(made, "inferred", NORMALIZED_INFERRED) &&
			       add_label(made, "unstamped", NORMALIZED_UNSTAMPED)
		       ? g_steal_pointer(&made)
		       : NULL;
}

/* What a changed event keeps of the original's specific context: all, but not the mark of an earlier normalization. */
static const bt_field_class *kept_context(const bt_event_class *original)
{
	const bt_field_class *context = bt_event_class_borrow_specific_context_field_class_const(original);

	return context && !bt_field_class_structure_borrow_member_by_name_const(context, NORMALIZED_MARK) ? context
													  : NULL;
}

static bool set_context_class(struct event_maker *maker, bt_event_class *event_class, bt_trace_class *trace_class,
			      const bt_trace_class *original_trace_class, const bt_field_class *kept)
{
	g_autoptr(bt_field_class) context = kept ? mirror_field_class(maker->mirror, original_trace_class, kept)
						 : bt_field_class_structure_create(trace_class);

	return append_member(context, NORMALIZED_MARK, how_class(trace_class)) &&
	       bt_event_class_set_specific_context_field_class(event_class, context) ==
		       BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK;
}

/* Event classes */

static const bt_event_class *make_class(struct event_maker *maker, enum event_kind kind,
					const bt_stream_class *original_stream_class, const bt_field_class *kept)
{
	const bt_trace_class *original_trace_class = bt_stream_class_borrow_trace_class_const(original_stream_class);
	const struct event_schema *schema = event_schema_of(kind);
	g_autofree char *name = g_strdup_printf("%s:%s", event_provider_name(EVENT_PROVIDER_ROS2), schema->name);
	bt_trace_class *trace_class = mirror_trace_class(maker->mirror, original_trace_class);
	bt_event_class *made = trace_class ? mirror_add_event_class(maker->mirror, original_stream_class, name) : NULL;

	if (!made || !set_context_class(maker, made, trace_class, original_trace_class, kept) ||
	    !set_payload_class(made, trace_class, schema)) {
		return failed(maker, kind);
	}
	return made;
}

static const bt_event_class *supplied_class(struct event_maker *maker, enum event_kind kind,
					    const bt_stream_class *stream_class)
{
	struct supplied_classes *classes = u64_map_get_pointer(&maker->supplied, (uintptr_t)stream_class);

	if (!classes) {
		classes = g_new0(struct supplied_classes, 1);
		u64_map_set_pointer(&maker->supplied, (uintptr_t)stream_class, classes);
	}
	if (!classes->by_kind[kind]) {
		classes->by_kind[kind] = make_class(maker, kind, stream_class, NULL);
	}
	return classes->by_kind[kind];
}

/* Events of one class have one layout, so they are changed into events of one kind. */
static const bt_event_class *changed_class(struct event_maker *maker, enum event_kind kind,
					   const bt_event_class *original)
{
	const bt_event_class *made = u64_map_get_pointer(&maker->changed, (uintptr_t)original);

	if (!made) {
		/* the mirror keeps the originals of its copies, so that this one's address stays its own */
		if (!mirror_event_class(maker->mirror, original)) {
			return NULL;
		}
		made = make_class(maker, kind, bt_event_class_borrow_stream_class_const(original),
				  kept_context(original));
		if (made) {
			u64_map_set_pointer(&maker->changed, (uintptr_t)original, made);
		}
	}
	return made;
}

/* Events */

static bool set_gid(bt_field *field, const uint8_t *gid)
{
	for (uint64_t i = 0; i < GID_SIZE; i++) {
		bt_field_integer_unsigned_set_value(bt_field_array_borrow_element_field_by_index(field, i),
						    gid ? gid[i] : 0);
	}
	return true;
}

static bool set_addresses(bt_field *field, const struct address_list *list)
{
	uint64_t count = list ? list->count : 0;

	if (bt_field_array_dynamic_set_length(field, count) != BT_FIELD_DYNAMIC_ARRAY_SET_LENGTH_STATUS_OK) {
		return false;
	}
	for (uint64_t i = 0; i < count; i++) {
		bt_field_integer_unsigned_set_value(bt_field_array_borrow_element_field_by_index(field, i),
						    list->address[i]);
	}
	return true;
}

/* `word` is 0 where the record has none. */
static bool set_field(bt_field *field, enum field_type type, uint64_t word)
{
	const char *text = (const char *)(uintptr_t)word;

	switch (type) {
	case FIELD_TYPE_ADDRESS:
	case FIELD_TYPE_U64:
		bt_field_integer_unsigned_set_value(field, word);
		return true;
	case FIELD_TYPE_I64:
		bt_field_integer_signed_set_value(field, (int64_t)word);
		return true;
	case FIELD_TYPE_I32:
		bt_field_integer_signed_set_value(field, (int32_t)word);
		return true;
	case FIELD_TYPE_STRING:
		return bt_field_string_set_value(field, text ? text : "") == BT_FIELD_STRING_SET_VALUE_STATUS_OK;
	case FIELD_TYPE_GID:
		return set_gid(field, (const uint8_t *)(uintptr_t)word);
	case FIELD_TYPE_ADDRESSES:
		return set_addresses(field, (const struct address_list *)(uintptr_t)word);
	}
	return false;
}

static bool set_payload(bt_field *payload, const struct event_record *record)
{
	const struct event_schema *schema = event_schema_of(record->kind);
	uint64_t member = 0;

	for (size_t i = 0; i < schema->field_count; i++) {
		const struct event_field *field = &schema->fields[i];

		if (is_in_layout(field)) {
			uint64_t word = record_has(record, field->slot) ? record->word[field->slot] : 0;

			if (!set_field(bt_field_structure_borrow_member_field_by_index(payload, member++), field->type,
				       word)) {
				return false;
			}
		}
	}
	return true;
}

static bool set_contexts(bt_event *event, const struct normalized_event *normalized, const bt_event *original)
{
	const bt_field *common = bt_event_borrow_common_context_field_const(original);
	bt_field *specific = bt_event_borrow_specific_context_field(event);
	uint64_t mark = bt_field_class_structure_get_member_count(bt_field_borrow_class_const(specific)) - 1;

	if ((common && !field_copy(common, bt_event_borrow_common_context_field(event))) ||
	    (mark > 0 && !field_copy(bt_event_borrow_specific_context_field_const(original), specific))) {
		return false;
	}
	bt_field_integer_unsigned_set_value(bt_field_structure_borrow_member_field_by_index(specific, mark),
					    normalized->how);
	return true;
}

static bt_message *create_message(struct event_maker *maker, const bt_event_class *event_class,
				  const bt_message *original)
{
	const bt_event *event = bt_message_event_borrow_event_const(original);
	const bt_stream *original_stream = bt_event_borrow_stream_const(event);
	const bt_clock_snapshot *snapshot = NULL;
	const bt_packet *packet;
	const bt_stream *stream;

	if (bt_message_event_borrow_stream_class_default_clock_class_const(original)) {
		snapshot = bt_message_event_borrow_default_clock_snapshot_const(original);
	}
	if (bt_stream_class_supports_packets(bt_stream_borrow_class_const(original_stream))) {
		packet = mirror_packet(maker->mirror, bt_event_borrow_packet_const(event));
		if (!packet) {
			return NULL;
		}
		return snapshot ? bt_message_event_create_with_packet_and_default_clock_snapshot(
					  maker->self, event_class, packet, bt_clock_snapshot_get_value(snapshot))
				: bt_message_event_create_with_packet(maker->self, event_class, packet);
	}
	stream = mirror_stream(maker->mirror, original_stream);
	if (!stream) {
		return NULL;
	}
	return snapshot ? bt_message_event_create_with_default_clock_snapshot(maker->self, event_class, stream,
									      bt_clock_snapshot_get_value(snapshot))
			: bt_message_event_create(maker->self, event_class, stream);
}

bt_message *event_maker_make(struct event_maker *maker, const struct normalized_event *normalized,
			     const bt_message *original)
{
	const bt_event *original_event = bt_message_event_borrow_event_const(original);
	const bt_event_class *original_class = bt_event_borrow_class_const(original_event);
	enum event_kind kind = normalized->record.kind;
	const bt_event_class *event_class =
		normalized->how == NORMALIZED_SUPPLIED
			? supplied_class(maker, kind, bt_event_class_borrow_stream_class_const(original_class))
			: changed_class(maker, kind, original_class);
	g_autoptr(bt_message) message = event_class ? create_message(maker, event_class, original) : NULL;
	bt_event *event;

	if (!message) {
		return failed(maker, kind);
	}
	event = bt_message_event_borrow_event(message);
	if (!set_contexts(event, normalized, original_event) ||
	    !set_payload(bt_event_borrow_payload_field(event), &normalized->record)) {
		return failed(maker, kind);
	}
	return g_steal_pointer(&message);
}
