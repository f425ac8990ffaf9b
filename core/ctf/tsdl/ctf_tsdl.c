/* SPDX-License-Identifier: MIT */
#include "core/ctf/tsdl/ctf_tsdl.h"

#include <string.h>

#include "core/ctf/tsdl/tsdl_attribute.h"
#include "core/ctf/tsdl/tsdl_types.h"
#include "ros2bt/base/time_units.h"

static bool take_type(struct tsdl_parser *parser, struct tsdl_attribute *attribute)
{
	attribute->type = tsdl_parse_type(parser);
	return attribute->type && tsdl_expect(parser, ';');
}

/* The attributes of a block, each given to `set`. */
static bool parse_block(struct tsdl_parser *parser,
			bool (*set)(struct tsdl_parser *, const struct tsdl_attribute *, void *), void *data)
{
	g_auto(seen_names) seen = { 0 };

	if (!tsdl_expect(parser, '{')) {
		return false;
	}
	while (!tsdl_accept(parser, '}')) {
		struct tsdl_attribute attribute;

		if (!tsdl_attribute_parse(parser, &seen, &attribute) ||
		    (attribute.kind == ATTRIBUTE_TYPE && !take_type(parser, &attribute)) ||
		    !set(parser, &attribute, data)) {
			return false;
		}
	}
	return tsdl_expect(parser, ';');
}

static bool set_type(struct tsdl_parser *parser, const struct tsdl_attribute *attribute, const struct ctf_type **type)
{
	if (attribute->kind != ATTRIBUTE_TYPE || attribute->type->kind != CTF_STRUCTURE || *type) {
		return tsdl_attribute_refuse(parser, attribute);
	}
	*type = attribute->type;
	return true;
}

struct trace_block {
	bool has_major, has_minor, has_uuid, has_byte_order;
};

static bool set_version(struct tsdl_parser *parser, const struct tsdl_attribute *attribute, uint64_t version, bool *has)
{
	*has = true;
	return (attribute->kind == ATTRIBUTE_INTEGER && attribute->integer == version) ||
	       tsdl_refuse(parser, "not CTF 1.8");
}

static bool set_trace_attribute(struct tsdl_parser *parser, const struct tsdl_attribute *attribute, void *data)
{
	struct trace_block *block = data;
	bool is_native = false;

	if (tsdl_attribute_is(attribute, "major")) {
		return set_version(parser, attribute, 1, &block->has_major);
	}
	if (tsdl_attribute_is(attribute, "minor")) {
		return set_version(parser, attribute, 8, &block->has_minor);
	}
	if (tsdl_attribute_is(attribute, "uuid") && !block->has_uuid) {
		block->has_uuid = true;
		return tsdl_attribute_uuid(parser, attribute, parser->trace_class->uuid);
	}
	if (tsdl_attribute_is(attribute, "byte_order") && !block->has_byte_order) {
		block->has_byte_order = true;
		return (tsdl_attribute_byte_order(parser, attribute, &is_native, &parser->trace_class->is_big_endian) &&
			!is_native) ||
		       tsdl_attribute_refuse(parser, attribute);
	}
	if (tsdl_attribute_is(attribute, "packet.header")) {
		return set_type(parser, attribute, &parser->trace_class->packet_header);
	}
	return tsdl_attribute_refuse(parser, attribute);
}

static bool parse_trace(struct tsdl_parser *parser)
{
	struct trace_block block = { 0 };

	if (parser->has_trace) {
		return tsdl_refuse(parser, "second trace block");
	}
	parser->has_trace = true;
	if (!parse_block(parser, set_trace_attribute, &block)) {
		return false;
	}
	return (block.has_major && block.has_minor && block.has_uuid && block.has_byte_order &&
		parser->trace_class->packet_header) ||
	       tsdl_refuse(parser, "trace block lacks a required attribute");
}

static bool set_env_entry(struct tsdl_parser *parser, const struct tsdl_attribute *attribute, void *data)
{
	struct ctf_trace_class *trace_class = parser->trace_class;
	bool is_integer = attribute->kind == ATTRIBUTE_INTEGER;

	if (attribute->kind == ATTRIBUTE_TYPE || (attribute->kind == ATTRIBUTE_TEXT && !attribute->is_quoted) ||
	    tsdl_is_reserved(parser, attribute->name)) {
		return tsdl_attribute_refuse(parser, attribute);
	}
	if (is_integer && !attribute->is_negative && attribute->integer > INT64_MAX) {
		return tsdl_attribute_refuse(parser, attribute);
	}
	if (tsdl_attribute_is(attribute, "hostname")) {
		return tsdl_attribute_text(parser, attribute, &trace_class->hostname);
	}
	if (tsdl_attribute_is(attribute, "procname")) {
		return tsdl_attribute_text(parser, attribute, &trace_class->procname);
	}
	if (tsdl_attribute_is(attribute, "domain")) {
		trace_class->is_kernel = !is_integer && strcmp(attribute->text, "kernel") == 0;
	} else if (tsdl_attribute_is(attribute, "vpid")) {
		if (trace_class->has_vpid || !is_integer) {
			return tsdl_attribute_refuse(parser, attribute);
		}
		trace_class->has_vpid = true;
		trace_class->vpid = (int64_t)attribute->integer;
	} else if (is_integer) {
		ctf_tracer_set_integer(&trace_class->tracer, attribute->name, (int64_t)attribute->integer);
	} else {
		ctf_tracer_set_text(&trace_class->tracer, attribute->name, attribute->text);
	}
	return true;
}

