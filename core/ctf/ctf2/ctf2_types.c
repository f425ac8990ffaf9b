/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf2/ctf2_types.h"

#include <string.h>

#include "core/ctf/ctf2/ctf2_scalars.h"

#define DEPTH_MAX 16
#define VALUES_MAX 65536
#define LENGTH_MAX (UINT64_C(1) << 32) /* of an array whose length the metadata fixes: more than a packet holds */

/* The scope whose members are being read. */
struct scope {
	enum ctf2_scope kind;
	struct ctf_type *top; /* NULL until its structure begins */
};

static const struct ctf_type *read_type(struct ctf2_reader *reader, struct scope *scope,
					const struct json_value *object, const char **role);

static const char *const origins[] = {
	[CTF2_PACKET_HEADER] = "packet-header",
	[CTF2_PACKET_CONTEXT] = "packet-context",
	[CTF2_EVENT_HEADER] = "event-record-header",
	[CTF2_COMMON_CONTEXT] = "event-record-common-context",
	[CTF2_SPECIFIC_CONTEXT] = "event-record-specific-context",
	[CTF2_PAYLOAD] = "event-record-payload",
};

/* --- roles --- */

static const struct {
	enum ctf2_scope scope;
	const char *role, *name;
} roles[] = {
	{ CTF2_PACKET_HEADER, "packet-magic-number", "magic" },
	{ CTF2_PACKET_HEADER, "metadata-stream-uuid", "uuid" },
	{ CTF2_PACKET_HEADER, "data-stream-class-id", "stream_id" },
	{ CTF2_PACKET_HEADER, "data-stream-id", "stream_instance_id" },
	{ CTF2_PACKET_CONTEXT, "default-clock-timestamp", "timestamp_begin" },
	{ CTF2_PACKET_CONTEXT, "packet-end-default-clock-timestamp", "timestamp_end" },
	{ CTF2_PACKET_CONTEXT, "packet-content-length", "content_size" },
	{ CTF2_PACKET_CONTEXT, "packet-total-length", "packet_size" },
	{ CTF2_PACKET_CONTEXT, "packet-sequence-number", "packet_seq_num" },
	{ CTF2_PACKET_CONTEXT, "discarded-event-record-counter-snapshot", "events_discarded" },
	{ CTF2_EVENT_HEADER, "event-record-class-id", "id" },
	{ CTF2_EVENT_HEADER, "default-clock-timestamp", "timestamp" },
};

const char *ctf2_role_name(enum ctf2_scope scope, const char *role)
{
	for (size_t i = 0; i < G_N_ELEMENTS(roles); i++) {
		if (roles[i].scope == scope && strcmp(roles[i].role, role) == 0) {
			return roles[i].name;
		}
	}
	return NULL;
}

/* The name by which the planner knows a member; NULL: refused. */
static const char *planned_name(struct ctf2_reader *reader, const struct scope *scope, const struct json_value *object,
				const char *name, const char *role)
{
	if (role) {
		const char *known = ctf2_role_name(scope->kind, role);

		if (!known) {
			ctf2_refuse(reader, object, "role `%s` has no meaning here", role);
		}
		return known;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(roles); i++) {
		if (roles[i].scope == scope->kind && strcmp(roles[i].name, name) == 0) {
			ctf2_refuse(reader, object, "member `%s` lacks the role that its name promises", name);
			return NULL;
		}
	}
	return name;
}

/* --- what depends on another member --- */

