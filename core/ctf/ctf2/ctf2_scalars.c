/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf2/ctf2_scalars.h"

#include <string.h>

#define ALIGNMENT_MAX 4096

static bool is_time(const char *role)
{
	return strcmp(role, "default-clock-timestamp") == 0 || strcmp(role, "packet-end-default-clock-timestamp") == 0;
}

bool ctf2_role(struct ctf2_reader *reader, const struct json_value *list, const char **role)
{
	const struct json_value *first = list ? list->first : NULL;

	*role = NULL;
	if (!first) {
		return true;
	}
	if (first->kind != JSON_KIND_TEXT || first->next) {
		return ctf2_refuse(reader, list, "a field has more than one role, or one that is no text");
	}
	*role = first->text;
	return true;
}

bool ctf2_alignment(struct ctf2_reader *reader, const struct json_value *value, uint32_t *alignment)
{
	uint64_t bits = 1;

	if (value && (!ctf2_unsigned(reader, value, 1, ALIGNMENT_MAX, &bits) || (bits & (bits - 1)) != 0)) {
		return ctf2_refuse(reader, value, "an alignment is no power of two");
	}
	*alignment = MAX(*alignment, (uint32_t)bits);
	return true;
}

static bool read_byte_order(struct ctf2_reader *reader, const struct json_value *value, struct ctf_type *type)
{
	type->has_own_byte_order = true;
	type->is_big_endian = strcmp(value->text, "big-endian") == 0;
	return type->is_big_endian || strcmp(value->text, "little-endian") == 0 ||
	       ctf2_refuse(reader, value, "unknown byte order `%s`", value->text);
}

static bool read_bound(struct ctf2_reader *reader, const struct json_value *value, const struct ctf_type *type,
		       uint64_t *bound)
{
	if (!value || value->kind != JSON_KIND_INTEGER ||
	    (type->is_signed ? !value->is_negative && value->integer > INT64_MAX : value->is_negative)) {
		return false;
	}
	*bound = value->integer;
	return true;
}

bool ctf2_ranges(struct ctf2_reader *reader, struct ctf_type *type, const char *name, const struct json_value *ranges)
{
	const struct json_value *range = ranges->kind == JSON_KIND_ARRAY ? ranges->first : NULL;

	if (!range) {
		return ctf2_refuse(reader, ranges, "`%s` has no ranges", name);
	}
	for (; range; range = range->next) {
		const struct json_value *lower = range->kind == JSON_KIND_ARRAY ? range->first : NULL;
		struct ctf_label label = { .name = name };
		const char *why;

		if (!lower || !lower->next || lower->next->next || !read_bound(reader, lower, type, &label.lower) ||
		    !read_bound(reader, lower->next, type, &label.upper)) {
			return ctf2_refuse(reader, range, "`%s` has a range that is none of the field's integers",
					   name);
		}
		why = ctf_type_add_label(type, &label);
		if (why) {
			return ctf2_refuse(reader, range, "`%s`: %s", name, why);
		}
	}
	return true;
}

static bool read_mappings(struct ctf2_reader *reader, struct ctf_type *type, const struct json_value *mappings)
{
	if (!mappings || !mappings->first) {
		return true;
	}
	type->labels = g_array_new(FALSE, FALSE, sizeof(struct ctf_label));
	for (const struct json_value *label = mappings->first; label; label = label->next) {
		if (!ctf2_ranges(reader, type, label->key, label)) {
			return false;
		}
	}
	return true;
}

static bool is_base(uint64_t base)
{
	return base == 2 || base == 8 || base == 10 || base == 16;
}

