/* SPDX-License-Identifier: MIT */
#include "core/output/text/text_layout_write.h"

#include <math.h>
#include <string.h>

#include "core/base/text/human_text.h"
#include "core/base/text/path_text.h"
#include "core/output/text/text_cell.h"
#include "core/output/text/text_line.h"

static bool is_left_aligned(const struct text_column *column)
{
	return column->has_text || column->column->format == COLUMN_NAME;
}

static void line_cell(GString *line, const struct text_layout *layout, const struct text_column *column,
		      const char *text, const char *attribute)
{
	g_autofree char *short_text = NULL;
	size_t width = human_text_width(text), padding;

	if (width > column->width) {
		short_text = path_text_shorten(text, MAX(column->width, 1));
		text = short_text;
		width = human_text_width(text);
	}
	padding = column->width - MIN(column->width, width);
	if (!is_left_aligned(column)) {
		text_line_pad(line, padding);
	}
	if (attribute && layout->style->has_attributes) {
		g_string_append_printf(line, "%s%s" ATTRIBUTE_NONE, attribute, text);
	} else {
		g_string_append(line, text);
	}
	if (is_left_aligned(column)) {
		text_line_pad(line, padding);
	}
	text_line_pad(line, TEXT_COLUMN_GAP);
}

/* The length of the first line of a heading of two lines, with the separator at its end; 0 if it fits the width. */
static size_t upper_length(const char *heading, size_t width)
{
	size_t length = 0;

	if (human_text_width(heading) <= width) {
		return 0;
	}
	for (size_t next = strcspn(heading, TEXT_HEADING_SEPARATORS); heading[next];
	     next += 1 + strcspn(heading + next + 1, TEXT_HEADING_SEPARATORS)) {
		if (length > 0 && next > width) {
			break;
		}
		length = next + 1;
	}
	return length;
}

/*
 * A line of the heading over the columns from `first` on that share it: "──── heading ────", or what is above it of a
 * heading that is too long. Returns the last of these columns.
 */
static size_t line_heading(GString *line, const struct text_layout *layout, size_t first, bool is_upper)
{
	const char *heading = layout->columns[first].hints->heading;
	g_autofree char *part = NULL, *text = NULL;
	const char *rule = is_upper ? " " : "─";
	size_t width, last = text_layout_heading_end(layout, first, &width), upper, padding;

	if (width == 0) {
		return last;
	}
	upper = upper_length(heading, width);
	part = is_upper ? g_strndup(heading, upper > 0 ? upper - 1 : 0) : g_strdup(heading + upper);
	text = human_text_shorten(part, width);
	padding = width - human_text_width(text);
	if (padding >= 2) {
		text_line_repeat(line, rule, (padding - 2) / 2);
		g_string_append_printf(line, " %s ", text);
		text_line_repeat(line, rule, (padding - 2) - (padding - 2) / 2);
	} else {
		g_string_append(line, text);
		text_line_pad(line, padding);
	}
	text_line_pad(line, TEXT_COLUMN_GAP);
	return last;
}

static void write_line_of_headings(const struct text_layout *layout, GString *line, bool is_upper)
{
	text_line_pad(line, layout->indent);
	for (size_t i = 0; i < layout->column_count; i++) {
		if (!layout->columns[i].is_shown) {
			continue;
		}
		if (layout->columns[i].hints->heading) {
			i = line_heading(line, layout, i, is_upper);
		} else {
			text_line_pad(line, layout->columns[i].width + TEXT_COLUMN_GAP);
		}
	}
	text_line_write(layout->stream, line);
}

static bool has_heading_of_two_lines(const struct text_layout *layout)
{
	for (size_t i = 0, last, width; i < layout->column_count; i = last + 1) {
		last = text_layout_heading_end(layout, i, &width);
		if (layout->columns[i].hints->heading && width > 0 &&
		    upper_length(layout->columns[i].hints->heading, width) > 0) {
			return true;
		}
	}
	return false;
}

static void write_headings(const struct text_layout *layout, GString *line)
{
	if (has_heading_of_two_lines(layout)) {
		write_line_of_headings(layout, line, true);
	}
	write_line_of_headings(layout, line, false);
}

void text_layout_write_labels(const struct text_layout *layout)
{
	g_autoptr(GString) line = g_string_new(NULL);

	text_style_attribute(layout->stream, layout->style, ATTRIBUTE_DIM);
	if (text_layout_has_headings(layout)) {
		write_headings(layout, line);
	}
	text_line_pad(line, layout->indent);
	for (size_t i = 0; i < layout->column_count; i++) {
		if (layout->columns[i].is_shown) {
			line_cell(line, layout, &layout->columns[i], text_column_label(layout->columns[i].column),
				  NULL);
		}
	}
	text_line_write(layout->stream, line);
	text_style_attribute(layout->stream, layout->style, ATTRIBUTE_NONE);
}

double text_layout_largest(const struct text_layout *layout, const struct text_column *column, size_t first, size_t end)
{
	double largest = -INFINITY;

	for (size_t i = first; i < end; i++) {
		const struct cell *cells = text_table_cells(layout->table, layout->selection->rows[i]);

		largest = MAX(largest, text_cell_number(&cells[column->kept]));
	}
	return largest;
}

