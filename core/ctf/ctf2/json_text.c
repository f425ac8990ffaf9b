/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf2/json_text.h"

#include <stdarg.h>
#include <string.h>

#include "core/ctf/refusal.h"
#include "core/ctf/seen_names.h"

#define BLOCK_VALUES 256
#define WORD_OF(byte) (UINT64_MAX / 255 * (byte)) /* eight of them */

struct json_reader {
	GStringChunk *texts; /* borrowed */
	GPtrArray *blocks;   /* struct json_value [BLOCK_VALUES], owned */
	size_t value_count;  /* of the present text */
	GString *string;     /* the one being read */
	const char *at, *end;
	unsigned int line, depth;
	bool is_ascii; /* the whole text: none of its strings need be checked */
	char *reason;
};

static bool read_value(struct json_reader *reader, struct json_value *value);

struct json_reader *json_reader_create(GStringChunk *texts)
{
	struct json_reader *reader = g_new0(struct json_reader, 1);

	reader->texts = texts;
	reader->blocks = g_ptr_array_new_with_free_func(g_free);
	reader->string = g_string_new(NULL);
	return reader;
}

void json_reader_destroy(struct json_reader *reader)
{
	g_ptr_array_free(reader->blocks, TRUE);
	g_string_free(reader->string, TRUE);
	g_free(reader);
}

static bool refuse(struct json_reader *reader, const char *format, ...) G_GNUC_PRINTF(2, 3);

static bool refuse(struct json_reader *reader, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	refusal_keep(&reader->reason, "line", reader->line, format, arguments);
	va_end(arguments);
	return false;
}

static struct json_value *add_value(struct json_reader *reader)
{
	size_t block = reader->value_count / BLOCK_VALUES;
	struct json_value *value;

	if (block == reader->blocks->len) {
		g_ptr_array_add(reader->blocks, g_new(struct json_value, BLOCK_VALUES));
	}
	value = (struct json_value *)g_ptr_array_index(reader->blocks, block) + reader->value_count % BLOCK_VALUES;
	reader->value_count++;
	memset(value, 0, sizeof(*value));
	return value;
}

