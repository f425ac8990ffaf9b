/* SPDX-License-Identifier: MIT */
#include "filters/normalize/event_maker.h"

#include <glib.h>
#include <string.h>

#include "ros2bt/bt/field_copy.h"
#include "ros2bt/bt/own.h"
#include "ros2bt/bt/component_log.h"
#include "filters/normalize/made_classes.h"

struct event_maker {
	bt_self_message_iterator *self;
	struct mirror *mirror; /* borrowed; keeps originals and copies */
	struct made_classes *classes;
};

struct event_maker *event_maker_create(bt_self_message_iterator *self, struct mirror *mirror)
{
	struct event_maker *maker = g_new0(struct event_maker, 1);

	maker->self = self;
	maker->mirror = mirror;
	maker->classes = made_classes_create(self, mirror);
	return maker;
}

void event_maker_destroy(struct event_maker *maker)
{
	if (maker) {
		made_classes_destroy(maker->classes);
		g_free(maker);
	}
}

static void *failed(struct event_maker *maker, enum event_kind kind)
{
	iterator_error(maker->self, "cannot create an event ros2:%s: out of memory", event_schema_of(kind)->name);
	return NULL;
}

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
	case FIELD_TYPE_NAME:
		return bt_field_string_set_value(field, text ? text : "") == BT_FIELD_STRING_SET_VALUE_STATUS_OK;
	case FIELD_TYPE_GID:
		return set_gid(field, (const uint8_t *)(uintptr_t)word);
	case FIELD_TYPE_ADDRESSES:
		return set_addresses(field, (const struct address_list *)(uintptr_t)word);
	}
	return false;
}

/* `kept` is NULL for a supplied event. */
static bool set_payload(bt_field *payload, const struct event_record *record, const bt_event *original,
			const GArray *kept)
{
	const struct event_schema *schema = event_schema_of(record->kind);
	const bt_field *from = bt_event_borrow_payload_field_const(original);
	uint64_t member = 0;

	for (size_t i = 0; i < schema->field_count; i++) {
		const struct event_field *field = &schema->fields[i];

		if (made_class_has_field(field)) {
			uint64_t word = record_has(record, field->slot) ? record->word[field->slot] : 0;

			if (!set_field(bt_field_structure_borrow_member_field_by_index(payload, member++), field->type,
				       word)) {
				return false;
			}
		}
	}
	for (guint i = 0; kept && i < kept->len; i++) {
		if (!field_copy(bt_field_structure_borrow_member_field_by_index_const(from,
										      g_array_index(kept, uint64_t, i)),
				bt_field_structure_borrow_member_field_by_index(payload, member++))) {
			return false;
		}
	}
	return true;
}

/* The mark stands behind what is kept of the original's context. */
static bool set_contexts(bt_event *event, const struct normalized_event *normalized, const bt_event *original,
			 bool is_supplied)
{
	const bt_field *common = bt_event_borrow_common_context_field_const(original);
	bt_field *specific = bt_event_borrow_specific_context_field(event);
	uint64_t count = bt_field_class_structure_get_member_count(bt_field_borrow_class_const(specific));
	uint64_t mark = count - (is_supplied ? 1 : 2);

	if ((common && !field_copy(common, bt_event_borrow_common_context_field(event))) ||
	    (mark > 0 && !field_copy(bt_event_borrow_specific_context_field_const(original), specific))) {
		return false;
	}
	bt_field_integer_unsigned_set_value(bt_field_structure_borrow_member_field_by_index(specific, mark),
					    normalized->how);
	if (!is_supplied) {
		bt_field_integer_unsigned_set_value(bt_field_structure_borrow_member_field_by_index(specific, mark + 1),
						    0);
	}
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
	g_autoptr(bt_message) message = NULL;
	struct made_class class;
	bt_event *event;

	if (!made_classes_find(maker->classes, normalized, bt_event_borrow_class_const(original_event), &class)) {
		return NULL;
	}
	if (class.is_normalized) {
		return mirror_event(maker->mirror, original);
	}
	message = create_message(maker, class.event_class, original);
	if (!message) {
		return failed(maker, normalized->record.kind);
	}
	event = bt_message_event_borrow_event(message);
	if (!set_contexts(event, normalized, original_event, normalized_is_supplied(normalized->how)) ||
	    !set_payload(bt_event_borrow_payload_field(event), &normalized->record, original_event, class.kept)) {
		return failed(maker, normalized->record.kind);
	}
	return g_steal_pointer(&message);
}