static const char *mark_of(const struct text_layout *layout, size_t column, const struct cell *cell,
			   const double *group_largest)
{
	const struct text_column *entry = &layout->columns[column];
	double number = text_cell_number(cell);

	if (!entry->hints->marks_largest || !layout->has_marks || !group_largest || !isfinite(number)) {
		return "";
	}
	return number == entry->largest ? "**" : number == group_largest[column] ? "*" : "";
}

/* The first line of a cell. The rest of the text is kept in `rest`, owned, for further lines. */
static void line_wrapped_cell(GString *line, const struct text_layout *layout, const struct text_column *column,
			      const char *text, char **rest)
{
	size_t length = text_line_fitting(text, column->width);
	g_autofree char *piece = g_strndup(text, length);

	line_cell(line, layout, column, piece, NULL);
	*rest = text[length] ? g_strdup(text + length + strspn(text + length, " ")) : NULL;
}

/* Writes what did not fit into the first line. Returns the number of lines. */
static size_t write_rests(const struct text_layout *layout, char **rests)
{
	g_autoptr(GString) line = g_string_new(NULL);
	bool has_rest = true;
	size_t lines = 0;

	while (has_rest) {
		has_rest = false;
		text_line_pad(line, layout->indent);
		for (size_t i = 0; i < layout->column_count; i++) {
			g_autofree char *text = g_steal_pointer(&rests[i]);

			if (!layout->columns[i].is_shown) {
				continue;
			}
			has_rest |= text != NULL;
			line_wrapped_cell(line, layout, &layout->columns[i], text ? text : "", &rests[i]);
		}
		if (has_rest) {
			text_line_write(layout->stream, line);
			lines++;
		}
	}
	return lines;
}

static void line_row_cell(GString *line, const struct text_layout *layout, size_t i, size_t index,
			  const double *group_largest, char **rest)
{
	const struct text_column *column = &layout->columns[i];
	const struct cell *cell = &text_table_cells(layout->table, layout->selection->rows[index])[column->kept];
	const struct cell blank = CELL_NONE;
	bool is_blank = column->tells_apart && !text_apart_needs_cell(&layout->apart, index, column->kept);
	g_autofree char *text = text_cell_text(is_blank ? &blank : cell, column->column->format, layout->style);
	const char *mark = mark_of(layout, i, cell, group_largest);

	if (*mark) {
		g_autofree char *marked = g_strconcat(mark, text, NULL);

		line_cell(line, layout, column, marked, ATTRIBUTE_BOLD);
	} else if (column->wraps && human_text_width(text) > column->width) {
		g_autofree char *listed = text_line_cap(text, column->width, column->lines_max);

		line_wrapped_cell(line, layout, column, listed, rest);
	} else {
		line_cell(line, layout, column, text, NULL);
	}
}

/* The text of a name below its row; NULL if there is none. To be freed. */
static char *text_below(const struct text_layout *layout, const struct text_column *column, size_t index)
{
	const struct cell *cell = &text_table_cells(layout->table, layout->selection->rows[index])[column->kept];
	g_autofree char *text = text_cell_text(cell, column->column->format, layout->style);

	return column->is_below && *text ? text_line_cap(text, column->width, column->lines_max) : NULL;
}

/* Returns the number of lines. */
static size_t write_below(const struct text_layout *layout, size_t index)
{
	g_autoptr(GString) line = g_string_new(NULL);
	size_t lines = 0;

	for (size_t i = 0; i < layout->column_count; i++) {
		const struct text_column *column = &layout->columns[i];
		g_autofree char *text = text_below(layout, column, index);

		for (const char *rest = text; rest && *rest; lines++) {
			size_t length = text_line_fitting(rest, column->width);

			text_line_pad(line, layout->indent + TEXT_BELOW_INDENT);
			g_string_append_len(line, rest, (gssize)length);
			text_line_write(layout->stream, line);
			rest += length + strspn(rest + length, " ");
		}
	}
	return lines;
}

size_t text_layout_write_row(const struct text_layout *layout, size_t index, const double *group_largest)
{
	g_autoptr(GString) line = g_string_new(NULL);
	g_autofree char **rests = g_new0(char *, layout->column_count);
	bool has_rest = false;

	text_line_pad(line, layout->indent);
	for (size_t i = 0; i < layout->column_count; i++) {
		if (layout->columns[i].is_shown) {
			line_row_cell(line, layout, i, index, group_largest, &rests[i]);
			has_rest |= rests[i] != NULL;
		}
	}
	text_line_write(layout->stream, line);
	return 1 + (has_rest ? write_rests(layout, rests) : 0) + write_below(layout, index);
}

size_t text_layout_row_lines(const struct text_layout *layout, size_t index)
{
	const struct cell *cells = text_table_cells(layout->table, layout->selection->rows[index]);
	size_t lines = 1, below = 0;

	for (size_t i = 0; i < layout->column_count; i++) {
		const struct text_column *column = &layout->columns[i];
		g_autofree char *text_of_below = text_below(layout, column, index);

		below += text_of_below ? text_line_count(text_of_below, column->width) : 0;
		if (column->is_shown && column->wraps &&
		    !text_cell_fits(&cells[column->kept], column->column->format, column->width)) {
			g_autofree char *text =
				text_cell_text(&cells[column->kept], column->column->format, layout->style);

			lines = MAX(lines, MIN(text_line_count(text, column->width), column->lines_max));
		}
	}
	return lines + below;
}
