/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf2/ctf2_metadata.h"

#include <string.h>

#include "core/ctf/ctf2/ctf2_types.h"
#include "core/events/trace_files/ctf2.h"

/* --- preamble --- */

static bool read_preamble(struct ctf2_reader *reader, const struct json_value *object)
{
	static const struct ctf2_property properties[] = {
		{ "version", JSON_KIND_INTEGER, true },
		{ "uuid", JSON_KIND_ARRAY, true },
	};
	enum { VERSION, UUID };
	const struct json_value *found[CTF2_PROPERTIES_MAX];

	if (reader->has_preamble) {
		return ctf2_refuse(reader, object, "second preamble");
	}
	reader->has_preamble = true;
	if (!ctf2_take(reader, object, properties, G_N_ELEMENTS(properties), found)) {
		return false;
	}
	if (found[VERSION]->integer != 2) {
		return ctf2_refuse(reader, object, "not version 2 of CTF");
	}
	return ctf2_uuid_bytes(reader, found[UUID], reader->trace_class->uuid);
}

/* --- trace --- */

static bool set_environment_text(struct ctf2_reader *reader, const struct json_value *entry)
{
	struct ctf_trace_class *trace_class = reader->trace_class;

	if (strcmp(entry->key, "hostname") == 0) {
		trace_class->hostname = entry->text;
	} else if (strcmp(entry->key, "procname") == 0) {
		trace_class->procname = entry->text;
	} else if (strcmp(entry->key, "domain") == 0) {
		trace_class->is_kernel = strcmp(entry->text, "kernel") == 0;
	} else if (strcmp(entry->key, "vpid") == 0) {
		return ctf2_refuse(reader, entry, "environment: `vpid` is no integer");
	} else {
		ctf_tracer_set_text(&trace_class->tracer, entry->key, entry->text);
	}
	return true;
}

static bool set_environment_integer(struct ctf2_reader *reader, const struct json_value *entry)
{
	struct ctf_trace_class *trace_class = reader->trace_class;

	if (!entry->is_negative && entry->integer > INT64_MAX) {
		return ctf2_refuse(reader, entry, "environment: `%s` needs more than 64 bits", entry->key);
	}
	if (strcmp(entry->key, "vpid") == 0) {
		trace_class->has_vpid = true;
		trace_class->vpid = (int64_t)entry->integer;
	} else if (strcmp(entry->key, "hostname") == 0 || strcmp(entry->key, "procname") == 0) {
		return ctf2_refuse(reader, entry, "environment: `%s` is no text", entry->key);
	} else {
		ctf_tracer_set_integer(&trace_class->tracer, entry->key, (int64_t)entry->integer);
	}
	return true;
}

static bool read_environment(struct ctf2_reader *reader, const struct json_value *object)
{
	for (const struct json_value *entry = object->first; entry; entry = entry->next) {
		if (entry->kind != JSON_KIND_TEXT && entry->kind != JSON_KIND_INTEGER) {
			return ctf2_refuse(reader, entry, "environment: `%s` is neither a text nor an integer",
					   entry->key);
		}
		if (!(entry->kind == JSON_KIND_TEXT ? set_environment_text : set_environment_integer)(reader, entry)) {
			return false;
		}
	}
	return true;
}

/* The byte order of what declares none, and of the bytes of strings: that of the magic number. */
static bool is_magic_big_endian(const struct ctf_type *header)
{
	return header->fields->len > 0 && ctf_type_field(header, 0)->type->is_big_endian;
}

