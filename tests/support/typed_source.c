/* SPDX-License-Identifier: MIT */
#include "support/typed_source.h"

#include <glib.h>

#include "ros2bt/bt/own.h"
#include "support/must.h"
#include "support/typed_fields.h"

struct source {
	bt_trace *trace;
	bt_stream *stream;
	bt_event_class *event_class;
	uint64_t mip_version;
};

struct player {
	bt_self_message_iterator *self;
	const struct source *source;
	const bt_packet *packet;
	size_t position;
};

/* The trace */

/* Frequency and so on, and what a protocol version knows of its identity. */
static bt_clock_class *create_clock_class(struct typed_fields *fields, bt_self_component *self)
{
	bt_clock_class *made = bt_clock_class_create(self);
	g_autoptr(bt_value) attributes = typed_fields_create_attributes();

	MUST(bt_clock_class_set_name(made, "clock") == 0);
	MUST(bt_clock_class_set_description(made, "of a test") == 0);
	bt_clock_class_set_frequency(made, 1000);
	bt_clock_class_set_offset(made, -2, 3);
	bt_clock_class_set_precision(made, 4);
	bt_clock_class_set_user_attributes(made, attributes);
#ifdef HAVE_BT2_MIP1
	if (fields->mip_version > 0) {
		bt_clock_class_set_accuracy(made, 5);
		MUST(bt_clock_class_set_namespace(made, "namespace") == 0);
		MUST(bt_clock_class_set_uid(made, "uid") == 0);
		MUST(bt_clock_class_set_origin(made, "origin namespace", "origin", "origin uid") == 0);
	}
#endif
	if (fields->mip_version == 0) {
		bt_clock_class_set_uuid(made, (const uint8_t *)"sixteen bytes...");
		bt_clock_class_set_origin_is_unix_epoch(made, BT_FALSE);
	}
	return made;
}

/* Its properties are set before it has a stream class, which freezes it. */
static bt_trace_class *create_trace_class(bt_self_component *self)
{
	bt_trace_class *made = bt_trace_class_create(self);
	g_autoptr(bt_value) attributes = typed_fields_create_attributes();

	bt_trace_class_set_user_attributes(made, attributes);
	return made;
}

static bt_stream_class *create_stream_class(struct typed_fields *fields, bt_self_component *self)
{
	bt_stream_class *made = bt_stream_class_create(fields->trace_class);
	g_autoptr(bt_clock_class) clock_class = create_clock_class(fields, self);
	g_autoptr(bt_value) attributes = typed_fields_create_attributes();
	g_autoptr(bt_field_class) packet = typed_fields_make_context(fields, IN_PACKET);
	g_autoptr(bt_field_class) common = typed_fields_make_context(fields, IN_COMMON);

	MUST(bt_stream_class_set_default_clock_class(made, clock_class) == 0);
	bt_stream_class_set_supports_packets(made, BT_TRUE, BT_FALSE, BT_FALSE);
	MUST(bt_stream_class_set_name(made, "streams") == 0);
	bt_stream_class_set_user_attributes(made, attributes);
#ifdef HAVE_BT2_MIP1
	if (fields->mip_version > 0) {
		MUST(bt_stream_class_set_namespace(made, "namespace") == 0);
		MUST(bt_stream_class_set_uid(made, "uid") == 0);
	}
#endif
	MUST(bt_stream_class_set_packet_context_field_class(made, packet) == 0);
	MUST(bt_stream_class_set_event_common_context_field_class(made, common) == 0);
	return made;
}

static bt_event_class *create_event_class(struct typed_fields *fields, bt_stream_class *stream_class, const char *name)
{
	bt_event_class *made = bt_event_class_create(stream_class);
	g_autoptr(bt_field_class) specific = typed_fields_make_context(fields, IN_SPECIFIC);
	g_autoptr(bt_field_class) payload = NULL;
	g_autoptr(bt_value) attributes = typed_fields_create_attributes();

	MUST(bt_event_class_set_name(made, name) == 0);
	MUST(bt_event_class_set_emf_uri(made, "uri:of:model") == 0);
	bt_event_class_set_log_level(made, BT_EVENT_CLASS_LOG_LEVEL_NOTICE);
	bt_event_class_set_user_attributes(made, attributes);
#ifdef HAVE_BT2_MIP1
	if (fields->mip_version > 0) {
		MUST(bt_event_class_set_namespace(made, "namespace") == 0);
		MUST(bt_event_class_set_uid(made, "uid") == 0);
	}
#endif
	MUST(bt_event_class_set_specific_context_field_class(made, specific) == 0);
	payload = typed_fields_make_payload(fields);
	MUST(bt_event_class_set_payload_field_class(made, payload) == 0);
	return made;
}

static bt_trace *create_trace(bt_trace_class *trace_class)
{
	bt_trace *made = bt_trace_create(trace_class);
	g_autoptr(bt_value) attributes = typed_fields_create_attributes();

	MUST(bt_trace_set_name(made, "trace") == 0);
	MUST(bt_trace_set_environment_entry_string(made, "hostname", "robot") == 0);
	MUST(bt_trace_set_environment_entry_integer(made, "number", -5) == 0);
	bt_trace_set_user_attributes(made, attributes);
	return made;
}

static bt_stream *create_stream(bt_stream_class *stream_class, bt_trace *trace)
{
	bt_stream *made = bt_stream_create(stream_class, trace);
	g_autoptr(bt_value) attributes = typed_fields_create_attributes();

	MUST(bt_stream_set_name(made, "stream") == 0);
	bt_stream_set_user_attributes(made, attributes);
	return made;
}

