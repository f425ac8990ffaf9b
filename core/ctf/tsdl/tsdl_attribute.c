/* SPDX-License-Identifier: MIT */
#include "core/ctf/tsdl/tsdl_attribute.h"

#include <string.h>

static bool parse_one(struct tsdl_parser *parser, struct tsdl_attribute *attribute)
{
	*attribute = (struct tsdl_attribute){ .name = tsdl_take_dotted_name(parser) };
	if (!attribute->name) {
		return false;
	}
	if (parser->token.kind == TOKEN_ASSIGN_TYPE) {
		tsdl_advance(parser);
		attribute->kind = ATTRIBUTE_TYPE;
		return true;
	}
	if (!tsdl_expect(parser, '=')) {
		return false;
	}
	if (parser->token.kind == TOKEN_STRING) {
		attribute->kind = ATTRIBUTE_TEXT;
		attribute->is_quoted = true;
		attribute->text = tsdl_take_string(parser);
	} else if (parser->token.kind == TOKEN_NAME) {
		attribute->kind = ATTRIBUTE_TEXT;
		attribute->text = tsdl_take_dotted_name(parser);
	} else {
		attribute->kind = ATTRIBUTE_INTEGER;
		if (!tsdl_take_integer(parser, &attribute->integer, &attribute->is_negative)) {
			return false;
		}
	}
	return (attribute->kind != ATTRIBUTE_TEXT || attribute->text) && tsdl_expect(parser, ';');
}

bool tsdl_attribute_parse(struct tsdl_parser *parser, seen_names *seen, struct tsdl_attribute *attribute)
{
	return parse_one(parser, attribute) && (seen_names_add(seen, attribute->name) ||
						tsdl_refuse(parser, "attribute `%s` is given twice", attribute->name));
}

bool tsdl_attribute_is(const struct tsdl_attribute *attribute, const char *name)
{
	return strcmp(attribute->name, name) == 0;
}

bool tsdl_attribute_refuse(struct tsdl_parser *parser, const struct tsdl_attribute *attribute)
{
	tsdl_refuse(parser, "unknown attribute `%s`, or unknown value of it", attribute->name);
	return false;
}

bool tsdl_attribute_unsigned(struct tsdl_parser *parser, const struct tsdl_attribute *attribute, uint64_t max,
			     uint64_t *value)
{
	if (attribute->kind != ATTRIBUTE_INTEGER || attribute->is_negative || attribute->integer > max) {
		return tsdl_attribute_refuse(parser, attribute);
	}
	*value = attribute->integer;
	return true;
}

bool tsdl_attribute_bool(struct tsdl_parser *parser, const struct tsdl_attribute *attribute, bool *value)
{
	if (attribute->kind == ATTRIBUTE_INTEGER && !attribute->is_negative && attribute->integer <= 1) {
		*value = attribute->integer == 1;
		return true;
	}
	if (attribute->kind == ATTRIBUTE_TEXT && !attribute->is_quoted) {
		if (strcmp(attribute->text, "true") == 0 || strcmp(attribute->text, "TRUE") == 0) {
			*value = true;
			return true;
		}
		if (strcmp(attribute->text, "false") == 0 || strcmp(attribute->text, "FALSE") == 0) {
			*value = false;
			return true;
		}
	}
	return tsdl_attribute_refuse(parser, attribute);
}

bool tsdl_attribute_byte_order(struct tsdl_parser *parser, const struct tsdl_attribute *attribute, bool *is_native,
			       bool *is_big_endian)
{
	static const struct {
		const char *name;
		bool is_native, is_big_endian;
	} orders[] = {
		{ "le", false, false }, { "be", false, true }, { "network", false, true }, { "native", true, false }
	};

	for (size_t i = 0; i < G_N_ELEMENTS(orders); i++) {
		if (attribute->kind == ATTRIBUTE_TEXT && !attribute->is_quoted &&
		    strcmp(attribute->text, orders[i].name) == 0) {
			*is_native = orders[i].is_native;
			*is_big_endian = orders[i].is_big_endian;
			return true;
		}
	}
	return tsdl_attribute_refuse(parser, attribute);
}

bool tsdl_attribute_text(struct tsdl_parser *parser, const struct tsdl_attribute *attribute, const char **text)
{
	if (attribute->kind != ATTRIBUTE_TEXT || !attribute->is_quoted || *text) {
		return tsdl_attribute_refuse(parser, attribute);
	}
	*text = attribute->text;
	return true;
}

bool tsdl_attribute_alignment(struct tsdl_parser *parser, const struct tsdl_attribute *attribute, uint32_t *alignment)
{
	uint64_t value = 0;

	if (!tsdl_attribute_unsigned(parser, attribute, TSDL_ALIGNMENT_MAX, &value)) {
		return false;
	}
	if (value == 0 || (value & (value - 1)) != 0) {
		return tsdl_attribute_refuse(parser, attribute);
	}
	*alignment = (uint32_t)value;
	return true;
}

bool tsdl_attribute_uuid(struct tsdl_parser *parser, const struct tsdl_attribute *attribute, uint8_t uuid[16])
{
	const char *text = NULL;
	size_t digits = 0;

	if (!tsdl_attribute_text(parser, attribute, &text) || strlen(text) != 36) {
		return tsdl_attribute_refuse(parser, attribute);
	}
	for (size_t i = 0; i < 36; i++) {
		bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (is_dash ? text[i] != '-' : !g_ascii_isxdigit(text[i])) {
			return tsdl_attribute_refuse(parser, attribute);
		}
		if (!is_dash) {
			uint8_t *byte = &uuid[digits++ / 2];

			*byte = (uint8_t)(*byte << 4 | g_ascii_xdigit_value(text[i]));
		}
	}
	return true;
}

bool tsdl_attribute_encoding(struct tsdl_parser *parser, const struct tsdl_attribute *attribute, bool *is_text)
{
	static const char *const text_encodings[] = { "UTF8", "utf8", "ASCII", "ascii" };

	if (attribute->kind != ATTRIBUTE_TEXT) {
		return tsdl_attribute_refuse(parser, attribute);
	}
	*is_text = false;
	if (strcmp(attribute->text, "none") == 0) {
		return true;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(text_encodings); i++) {
		*is_text |= strcmp(attribute->text, text_encodings[i]) == 0;
	}
	return *is_text || tsdl_attribute_refuse(parser, attribute);
}