static bool read_trace_class(struct ctf2_reader *reader, const struct json_value *object)
{
	static const struct ctf2_property properties[] = {
		{ "packet-header-field-class", JSON_KIND_OBJECT, true },
		{ "environment", JSON_KIND_OBJECT, true },
		{ "name", JSON_KIND_TEXT, false },
		{ "namespace", JSON_KIND_TEXT, false },
		{ "uid", JSON_KIND_TEXT, false },
	};
	enum { HEADER, ENVIRONMENT };
	const struct json_value *found[CTF2_PROPERTIES_MAX];

	if (reader->has_trace_class || reader->trace_class->streams->len > 0) {
		return ctf2_refuse(reader, object, "second trace class, or one behind a stream's");
	}
	reader->has_trace_class = true;
	if (!ctf2_take(reader, object, properties, G_N_ELEMENTS(properties), found) ||
	    !read_environment(reader, found[ENVIRONMENT])) {
		return false;
	}
	reader->trace_class->packet_header = ctf2_scope_type(reader, CTF2_PACKET_HEADER, found[HEADER]);
	if (!reader->trace_class->packet_header) {
		return false;
	}
	reader->trace_class->is_big_endian = is_magic_big_endian(reader->trace_class->packet_header);
	return ctf_tracer_is_lttng(&reader->trace_class->tracer) || ctf2_refuse(reader, object, "not a trace of LTTng");
}

/* --- clock --- */

static bool read_offset(struct ctf2_reader *reader, const struct json_value *object, struct ctf_clock *clock)
{
	static const struct ctf2_property properties[] = {
		{ "seconds", JSON_KIND_INTEGER, false },
		{ "cycles", JSON_KIND_INTEGER, false },
	};
	enum { SECONDS, CYCLES };
	const struct json_value *found[CTF2_PROPERTIES_MAX];

	if (!ctf2_take(reader, object, properties, G_N_ELEMENTS(properties), found)) {
		return false;
	}
	if (found[SECONDS]) {
		if (!found[SECONDS]->is_negative && found[SECONDS]->integer > INT64_MAX / 4) {
			return ctf2_refuse(reader, object, "an impossible time of the clock's origin");
		}
		clock->offset_s = (int64_t)found[SECONDS]->integer;
	}
	return !found[CYCLES] || ctf2_unsigned(reader, found[CYCLES], 0, clock->frequency - 1, &clock->offset_cycles);
}

static int hex_byte(const char *digits)
{
	int high = g_ascii_xdigit_value(digits[0]);
	int low = high < 0 ? -1 : g_ascii_xdigit_value(digits[1]);

	return low < 0 ? -1 : high << 4 | low;
}

/* LTTng's clocks are identified by the host's boot id. */
static bool read_clock_uid(struct ctf2_reader *reader, const struct json_value *uid, struct ctf_clock *clock)
{
	const char *at = uid->text;

	for (int i = 0; i < 16; i++) {
		int byte;

		if ((i == 4 || i == 6 || i == 8 || i == 10) && *at++ != '-') {
			return ctf2_refuse(reader, uid, "the clock's identity is no UUID");
		}
		byte = hex_byte(at);
		if (byte < 0) {
			return ctf2_refuse(reader, uid, "the clock's identity is no UUID");
		}
		clock->uuid[i] = (uint8_t)byte;
		at += 2;
	}
	clock->has_uuid = true;
	return *at == '\0' || ctf2_refuse(reader, uid, "the clock's identity is no UUID");
}

static bool read_clock_class(struct ctf2_reader *reader, const struct json_value *object)
{
	static const struct ctf2_property properties[] = {
		{ "id", JSON_KIND_TEXT, true },
		{ "frequency", JSON_KIND_INTEGER, true },
		{ "origin", JSON_KIND_TEXT, true },
		{ "offset-from-origin", JSON_KIND_OBJECT, false },
		{ "name", JSON_KIND_TEXT, false },
		{ "namespace", JSON_KIND_TEXT, false },
		{ "uid", JSON_KIND_TEXT, false },
		{ "description", JSON_KIND_TEXT, false },
		{ "precision", JSON_KIND_INTEGER, false },
		{ "accuracy", JSON_KIND_INTEGER, false },
	};
	enum { ID, FREQUENCY, ORIGIN, OFFSET, NAME, NAMESPACE, UID };
	struct ctf_clock *clock = &reader->trace_class->clock;
	const struct json_value *found[CTF2_PROPERTIES_MAX];

	if (reader->clock_id) {
		return ctf2_refuse(reader, object, "more than one clock is used; only one is supported");
	}
	if (!ctf2_take(reader, object, properties, G_N_ELEMENTS(properties), found) ||
	    !ctf2_unsigned(reader, found[FREQUENCY], 1, UINT64_MAX - 1, &clock->frequency) ||
	    (found[OFFSET] && !read_offset(reader, found[OFFSET], clock)) ||
	    (found[UID] && !read_clock_uid(reader, found[UID], clock))) {
		return false;
	}
	reader->clock_id = found[ID]->text;
	clock->name = found[NAME] ? found[NAME]->text : reader->clock_id;
	clock->is_since_epoch = strcmp(found[ORIGIN]->text, "unix-epoch") == 0;
	return clock->is_since_epoch || ctf2_refuse(reader, object, "the clock does not count from the Unix epoch");
}

