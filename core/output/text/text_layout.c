/* SPDX-License-Identifier: MIT */
#include "core/output/text/text_layout.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/base/text/human_text.h"
#include "core/base/text/path_text.h"
#include "core/output/text/text_cell.h"
#include "core/output/text/text_line.h"

/* Names are shortened to this width before values are left out, and further after that. */
#define NAME_WIDTH_FAIR 20
#define NAME_WIDTH_MIN 12
/* The same where there is no other way, and of any text. */
#define TEXT_WIDTH_LEAST 6
/* The same in rows of files, which are wider than a terminal. */
#define NAME_WIDTH_WIDE 28
/* Of a name that wraps; of one that is otherwise not to be told from another */
#define LINES_OF_NAME 4
#define LINES_OF_NAME_MAX 12
/* The same of a name below its row. */
#define LINES_BELOW 2
#define LINES_BELOW_MAX 4

static void measure_cell(struct text_column *column, const struct cell *cell, const struct text_style *style)
{
	size_t mark = column->hints->marks_largest ? 2 : 0;

	column->has_text |= cell->type == CELL_TEXT;
	column->largest = MAX(column->largest, text_cell_number(cell));
	if (column->width < mark || !text_cell_fits(cell, column->column->format, column->width - mark)) {
		column->width = MAX(column->width, text_cell_width(cell, column->column->format, style) + mark);
	}
}

static const struct cell *selected_cells(const struct text_layout *layout, size_t index)
{
	return text_table_cells(layout->table, layout->selection->rows[index]);
}

static void measure(struct text_layout *layout)
{
	for (size_t row = 0; row < layout->selection->count; row++) {
		for (size_t i = 0; i < layout->column_count; i++) {
			struct text_column *column = &layout->columns[i];

			if (!column->tells_apart || text_apart_needs_cell(&layout->apart, row, column->kept)) {
				measure_cell(column, &selected_cells(layout, row)[column->kept], layout->style);
			}
		}
	}
}

static size_t total_width(const struct text_layout *layout)
{
	size_t width = layout->indent;

	for (size_t i = 0; i < layout->column_count; i++) {
		width += layout->columns[i].is_shown ? layout->columns[i].width + TEXT_COLUMN_GAP : 0;
	}
	return width - TEXT_COLUMN_GAP;
}

size_t text_layout_heading_end(const struct text_layout *layout, size_t first, size_t *width)
{
	const char *heading = layout->columns[first].hints->heading;
	size_t last = first;

	*width = 0;
	for (size_t i = first; i < layout->column_count; i++) {
		const struct text_column *column = &layout->columns[i];

		if (g_strcmp0(column->hints->heading, heading) != 0) {
			break;
		}
		*width += column->is_shown ? column->width + TEXT_COLUMN_GAP : 0;
		last = i;
	}
	*width -= *width > 0 ? TEXT_COLUMN_GAP : 0;
	return last;
}

static size_t longest_word(const char *heading)
{
	size_t longest = 0;

	for (size_t length; *heading; heading += length + strspn(heading + length, TEXT_HEADING_SEPARATORS)) {
		length = strcspn(heading, TEXT_HEADING_SEPARATORS);
		longest = MAX(longest, length);
	}
	return longest;
}

/* Makes room for every word of a heading: few columns may be left under it. */
static void widen_under_headings(struct text_layout *layout)
{
	for (size_t i = 0, last, width; i < layout->column_count; i = last + 1) {
		const char *heading = layout->columns[i].hints->heading;
		size_t shown = i;

		last = text_layout_heading_end(layout, i, &width);
		for (size_t j = i; j <= last; j++) {
			shown = layout->columns[j].is_shown ? j : shown;
		}
		if (heading && width > 0 && width < longest_word(heading)) {
			layout->columns[shown].width += longest_word(heading) - width;
		}
	}
}

enum shortened {
	SHORTENED_IF_WRAPS,
	SHORTENED_NAMES,
	SHORTENED_TEXTS, /* also words that are no names */
};

static bool is_shortened(const struct text_column *column, enum shortened which)
{
	return column->is_shown && column->has_text &&
	       (which == SHORTENED_TEXTS || column->column->format != COLUMN_PLAIN) &&
	       (which != SHORTENED_IF_WRAPS || column->hints->wraps);
}

static struct text_column *widest_name(const struct text_layout *layout, size_t least, enum shortened which)
{
	struct text_column *widest = NULL;

