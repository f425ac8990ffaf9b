/* SPDX-License-Identifier: MIT */
#include "core/output/output_csv.h"

#include <string.h>

#include "core/text/number_text.h"
#include "core/output/output_stream.h"
#include "core/text/utf8.h"

static void write_piece(struct output_stream *stream, const char *piece, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (piece[i] == '"') {
			output_stream_byte(stream, '"');
		}
		output_stream_byte(stream, piece[i]);
	}
}

static void write_text(struct output_stream *stream, const char *text)
{
	bool is_quoted = strpbrk(text, ",\"\r\n") != NULL;
	const char *piece;
	size_t length;

	if (is_quoted) {
		output_stream_byte(stream, '"');
	}
	while ((length = utf8_next_piece(&text, &piece))) {
		write_piece(stream, piece, length);
	}
	if (is_quoted) {
		output_stream_byte(stream, '"');
	}
}

static void write_cell(struct output_stream *stream, const struct cell *cell)
{
	char buffer[NUMBER_TEXT_SIZE];

	switch (cell->type) {
	case CELL_EMPTY:
	case CELL_STATISTIC: /* statistics_columns.h has made numbers of it */
		break;
	case CELL_INTEGER:
		output_stream_text(stream, number_text_integer(buffer, cell->integer));
		break;
	case CELL_UNSIGNED:
		output_stream_text(stream, number_text_unsigned(buffer, cell->unsigned_integer));
		break;
	case CELL_REAL:
		output_stream_text(stream, number_text_real(buffer, cell->real));
		break;
	case CELL_TEXT:
		write_text(stream, cell->text);
		break;
	case CELL_ADDRESS:
		output_stream_text(stream, number_text_address(buffer, cell->unsigned_integer));
		break;
	}
}

void output_csv_header(struct output_stream *stream, const struct table_schema *schema)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		if (i) {
			output_stream_byte(stream, ',');
		}
		write_text(stream, schema->columns[i].name);
	}
	output_stream_byte(stream, '\n');
}

void output_csv_row(struct output_stream *stream, const struct table_schema *schema, const struct cell *cells)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		if (i) {
			output_stream_byte(stream, ',');
		}
		write_cell(stream, &cells[i]);
	}
	output_stream_byte(stream, '\n');
}