/* --- streams and events --- */

/* A scope that may be missing: false only if it is there and refused. */
static bool read_scope(struct ctf2_reader *reader, enum ctf2_scope scope, const struct json_value *object,
		       const struct ctf_type **type)
{
	*type = object ? ctf2_scope_type(reader, scope, object) : NULL;
	return !object || *type;
}

static bool read_id(struct ctf2_reader *reader, const struct json_value *value, uint64_t max, uint64_t *id)
{
	*id = 0;
	return !value || ctf2_unsigned(reader, value, 0, max, id);
}

static bool read_stream_class(struct ctf2_reader *reader, const struct json_value *object)
{
	static const struct ctf2_property properties[] = {
		{ "id", JSON_KIND_INTEGER, false },
		{ "default-clock-class-id", JSON_KIND_TEXT, true },
		{ "packet-context-field-class", JSON_KIND_OBJECT, true },
		{ "event-record-header-field-class", JSON_KIND_OBJECT, true },
		{ "event-record-common-context-field-class", JSON_KIND_OBJECT, false },
		{ "name", JSON_KIND_TEXT, false },
		{ "namespace", JSON_KIND_TEXT, false },
		{ "uid", JSON_KIND_TEXT, false },
	};
	enum { ID, CLOCK, PACKET_CONTEXT, HEADER, COMMON_CONTEXT };
	const struct json_value *found[CTF2_PROPERTIES_MAX];
	struct ctf_stream_class class = { 0 };

	if (!ctf2_take(reader, object, properties, G_N_ELEMENTS(properties), found) ||
	    !read_id(reader, found[ID], INT64_MAX, &class.id) ||
	    !read_scope(reader, CTF2_PACKET_CONTEXT, found[PACKET_CONTEXT], &class.packet_context) ||
	    !read_scope(reader, CTF2_EVENT_HEADER, found[HEADER], &class.event_header) ||
	    !read_scope(reader, CTF2_COMMON_CONTEXT, found[COMMON_CONTEXT], &class.event_context)) {
		return false;
	}
	if (!reader->clock_id || strcmp(found[CLOCK]->text, reader->clock_id) != 0) {
		return ctf2_refuse(reader, object, "unknown clock `%s`", found[CLOCK]->text);
	}
	if (ctf_trace_class_find_stream(reader->trace_class, class.id)) {
		return ctf2_refuse(reader, object, "second stream class with this id");
	}
	g_array_append_val(reader->trace_class->streams, class);
	return true;
}

static bool read_event_class(struct ctf2_reader *reader, const struct json_value *object)
{
	static const struct ctf2_property properties[] = {
		{ "id", JSON_KIND_INTEGER, false },
		{ "data-stream-class-id", JSON_KIND_INTEGER, false },
		{ "name", JSON_KIND_TEXT, true },
		{ "event-record-specific-context-field-class", JSON_KIND_OBJECT, false },
		{ "payload-field-class", JSON_KIND_OBJECT, false },
		{ "namespace", JSON_KIND_TEXT, false },
		{ "uid", JSON_KIND_TEXT, false },
	};
	enum { ID, STREAM, NAME, CONTEXT, PAYLOAD };
	const struct json_value *found[CTF2_PROPERTIES_MAX];
	struct ctf_event_class class = { 0 };

	if (!ctf2_take(reader, object, properties, G_N_ELEMENTS(properties), found) ||
	    !read_id(reader, found[ID], UINT32_MAX, &class.id) ||
	    !read_id(reader, found[STREAM], INT64_MAX, &class.stream_id) ||
	    !read_scope(reader, CTF2_SPECIFIC_CONTEXT, found[CONTEXT], &class.context) ||
	    !read_scope(reader, CTF2_PAYLOAD, found[PAYLOAD], &class.payload)) {
		return false;
	}
	class.name = found[NAME]->text;
	if (!ctf_trace_class_find_stream(reader->trace_class, class.stream_id)) {
		return ctf2_refuse(reader, object, "event `%s` belongs to no stream", class.name);
	}
	g_array_append_val(reader->trace_class->events, class);
	return true;
}

