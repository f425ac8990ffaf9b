/* SPDX-License-Identifier: MIT */
#include "ros2bt/ctf/ctf2_tsdl.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "core/ctf/ctf2/ctf2_metadata.h"
#include "core/ctf/ctf2/ctf2_types.h"
#include "core/ctf/tsdl/ctf_tsdl.h"

/* What ctf2_parse() has accepted is written without a second look: properties have their kinds. */
struct writer {
	const struct ctf_trace_class *trace_class;
	GString *text;
	enum ctf2_scope scope;
	GHashTable *members;   /* of the structure of the scope: name → struct json_value * */
	GHashTable *selectors; /* classes of those by which variants choose */
	const char *why;       /* TSDL cannot express it; NULL: it can */
};

static void write_class(struct writer *writer, const struct json_value *class, const char *name);

static const struct json_value *get(const struct json_value *object, const char *key)
{
	const struct json_value *member = object && object->kind == JSON_KIND_OBJECT ? object->first : NULL;

	while (member && strcmp(member->key, key) != 0) {
		member = member->next;
	}
	return member;
}

static const char *get_text(const struct json_value *object, const char *key)
{
	const struct json_value *value = get(object, key);

	return value && value->kind == JSON_KIND_TEXT ? value->text : "";
}

static uint64_t get_integer(const struct json_value *object, const char *key, uint64_t otherwise)
{
	const struct json_value *value = get(object, key);

	return value && value->kind == JSON_KIND_INTEGER ? value->integer : otherwise;
}

static const struct json_value *first_of(const struct json_value *object, const char *key)
{
	const struct json_value *value = get(object, key);

	return value ? value->first : NULL;
}

