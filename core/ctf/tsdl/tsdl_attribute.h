/* SPDX-License-Identifier: MIT */
/*
 * The attributes in a block of TSDL, such as `size = 32;`, and what their values may be. A function that returns false
 * has refused the text (tsdl_parser.h).
 */
#ifndef ROS2BT_TSDL_ATTRIBUTE_H
#define ROS2BT_TSDL_ATTRIBUTE_H

#include "core/ctf/seen_names.h"
#include "core/ctf/tsdl/tsdl_parser.h"

/* An attribute such as `size = 32`. */
struct tsdl_attribute {
	const char *name;
	enum { ATTRIBUTE_INTEGER, ATTRIBUTE_TEXT, ATTRIBUTE_TYPE } kind;
	bool is_quoted;
	bool is_negative;
	uint64_t integer;
	const char *text; /* a string or dotted name, in the trace class's strings */
	const struct ctf_type *type;
};

/*
 * The next attribute of a block: `name = value;`, or of `name := type;` the part before the type, which the caller
 * parses. `seen` holds the names so far, none may repeat.
 */
bool tsdl_attribute_parse(struct tsdl_parser *parser, seen_names *seen, struct tsdl_attribute *attribute);
bool tsdl_attribute_is(const struct tsdl_attribute *attribute, const char *name);
/* Refuses an unknown name or value; false. */
bool tsdl_attribute_refuse(struct tsdl_parser *parser, const struct tsdl_attribute *attribute);

/* The value; false if the text has another form. */
bool tsdl_attribute_unsigned(struct tsdl_parser *parser, const struct tsdl_attribute *attribute, uint64_t max,
			     uint64_t *value);
bool tsdl_attribute_bool(struct tsdl_parser *parser, const struct tsdl_attribute *attribute, bool *value);
bool tsdl_attribute_byte_order(struct tsdl_parser *parser, const struct tsdl_attribute *attribute, bool *is_native,
			       bool *is_big_endian);
/* Once: *text must be NULL. */
bool tsdl_attribute_text(struct tsdl_parser *parser, const struct tsdl_attribute *attribute, const char **text);
/* Bits: a power of two up to TSDL_ALIGNMENT_MAX. */
bool tsdl_attribute_alignment(struct tsdl_parser *parser, const struct tsdl_attribute *attribute, uint32_t *alignment);
bool tsdl_attribute_uuid(struct tsdl_parser *parser, const struct tsdl_attribute *attribute, uint8_t uuid[16]);
/* Whether the value of `encoding` is that of text. */
bool tsdl_attribute_encoding(struct tsdl_parser *parser, const struct tsdl_attribute *attribute, bool *is_text);

#endif