/* {"origin": "event-record-payload", "path": ["name"]}: the member keeps its value. NULL: refused. */
static struct ctf_field *read_location(struct ctf2_reader *reader, const struct scope *scope,
				       const struct json_value *location)
{
	static const struct ctf2_property properties[] = {
		{ "origin", JSON_KIND_TEXT, true },
		{ "path", JSON_KIND_ARRAY, true },
	};
	enum { ORIGIN, PATH };
	const struct json_value *found[CTF2_PROPERTIES_MAX];
	const struct json_value *name;

	if (!ctf2_take(reader, location, properties, G_N_ELEMENTS(properties), found)) {
		return NULL;
	}
	name = found[PATH]->first;
	if (strcmp(found[ORIGIN]->text, origins[scope->kind]) != 0 || !name || name->kind != JSON_KIND_TEXT ||
	    name->next) {
		ctf2_refuse(reader, location, "a field depends on one that is not at the top of its scope");
		return NULL;
	}
	for (guint i = 0; i < scope->top->fields->len; i++) {
		struct ctf_field *field = &g_array_index(scope->top->fields, struct ctf_field, i);

		if (strcmp(field->declared_name, name->text) != 0) {
			continue;
		}
		if (field->value == CTF_NO_VALUE && reader->trace_class->value_count < VALUES_MAX) {
			field->value = reader->trace_class->value_count++;
		}
		if (field->type->kind == CTF_INTEGER && field->value != CTF_NO_VALUE) {
			return field;
		}
	}
	ctf2_refuse(reader, location, "a field depends on `%s`, which is no integer before it", name->text);
	return NULL;
}

/* An array of elements of a type; `location`: of its length, NULL if `length` is. NULL: refused. */
static const struct ctf_type *make_array(struct ctf2_reader *reader, const struct scope *scope,
					 const struct ctf_type *element, const struct json_value *length,
					 const struct json_value *location)
{
	struct ctf_type *type = ctf_trace_class_add_type(reader->trace_class, location ? CTF_SEQUENCE : CTF_ARRAY);
	const struct ctf_field *field;

	type->element = element;
	type->alignment = element->alignment;
	if (!location) {
		return ctf2_unsigned(reader, length, 0, LENGTH_MAX, &type->length) ? type : NULL;
	}
	field = read_location(reader, scope, location);
	if (!field || field->type->is_signed) {
		ctf2_refuse(reader, location, "a length is signed");
		return NULL;
	}
	type->depends_on = field->value;
	return type;
}

/* A string or blob whose length is fixed or a member before it, in bytes. */
static const struct ctf_type *read_bytes(struct ctf2_reader *reader, const struct scope *scope,
					 const struct json_value *object, bool is_dynamic, bool is_text,
					 const char **role)
{
	const struct ctf2_property properties[] = {
		{ "length", JSON_KIND_INTEGER, !is_dynamic },
		{ "length-field-location", JSON_KIND_OBJECT, is_dynamic },
		{ is_text ? "encoding" : "media-type", JSON_KIND_TEXT, false },
		{ "roles", JSON_KIND_ARRAY, false },
	};
	enum { LENGTH, LOCATION, FORM, ROLES };
	const struct json_value *found[CTF2_PROPERTIES_MAX];

	if (!ctf2_take(reader, object, properties, G_N_ELEMENTS(properties), found) ||
	    (is_text && !ctf2_is_utf8(reader, found[FORM])) || !ctf2_role(reader, found[ROLES], role)) {
		return NULL;
	}
	if (found[is_dynamic ? LENGTH : LOCATION] || (*role && (is_dynamic || is_text))) {
		ctf2_refuse(reader, object, "a string or blob with two lengths, or with a role that it cannot have");
		return NULL;
	}
	return make_array(reader, scope, ctf2_byte_type(reader, is_text), found[LENGTH], found[LOCATION]);
}

static const struct ctf_type *read_array(struct ctf2_reader *reader, struct scope *scope,
					 const struct json_value *object, bool is_dynamic)
{
	const struct ctf2_property properties[] = {
		{ "element-field-class", JSON_KIND_OBJECT, true },
		{ "length", JSON_KIND_INTEGER, !is_dynamic },
		{ "length-field-location", JSON_KIND_OBJECT, is_dynamic },
		{ "minimum-alignment", JSON_KIND_INTEGER, false },
	};
	enum { ELEMENT, LENGTH, LOCATION, ALIGNMENT };
	const struct json_value *found[CTF2_PROPERTIES_MAX];
	const struct ctf_type *element;
	const char *role = NULL;
	uint32_t alignment = 1;

	if (!ctf2_take(reader, object, properties, G_N_ELEMENTS(properties), found) ||
	    !ctf2_alignment(reader, found[ALIGNMENT], &alignment)) {
		return NULL;
	}
	element = read_type(reader, scope, found[ELEMENT], &role);
	if (!element) {
		return NULL;
	}
	if ((element->kind != CTF_INTEGER && element->kind != CTF_FLOAT && element->kind != CTF_STRING) || role ||
	    alignment > element->alignment || found[is_dynamic ? LENGTH : LOCATION]) {
		ctf2_refuse(reader, object,
			    "an array of anything but numbers or strings, or with an alignment of its own");
		return NULL;
	}
	return make_array(reader, scope, element, found[LENGTH], found[LOCATION]);
}