static bool parse_env(struct tsdl_parser *parser)
{
	if (parser->has_env) {
		return tsdl_refuse(parser, "second env block");
	}
	parser->has_env = true;
	return parse_block(parser, set_env_entry, NULL) &&
	       (ctf_tracer_is_lttng(&parser->trace_class->tracer) || tsdl_refuse(parser, "not a trace of LTTng"));
}

static bool set_clock_attribute(struct tsdl_parser *parser, const struct tsdl_attribute *attribute, void *data)
{
	struct ctf_clock *clock = &parser->trace_class->clock;
	const char *ignored = NULL;
	uint64_t value;

	if (tsdl_attribute_is(attribute, "name")) {
		return tsdl_attribute_text(parser, attribute, &clock->name);
	}
	if (tsdl_attribute_is(attribute, "uuid")) {
		clock->has_uuid = true;
		return tsdl_attribute_uuid(parser, attribute, clock->uuid);
	}
	if (tsdl_attribute_is(attribute, "description")) {
		return tsdl_attribute_text(parser, attribute, &ignored);
	}
	if (tsdl_attribute_is(attribute, "freq")) {
		return tsdl_attribute_unsigned(parser, attribute, UINT64_MAX - 1, &clock->frequency);
	}
	if (tsdl_attribute_is(attribute, "precision")) {
		return tsdl_attribute_unsigned(parser, attribute, UINT64_MAX, &value);
	}
	if (tsdl_attribute_is(attribute, "offset")) {
		return tsdl_attribute_unsigned(parser, attribute, INT64_MAX, &clock->offset_cycles);
	}
	if (tsdl_attribute_is(attribute, "offset_s")) {
		clock->offset_s = (int64_t)attribute->integer;
		return (attribute->kind == ATTRIBUTE_INTEGER &&
			(attribute->is_negative || attribute->integer <= INT64_MAX / 4)) ||
		       tsdl_attribute_refuse(parser, attribute);
	}
	if (tsdl_attribute_is(attribute, "absolute")) {
		return tsdl_attribute_bool(parser, attribute, &clock->is_since_epoch);
	}
	return tsdl_attribute_refuse(parser, attribute);
}

static bool parse_clock(struct tsdl_parser *parser)
{
	struct ctf_clock *clock = &parser->trace_class->clock;

	if (parser->has_clock) {
		return tsdl_refuse(parser, "more than one clock is used; only one is supported");
	}
	parser->has_clock = true;
	clock->frequency = (uint64_t)NS_PER_S;
	if (!parse_block(parser, set_clock_attribute, NULL)) {
		return false;
	}
	if (!clock->name || clock->frequency == 0) {
		return tsdl_refuse(parser, "clock without name or frequency");
	}
	/* LTTng does not declare that its own clock is absolute. */
	clock->is_since_epoch |=
		ctf_tracer_is_lttng(&parser->trace_class->tracer) && strcmp(clock->name, "monotonic") == 0;
	if (!clock->is_since_epoch) {
		return tsdl_refuse(parser, "clock does not count from the Unix epoch");
	}
	clock->offset_s += (int64_t)(clock->offset_cycles / clock->frequency);
	clock->offset_cycles %= clock->frequency;
	return true;
}

struct stream_block {
	struct ctf_stream_class class;
	bool has_id;
};

static bool set_stream_attribute(struct tsdl_parser *parser, const struct tsdl_attribute *attribute, void *data)
{
	struct stream_block *block = data;

	if (tsdl_attribute_is(attribute, "id") && !block->has_id) {
		block->has_id = true;
		return tsdl_attribute_unsigned(parser, attribute, INT64_MAX, &block->class.id);
	}
	if (tsdl_attribute_is(attribute, "event.header")) {
		return set_type(parser, attribute, &block->class.event_header);
	}
	if (tsdl_attribute_is(attribute, "event.context")) {
		return set_type(parser, attribute, &block->class.event_context);
	}
	if (tsdl_attribute_is(attribute, "packet.context")) {
		return set_type(parser, attribute, &block->class.packet_context);
	}
	return tsdl_attribute_refuse(parser, attribute);
}

static bool parse_stream(struct tsdl_parser *parser)
{
	struct stream_block block = { 0 };

	if (!parse_block(parser, set_stream_attribute, &block)) {
		return false;
	}
	if (!block.has_id || !block.class.event_header || !block.class.packet_context) {
		return tsdl_refuse(parser, "stream block lacks a required attribute");
	}
	if (ctf_trace_class_find_stream(parser->trace_class, block.class.id)) {
		return tsdl_refuse(parser, "second stream with this id");
	}
	g_array_append_val(parser->trace_class->streams, block.class);
	return true;
}

