/* SPDX-License-Identifier: MIT */
#include "core/ctf/tsdl/tsdl_scalars.h"

#include <string.h>

#include "core/ctf/tsdl/tsdl_attribute.h"

/* `base` is for display only, but LTTng never writes an invalid one. */
static bool check_base(struct tsdl_parser *parser, const struct tsdl_attribute *attribute)
{
	uint64_t base = attribute->integer;

	return (attribute->kind == ATTRIBUTE_INTEGER && !attribute->is_negative &&
		(base == 2 || base == 8 || base == 10 || base == 16)) ||
	       tsdl_attribute_refuse(parser, attribute);
}

static bool attribute_map(struct tsdl_parser *parser, const struct tsdl_attribute *attribute)
{
	g_auto(GStrv) parts = attribute->kind == ATTRIBUTE_TEXT ? g_strsplit(attribute->text, ".", 0) : NULL;

	if (!parts || g_strv_length(parts) != 3 || strcmp(parts[0], "clock") != 0 || strcmp(parts[2], "value") != 0) {
		return tsdl_attribute_refuse(parser, attribute);
	}
	if (parser->mapped_clock && strcmp(parser->mapped_clock, parts[1]) != 0) {
		return tsdl_refuse(parser, "more than one clock is used; only one is supported");
	}
	parser->mapped_clock = g_string_chunk_insert(parser->trace_class->strings, parts[1]);
	return true;
}

static bool set_integer_attribute(struct tsdl_parser *parser, struct ctf_type *type,
				  const struct tsdl_attribute *attribute, bool *is_text)
{
	uint64_t size = 0;

	if (tsdl_attribute_is(attribute, "size")) {
		if (!tsdl_attribute_unsigned(parser, attribute, 64, &size) || size == 0) {
			return tsdl_attribute_refuse(parser, attribute);
		}
		type->size = (uint32_t)size;
		return true;
	}
	if (tsdl_attribute_is(attribute, "align")) {
		return tsdl_attribute_alignment(parser, attribute, &type->alignment);
	}
	if (tsdl_attribute_is(attribute, "signed")) {
		return tsdl_attribute_bool(parser, attribute, &type->is_signed);
	}
	if (tsdl_attribute_is(attribute, "byte_order")) {
		bool is_native = false;
		bool is_known = tsdl_attribute_byte_order(parser, attribute, &is_native, &type->is_big_endian);

		type->has_own_byte_order = !is_native;
		return is_known;
	}
	if (tsdl_attribute_is(attribute, "encoding")) {
		return tsdl_attribute_encoding(parser, attribute, is_text);
	}
	if (tsdl_attribute_is(attribute, "base")) {
		return check_base(parser, attribute);
	}
	if (tsdl_attribute_is(attribute, "map")) {
		type->is_clock_value = true;
		return attribute_map(parser, attribute);
	}
	return tsdl_attribute_refuse(parser, attribute);
}

const struct ctf_type *tsdl_parse_integer(struct tsdl_parser *parser)
{
	g_auto(seen_names) seen = { 0 };
	struct ctf_type *type = ctf_trace_class_add_type(parser->trace_class, CTF_INTEGER);
	bool is_text = false;

	type->alignment = 0;
	if (!tsdl_expect(parser, '{')) {
		return NULL;
	}
	while (!tsdl_accept(parser, '}')) {
		struct tsdl_attribute attribute;

		if (!tsdl_attribute_parse(parser, &seen, &attribute) ||
		    !set_integer_attribute(parser, type, &attribute, &is_text)) {
			return NULL;
		}
	}
	if (type->size == 0) {
		tsdl_refuse(parser, "integer without size");
		return NULL;
	}
	if (type->is_clock_value && type->is_signed) {
		tsdl_refuse(parser, "signed integer mapped to a clock");
		return NULL;
	}
	if (type->alignment == 0) {
		type->alignment = type->size % 8 == 0 ? 8 : 1;
	}
	type->is_character = is_text && type->size == 8 && type->alignment == 8;
	return type;
}

const struct ctf_type *tsdl_parse_floating_point(struct tsdl_parser *parser)
{
	g_auto(seen_names) seen = { 0 };
	struct ctf_type *type = ctf_trace_class_add_type(parser->trace_class, CTF_FLOAT);
	uint64_t exponent = 0, mantissa = 0;

	type->alignment = 8;
	if (!tsdl_expect(parser, '{')) {
		return NULL;
	}
	while (!tsdl_accept(parser, '}')) {
		struct tsdl_attribute attribute;
		bool is_native = true, is_known;

		if (!tsdl_attribute_parse(parser, &seen, &attribute)) {
			return NULL;
		}
		is_known = tsdl_attribute_is(&attribute, "exp_dig")
				   ? tsdl_attribute_unsigned(parser, &attribute, 64, &exponent)
			   : tsdl_attribute_is(&attribute, "mant_dig")
				   ? tsdl_attribute_unsigned(parser, &attribute, 64, &mantissa)
			   : tsdl_attribute_is(&attribute, "align")
				   ? tsdl_attribute_alignment(parser, &attribute, &type->alignment)
			   : tsdl_attribute_is(&attribute, "byte_order")
				   ? tsdl_attribute_byte_order(parser, &attribute, &is_native, &type->is_big_endian)
				   : tsdl_attribute_refuse(parser, &attribute);
		if (!is_known) {
			return NULL;
		}
		type->has_own_byte_order |= !is_native;
	}
	type->size = (uint32_t)(exponent + mantissa);
	if (!(exponent == 8 && mantissa == 24) && !(exponent == 11 && mantissa == 53)) {
		tsdl_refuse(parser, "floating-point number that is neither float nor double");
		return NULL;
	}
	return type;
}

const struct ctf_type *tsdl_parse_string(struct tsdl_parser *parser)
{
	g_auto(seen_names) seen = { 0 };
	struct ctf_type *type = ctf_trace_class_add_type(parser->trace_class, CTF_STRING);

	type->alignment = 8;
	if (tsdl_accept(parser, '{')) {
		while (!tsdl_accept(parser, '}')) {
			struct tsdl_attribute attribute;
			bool is_text;

			if (!tsdl_attribute_parse(parser, &seen, &attribute) ||
			    !(tsdl_attribute_is(&attribute, "encoding")
				      ? tsdl_attribute_encoding(parser, &attribute, &is_text)
				      : tsdl_attribute_refuse(parser, &attribute))) {
				return NULL;
			}
		}
	}
	return type;
}