const struct ctf_type *ctf2_integer_type(struct ctf2_reader *reader, const struct json_value *object, bool is_signed,
					 const char **role)
{
	static const struct ctf2_property properties[] = {
		{ "length", JSON_KIND_INTEGER, true },	   { "byte-order", JSON_KIND_TEXT, true },
		{ "alignment", JSON_KIND_INTEGER, false }, { "preferred-display-base", JSON_KIND_INTEGER, false },
		{ "mappings", JSON_KIND_OBJECT, false },   { "roles", JSON_KIND_ARRAY, false },
	};
	enum { LENGTH, ORDER, ALIGNMENT, BASE, MAPPINGS, ROLES };
	struct ctf_type *type = ctf_trace_class_add_type(reader->trace_class, CTF_INTEGER);
	const struct json_value *found[CTF2_PROPERTIES_MAX];
	uint64_t size, base = 10;

	type->is_signed = is_signed;
	if (!ctf2_take(reader, object, properties, G_N_ELEMENTS(properties), found) ||
	    !ctf2_unsigned(reader, found[LENGTH], 1, 64, &size) || !read_byte_order(reader, found[ORDER], type) ||
	    !ctf2_alignment(reader, found[ALIGNMENT], &type->alignment) ||
	    (found[BASE] && !ctf2_unsigned(reader, found[BASE], 2, 16, &base)) ||
	    !read_mappings(reader, type, found[MAPPINGS]) || !ctf2_role(reader, found[ROLES], role)) {
		return NULL;
	}
	if (!is_base(base) || (*role && is_signed)) {
		ctf2_refuse(reader, object, "an unknown base, or a signed field with a role");
		return NULL;
	}
	type->size = (uint32_t)size;
	type->is_clock_value = *role && is_time(*role);
	return type;
}

const struct ctf_type *ctf2_float_type(struct ctf2_reader *reader, const struct json_value *object)
{
	static const struct ctf2_property properties[] = {
		{ "length", JSON_KIND_INTEGER, true },
		{ "byte-order", JSON_KIND_TEXT, true },
		{ "alignment", JSON_KIND_INTEGER, false },
	};
	enum { LENGTH, ORDER, ALIGNMENT };
	struct ctf_type *type = ctf_trace_class_add_type(reader->trace_class, CTF_FLOAT);
	const struct json_value *found[CTF2_PROPERTIES_MAX];
	uint64_t size;

	if (!ctf2_take(reader, object, properties, G_N_ELEMENTS(properties), found) ||
	    !ctf2_unsigned(reader, found[LENGTH], 32, 64, &size) || !read_byte_order(reader, found[ORDER], type) ||
	    !ctf2_alignment(reader, found[ALIGNMENT], &type->alignment)) {
		return NULL;
	}
	if (size != 32 && size != 64) {
		ctf2_refuse(reader, object, "a floating-point number of neither 32 nor 64 bits");
		return NULL;
	}
	type->size = (uint32_t)size;
	return type;
}

const struct ctf_type *ctf2_byte_type(struct ctf2_reader *reader, bool is_character)
{
	struct ctf_type *type = ctf_trace_class_add_type(reader->trace_class, CTF_INTEGER);

	type->size = 8;
	type->alignment = 8;
	type->has_own_byte_order = true;
	type->is_big_endian = reader->trace_class->is_big_endian;
	type->is_character = is_character;
	return type;
}

bool ctf2_is_utf8(struct ctf2_reader *reader, const struct json_value *encoding)
{
	return !encoding || strcmp(encoding->text, "utf-8") == 0 ||
	       ctf2_refuse(reader, encoding, "unknown encoding `%s`", encoding->text);
}

const struct ctf_type *ctf2_string_type(struct ctf2_reader *reader, const struct json_value *object)
{
	static const struct ctf2_property properties[] = { { "encoding", JSON_KIND_TEXT, false } };
	const struct json_value *found[CTF2_PROPERTIES_MAX];
	struct ctf_type *type = ctf_trace_class_add_type(reader->trace_class, CTF_STRING);

	type->alignment = 8;
	return ctf2_take(reader, object, properties, G_N_ELEMENTS(properties), found) && ctf2_is_utf8(reader, found[0])
		       ? type
		       : NULL;
}