	for (size_t i = 0; i < layout->column_count; i++) {
		struct text_column *column = &layout->columns[i];

		if (is_shortened(column, which) && column->width > least &&
		    (!widest || column->width > widest->width)) {
			widest = column;
		}
	}
	return widest;
}

static void shorten_names(struct text_layout *layout, size_t width, size_t least, enum shortened which)
{
	struct text_column *widest;

	while (total_width(layout) > width && (widest = widest_name(layout, least, which))) {
		widest->width--;
	}
}

/* Whether a column may be left out to make room: never one that ranks the rows. */
static bool may_be_left_out(const struct text_layout *layout, const struct text_column *column, enum column_role role)
{
	if (column->column->role != role || column->tells_apart ||
	    text_table_is_sort_column(layout->table, column->column)) {
		return false;
	}
	return role == COLUMN_ROLE_DETAIL || (column->hints->heading && !column->hints->marks_largest);
}

static bool has_ranked_column(const struct text_layout *layout, const char *heading)
{
	for (size_t i = 0; i < layout->column_count; i++) {
		const struct text_hints *hints = layout->columns[i].hints;

		if (hints->marks_largest && g_strcmp0(hints->heading, heading) == 0) {
			return true;
		}
	}
	return false;
}

/*
 * Leaves columns out from the right. Of values, only those of a statistic; a statistic that does not rank the rows is
 * left out as a whole.
 */
static void leave_out(struct text_layout *layout, size_t width, enum column_role role)
{
	size_t first = role == COLUMN_ROLE_DETAIL ? text_layout_first_brief(layout) : layout->column_count;

	for (size_t i = layout->column_count; i-- > 0 && (i >= first || total_width(layout) > width);) {
		const char *heading = layout->columns[i].hints->heading;

		if (!may_be_left_out(layout, &layout->columns[i], role)) {
			continue;
		}
		layout->columns[i].is_shown = false;
		for (size_t j = 0; j < i && role == COLUMN_ROLE_VALUE && !has_ranked_column(layout, heading); j++) {
			if (g_strcmp0(layout->columns[j].hints->heading, heading) == 0 &&
			    may_be_left_out(layout, &layout->columns[j], role)) {
				layout->columns[j].is_shown = false;
			}
		}
	}
}

/* The last resort, when the names are as short as they may be. */
static void leave_out_what_is_rare(struct text_layout *layout, size_t width)
{
	for (size_t i = layout->column_count; i-- > 0 && total_width(layout) > width;) {
		struct text_column *column = &layout->columns[i];

		if (column->hints->only_if_any && !text_table_is_sort_column(layout->table, column->column)) {
			column->is_shown = false;
		}
	}
}

static void add_column(GArray *columns, const struct text_table *table, size_t kept, bool tells_apart)
{
	const struct table_column *column = text_table_column(table, kept);
	struct text_column added = {
		.column = column,
		.hints = text_hints_of(column),
		.kept = kept,
		.width = human_text_width(text_column_label(column)),
		.is_shown = true,
		.tells_apart = tells_apart,
		.largest = -INFINITY,
	};

	g_array_append_val(columns, added);
}

/* If rows of several groups are mixed, the last group column distinguishes them. */
static void add_last_group_column(GArray *columns, const struct text_table *table)
{
	for (size_t i = table->kept_count; i-- > 0;) {
		if (text_table_column(table, i)->role == COLUMN_ROLE_GROUP) {
			add_column(columns, table, i, false);
			return;
		}
	}
}

/* Whether the column is shown in every row, unless there is no room for it. */
static bool is_of_all_rows(const struct text_layout *layout, const struct table_column *column)
{
	return column->role == COLUMN_ROLE_VALUE || column->role == COLUMN_ROLE_DETAIL ||
	       (column->role == COLUMN_ROLE_HIDDEN && text_table_is_sort_column(layout->table, column));
}

/* Shortens a name that is longer than its column; to be freed. */
static char *shortened(const struct text_column *column, const char *text)
{
	size_t lines = column->is_below ? LINES_BELOW : LINES_OF_NAME;

	return column->hints->wraps || column->is_below ? text_line_cap(text, column->width, lines)
							: path_text_shorten(text, MAX(column->width, 1));
}

