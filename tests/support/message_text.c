/* SPDX-License-Identifier: MIT */
#include "support/message_text.h"

#include <inttypes.h>
#include <stdbool.h>

static void append_time(GString *text, const bt_clock_snapshot *snapshot)
{
	int64_t time_ns;

	if (!snapshot) {
		g_string_append(text, " -");
	} else if (bt_clock_snapshot_get_ns_from_origin(snapshot, &time_ns) ==
		   BT_CLOCK_SNAPSHOT_GET_NS_FROM_ORIGIN_STATUS_OK) {
		g_string_append_printf(text, " %" PRIi64, time_ns);
	} else {
		bt_current_thread_clear_error();
		g_string_append(text, " overflow");
	}
}

static void append_structure(GString *text, const bt_field *field, const char *mark);

static void append_field(GString *text, const bt_field *field)
{
	bt_field_class_type type = bt_field_get_class_type(field);

	if (type == BT_FIELD_CLASS_TYPE_STRING) {
		g_string_append_printf(text, "'%s'", bt_field_string_get_value(field));
	} else if (type == BT_FIELD_CLASS_TYPE_BOOL) {
		g_string_append(text, bt_field_bool_get_value(field) ? "true" : "false");
	} else if (type == BT_FIELD_CLASS_TYPE_BIT_ARRAY) {
		g_string_append_printf(text, "%" PRIu64, bt_field_bit_array_get_value_as_integer(field));
	} else if (type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL) {
		g_string_append_printf(text, "%g", (double)bt_field_real_single_precision_get_value(field));
	} else if (type == BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL) {
		g_string_append_printf(text, "%g", bt_field_real_double_precision_get_value(field));
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER)) {
		g_string_append_printf(text, "%" PRIi64, bt_field_integer_signed_get_value(field));
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)) {
		g_string_append_printf(text, "%" PRIu64, bt_field_integer_unsigned_get_value(field));
	} else if (type == BT_FIELD_CLASS_TYPE_STRUCTURE) {
		append_structure(text, field, "");
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY)) {
		for (uint64_t i = 0; i < bt_field_array_get_length(field); i++) {
			g_string_append(text, i > 0 ? ";" : "");
			append_field(text, bt_field_array_borrow_element_field_by_index_const(field, i));
		}
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_OPTION)) {
		const bt_field *content = bt_field_option_borrow_field_const(field);

		g_string_append(text, content ? "" : "none");
		if (content) {
			append_field(text, content);
		}
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_VARIANT)) {
		append_field(text, bt_field_variant_borrow_selected_option_field_const(field));
	} else {
		g_string_append(text, "?");
	}
}

static void append_structure(GString *text, const bt_field *field, const char *mark)
{
	const bt_field_class *field_class;
	uint64_t count;

	if (!field) {
		return;
	}
	field_class = bt_field_borrow_class_const(field);
	count = bt_field_class_structure_get_member_count(field_class);
	g_string_append(text, " {");
	for (uint64_t i = 0; i < count; i++) {
		const bt_field_class_structure_member *member =
			bt_field_class_structure_borrow_member_by_index_const(field_class, i);

		g_string_append_printf(text, "%s%s%s=", i > 0 ? " " : "", mark,
				       bt_field_class_structure_member_get_name(member));
		append_field(text, bt_field_structure_borrow_member_field_by_index_const(field, i));
	}
	g_string_append(text, "}");
}

static void append_stream(GString *text, const char *word, const bt_stream *stream)
{
	g_string_append_printf(text, "%s %s", word, bt_stream_get_name(stream) ? bt_stream_get_name(stream) : "-");
}

static bool has_clock(const bt_stream *stream)
{
	return bt_stream_class_borrow_default_clock_class_const(bt_stream_borrow_class_const(stream)) != NULL;
}

static void append_event(GString *text, const bt_message *message)
{
	const bt_event *event = bt_message_event_borrow_event_const(message);
	const bt_stream *stream = bt_event_borrow_stream_const(event);

	append_stream(text, "event", stream);
	g_string_append_printf(text, " %s", bt_event_class_get_name(bt_event_borrow_class_const(event)));
	append_time(text, has_clock(stream) ? bt_message_event_borrow_default_clock_snapshot_const(message) : NULL);
	append_structure(text, bt_event_borrow_common_context_field_const(event), "");
	append_structure(text, bt_event_borrow_specific_context_field_const(event), "+");
	append_structure(text, bt_event_borrow_payload_field_const(event), "");
}