static void write(struct writer *writer, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void write(struct writer *writer, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	g_string_append_vprintf(writer->text, format, arguments);
	va_end(arguments);
}

/* --- names and texts --- */

static char *identifier(const char *prefix, const char *name)
{
	char *made = g_strconcat(prefix, name, NULL);

	return g_strcanon(made, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_", '_');
}

/* A label that an option of a variant is called by. Words of the language get an underscore, as LTTng gives them. */
static char *option_name(const char *label)
{
	static const char *const words[] = { "align",	"const",    "char",    "clock", "double",
					     "enum",	"env",	    "event",   "float", "floating_point",
					     "int",	"integer",  "long",    "short", "signed",
					     "stream",	"string",   "struct",  "trace", "typealias",
					     "typedef", "unsigned", "variant", "void",	NULL };

	return identifier(g_strv_contains(words, label) || g_ascii_isdigit(label[0]) ? "_" : "", label);
}

static void write_text(struct writer *writer, const char *text)
{
	g_string_append_c(writer->text, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\') {
			write(writer, "\\%c", *text);
		} else if (*text == '\n') {
			write(writer, "\\n");
		} else {
			g_string_append_c(writer->text, *text);
		}
	}
	g_string_append_c(writer->text, '"');
}

/* Of a member of the scope. LTTng adds the underscore to names of users only. */
static char *member_name(const struct writer *writer, const struct json_value *member)
{
	const struct json_value *role = first_of(get(member, "field-class"), "roles");
	const char *name = role ? ctf2_role_name(writer->scope, role->text) : get_text(member, "name");

	return identifier(writer->scope < CTF2_COMMON_CONTEXT ? "" : "_", name ? name : "");
}

/* The member at the top of the scope that a variant or an array depends on. */
static const struct json_value *located(const struct writer *writer, const struct json_value *location)
{
	return g_hash_table_lookup(writer->members, first_of(location, "path")->text);
}

static void find_members(struct writer *writer, const struct json_value *structure)
{
	for (const struct json_value *member = first_of(structure, "member-classes"); member; member = member->next) {
		const struct json_value *location = get(get(member, "field-class"), "selector-field-location");

		g_hash_table_insert(writer->members, (char *)get_text(member, "name"), (struct json_value *)member);
		if (location) {
			g_hash_table_add(writer->selectors,
					 (struct json_value *)get(located(writer, location), "field-class"));
		}
	}
}

/* --- numbers --- */

static void write_integer_value(struct writer *writer, const struct json_value *value)
{
	if (value->is_negative) {
		write(writer, "%" PRId64, (int64_t)value->integer);
	} else {
		write(writer, "%" PRIu64, value->integer);
	}
}

/* Each number has a byte order in CTF 2; that of the trace goes without saying. */
static void write_layout(struct writer *writer, const struct json_value *class)
{
	const char *order = get_text(class, "byte-order");

	write(writer, "align = %" PRIu64 ";", get_integer(class, "alignment", 1));
	if ((strcmp(order, "big-endian") == 0) != writer->trace_class->is_big_endian) {
		write(writer, " byte_order = %s;", order[0] == 'b' ? "be" : "le");
	}
}

static bool is_signed(const struct json_value *class)
{
	return strcmp(get_text(class, "type"), "fixed-length-signed-integer") == 0;
}

static void write_integer(struct writer *writer, const struct json_value *class)
{
	const struct json_value *role = first_of(class, "roles");
	uint64_t base = get_integer(class, "preferred-display-base", 10);

	write(writer, "integer { size = %" PRIu64 "; ", get_integer(class, "length", 0));
	write_layout(writer, class);
	if (is_signed(class)) {
		write(writer, " signed = true;");
	}
	if (base != 10) {
		write(writer, " base = %" PRIu64 ";", base);
	}
	if (role && g_str_has_suffix(role->text, "default-clock-timestamp")) {
		g_autofree char *clock = identifier("", writer->trace_class->clock.name);

		write(writer, " map = clock.%s.value;", clock);
	}
	write(writer, " }");
}

static void write_enumeration(struct writer *writer, const struct json_value *class)
{
	bool names_options = g_hash_table_contains(writer->selectors, class);

	write(writer, "enum : ");
	write_integer(writer, class);
	write(writer, " {\n");
	for (const struct json_value *label = first_of(class, "mappings"); label; label = label->next) {
		g_autofree char *name = names_options ? option_name(label->key) : NULL;

		for (const struct json_value *range = label->first; range; range = range->next) {
			write_text(writer, name ? name : label->key);
			write(writer, " = ");
			write_integer_value(writer, range->first);
			write(writer, " ... ");
			write_integer_value(writer, range->first->next);
			write(writer, ",\n");
		}
	}
	write(writer, "}");
}

static void write_float(struct writer *writer, const struct json_value *class)
{
	bool is_double = get_integer(class, "length", 0) == 64;

	write(writer, "floating_point { exp_dig = %d; mant_dig = %d; ", is_double ? 11 : 8, is_double ? 53 : 24);
	write_layout(writer, class);
	write(writer, " }");
}

/* --- compounds --- */

static void write_structure(struct writer *writer, const struct json_value *class)
{
	uint64_t alignment = get_integer(class, "minimum-alignment", 1);

	write(writer, "struct {\n");
	for (const struct json_value *member = first_of(class, "member-classes"); member; member = member->next) {
		g_autofree char *name = member_name(writer, member);

		write_class(writer, get(member, "field-class"), name);
		write(writer, ";\n");
	}
	write(writer, "}");
	if (alignment > 1) {
		write(writer, " align(%" PRIu64 ")", alignment);
	}
}

static bool are_equal_ranges(const struct json_value *one, const struct json_value *other)
{
	for (one = one->first, other = other->first; one && other; one = one->next, other = other->next) {
		if (one->first->integer != other->first->integer ||
		    one->first->next->integer != other->first->next->integer) {
			return false;
		}
	}
	return !one && !other;
}

/* CTF 2 chooses an option by ranges, CTF 1.8 by the label that has them. */
static void write_option(struct writer *writer, const struct json_value *selector, const struct json_value *option)
{
	const struct json_value *label = first_of(get(selector, "field-class"), "mappings");
	g_autofree char *name = NULL;

	while (label && !are_equal_ranges(label, get(option, "selector-field-ranges"))) {
		label = label->next;
	}
	if (!label) {
		writer->why = "an option of a variant has no label";
		return;
	}
	name = option_name(label->key);
	write_class(writer, get(option, "field-class"), name);
	write(writer, ";\n");
}

static void write_variant(struct writer *writer, const struct json_value *class)
{
	const struct json_value *selector = located(writer, get(class, "selector-field-location"));
	g_autofree char *tag = member_name(writer, selector);

	write(writer, "variant <%s> {\n", tag);
	for (const struct json_value *option = first_of(class, "options"); option; option = option->next) {
		write_option(writer, selector, option);
	}
	write(writer, "}");
}

static void write_length(struct writer *writer, const struct json_value *class)
{
	const struct json_value *location = get(class, "length-field-location");
	g_autofree char *length = location ? member_name(writer, located(writer, location)) : NULL;

	if (length) {
		write(writer, "[%s]", length);
	} else {
		write(writer, "[%" PRIu64 "]", get_integer(class, "length", 0));
	}
}

/* A field of a class: `integer { … } name`, `integer { … } name[length]`. */
static void write_class(struct writer *writer, const struct json_value *class, const char *name)
{
	const char *type = get_text(class, "type");

	if (g_str_has_suffix(type, "-array")) {
		write_class(writer, get(class, "element-field-class"), name);
		write_length(writer, class);
	} else if (g_str_has_suffix(type, "-length-string")) {
		write(writer, "integer { size = 8; align = 8; encoding = UTF8; } %s", name);
		write_length(writer, class);
	} else if (g_str_has_suffix(type, "-blob")) {
		write(writer, "integer { size = 8; align = 8; base = 16; } %s", name);
		write_length(writer, class);
	} else if (strcmp(type, "null-terminated-string") == 0) {
		write(writer, "string %s", name);
	} else {
		void (*write_it)(struct writer * writer, const struct json_value *class) =
			strcmp(type, "structure") == 0	    ? write_structure
			: strcmp(type, "variant") == 0	    ? write_variant
			: get(class, "byte-order") == NULL  ? NULL
			: g_str_has_suffix(type, "-number") ? write_float
			: first_of(class, "mappings")	    ? write_enumeration
							    : write_integer;

		if (write_it) {
			write_it(writer, class);
			write(writer, " %s", name);
		} else {
			writer->why = "a field class is not known";
		}
	}
}

/* Nothing if the object does not have it. */
static void write_scope(struct writer *writer, const struct json_value *object, const char *key, const char *declared,
			enum ctf2_scope scope)
{
	const struct json_value *class = get(object, key);

	if (class) {
		writer->scope = scope;
		writer->members = g_hash_table_new(g_str_hash, g_str_equal);
		writer->selectors = g_hash_table_new(NULL, NULL);
		find_members(writer, class);
		write(writer, "%s := ", declared);
		write_structure(writer, class);
		write(writer, ";\n");
		g_hash_table_unref(writer->members);
		g_hash_table_unref(writer->selectors);
	}
}

/* --- fragments --- */

static void write_uuid(struct writer *writer, const uint8_t uuid[16])
{
	write(writer, "uuid = \"");
	for (int i = 0; i < 16; i++) {
		write(writer, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
	}
	write(writer, "\";\n");
}

static void write_trace(struct writer *writer, const struct json_value *object)
{
	write(writer, "trace {\nmajor = 1;\nminor = 8;\n");
	write_uuid(writer, writer->trace_class->uuid);
	write(writer, "byte_order = %s;\n", writer->trace_class->is_big_endian ? "be" : "le");
	write_scope(writer, object, "packet-header-field-class", "packet.header", CTF2_PACKET_HEADER);
	write(writer, "};\nenv {\n");
	for (const struct json_value *entry = first_of(object, "environment"); entry; entry = entry->next) {
		g_autofree char *name = identifier("", entry->key);

		write(writer, "%s = ", name);
		if (entry->kind == JSON_KIND_TEXT) {
			write_text(writer, entry->text);
		} else {
			write_integer_value(writer, entry);
		}
		write(writer, ";\n");
	}
	write(writer, "};\n");
}

static void write_clock(struct writer *writer, const struct json_value *object)
{
	const struct ctf_clock *clock = &writer->trace_class->clock;
	g_autofree char *name = identifier("", clock->name);

	write(writer, "clock {\nname = \"%s\";\n", name);
	if (clock->has_uuid) {
		write_uuid(writer, clock->uuid);
	}
	write(writer, "description = ");
	write_text(writer, get_text(object, "description"));
	write(writer, ";\nfreq = %" PRIu64 ";\noffset_s = %" PRId64 ";\noffset = %" PRIu64 ";\n", clock->frequency,
	      clock->offset_s, clock->offset_cycles);
	/* which goes without saying for the clock of LTTng */
	write(writer, "%s};\n", strcmp(name, "monotonic") == 0 ? "" : "absolute = TRUE;\n");
}

static void write_stream(struct writer *writer, const struct json_value *object)
{
	write(writer, "stream {\nid = %" PRIu64 ";\n", get_integer(object, "id", 0));
	write_scope(writer, object, "event-record-header-field-class", "event.header", CTF2_EVENT_HEADER);
	write_scope(writer, object, "packet-context-field-class", "packet.context", CTF2_PACKET_CONTEXT);
	write_scope(writer, object, "event-record-common-context-field-class", "event.context", CTF2_COMMON_CONTEXT);
	write(writer, "};\n");
}

static void write_log_level(struct writer *writer, const struct json_value *object)
{
	static const char *const levels[] = { "emergency",	"alert",	 "critical",	 "error",
					      "warning",	"notice",	 "info",	 "debug:system",
					      "debug:program",	"debug:process", "debug:module", "debug:unit",
					      "debug:function", "debug:line",	 "debug" };
	const struct json_value *attributes = get(object, "attributes");
	const char *level = get_text(get(attributes, "lttng.org,2009"), "log-level");

	for (size_t i = 0; i < G_N_ELEMENTS(levels); i++) {
		if (strcmp(levels[i], level) == 0) {
			write(writer, "loglevel = %zu;\n", i);
		}
	}
}

static void write_event(struct writer *writer, const struct json_value *object)
{
	write(writer, "event {\nname = ");
	write_text(writer, get_text(object, "name"));
	write(writer, ";\nid = %" PRIu64 ";\nstream_id = %" PRIu64 ";\n", get_integer(object, "id", 0),
	      get_integer(object, "data-stream-class-id", 0));
	write_log_level(writer, object);
	write_scope(writer, object, "event-record-specific-context-field-class", "context", CTF2_SPECIFIC_CONTEXT);
	write_scope(writer, object, "payload-field-class", "fields", CTF2_PAYLOAD);
	write(writer, "};\n");
}

static bool write_fragment(void *data, const struct json_value *object)
{
	static const struct {
		const char *type;
		void (*write)(struct writer *writer, const struct json_value *object);
	} fragments[] = {
		{ "trace-class", write_trace },
		{ "clock-class", write_clock },
		{ "data-stream-class", write_stream },
		{ "event-record-class", write_event },
	};
	struct writer *writer = data;

	for (size_t i = 0; i < G_N_ELEMENTS(fragments); i++) {
		if (strcmp(fragments[i].type, get_text(object, "type")) == 0) {
			fragments[i].write(writer, object);
		}
	}
	return !writer->why;
}

/* Whether our reader takes what was written, for what its metadata declares. */
static bool is_readable(const struct writer *writer, char **reason)
{
	g_autofree char *why = NULL;
	struct ctf_trace_class *written = tsdl_parse(writer->text->str, writer->text->len, &why);
	bool is_equal = written && written->streams->len == writer->trace_class->streams->len &&
			written->events->len == writer->trace_class->events->len;

	if (!is_equal) {
		*reason = g_strdup_printf("cannot be written as CTF 1.8: %s", why ? why : "something got lost");
	}
	if (written) {
		ctf_trace_class_destroy(written);
	}
	return is_equal;
}

char *ctf2_to_tsdl(const char *text, size_t length, char **reason)
{
	struct ctf_trace_class *trace_class = ctf2_parse(text, length, reason);
	struct writer writer = { .trace_class = trace_class, .text = g_string_new("/* CTF 1.8 */\n") };
	bool is_written = false;

	if (trace_class) {
		ctf2_read_texts(text, length, trace_class->strings, write_fragment, &writer, reason);
		if (writer.why) {
			*reason = g_strdup_printf("cannot be written as CTF 1.8: %s", writer.why);
		}
		is_written = !*reason && is_readable(&writer, reason);
		ctf_trace_class_destroy(trace_class);
	}
	return g_string_free(writer.text, !is_written);
}