struct event_block {
	struct ctf_event_class class;
	bool has_id, has_stream_id;
};

static bool set_event_attribute(struct tsdl_parser *parser, const struct tsdl_attribute *attribute, void *data)
{
	struct event_block *block = data;
	const char *ignored = NULL;
	uint64_t value;

	if (tsdl_attribute_is(attribute, "name")) {
		return tsdl_attribute_text(parser, attribute, &block->class.name);
	}
	if (tsdl_attribute_is(attribute, "id") && !block->has_id) {
		block->has_id = true;
		return tsdl_attribute_unsigned(parser, attribute, UINT32_MAX, &block->class.id);
	}
	if (tsdl_attribute_is(attribute, "stream_id") && !block->has_stream_id) {
		block->has_stream_id = true;
		return tsdl_attribute_unsigned(parser, attribute, INT64_MAX, &block->class.stream_id);
	}
	if (tsdl_attribute_is(attribute, "loglevel")) {
		return tsdl_attribute_unsigned(parser, attribute, INT64_MAX, &value);
	}
	if (tsdl_attribute_is(attribute, "model.emf.uri")) {
		return tsdl_attribute_text(parser, attribute, &ignored);
	}
	if (tsdl_attribute_is(attribute, "context")) {
		return set_type(parser, attribute, &block->class.context);
	}
	if (tsdl_attribute_is(attribute, "fields")) {
		return set_type(parser, attribute, &block->class.payload);
	}
	return tsdl_attribute_refuse(parser, attribute);
}

static bool parse_event(struct tsdl_parser *parser)
{
	struct event_block block = { 0 };

	if (!parse_block(parser, set_event_attribute, &block)) {
		return false;
	}
	if (!block.has_id || !block.has_stream_id || !block.class.name) {
		return tsdl_refuse(parser, "event block lacks a required attribute");
	}
	g_array_append_val(parser->trace_class->events, block.class);
	return true;
}

static bool parse_top_level(struct tsdl_parser *parser)
{
	if (tsdl_accept_name(parser, "typealias")) {
		return tsdl_parse_typealias(parser);
	}
	if (tsdl_is_at_name(parser, "struct")) {
		return tsdl_parse_type(parser) && tsdl_expect(parser, ';');
	}
	if (tsdl_accept_name(parser, "trace")) {
		return parse_trace(parser);
	}
	if (tsdl_accept_name(parser, "env")) {
		return parse_env(parser);
	}
	if (tsdl_accept_name(parser, "clock")) {
		return parse_clock(parser);
	}
	if (tsdl_accept_name(parser, "stream")) {
		return parse_stream(parser);
	}
	if (tsdl_accept_name(parser, "event")) {
		return parse_event(parser);
	}
	return tsdl_refuse(parser, "expected a declaration");
}

/* Integers without a byte order have that of the trace, which may be declared after them. */
static void resolve_byte_orders(struct ctf_trace_class *trace_class)
{
	for (guint i = 0; i < trace_class->types->len; i++) {
		struct ctf_type *type = g_ptr_array_index(trace_class->types, i);

		if ((type->kind == CTF_INTEGER || type->kind == CTF_FLOAT) && !type->has_own_byte_order) {
			type->is_big_endian = trace_class->is_big_endian;
		}
	}
}

static bool parse_all(struct tsdl_parser *parser)
{
	const char *why;

	tsdl_advance(parser);
	while (parser->token.kind != TOKEN_END) {
		if (!parse_top_level(parser)) {
			return tsdl_refuse(parser, "text that is not TSDL");
		}
	}
	if (!parser->has_trace || !parser->has_env || !parser->has_clock || parser->trace_class->streams->len == 0) {
		return tsdl_refuse(parser, "trace, env, clock or stream block is missing");
	}
	if (parser->mapped_clock && strcmp(parser->mapped_clock, parser->trace_class->clock.name) != 0) {
		return tsdl_refuse(parser, "unknown clock `%s`", parser->mapped_clock);
	}
	resolve_byte_orders(parser->trace_class);
	why = ctf_trace_class_sort(parser->trace_class);
	return !why || tsdl_refuse(parser, "%s", why);
}

struct ctf_trace_class *tsdl_parse(const char *text, size_t length, char **reason)
{
	struct tsdl_parser parser = {
		.trace_class = ctf_trace_class_create(),
		.aliases = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		.structures = g_hash_table_new(g_str_hash, g_str_equal),
	};
	struct ctf_trace_class *trace_class = parser.trace_class;

	tsdl_lexer_init(&parser.lexer, text, length);
	if (!parse_all(&parser)) {
		ctf_trace_class_destroy(trace_class);
		trace_class = NULL;
	}
	*reason = parser.reason;
	tsdl_lexer_clear(&parser.lexer);
	g_hash_table_destroy(parser.aliases);
	g_hash_table_destroy(parser.structures);
	return trace_class;
}