static bt_component_class_initialize_method_status
source_initialize(bt_self_component_source *self, bt_self_component_source_configuration *configuration,
		  const bt_value *params, void *event_name)
{
	bt_self_component *component = bt_self_component_source_as_self_component(self);
	g_autoptr(bt_trace_class) trace_class = create_trace_class(component);
	struct typed_fields fields = {
		.trace_class = trace_class,
		.mip_version = bt_self_component_get_graph_mip_version(component),
	};
	g_autoptr(bt_stream_class) stream_class = create_stream_class(&fields, component);
	struct source *source = g_new0(struct source, 1);

	source->mip_version = fields.mip_version;
	source->event_class = create_event_class(&fields, stream_class, event_name);
	source->trace = create_trace(trace_class);
	source->stream = create_stream(stream_class, source->trace);
	bt_self_component_set_data(component, source);
	MUST(bt_self_component_source_add_output_port(self, "out", NULL, NULL) == 0);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static void source_finalize(bt_self_component_source *self)
{
	struct source *source = bt_self_component_get_data(bt_self_component_source_as_self_component(self));

	bt_event_class_put_ref(source->event_class);
	bt_stream_put_ref(source->stream);
	bt_trace_put_ref(source->trace);
	g_free(source);
}

/* The messages */

/* `second_count`: how many members, from the first on, have their second value. */
static bt_message *create_event(const struct player *player, uint64_t ticks, size_t second_count)
{
	bt_message *message = bt_message_event_create_with_packet_and_default_clock_snapshot(
		player->self, player->source->event_class, player->packet, ticks);
	bt_event *event = bt_message_event_borrow_event(message);

	typed_fields_set_context(bt_event_borrow_common_context_field(event));
	typed_fields_set_context(bt_event_borrow_specific_context_field(event));
	typed_fields_set_payload(bt_event_borrow_payload_field(event), player->source->mip_version, second_count);
	return message;
}

static bt_message *create_open(struct player *player)
{
	bt_packet *packet = bt_packet_create(player->source->stream);

	typed_fields_set_context(bt_packet_borrow_context_field(packet));
	player->packet = packet;
	return bt_message_packet_beginning_create(player->self, packet);
}

/* NULL behind the last. */
static bt_message *create_message(struct player *player)
{
	size_t round = typed_fields_count(player->source->mip_version) + 1;
	size_t position = player->position++;

	if (position == 0) {
		return bt_message_stream_beginning_create(player->self, player->source->stream);
	}
	if (position == 1) {
		return create_open(player);
	}
	if (position < 2 + 2 * round) {
		return create_event(player, position, (position - 2) % round);
	}
	if (position == 2 + 2 * round) {
		return bt_message_packet_end_create(player->self, player->packet);
	}
	return position == 3 + 2 * round ? bt_message_stream_end_create(player->self, player->source->stream) : NULL;
}

static bt_message_iterator_class_next_method_status
player_next(bt_self_message_iterator *self, bt_message_array_const messages, uint64_t capacity, uint64_t *count)
{
	messages[0] = create_message(bt_self_message_iterator_get_data(self));
	*count = messages[0] != NULL;
	return messages[0] ? BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK
			   : BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END;
}

static bt_message_iterator_class_initialize_method_status
player_initialize(bt_self_message_iterator *self, bt_self_message_iterator_configuration *configuration,
		  bt_self_component_port_output *port)
{
	struct player *player = g_new0(struct player, 1);

	player->self = self;
	player->source = bt_self_component_get_data(bt_self_message_iterator_borrow_component(self));
	bt_self_message_iterator_set_data(self, player);
	return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static void player_finalize(bt_self_message_iterator *self)
{
	struct player *player = bt_self_message_iterator_get_data(self);

	bt_packet_put_ref(player->packet);
	g_free(player);
}

static bt_component_class_get_supported_mip_versions_method_status
source_mip_versions(bt_self_component_class_source *self, const bt_value *params, void *data,
		    bt_logging_level logging_level, bt_integer_range_set_unsigned *versions)
{
	MUST(bt_integer_range_set_unsigned_add_range(versions, 0, 1) == 0);
	return BT_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD_STATUS_OK;
}

const bt_component_source *typed_source_add(bt_graph *graph, const char *name, const void *event_name)
{
	bt_message_iterator_class *iterator_class = bt_message_iterator_class_create(player_next);
	bt_component_class_source *source_class;
	const bt_component_source *source = NULL;

	bt_message_iterator_class_set_initialize_method(iterator_class, player_initialize);
	bt_message_iterator_class_set_finalize_method(iterator_class, player_finalize);
	source_class = bt_component_class_source_create("typed", iterator_class);
	bt_component_class_source_set_initialize_method(source_class, source_initialize);
	bt_component_class_source_set_finalize_method(source_class, source_finalize);
	bt_component_class_source_set_get_supported_mip_versions_method(source_class, source_mip_versions);
	bt_message_iterator_class_put_ref(iterator_class);
	MUST(bt_graph_add_source_component_with_initialize_method_data(graph, source_class, name, NULL,
								       (void *)event_name, BT_LOGGING_LEVEL_NONE,
								       &source) == BT_GRAPH_ADD_COMPONENT_STATUS_OK);
	bt_component_class_source_put_ref(source_class);
	return source;
}
