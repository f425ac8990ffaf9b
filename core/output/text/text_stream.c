/* SPDX-License-Identifier: MIT */
#include "core/output/text/text_stream.h"

#include "core/base/text/human_text.h"
#include "core/output/text/text_cell.h"
#include "core/output/text/text_line.h"
#include "core/output/text/text_title.h"

#define COLUMN_GAP 2

/* While the trace is read, nothing is known that a cell could depend on. */
static const struct text_style no_style;

static size_t stream_column_width(const struct table_column *column)
{
	static const size_t widths[] = {
		[COLUMN_PLAIN] = 12,  [COLUMN_DURATION] = 10, [COLUMN_TIME] = 29,
		[COLUMN_PERCENT] = 6, [COLUMN_NAME] = 24,     [COLUMN_STATISTIC] = 0,
		[COLUMN_MOMENT] = 12, [COLUMN_RATE] = 10,     [COLUMN_BYTES] = 10,
	};

	return MAX(widths[column->format], human_text_width(text_column_label(column)));
}

static void line_stream_cell(GString *line, const struct table_column *column, const char *text)
{
	size_t width = human_text_width(text), column_width = stream_column_width(column);

	text_line_pad(line, COLUMN_GAP + (width < column_width ? column_width - width : 0));
	g_string_append(line, text);
}

void text_stream_header(struct output_stream *stream, const struct table_schema *schema)
{
	struct text_style style = text_style_plain();
	g_autoptr(GString) line = g_string_new(NULL);

	text_title(stream, schema, NULL, &style);
	for (size_t i = 0; i < schema->column_count; i++) {
		if (schema->columns[i].role != COLUMN_ROLE_HIDDEN) {
			line_stream_cell(line, &schema->columns[i], text_column_label(&schema->columns[i]));
		}
	}
	text_line_write(stream, line);
}

static void line_stream_value(GString *line, const struct table_column *column, const struct cell *cell)
{
	char buffer[NUMBER_TEXT_SIZE];

	if (cell->type == CELL_TEXT || cell->type == CELL_EMPTY) {
		g_autofree char *text = text_cell_text(cell, column->format, &no_style);

		line_stream_cell(line, column, text);
	} else {
		line_stream_cell(line, column, text_cell_number_text(buffer, cell, column->format, &no_style));
	}
}

void text_stream_row(struct output_stream *stream, const struct table_schema *schema, const struct cell *cells)
{
	g_autoptr(GString) line = g_string_sized_new(256);

	for (size_t i = 0; i < schema->column_count; i++) {
		if (schema->columns[i].role != COLUMN_ROLE_HIDDEN) {
			line_stream_value(line, &schema->columns[i], &cells[i]);
		}
	}
	text_line_write(stream, line);
}
