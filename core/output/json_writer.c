/* SPDX-License-Identifier: MIT */
#include "core/output/json_writer.h"

#include <glib.h>

#include "core/base/text/number_text.h"
#include "ros2bt/output/output_stream.h"
#include "core/base/text/utf8.h"

void json_writer_init(struct json_writer *writer, struct output_stream *stream)
{
	*writer = (struct json_writer){ .stream = stream };
}

static void begin_value(struct json_writer *writer)
{
	if (writer->needs_comma) {
		output_stream_text(writer->stream, ", ");
	}
	writer->needs_comma = true;
}

static void begin_container(struct json_writer *writer, char bracket)
{
	begin_value(writer);
	output_stream_byte(writer->stream, bracket);
	writer->needs_comma = false;
}

static void end_container(struct json_writer *writer, char bracket)
{
	output_stream_byte(writer->stream, bracket);
	writer->needs_comma = true;
}

void json_writer_begin_object(struct json_writer *writer)
{
	begin_container(writer, '{');
}

void json_writer_end_object(struct json_writer *writer)
{
	end_container(writer, '}');
}

void json_writer_begin_array(struct json_writer *writer)
{
	begin_container(writer, '[');
}

void json_writer_end_array(struct json_writer *writer)
{
	end_container(writer, ']');
}

/* A byte that must be escaped. */
static void write_escaped(struct output_stream *stream, char character)
{
	switch (character) {
	case '"':
	case '\\':
		output_stream_byte(stream, '\\');
		output_stream_byte(stream, character);
		break;
	case '\n':
		output_stream_text(stream, "\\n");
		break;
	case '\r':
		output_stream_text(stream, "\\r");
		break;
	case '\t':
		output_stream_text(stream, "\\t");
		break;
	default:
		output_stream_text(stream, "\\u00");
		output_stream_byte(stream, "0123456789abcdef"[character >> 4]);
		output_stream_byte(stream, "0123456789abcdef"[character & 0xf]);
		break;
	}
}

static bool is_plain(char character)
{
	return (unsigned char)character >= 0x20 && character != '"' && character != '\\';
}

static void write_piece(struct output_stream *stream, const char *piece, size_t length)
{
	const char *end = piece + length;

	while (piece < end) {
		const char *plain = piece;

		while (piece < end && is_plain(*piece)) {
			piece++;
		}
		output_stream_bytes(stream, plain, (size_t)(piece - plain));
		if (piece < end) {
			write_escaped(stream, *piece++);
		}
	}
}

static void write_quoted(struct output_stream *stream, const char *text)
{
	const char *piece;
	size_t length;
	size_t plain_length = 0;

	output_stream_byte(stream, '"');
	/* Nearly all texts are plain ASCII: one look at each byte is enough. */
	while (is_plain(text[plain_length]) && (unsigned char)text[plain_length] < 0x80) {
		plain_length++;
	}
	output_stream_bytes(stream, text, plain_length);
	text += plain_length;
	while ((length = utf8_next_piece(&text, &piece))) {
		write_piece(stream, piece, length);
	}
	output_stream_byte(stream, '"');
}

void json_writer_key(struct json_writer *writer, const char *key)
{
	begin_value(writer);
	write_quoted(writer->stream, key);
	output_stream_text(writer->stream, ": ");
	writer->needs_comma = false;
}

static void append(const char *bytes, size_t size, void *data)
{
	g_string_append_len(data, bytes, (gssize)size);
}

char *json_writer_form_key(const char *key)
{
	GString *formed = g_string_new(NULL);
	struct output_stream *stream = output_stream_create_into(append, formed);
	struct json_writer writer;

	json_writer_init(&writer, stream);
	json_writer_key(&writer, key);
	output_stream_flush(stream, NULL);
	output_stream_destroy(stream);
	return g_string_free(formed, FALSE);
}

void json_writer_formed_key(struct json_writer *writer, const char *formed)
{
	begin_value(writer);
	output_stream_text(writer->stream, formed);
	writer->needs_comma = false;
}

void json_writer_text(struct json_writer *writer, const char *text)
{
	begin_value(writer);
	write_quoted(writer->stream, text);
}

static void write_token(struct json_writer *writer, const char *token)
{
	begin_value(writer);
	output_stream_text(writer->stream, token);
}

void json_writer_formed(struct json_writer *writer, const char *value)
{
	write_token(writer, value);
}

void json_writer_integer(struct json_writer *writer, int64_t value)
{
	char buffer[NUMBER_TEXT_SIZE];

	write_token(writer, number_text_integer(buffer, value));
}

void json_writer_unsigned(struct json_writer *writer, uint64_t value)
{
	char buffer[NUMBER_TEXT_SIZE];

	write_token(writer, number_text_unsigned(buffer, value));
}

void json_writer_real(struct json_writer *writer, double value)
{
	char buffer[NUMBER_TEXT_SIZE];
	const char *text = number_text_real(buffer, value);

	write_token(writer, *text ? text : "null");
}

/* "0x…" */
static void write_address(struct json_writer *writer, uint64_t value)
{
	char buffer[NUMBER_TEXT_SIZE];

	json_writer_text(writer, number_text_address(buffer, value));
}

void json_writer_bool(struct json_writer *writer, bool value)
{
	write_token(writer, value ? "true" : "false");
}

void json_writer_null(struct json_writer *writer)
{
	write_token(writer, "null");
}

void json_writer_text_or_null(struct json_writer *writer, const char *text)
{
	if (text) {
		json_writer_text(writer, text);
	} else {
		json_writer_null(writer);
	}
}

void json_writer_cell(struct json_writer *writer, const struct cell *cell)
{
	switch (cell->type) {
	case CELL_EMPTY:
	case CELL_STATISTIC: /* statistics_columns.h has turned these into numbers */
		json_writer_null(writer);
		break;
	case CELL_INTEGER:
		json_writer_integer(writer, cell->integer);
		break;
	case CELL_UNSIGNED:
		json_writer_unsigned(writer, cell->unsigned_integer);
		break;
	case CELL_REAL:
		json_writer_real(writer, cell->real);
		break;
	case CELL_TEXT:
		json_writer_text(writer, cell->text);
		break;
	case CELL_ADDRESS:
		write_address(writer, cell->unsigned_integer);
		break;
	}
}

void json_writer_member_texts(struct json_writer *writer, const char *key, const char *const *texts, size_t count)
{
	json_writer_member_array(writer, key);
	for (size_t i = 0; i < count; i++) {
		json_writer_text(writer, texts[i]);
	}
	json_writer_end_array(writer);
}

void json_writer_line_break(struct json_writer *writer)
{
	output_stream_text(writer->stream, writer->needs_comma ? ",\n" : "\n");
	writer->needs_comma = false;
}

void json_writer_splice(struct json_writer *writer, struct output_stream *spool)
{
	output_stream_splice(writer->stream, spool);
	writer->needs_comma = false;
}

void json_writer_splice_some(struct json_writer *writer, struct output_stream *spool,
			     bool (*keeps)(const void *data, uint64_t number), const void *data)
{
	g_autoptr(GString) line = g_string_new(NULL);

	output_stream_rewind(spool);
	output_stream_read_line(spool, line); /* an empty one: a line break comes before each element */
	for (uint64_t number = 0; output_stream_read_line(spool, line); number++) {
		if (keeps(data, number)) {
			bool has_comma = line->len > 0 && line->str[line->len - 1] == ',';

			json_writer_line_break(writer);
			output_stream_bytes(writer->stream, line->str, line->len - has_comma);
			writer->needs_comma = true;
		}
	}
}
