/* SPDX-License-Identifier: MIT */
/*
 * Reads a JSON text (RFC 8259) into a tree, strictly: what the RFC leaves open, and what other readers take in
 * different ways, is refused with the line and the reason. That is a key given twice, a number above 64 bits, invalid
 * UTF-8, \u0000, a lone surrogate, and more than JSON_DEPTH_MAX arrays and objects within one another. Integers are
 * exact, from -2^63 to 2^64 - 1.
 *
 * No library of Debian 12 does this: json-glib clamps integers silently, jansson refuses those above 2^63 - 1, cJSON
 * makes doubles of them. The fuzzer compares with jansson.
 *
 * Cost: one pass over the text. Memory: a value takes 56 bytes until the next text is read; texts go to the chunk.
 */
#ifndef ROS2BT_JSON_TEXT_H
#define ROS2BT_JSON_TEXT_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JSON_DEPTH_MAX 32

enum json_kind {
	JSON_KIND_NULL,
	JSON_KIND_BOOLEAN,
	JSON_KIND_INTEGER,
	JSON_KIND_REAL, /* a number with a fraction or an exponent; its value is not kept */
	JSON_KIND_TEXT,
	JSON_KIND_ARRAY,
	JSON_KIND_OBJECT,
};

struct json_value {
	enum json_kind kind;
	unsigned int line;
	bool is_true;	  /* JSON_KIND_BOOLEAN */
	bool is_negative; /* JSON_KIND_INTEGER; false for -0 */
	uint64_t integer; /* JSON_KIND_INTEGER: the value, a negative one as its two's complement */
	const char *text; /* JSON_KIND_TEXT; UTF-8 */
	const char *key;  /* of a member of an object; else NULL */
	const struct json_value *first,
		*next; /* JSON_KIND_ARRAY, JSON_KIND_OBJECT: the first member; the member behind this one */
};

struct json_reader;

/* The texts of all values go to the chunk, which is borrowed. */
struct json_reader *json_reader_create(GStringChunk *texts);
void json_reader_destroy(struct json_reader *reader);

/*
 * The value of a text; valid until the next call. *line is the number of its first line, and becomes that of its last
 * one. NULL with the reason in *reason (to be freed). Blanks may precede and follow the value.
 */
const struct json_value *json_reader_read(struct json_reader *reader, const char *text, size_t length,
					  unsigned int *line, char **reason);

#endif
