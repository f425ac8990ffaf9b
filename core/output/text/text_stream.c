/* SPDX-License-Identifier: MIT */
#include "core/output/text/text_stream.h"

#include "core/base/text/human_text.h"
#include "core/base/text/path_text.h"
#include "core/output/text/text_cell.h"
#include "core/output/text/text_line.h"
#include "core/output/text/text_title.h"

#define COLUMN_GAP 2
#define INDENT_CONTINUED 4

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

/* A row that is too long continues on the next line, indented. */
struct stream_line {
	GString *text;
	size_t width;
};

static void line_stream_cell(struct stream_line *line, const struct table_column *column, const char *text)
{
	size_t width = human_text_width(text), column_width = MAX(stream_column_width(column), width);
	g_autofree char *short_text = NULL;

	if (line->width > 0 && line->width + COLUMN_GAP + column_width > TEXT_WIDTH_MAX) {
		g_string_append_c(line->text, '\n');
		text_line_pad(line->text, INDENT_CONTINUED);
		line->width = INDENT_CONTINUED;
	}
	if (line->width + COLUMN_GAP + column_width > TEXT_WIDTH_MAX) {
		column_width = TEXT_WIDTH_MAX - COLUMN_GAP - line->width;
		short_text = path_text_shorten(text, column_width);
		text = short_text;
		width = human_text_width(text);
	}
	text_line_pad(line->text, COLUMN_GAP + column_width - width);
	g_string_append(line->text, text);
	line->width += COLUMN_GAP + column_width;
}

void text_stream_header(struct output_stream *stream, const struct table_schema *schema)
{
	struct text_style style = text_style_plain();
	g_autoptr(GString) text = g_string_new(NULL);
	struct stream_line line = { .text = text };

	text_title(stream, schema, "", &style);
	for (size_t i = 0; i < schema->column_count; i++) {
		if (schema->columns[i].role != COLUMN_ROLE_HIDDEN) {
			line_stream_cell(&line, &schema->columns[i], text_column_label(&schema->columns[i]));
		}
	}
	text_line_write(stream, text);
}

static void line_stream_value(struct stream_line *line, const struct table_column *column, const struct cell *cell)
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
	g_autoptr(GString) text = g_string_sized_new(256);
	struct stream_line line = { .text = text };

	for (size_t i = 0; i < schema->column_count; i++) {
		if (schema->columns[i].role != COLUMN_ROLE_HIDDEN) {
			line_stream_value(&line, &schema->columns[i], &cells[i]);
		}
	}
	text_line_write(stream, text);
}