static uint64_t word_at(const char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

static bool is_ascii(const char *at, const char *end)
{
	uint64_t bits = 0;

	for (; end - at >= (ptrdiff_t)sizeof(bits); at += sizeof(bits)) {
		bits |= word_at(at);
	}
	for (; at < end; at++) {
		bits |= (unsigned char)*at;
	}
	return (bits & WORD_OF(0x80)) == 0;
}

/* The next byte behind blanks; NUL at the end, which no JSON text contains. LTTng indents, which is a third of its
 * text. */
static char next_character(struct json_reader *reader)
{
	const char *at = reader->at, *end = reader->end;

	for (; at < end && (unsigned char)*at <= ' '; at++) {
		if (*at == '\n') {
			reader->line++;
			while (end - at > (ptrdiff_t)sizeof(uint64_t) && word_at(at + 1) == WORD_OF(' ')) {
				at += sizeof(uint64_t);
			}
		} else if (*at != ' ' && *at != '\t' && *at != '\r') {
			break;
		}
	}
	reader->at = at;
	if (at == end) {
		return '\0';
	}
	return *at;
}

static bool accept(struct json_reader *reader, char character)
{
	if (next_character(reader) != character || character == '\0') {
		return false;
	}
	reader->at++;
	return true;
}

static bool read_hex(struct json_reader *reader, gunichar *unit)
{
	*unit = 0;
	for (int i = 0; i < 4; i++) {
		if (reader->at == reader->end || !g_ascii_isxdigit(*reader->at)) {
			return refuse(reader, "a text has an escape \\u without four hexadecimal digits");
		}
		*unit = *unit << 4 | (gunichar)g_ascii_xdigit_value(*reader->at++);
	}
	return true;
}

/* Behind \u: a unit, or a pair of surrogates. */
static bool read_unicode(struct json_reader *reader)
{
	gunichar unit, low;

	if (!read_hex(reader, &unit)) {
		return false;
	}
	if (unit >= 0xd800 && unit < 0xdc00) {
		if (reader->end - reader->at < 2 || reader->at[0] != '\\' || reader->at[1] != 'u') {
			return refuse(reader, "a text has half of a character");
		}
		reader->at += 2;
		if (!read_hex(reader, &low)) {
			return false;
		}
		if (low < 0xdc00 || low > 0xdfff) {
			return refuse(reader, "a text has half of a character");
		}
		unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
	} else if (unit == 0 || (unit >= 0xdc00 && unit <= 0xdfff)) {
		return refuse(reader, "a text has half of a character, or a NUL");
	}
	g_string_append_unichar(reader->string, unit);
	return true;
}

/* Behind a backslash. */
static bool read_escape(struct json_reader *reader)
{
	static const char escapes[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
	const char *escape;

	if (reader->at < reader->end && *reader->at == 'u') {
		reader->at++;
		return read_unicode(reader);
	}
	escape = reader->at < reader->end ? memchr(escapes, *reader->at, strlen(escapes)) : NULL;
	if (!escape) {
		return refuse(reader, "a text has an escape that JSON does not know");
	}
	reader->at++;
	g_string_append_c(reader->string, meanings[escape - escapes]);
	return true;
}

/* Whether one of eight bytes is a quotation mark, a backslash or a control character; perhaps also if one is above
 * ASCII. */
static bool may_end_plain(uint64_t word)
{
	uint64_t quote = word ^ WORD_OF('"'), backslash = word ^ WORD_OF('\\');

	return (((word - WORD_OF(' ')) | (quote - WORD_OF(1)) | (backslash - WORD_OF(1))) & WORD_OF(0x80)) != 0;
}

/* Moves to the next quotation mark, backslash or control character, or to the end. */
static void skip_plain(struct json_reader *reader)
{
	const char *at = reader->at, *end = reader->end;

	while (end - at >= (ptrdiff_t)sizeof(uint64_t) && !may_end_plain(word_at(at))) {
		at += sizeof(uint64_t);
	}
	while (at < end && *at != '"' && *at != '\\' && (unsigned char)*at >= ' ') {
		at++;
	}
	reader->at = at;
}

/* The rest of a text with escapes goes to reader->string. */
static bool unescape(struct json_reader *reader)
{
	while (reader->at < reader->end && *reader->at == '\\') {
		const char *start;

		reader->at++;
		if (!read_escape(reader)) {
			return false;
		}
		start = reader->at;
		skip_plain(reader);
		g_string_append_len(reader->string, start, reader->at - start);
	}
	return true;
}

/* Behind the quotation mark; NULL: refused. */
static const char *read_text(struct json_reader *reader)
{
	const char *text = reader->at;
	size_t length;

	skip_plain(reader);
	length = (size_t)(reader->at - text);
	if (reader->at < reader->end && *reader->at == '\\') {
		g_string_truncate(reader->string, 0);
		g_string_append_len(reader->string, text, (gssize)length);
		if (!unescape(reader)) {
			return NULL;
		}
		text = reader->string->str;
		length = reader->string->len;
	}
	if (reader->at == reader->end || *reader->at != '"') {
		refuse(reader, reader->at == reader->end ? "a text has no end" : "a text has a control character");
		return NULL;
	}
	reader->at++;
	if (!reader->is_ascii && !g_utf8_validate_len(text, length, NULL)) {
		refuse(reader, "a text is not UTF-8");
		return NULL;
	}
	return g_string_chunk_insert_len(reader->texts, text, (gssize)length);
}

static bool skip_digits(struct json_reader *reader)
{
	const char *start = reader->at;

	while (reader->at < reader->end && g_ascii_isdigit(*reader->at)) {
		reader->at++;
	}
	return reader->at > start || refuse(reader, "a number lacks digits");
}

/* The digits of an integer; false if it does not fit. */
static bool convert_integer(const char *digits, const char *end, struct json_value *value)
{
	uint64_t magnitude = 0;

	for (; digits < end; digits++) {
		if (__builtin_mul_overflow(magnitude, 10, &magnitude) ||
		    __builtin_add_overflow(magnitude, (uint64_t)(*digits - '0'), &magnitude)) {
			return false;
		}
	}
	value->is_negative &= magnitude > 0;
	value->integer = value->is_negative ? -magnitude : magnitude;
	return !value->is_negative || magnitude <= (uint64_t)INT64_MAX + 1;
}

static bool read_number(struct json_reader *reader, struct json_value *value)
{
	const char *digits, *end;

	value->kind = JSON_KIND_INTEGER;
	if (*reader->at == '-') {
		value->is_negative = true;
		reader->at++;
	}
	digits = reader->at;
	if (!skip_digits(reader)) {
		return false;
	}
	end = reader->at;
	if (*digits == '0' && end - digits > 1) {
		return refuse(reader, "a number begins with 0");
	}
	if (reader->at < reader->end && *reader->at == '.') {
		value->kind = JSON_KIND_REAL;
		reader->at++;
		if (!skip_digits(reader)) {
			return false;
		}
	}
	if (reader->at < reader->end && (*reader->at == 'e' || *reader->at == 'E')) {
		value->kind = JSON_KIND_REAL;
		reader->at++;
		if (reader->at < reader->end && (*reader->at == '+' || *reader->at == '-')) {
			reader->at++;
		}
		if (!skip_digits(reader)) {
			return false;
		}
	}
	return value->kind == JSON_KIND_REAL || convert_integer(digits, end, value) ||
	       refuse(reader, "a number needs more than 64 bits");
}

static bool read_word(struct json_reader *reader, struct json_value *value)
{
	static const struct {
		const char *word;
		enum json_kind kind;
		bool is_true;
	} words[] = { { "true", JSON_KIND_BOOLEAN, true },
		      { "false", JSON_KIND_BOOLEAN, false },
		      { "null", JSON_KIND_NULL, false } };

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		size_t length = strlen(words[i].word);

		if ((size_t)(reader->end - reader->at) >= length && memcmp(reader->at, words[i].word, length) == 0) {
			reader->at += length;
			value->kind = words[i].kind;
			value->is_true = words[i].is_true;
			return true;
		}
	}
	return refuse(reader, "no value of JSON where one should be");
}

static bool read_key(struct json_reader *reader, struct json_value *member, seen_names *seen)
{
	if (!accept(reader, '"')) {
		return refuse(reader, "a member of an object has no name");
	}
	member->key = read_text(reader);
	if (!member->key) {
		return false;
	}
	if (!seen_names_add(seen, member->key)) {
		return refuse(reader, "`%s` is given twice", member->key);
	}
	return accept(reader, ':') || refuse(reader, "no `:` behind `%s`", member->key);
}

/* Behind the opening bracket. */
static bool read_members(struct json_reader *reader, struct json_value *value, char closing)
{
	g_auto(seen_names) seen = { 0 };
	const struct json_value **link = &value->first;

	if (accept(reader, closing)) {
		return true;
	}
	do {
		struct json_value *member = add_value(reader);

		if ((value->kind == JSON_KIND_OBJECT && !read_key(reader, member, &seen)) ||
		    !read_value(reader, member)) {
			return false;
		}
		*link = member;
		link = &member->next;
	} while (accept(reader, ','));
	return accept(reader, closing) || refuse(reader, "an array or object has no end");
}

static bool read_compound(struct json_reader *reader, struct json_value *value)
{
	bool is_object = *reader->at++ == '{';
	bool is_read;

	if (reader->depth == JSON_DEPTH_MAX) {
		return refuse(reader, "arrays and objects are nested too deep");
	}
	reader->depth++;
	value->kind = is_object ? JSON_KIND_OBJECT : JSON_KIND_ARRAY;
	is_read = read_members(reader, value, is_object ? '}' : ']');
	reader->depth--;
	return is_read;
}

static bool read_value(struct json_reader *reader, struct json_value *value)
{
	char character = next_character(reader);

	value->line = reader->line;
	if (character == '{' || character == '[') {
		return read_compound(reader, value);
	}
	if (character == '"') {
		reader->at++;
		value->kind = JSON_KIND_TEXT;
		value->text = read_text(reader);
		return value->text != NULL;
	}
	if (character == '-' || g_ascii_isdigit(character)) {
		return read_number(reader, value);
	}
	return read_word(reader, value);
}

const struct json_value *json_reader_read(struct json_reader *reader, const char *text, size_t length,
					  unsigned int *line, char **reason)
{
	struct json_value *value;
	bool is_read;

	reader->value_count = 0;
	reader->depth = 0;
	reader->at = text;
	reader->end = text + length;
	reader->is_ascii = is_ascii(text, reader->end);
	reader->line = *line;
	reader->reason = NULL;
	value = add_value(reader);
	is_read = read_value(reader, value);
	/* a NUL is no blank, and not the end */
	if (is_read && (next_character(reader) != '\0' || reader->at != reader->end)) {
		is_read = refuse(reader, "something follows the value");
	}
	*line = reader->line;
	*reason = reader->reason;
	return is_read ? value : NULL;
}
