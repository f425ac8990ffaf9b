/* SPDX-License-Identifier: MIT */
/* Tables as CSV: quoted as in RFC 4180, valid UTF-8, lines end with \n, one header line. Rows are written at once. */
#include <string.h>

#include "core/base/text/number_text.h"
#include "core/base/text/utf8.h"
#include "core/output/outputs.h"
#include "core/tables/statistics_columns.h"
#include "ros2bt/output/output_stream.h"

struct csv_output {
	const struct output_place *place; /* borrowed */
	GPtrArray *tables;		  /* struct csv_table, owned */
};

struct csv_table {
	struct table_writer writer;
	struct output_stream *stream;	    /* borrowed */
	struct statistics_columns *columns; /* owned */
};

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
	case CELL_STATISTIC: /* statistics_columns.h has turned these into numbers */
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

static void write_header(struct output_stream *stream, const struct table_schema *schema)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		if (i) {
			output_stream_byte(stream, ',');
		}
		write_text(stream, schema->columns[i].name);
	}
	output_stream_byte(stream, '\n');
}

static void write_row(struct table_writer *writer, const struct cell *cells)
{
	struct csv_table *table = (struct csv_table *)writer;
	size_t count = statistics_columns_schema(table->columns)->column_count;

	cells = statistics_columns_cells(table->columns, cells);
	for (size_t i = 0; i < count; i++) {
		if (i) {
			output_stream_byte(table->stream, ',');
		}
		write_cell(table->stream, &cells[i]);
	}
	output_stream_byte(table->stream, '\n');
}

static void table_destroy(gpointer data)
{
	struct csv_table *table = data;

	statistics_columns_destroy(table->columns);
	g_free(table);
}

static struct output *create(const struct output_place *place)
{
	struct csv_output *csv = g_new0(struct csv_output, 1);

	csv->place = place;
	csv->tables = g_ptr_array_new_with_free_func(table_destroy);
	return (struct output *)csv;
}

static struct table_writer *open_table(struct output *output, const struct table_schema *schema,
				       struct output_stream *stream)
{
	struct csv_output *csv = (struct csv_output *)output;
	struct csv_table *table = g_new0(struct csv_table, 1);

	table->writer.row = write_row;
	table->stream = stream;
	table->columns = statistics_columns_create(schema, csv->place->quantiles, csv->place->quantile_count);
	g_ptr_array_add(csv->tables, table);
	write_header(stream, statistics_columns_schema(table->columns));
	return &table->writer;
}

static void destroy(struct output *output)
{
	struct csv_output *csv = (struct csv_output *)output;

	g_ptr_array_unref(csv->tables);
	g_free(csv);
}

const struct output_class csv_output = {
	.name = "csv",
	.extension = ".csv",
	.takes_histograms = true,
	.create = create,
	.open = open_table,
	.destroy = destroy,
};