static void append_packet_beginning(GString *text, const bt_message *message)
{
	const bt_packet *packet = bt_message_packet_beginning_borrow_packet_const(message);
	const bt_stream *stream = bt_packet_borrow_stream_const(packet);
	bool has_time =
		bt_stream_class_packets_have_beginning_default_clock_snapshot(bt_stream_borrow_class_const(stream));

	append_stream(text, "open", stream);
	append_time(text, has_time ? bt_message_packet_beginning_borrow_default_clock_snapshot_const(message) : NULL);
	append_structure(text, bt_packet_borrow_context_field_const(packet), "");
}

static void append_packet_end(GString *text, const bt_message *message)
{
	const bt_stream *stream = bt_packet_borrow_stream_const(bt_message_packet_end_borrow_packet_const(message));
	bool has_time = bt_stream_class_packets_have_end_default_clock_snapshot(bt_stream_borrow_class_const(stream));

	append_stream(text, "close", stream);
	append_time(text, has_time ? bt_message_packet_end_borrow_default_clock_snapshot_const(message) : NULL);
}

static void append_count(GString *text, bt_property_availability availability, uint64_t count)
{
	if (availability == BT_PROPERTY_AVAILABILITY_AVAILABLE) {
		g_string_append_printf(text, " %" PRIu64, count);
	} else {
		g_string_append(text, " ?");
	}
}

static void append_discarded_events(GString *text, const bt_message *message)
{
	const bt_stream *stream = bt_message_discarded_events_borrow_stream_const(message);
	uint64_t count = 0;
	bt_property_availability availability = bt_message_discarded_events_get_count(message, &count);

	append_stream(text, "lost", stream);
	if (bt_stream_class_discarded_events_have_default_clock_snapshots(bt_stream_borrow_class_const(stream))) {
		append_time(text, bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(message));
		append_time(text, bt_message_discarded_events_borrow_end_default_clock_snapshot_const(message));
	}
	append_count(text, availability, count);
}

static void append_discarded_packets(GString *text, const bt_message *message)
{
	const bt_stream *stream = bt_message_discarded_packets_borrow_stream_const(message);
	uint64_t count = 0;
	bt_property_availability availability = bt_message_discarded_packets_get_count(message, &count);

	append_stream(text, "lostpackets", stream);
	if (bt_stream_class_discarded_packets_have_default_clock_snapshots(bt_stream_borrow_class_const(stream))) {
		append_time(text, bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(message));
		append_time(text, bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(message));
	}
	append_count(text, availability, count);
}

static void append_stream_beginning(GString *text, const bt_message *message)
{
	const bt_stream *stream = bt_message_stream_beginning_borrow_stream_const(message);
	const bt_clock_snapshot *snapshot = NULL;

	append_stream(text, "begin", stream);
	if (has_clock(stream) && bt_message_stream_beginning_borrow_default_clock_snapshot_const(message, &snapshot) ==
					 BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN) {
		append_time(text, snapshot);
	}
}

static void append_stream_end(GString *text, const bt_message *message)
{
	const bt_stream *stream = bt_message_stream_end_borrow_stream_const(message);
	const bt_clock_snapshot *snapshot = NULL;

	append_stream(text, "end", stream);
	if (has_clock(stream) && bt_message_stream_end_borrow_default_clock_snapshot_const(message, &snapshot) ==
					 BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN) {
		append_time(text, snapshot);
	}
}

void message_text_append(GString *text, const bt_message *message)
{
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		append_event(text, message);
		break;
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		append_stream_beginning(text, message);
		break;
	case BT_MESSAGE_TYPE_STREAM_END:
		append_stream_end(text, message);
		break;
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		append_packet_beginning(text, message);
		break;
	case BT_MESSAGE_TYPE_PACKET_END:
		append_packet_end(text, message);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		append_discarded_events(text, message);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		append_discarded_packets(text, message);
		break;
	case BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY:
		g_string_append(text, "inactivity");
		append_time(text, bt_message_message_iterator_inactivity_borrow_clock_snapshot_const(message));
		break;
	}
	g_string_append_c(text, '\n');
}