/* --- fragments --- */

static bool read_fragment(void *data, const struct json_value *object)
{
	struct ctf2_reader *reader = data;
	static const struct {
		const char *type;
		bool (*read)(struct ctf2_reader *reader, const struct json_value *object);
	} fragments[] = {
		{ "preamble", read_preamble },
		{ "trace-class", read_trace_class },
		{ "clock-class", read_clock_class },
		{ "data-stream-class", read_stream_class },
		{ "event-record-class", read_event_class },
	};
	const char *type = ctf2_type_of(reader, object);

	for (size_t i = 0; type && i < G_N_ELEMENTS(fragments); i++) {
		if (strcmp(fragments[i].type, type) == 0) {
			return reader->has_preamble == (i > 0) ? fragments[i].read(reader, object)
							       : ctf2_refuse(reader, object,
									     "the preamble is not the first, or not "
									     "the only one");
		}
	}
	return ctf2_refuse(reader, object, "fragment `%s` is not supported", type ? type : "");
}

/* Whether there is nothing but blanks; then *line is the last one. */
static bool skip_blank(const char *text, size_t length, unsigned int *line)
{
	unsigned int breaks = 0;
	size_t i = 0;

	while (i < length && g_ascii_isspace(text[i])) {
		breaks += text[i++] == '\n';
	}
	if (i == length) {
		*line += breaks;
	}
	return i == length;
}

/* A separator is a control character, so it is in no text. */
bool ctf2_read_texts(const char *text, size_t length, GStringChunk *strings,
		     bool (*take)(void *data, const struct json_value *object), void *data, char **reason)
{
	struct json_reader *json = json_reader_create(strings);
	const char *end = text + length;
	unsigned int line = 1;
	bool goes_on = true;

	for (const char *at = text; goes_on && at < end;) {
		const char *next = memchr(at + 1, CTF2_RECORD_SEPARATOR, (size_t)(end - at - 1));
		size_t size = (size_t)((next ? next : end) - at);
		const struct json_value *object;

		if (!skip_blank(at + 1, size - 1, &line)) {
			object = json_reader_read(json, at + 1, size - 1, &line, reason);
			goes_on = object && take(data, object);
		}
		at += size;
	}
	json_reader_destroy(json);
	return goes_on;
}

static bool check_whole(struct ctf2_reader *reader)
{
	const char *why;

	if (!reader->has_trace_class || !reader->clock_id || reader->trace_class->streams->len == 0) {
		reader->reason = g_strdup("the class of the trace, of its clock or of a stream is missing");
		return false;
	}
	why = ctf_trace_class_sort(reader->trace_class);
	reader->reason = g_strdup(why);
	return !why;
}

struct ctf_trace_class *ctf2_parse(const char *text, size_t length, char **reason)
{
	struct ctf2_reader reader = { .trace_class = ctf_trace_class_create() };

	if (!ctf2_is_metadata((const uint8_t *)text, length)) {
		reader.reason = g_strdup("no record separator at the beginning");
	}
	if (reader.reason ||
	    !ctf2_read_texts(text, length, reader.trace_class->strings, read_fragment, &reader, &reader.reason) ||
	    !check_whole(&reader)) {
		g_clear_pointer(&reader.trace_class, ctf_trace_class_destroy);
	}
	*reason = reader.reason;
	return reader.trace_class;
}