/* --- structures and variants --- */

static bool add_field(struct ctf2_reader *reader, struct scope *scope, struct ctf_type *owner,
		      const struct json_value *object)
{
	static const struct ctf2_property properties[] = {
		{ "name", JSON_KIND_TEXT, true },
		{ "field-class", JSON_KIND_OBJECT, true },
	};
	enum { NAME, CLASS };
	const struct json_value *found[CTF2_PROPERTIES_MAX];
	struct ctf_field field = { .value = CTF_NO_VALUE };
	const char *role = NULL;

	if (!ctf2_take(reader, object, properties, G_N_ELEMENTS(properties), found)) {
		return false;
	}
	field.declared_name = found[NAME]->text;
	field.type = read_type(reader, scope, found[CLASS], &role);
	field.name = field.type ? planned_name(reader, scope, object, field.declared_name, role) : NULL;
	if (!field.name) {
		return false;
	}
	if (ctf_type_find_field(owner, field.name)) {
		return ctf2_refuse(reader, object, "two members are `%s`", field.name);
	}
	owner->alignment = MAX(owner->alignment, field.type->alignment);
	g_array_append_val(owner->fields, field);
	return true;
}

static const struct ctf_type *read_structure(struct ctf2_reader *reader, struct scope *scope,
					     const struct json_value *object)
{
	static const struct ctf2_property properties[] = {
		{ "member-classes", JSON_KIND_ARRAY, false },
		{ "minimum-alignment", JSON_KIND_INTEGER, false },
	};
	enum { MEMBERS, ALIGNMENT };
	struct ctf_type *type = ctf_trace_class_add_type(reader->trace_class, CTF_STRUCTURE);
	const struct json_value *found[CTF2_PROPERTIES_MAX];

	if (!scope->top) {
		scope->top = type;
	}
	if (!ctf2_take(reader, object, properties, G_N_ELEMENTS(properties), found) ||
	    !ctf2_alignment(reader, found[ALIGNMENT], &type->alignment)) {
		return NULL;
	}
	for (const struct json_value *member = found[MEMBERS] ? found[MEMBERS]->first : NULL; member;
	     member = member->next) {
		if (!add_field(reader, scope, type, member)) {
			return NULL;
		}
	}
	return type;
}

/* Options are named by their place: names need not be there, and nobody asks for them. */
static bool add_option(struct ctf2_reader *reader, struct scope *scope, struct ctf_type *variant, struct ctf_type *tag,
		       const struct json_value *object)
{
	static const struct ctf2_property properties[] = {
		{ "selector-field-ranges", JSON_KIND_ARRAY, true },
		{ "field-class", JSON_KIND_OBJECT, true },
		{ "name", JSON_KIND_TEXT, false },
	};
	enum { RANGES, CLASS };
	const struct json_value *found[CTF2_PROPERTIES_MAX];
	struct ctf_field option = { .value = CTF_NO_VALUE };
	g_autofree char *place = g_strdup_printf("%u", variant->fields->len);
	const char *role = NULL;

	if (!ctf2_take(reader, object, properties, G_N_ELEMENTS(properties), found)) {
		return false;
	}
	option.name = option.declared_name = g_string_chunk_insert(reader->trace_class->strings, place);
	option.type = read_type(reader, scope, found[CLASS], &role);
	if (!option.type || !ctf2_ranges(reader, tag, option.name, found[RANGES])) {
		return false;
	}
	if (role) {
		return ctf2_refuse(reader, object, "role `%s` has no meaning here", role);
	}
	g_array_append_val(variant->fields, option);
	return true;
}