/* Whether two different names look the same when they are shortened to the column. */
static bool is_ambiguous(const struct text_layout *layout, const struct text_column *column)
{
	g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);

	for (size_t row = 0; row < layout->selection->count; row++) {
		const struct cell *cell = &selected_cells(layout, row)[column->kept];
		g_autofree char *text = text_cell_text(cell, column->column->format, layout->style);
		const char *other;
		char *short_text;

		if (human_text_width(text) <= column->width) {
			continue;
		}
		short_text = shortened(column, text);
		other = g_hash_table_lookup(names, short_text);
		if (other && strcmp(other, text) != 0) {
			g_free(short_text);
			return true;
		}
		g_hash_table_insert(names, short_text, g_steal_pointer(&text));
	}
	return false;
}

/* A column that is not worth its room: empty, or of rare things of which there are none. */
static void leave_out_empty(struct text_layout *layout)
{
	for (size_t i = 0; i < layout->column_count; i++) {
		struct text_column *column = &layout->columns[i];

		column->is_shown &= column->has_text ||
				    (column->hints->only_if_any ? column->largest > 0 : column->largest > -INFINITY);
	}
}

/* How wide lines below rows may be. */
static size_t width_below(const struct text_layout *layout)
{
	size_t width = MAX(layout->style->width, layout->style->limit), indent = layout->indent + TEXT_BELOW_INDENT;

	return width > indent + NAME_WIDTH_MIN ? width - indent : NAME_WIDTH_MIN;
}

/* Puts the names that may be there below their rows, if these are too long without details. Returns whether there are
 * any. */
static bool move_below(struct text_layout *layout)
{
	size_t width = total_width(layout);
	bool has_moved = false;

	if (layout->style->has_cells) {
		return false;
	}
	for (size_t i = 0; i < layout->column_count; i++) {
		struct text_column *column = &layout->columns[i];

		width -= column->is_shown && column->column->role == COLUMN_ROLE_DETAIL
				 ? column->width + TEXT_COLUMN_GAP
				 : 0;
	}
	for (size_t i = 0; i < layout->column_count && width > layout->style->width; i++) {
		struct text_column *column = &layout->columns[i];

		if (column->is_shown && column->hints->may_be_below) {
			column->is_below = has_moved = true;
			column->is_shown = false;
			column->width = width_below(layout);
		}
	}
	return has_moved;
}

/* Shortens names and leaves values out until rows are as wide as this. */
static void fit_to(struct text_layout *layout, size_t width, size_t fair)
{
	shorten_names(layout, width, fair, SHORTENED_NAMES);
	leave_out(layout, width, COLUMN_ROLE_VALUE);
	shorten_names(layout, width, NAME_WIDTH_MIN, SHORTENED_NAMES);
	leave_out_what_is_rare(layout, width);
	widen_under_headings(layout);
	shorten_names(layout, width, NAME_WIDTH_MIN, SHORTENED_NAMES);
}

static void choose_lines(const struct text_layout *layout, struct text_column *column)
{
	bool is_needed = is_ambiguous(layout, column);

	column->wraps = is_needed || column->hints->wraps;
	column->lines_max = column->is_below ? (is_needed ? LINES_BELOW_MAX : LINES_BELOW)
			    : is_needed	     ? LINES_OF_NAME_MAX
					     : LINES_OF_NAME;
}

static void fit(struct text_layout *layout)
{
	size_t width = layout->style->width, limit = layout->style->limit;

	leave_out_empty(layout);
	if (move_below(layout) && limit > 0) {
		width = limit;
	}
	leave_out(layout, width, COLUMN_ROLE_DETAIL);
	if (layout->style->shortens_names) {
		fit_to(layout, width, NAME_WIDTH_FAIR);
	} else if (limit > 0) {
		shorten_names(layout, width, NAME_WIDTH_FAIR, SHORTENED_IF_WRAPS);
		fit_to(layout, limit, NAME_WIDTH_WIDE);
		shorten_names(layout, limit, TEXT_WIDTH_LEAST, SHORTENED_TEXTS);
	} else {
		widen_under_headings(layout);
		shorten_names(layout, width, NAME_WIDTH_FAIR, SHORTENED_IF_WRAPS);
	}
	for (size_t i = 0; i < layout->column_count; i++) {
		struct text_column *column = &layout->columns[i];

		if ((column->is_shown || column->is_below) && column->has_text) {
			choose_lines(layout, column);
		}
	}
}

