/* SPDX-License-Identifier: MIT */
#include "core/output/text/text_cell.h"

#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text/human_text.h"
#include "ros2bt/base/time_units.h"

const struct text_hints *text_hints_of(const struct table_column *column)
{
	static const struct text_hints none;

	return column->hints ? column->hints : &none;
}

const char *text_column_label(const struct table_column *column)
{
	return column->label ? column->label : column->name;
}

const char *text_idle_of(const struct table_schema *schema)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		if (text_hints_of(&schema->columns[i])->idle) {
			return text_hints_of(&schema->columns[i])->idle;
		}
	}
	return NULL;
}

/* Texts are interned within their table, but not across tables. */
bool text_cells_equal(const struct cell *left, const struct cell *right)
{
	if (left->type != right->type) {
		return false;
	}
	switch (left->type) {
	case CELL_EMPTY:
		return true;
	case CELL_TEXT:
		return left->text == right->text || strcmp(left->text, right->text) == 0;
	default:
		return left->unsigned_integer == right->unsigned_integer;
	}
}

double text_cell_number(const struct cell *cell)
{
	switch (cell->type) {
	case CELL_INTEGER:
		return (double)cell->integer;
	case CELL_UNSIGNED:
		return (double)cell->unsigned_integer;
	case CELL_REAL:
		return cell->real;
	default:
		return -INFINITY;
	}
}

static int64_t cell_rounded(const struct cell *cell)
{
	double number = text_cell_number(cell);

	if (cell->type == CELL_INTEGER) {
		return cell->integer;
	}
	return number >= 0x1p63 ? INT64_MAX : number <= -0x1p63 ? INT64_MIN : (int64_t)llround(number);
}

static const char *number_cell_text(char buffer[NUMBER_TEXT_SIZE], const struct cell *cell)
{
	switch (cell->type) {
	case CELL_INTEGER:
		return number_text_integer(buffer, cell->integer);
	case CELL_UNSIGNED:
		return number_text_unsigned(buffer, cell->unsigned_integer);
	case CELL_REAL:
		return number_text_real(buffer, cell->real);
	default:
		return number_text_address(buffer, cell->unsigned_integer);
	}
}

/* For a cell that is neither empty nor a text. */
const char *text_cell_number_text(char buffer[NUMBER_TEXT_SIZE], const struct cell *cell, enum column_format format,
				  const struct text_style *style)
{
	bool is_number = cell->type != CELL_ADDRESS && isfinite(text_cell_number(cell));

	if (is_number && format == COLUMN_DURATION) {
		return cell->type == CELL_REAL ? human_text_real_duration(buffer, cell->real)
					       : human_text_duration(buffer, cell_rounded(cell));
	}
	if (is_number && format == COLUMN_TIME) {
		return human_text_time(buffer, cell_rounded(cell));
	}
	if (is_number && format == COLUMN_MOMENT) {
		return human_text_moment(buffer, (int64_t)((uint64_t)cell_rounded(cell) - (uint64_t)style->begin_ns));
	}
	if (is_number && format == COLUMN_RATE) {
		double rate = text_cell_number(cell);

		g_ascii_formatd(buffer, NUMBER_TEXT_SIZE - 3,
				rate >= 99.95	? "%.0f"
				: rate >= 9.995 ? "%.1f"
						: "%.2f",
				rate);
		g_strlcat(buffer, " Hz", NUMBER_TEXT_SIZE);
		return buffer;
	}
	if (is_number && format == COLUMN_PERCENT) {
		snprintf(buffer, NUMBER_TEXT_SIZE, "%ld %%", lround(CLAMP(text_cell_number(cell), -999, 999)));
		return buffer;
	}
	if (is_number && format == COLUMN_BYTES) {
		return human_text_bytes(buffer, cell_rounded(cell));
	}
	return number_cell_text(buffer, cell);
}

char *text_cell_text(const struct cell *cell, enum column_format format, const struct text_style *style)
{
	char buffer[NUMBER_TEXT_SIZE];

	if (cell->type == CELL_EMPTY) {
		return g_strdup("");
	}
	if (cell->type == CELL_TEXT) {
		return human_text_clean(cell->text);
	}
	return g_strdup(text_cell_number_text(buffer, cell, format, style));
}

size_t text_cell_width(const struct cell *cell, enum column_format format, const struct text_style *style)
{
	char buffer[NUMBER_TEXT_SIZE];
	g_autofree char *clean = NULL;

	if (cell->type == CELL_EMPTY) {
		return 0;
	}
	if (cell->type != CELL_TEXT) {
		return human_text_width(text_cell_number_text(buffer, cell, format, style));
	}
	clean = human_text_clean(cell->text);
	return human_text_width(clean);
}

/* Whether a cell surely fits this many columns, without a look at its text: most cells are durations. */
bool text_cell_fits(const struct cell *cell, enum column_format format, size_t width)
{
	return format == COLUMN_DURATION && width >= HUMAN_TEXT_SHORT_DURATION_WIDTH && text_cell_number(cell) >= 0 &&
	       text_cell_number(cell) <= (double)HUMAN_TEXT_SHORT_DURATION_NS;
}