static const struct ctf_type *read_variant(struct ctf2_reader *reader, struct scope *scope,
					   const struct json_value *object)
{
	static const struct ctf2_property properties[] = {
		{ "selector-field-location", JSON_KIND_OBJECT, true },
		{ "options", JSON_KIND_ARRAY, true },
	};
	enum { LOCATION, OPTIONS };
	struct ctf_type *type = ctf_trace_class_add_type(reader->trace_class, CTF_VARIANT);
	struct ctf_type *tag = ctf_trace_class_add_type(reader->trace_class, CTF_INTEGER);
	const struct json_value *found[CTF2_PROPERTIES_MAX];
	const struct ctf_field *selector;

	if (!ctf2_take(reader, object, properties, G_N_ELEMENTS(properties), found)) {
		return NULL;
	}
	selector = read_location(reader, scope, found[LOCATION]);
	if (!selector) {
		return NULL;
	}
	/* the selector's integer, with the options' ranges instead of its own labels */
	*tag = *selector->type;
	tag->labels = g_array_new(FALSE, FALSE, sizeof(struct ctf_label));
	type->depends_on = selector->value;
	type->tag = tag;
	for (const struct json_value *option = found[OPTIONS]->first; option; option = option->next) {
		if (!add_option(reader, scope, type, tag, option)) {
			return NULL;
		}
	}
	return type;
}

static const struct ctf_type *read_known_type(struct ctf2_reader *reader, struct scope *scope,
					      const struct json_value *object, const char *kind, const char **role)
{
	if (strcmp(kind, "fixed-length-unsigned-integer") == 0 || strcmp(kind, "fixed-length-signed-integer") == 0) {
		return ctf2_integer_type(reader, object, strcmp(kind, "fixed-length-signed-integer") == 0, role);
	}
	if (strcmp(kind, "fixed-length-floating-point-number") == 0) {
		return ctf2_float_type(reader, object);
	}
	if (strcmp(kind, "null-terminated-string") == 0) {
		return ctf2_string_type(reader, object);
	}
	if (strcmp(kind, "static-length-string") == 0 || strcmp(kind, "dynamic-length-string") == 0) {
		return read_bytes(reader, scope, object, kind[0] == 'd', true, role);
	}
	if (strcmp(kind, "static-length-blob") == 0 || strcmp(kind, "dynamic-length-blob") == 0) {
		return read_bytes(reader, scope, object, kind[0] == 'd', false, role);
	}
	if (strcmp(kind, "static-length-array") == 0 || strcmp(kind, "dynamic-length-array") == 0) {
		return read_array(reader, scope, object, kind[0] == 'd');
	}
	if (strcmp(kind, "structure") == 0) {
		return read_structure(reader, scope, object);
	}
	if (strcmp(kind, "variant") == 0) {
		return read_variant(reader, scope, object);
	}
	ctf2_refuse(reader, object, "field class `%s` is not supported", kind);
	return NULL;
}

static const struct ctf_type *read_type(struct ctf2_reader *reader, struct scope *scope,
					const struct json_value *object, const char **role)
{
	const char *kind = ctf2_type_of(reader, object);
	const struct ctf_type *type;

	if (!kind) {
		return NULL;
	}
	if (reader->depth == DEPTH_MAX) {
		ctf2_refuse(reader, object, "field classes are nested too deep");
		return NULL;
	}
	reader->depth++;
	type = read_known_type(reader, scope, object, kind, role);
	reader->depth--;
	return type;
}

const struct ctf_type *ctf2_scope_type(struct ctf2_reader *reader, enum ctf2_scope kind,
				       const struct json_value *object)
{
	struct scope scope = { .kind = kind };
	const char *type = ctf2_type_of(reader, object);

	if (type && strcmp(type, "structure") != 0) {
		ctf2_refuse(reader, object, "the fields of %s are no structure", origins[kind]);
		return NULL;
	}
	return type ? read_structure(reader, &scope, object) : NULL;
}