/* The first column that is neither a name nor tells rows apart: the kept columns before it say what a row is. */
static size_t first_value(const struct text_layout *layout)
{
	for (size_t i = 1; i < layout->table->kept_count; i++) {
		const struct table_column *column = text_table_column(layout->table, i);

		if (column->merge != COLUMN_MERGE_KEY && column->format != COLUMN_NAME &&
		    !text_hints_of(column)->tells_apart && is_of_all_rows(layout, column)) {
			return i;
		}
	}
	return MAX(layout->table->kept_count, 1);
}

/* Of the kept columns from `begin` on, those that lead or those that do not. */
static void add_columns(GArray *columns, const struct text_layout *layout, size_t begin, size_t end, bool leads)
{
	for (size_t i = begin; i < end; i++) {
		const struct table_column *column = text_table_column(layout->table, i);
		bool tells_apart = text_apart_needs_column(&layout->apart, i);

		if (!tells_apart && is_of_all_rows(layout, column) && text_hints_of(column)->leads == leads) {
			add_column(columns, layout->table, i, false);
		} else if (tells_apart && !leads && begin == 0) {
			add_column(columns, layout->table, i, true);
		}
	}
}

/* Those that tell rows apart, wherever the schema has them. */
static void add_columns_that_tell_apart(GArray *columns, const struct text_layout *layout, size_t begin)
{
	for (size_t i = begin; i < layout->table->kept_count; i++) {
		if (text_apart_needs_column(&layout->apart, i)) {
			add_column(columns, layout->table, i, true);
		}
	}
}

static void lay_out(struct text_layout *layout)
{
	GArray *columns = g_array_new(FALSE, FALSE, sizeof(struct text_column));
	size_t value = first_value(layout);

	if (layout->selection->is_ranked) {
		add_last_group_column(columns, layout->table);
	}
	add_columns(columns, layout, 0, layout->table->kept_count, true);
	add_columns(columns, layout, 0, value, false);
	add_columns_that_tell_apart(columns, layout, value);
	add_columns(columns, layout, value, layout->table->kept_count, false);
	layout->column_count = columns->len;
	layout->columns = (struct text_column *)g_array_free(columns, FALSE);
	measure(layout);
	fit(layout);
}

/* By kept column: what the reader sees in every row, if there is room for it. */
static bool *columns_of_all_rows(const struct text_layout *layout)
{
	const struct text_table *table = layout->table;
	bool *is_shown = g_new0(bool, table->kept_count);
	bool is_last_group = true;

	for (size_t i = table->kept_count; i-- > 0;) {
		const struct table_column *column = text_table_column(table, i);

		is_shown[i] = is_of_all_rows(layout, column);
		if (column->role == COLUMN_ROLE_GROUP) {
			is_shown[i] = !layout->selection->is_ranked || is_last_group;
			is_last_group = false;
		}
	}
	return is_shown;
}

/* Whether there was no room for a column that was counted on to tell rows apart; it is not from now on. */
static bool has_lost_column(const struct text_layout *layout, bool *is_shown)
{
	bool has_lost = false;

	for (size_t i = 0; i < layout->column_count; i++) {
		const struct text_column *column = &layout->columns[i];
		bool is_seen = column->is_shown || column->is_below;

		has_lost |= is_shown[column->kept] && !is_seen &&
			    (column->column->merge == COLUMN_MERGE_KEY || column->hints->tells_apart);
		is_shown[column->kept] &= is_seen;
	}
	return has_lost;
}

void text_layout_init(struct text_layout *layout, const struct text_table *table,
		      const struct text_selection *selection, const struct text_style *style,
		      struct output_stream *stream, size_t indent)
{
	g_autofree bool *is_shown = NULL;

	*layout = (struct text_layout){
		.table = table, .selection = selection, .style = style, .stream = stream, .indent = indent
	};
	layout->has_marks = selection->count > 1 && !selection->is_ranked;
	is_shown = columns_of_all_rows(layout);
	do {
		text_layout_clear(layout);
		text_apart_init(&layout->apart, table, selection, is_shown);
		lay_out(layout);
	} while (has_lost_column(layout, is_shown));
}

void text_layout_clear(struct text_layout *layout)
{
	g_free(layout->columns);
	text_apart_clear(&layout->apart);
}

bool text_layout_has_headings(const struct text_layout *layout)
{
	for (size_t i = 0; i < layout->column_count; i++) {
		if (layout->columns[i].is_shown && layout->columns[i].hints->heading) {
			return true;
		}
	}
	return false;
}
