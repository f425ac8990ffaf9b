/* SPDX-License-Identifier: MIT */
#include "core/output/text_table.h"

#include <glib.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/text/human_text.h"
#include "core/text/number_text.h"
#include "core/output/output_stream.h"

#define PLAIN_WIDTH 100
#define WIDTH_MIN 80
#define WIDTH_MAX 10000
#define NAME_WIDTH_MIN 20
#define LONGEST_ROWS 5
#define COLUMN_GAP 2
#define ROW_INDENT 2
#define CHILD_INDENT 6

#define ATTRIBUTE_BOLD "\033[1m"
#define ATTRIBUTE_DIM "\033[2m"
#define ATTRIBUTE_NONE "\033[0m"

struct text_table {
	const struct table_schema *schema; /* borrowed */
	GArray *cells;			   /* struct cell, kept_count a row */
	GStringChunk *texts;		   /* what the cells point to */
	size_t *kept;			   /* owned; the columns that are kept: the first, and those not hidden */
	size_t kept_count;
	size_t row_count;
};

/* A column as it is laid out. */
struct text_column {
	const struct table_column *column; /* borrowed */
	const struct text_hints *hints;	   /* of the column */
	size_t kept;			   /* which of the kept cells */
	size_t width;
	bool is_shown, has_text;
	double largest; /* of the whole table */
};

struct text_layout {
	const struct text_table *table;
	const struct text_style *style;
	struct output_stream *stream;
	struct text_column *columns; /* owned; those that are neither hidden nor group columns */
	size_t column_count;
	size_t indent;
	bool has_marks; /* there is more than one row to compare */
};

static const struct text_hints *hints_of(const struct table_column *column)
{
	static const struct text_hints none;

	return column->hints ? column->hints : &none;
}

static bool is_environment_set(const char *name)
{
	const char *value = g_getenv(name);

	return value && *value;
}

struct text_style text_style_plain(void)
{
	return (struct text_style){ .width = PLAIN_WIDTH };
}

/* What COLUMNS asks for, 0 if it asks for nothing. */
static unsigned int environment_width(void)
{
	guint64 width;

	return is_environment_set("COLUMNS") &&
			       g_ascii_string_to_unsigned(g_getenv("COLUMNS"), 10, 1, WIDTH_MAX, &width, NULL)
		       ? (unsigned int)width
		       : 0;
}

static unsigned int terminal_width(void)
{
	struct winsize size = { 0 };

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : PLAIN_WIDTH;
}

struct text_style text_style_of_standard_output(void)
{
	bool is_terminal = isatty(STDOUT_FILENO);
	unsigned int width = environment_width();

	if (!is_terminal && width == 0) {
		return text_style_plain();
	}
	return (struct text_style){
		.width = MAX(width > 0 ? width : terminal_width(), WIDTH_MIN),
		.shortens_names = true,
		.has_attributes =
			is_terminal && !is_environment_set("NO_COLOR") && g_strcmp0(g_getenv("TERM"), "dumb") != 0,
	};
}

struct text_table *text_table_create(const struct table_schema *schema)
{
	struct text_table *table = g_new0(struct text_table, 1);

	table->schema = schema;
	table->cells = g_array_new(FALSE, FALSE, sizeof(struct cell));
	table->texts = g_string_chunk_new(4096);
	table->kept = g_new(size_t, schema->column_count);
	for (size_t i = 0; i < schema->column_count; i++) {
		if (i == 0 || schema->columns[i].role != COLUMN_ROLE_HIDDEN) {
			table->kept[table->kept_count++] = i;
		}
	}
	return table;
}

void text_table_destroy(struct text_table *table)
{
	if (!table) {
		return;
	}
	g_array_unref(table->cells);
	g_string_chunk_free(table->texts);
	g_free(table->kept);
	g_free(table);
}

void text_table_add(struct text_table *table, const struct cell *cells)
{
	for (size_t i = 0; i < table->kept_count; i++) {
		size_t column = table->kept[i];
		struct cell cell;

		while (cells[column].type == CELL_EMPTY && hints_of(&table->schema->columns[column])->next_if_empty) {
			column++;
		}
		cell = cells[column];
		if (cell.type == CELL_TEXT) {
			cell.text = g_string_chunk_insert_const(table->texts, cell.text);
		}
		g_array_append_val(table->cells, cell);
	}
	table->row_count++;
}

static const struct cell *table_row_cells(const struct text_table *table, size_t row)
{
	return &g_array_index(table->cells, struct cell, row * table->kept_count);
}

/* Texts are interned by their table, but not across tables. */
static bool cells_equal(const struct cell *left, const struct cell *right)
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

static double cell_number(const struct cell *cell)
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
	double number = cell_number(cell);

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

/* Of a cell that is neither empty nor a text. */
static const char *number_human_text(char buffer[NUMBER_TEXT_SIZE], const struct cell *cell, enum column_format format)
{
	bool is_number = cell->type != CELL_ADDRESS && isfinite(cell_number(cell));

	if (is_number && format == COLUMN_DURATION) {
		return human_text_duration(buffer, cell_rounded(cell));
	}
	if (is_number && format == COLUMN_TIME) {
		return human_text_time(buffer, cell_rounded(cell));
	}
	if (is_number && format == COLUMN_PERCENT) {
		snprintf(buffer, NUMBER_TEXT_SIZE, "%ld %%", lround(CLAMP(cell_number(cell), -999, 999)));
		return buffer;
	}
	return number_cell_text(buffer, cell);
}

static char *cell_human_text(const struct cell *cell, enum column_format format)
{
	char buffer[NUMBER_TEXT_SIZE];

	if (cell->type == CELL_EMPTY) {
		return g_strdup("");
	}
	if (cell->type == CELL_TEXT) {
		return human_text_clean(cell->text);
	}
	return g_strdup(number_human_text(buffer, cell, format));
}

static const char *table_idle(const struct text_table *table)
{
	for (size_t i = 0; i < table->schema->column_count; i++) {
		if (hints_of(&table->schema->columns[i])->idle) {
			return hints_of(&table->schema->columns[i])->idle;
		}
	}
	return NULL;
}

static bool row_is_idle(const struct text_table *table, size_t row)
{
	bool is_idle = false;

	for (size_t i = 0; i < table->kept_count; i++) {
		if (hints_of(&table->schema->columns[table->kept[i]])->idle) {
			if (cell_number(&table_row_cells(table, row)[i]) != 0) {
				return false;
			}
			is_idle = true;
		}
	}
	return is_idle;
}

static size_t active_row_count(const struct text_table *table)
{
	size_t count = 0;

	for (size_t row = 0; row < table->row_count; row++) {
		count += !row_is_idle(table, row);
	}
	return count;
}

static const char *column_label(const struct table_column *column)
{
	return column->label ? column->label : column->name;
}

static void write_attribute(struct output_stream *stream, const struct text_style *style, const char *attribute)
{
	if (style->has_attributes) {
		output_stream_text(stream, attribute);
	}
}

static size_t cell_width(const struct cell *cell, enum column_format format)
{
	char buffer[NUMBER_TEXT_SIZE];
	g_autofree char *clean = NULL;

	if (cell->type == CELL_EMPTY) {
		return 0;
	}
	if (cell->type != CELL_TEXT) {
		return human_text_width(number_human_text(buffer, cell, format));
	}
	clean = human_text_clean(cell->text);
	return human_text_width(clean);
}

/* Whether a cell takes no more columns than these without a look at its text: most are durations. */
static bool cell_fits(const struct cell *cell, enum column_format format, size_t width)
{
	return format == COLUMN_DURATION && width >= HUMAN_TEXT_SHORT_DURATION_WIDTH && cell_number(cell) >= 0 &&
	       cell_number(cell) <= (double)HUMAN_TEXT_SHORT_DURATION_NS;
}

static void layout_measure_cell(struct text_column *column, const struct cell *cell)
{
	size_t mark = column->hints->marks_largest ? 2 : 0;

	column->has_text |= cell->type == CELL_TEXT;
	column->largest = MAX(column->largest, cell_number(cell));
	if (column->width < mark || !cell_fits(cell, column->column->format, column->width - mark)) {
		column->width = MAX(column->width, cell_width(cell, column->column->format) + mark);
	}
}

static void layout_measure(struct text_layout *layout)
{
	const struct text_table *table = layout->table;

	for (size_t row = 0; row < table->row_count; row++) {
		if (row_is_idle(table, row)) {
			continue;
		}
		for (size_t i = 0; i < layout->column_count; i++) {
			struct text_column *column = &layout->columns[i];

			layout_measure_cell(column, &table_row_cells(table, row)[column->kept]);
		}
	}
}

static size_t layout_width(const struct text_layout *layout)
{
	size_t width = layout->indent;

	for (size_t i = 0; i < layout->column_count; i++) {
		width += layout->columns[i].is_shown ? layout->columns[i].width + COLUMN_GAP : 0;
	}
	return width - COLUMN_GAP;
}

static struct text_column *layout_widest_name(const struct text_layout *layout)
{
	struct text_column *widest = NULL;

	for (size_t i = 0; i < layout->column_count; i++) {
		struct text_column *column = &layout->columns[i];

		if (column->is_shown && column->has_text && column->column->format != COLUMN_PLAIN &&
		    column->width > NAME_WIDTH_MIN && (!widest || column->width > widest->width)) {
			widest = column;
		}
	}
	return widest;
}

static void layout_shorten_names(struct text_layout *layout)
{
	struct text_column *widest;

	while (layout_width(layout) > layout->style->width && (widest = layout_widest_name(layout))) {
		widest->width--;
	}
}

/* From the right. Of values, only those of a statistic, but never the largest. */
static void layout_leave_out(struct text_layout *layout, enum column_role role)
{
	for (size_t i = layout->column_count; i-- > 0 && layout_width(layout) > layout->style->width;) {
		struct text_column *column = &layout->columns[i];

		if (column->column->role == role &&
		    (role == COLUMN_ROLE_DETAIL || (column->hints->heading && !column->hints->marks_largest))) {
			column->is_shown = false;
		}
	}
}

static void layout_add_column(struct text_layout *layout, size_t kept)
{
	struct text_column *column = &layout->columns[layout->column_count++];

	*column = (struct text_column){
		.column = &layout->table->schema->columns[layout->table->kept[kept]],
		.kept = kept,
		.is_shown = true,
		.largest = -INFINITY,
	};
	column->hints = hints_of(column->column);
	column->width = human_text_width(column_label(column->column));
}

/* Where rows of several groups are mixed, the last group column distinguishes them. */
static void layout_add_last_group_column(struct text_layout *layout)
{
	const struct text_table *table = layout->table;

	for (size_t i = table->kept_count; i-- > 0;) {
		if (table->schema->columns[table->kept[i]].role == COLUMN_ROLE_GROUP) {
			layout_add_column(layout, i);
			return;
		}
	}
}

static void layout_init(struct text_layout *layout, const struct text_table *table, const struct text_style *style,
			struct output_stream *stream, size_t indent, bool mixes_groups)
{
	*layout = (struct text_layout){ .table = table, .style = style, .stream = stream, .indent = indent };
	layout->has_marks = active_row_count(table) > 1;
	layout->columns = g_new0(struct text_column, table->kept_count);
	if (mixes_groups) {
		layout_add_last_group_column(layout);
	}
	for (size_t i = 0; i < table->kept_count; i++) {
		const struct table_column *column = &table->schema->columns[table->kept[i]];

		if (column->role == COLUMN_ROLE_VALUE || column->role == COLUMN_ROLE_DETAIL) {
			layout_add_column(layout, i);
		}
	}
	layout_measure(layout);
	layout_leave_out(layout, COLUMN_ROLE_DETAIL);
	if (style->shortens_names) {
		layout_shorten_names(layout);
		layout_leave_out(layout, COLUMN_ROLE_VALUE);
	}
}

static void layout_clear(struct text_layout *layout)
{
	g_free(layout->columns);
}

static bool is_left_aligned(const struct text_column *column)
{
	return column->has_text || column->column->format == COLUMN_NAME;
}

static void line_repeat(GString *line, const char *text, size_t count)
{
	while (count--) {
		g_string_append(line, text);
	}
}

static void line_pad(GString *line, size_t width)
{
	gsize length = line->len;

	g_string_set_size(line, length + width);
	memset(line->str + length, ' ', width);
}

/* Without spaces at its end. */
static void line_write(struct output_stream *stream, GString *line)
{
	while (line->len && line->str[line->len - 1] == ' ') {
		g_string_truncate(line, line->len - 1);
	}
	g_string_append_c(line, '\n');
	output_stream_bytes(stream, line->str, line->len);
	g_string_truncate(line, 0);
}

static void line_cell(GString *line, const struct text_layout *layout, const struct text_column *column,
		      const char *text, const char *attribute)
{
	g_autofree char *short_text = NULL;
	size_t width = human_text_width(text), padding;

	if (width > column->width) {
		short_text = human_text_shorten(text, MAX(column->width, 1));
		text = short_text;
		width = human_text_width(text);
	}
	padding = column->width - MIN(column->width, width);
	if (!is_left_aligned(column)) {
		line_pad(line, padding);
	}
	if (attribute && layout->style->has_attributes) {
		g_string_append_printf(line, "%s%s" ATTRIBUTE_NONE, attribute, text);
	} else {
		g_string_append(line, text);
	}
	if (is_left_aligned(column)) {
		line_pad(line, padding);
	}
	line_pad(line, COLUMN_GAP);
}

static bool layout_has_headings(const struct text_layout *layout)
{
	for (size_t i = 0; i < layout->column_count; i++) {
		if (layout->columns[i].is_shown && layout->columns[i].hints->heading) {
			return true;
		}
	}
	return false;
}

/* "──── heading ────" over the columns from `first` on that have it; gives the last of them. */
static size_t line_heading(GString *line, const struct text_layout *layout, size_t first)
{
	const char *heading = layout->columns[first].hints->heading;
	g_autofree char *text = NULL;
	size_t width = 0, last = first, padding;

	for (size_t i = first; i < layout->column_count; i++) {
		const struct text_column *column = &layout->columns[i];

		if (g_strcmp0(column->hints->heading, heading) != 0) {
			break;
		}
		width += column->is_shown ? column->width + COLUMN_GAP : 0;
		last = i;
	}
	width -= COLUMN_GAP;
	text = human_text_shorten(heading, width);
	padding = width - human_text_width(text);
	if (padding >= 2) {
		line_repeat(line, "─", (padding - 2) / 2);
		g_string_append_printf(line, " %s ", text);
		line_repeat(line, "─", (padding - 2) - (padding - 2) / 2);
	} else {
		g_string_append(line, text);
		line_pad(line, padding);
	}
	line_pad(line, COLUMN_GAP);
	return last;
}

static void write_headings(const struct text_layout *layout, GString *line)
{
	line_pad(line, layout->indent);
	for (size_t i = 0; i < layout->column_count; i++) {
		if (!layout->columns[i].is_shown) {
			continue;
		}
		if (layout->columns[i].hints->heading) {
			i = line_heading(line, layout, i);
		} else {
			line_pad(line, layout->columns[i].width + COLUMN_GAP);
		}
	}
	line_write(layout->stream, line);
}

static void write_labels(const struct text_layout *layout)
{
	g_autoptr(GString) line = g_string_new(NULL);

	write_attribute(layout->stream, layout->style, ATTRIBUTE_DIM);
	if (layout_has_headings(layout)) {
		write_headings(layout, line);
	}
	line_pad(line, layout->indent);
	for (size_t i = 0; i < layout->column_count; i++) {
		if (layout->columns[i].is_shown) {
			line_cell(line, layout, &layout->columns[i], column_label(layout->columns[i].column), NULL);
		}
	}
	line_write(layout->stream, line);
	write_attribute(layout->stream, layout->style, ATTRIBUTE_NONE);
}

static double largest_of_rows(const struct text_layout *layout, const struct text_column *column, size_t first,
			      size_t end)
{
	double largest = -INFINITY;

	for (size_t row = first; row < end; row++) {
		largest = MAX(largest, cell_number(&table_row_cells(layout->table, row)[column->kept]));
	}
	return largest;
}

/* `group_largest`: per column, of the rows of the group; NULL: nothing is marked. */
static void write_row(const struct text_layout *layout, size_t row, const double *group_largest)
{
	const struct cell *cells = table_row_cells(layout->table, row);
	g_autoptr(GString) line = g_string_new(NULL);

	line_pad(line, layout->indent);
	for (size_t i = 0; i < layout->column_count; i++) {
		const struct text_column *column = &layout->columns[i];
		const struct cell *cell = &cells[column->kept];
		g_autofree char *text = column->is_shown ? cell_human_text(cell, column->column->format) : NULL;
		const char *mark = "";

		if (!column->is_shown) {
			continue;
		}
		if (column->hints->marks_largest && layout->has_marks && group_largest && isfinite(cell_number(cell))) {
			mark = cell_number(cell) == column->largest    ? "**"
			       : cell_number(cell) == group_largest[i] ? "*"
								       : "";
		}
		if (*mark) {
			g_autofree char *marked = g_strconcat(mark, text, NULL);

			line_cell(line, layout, column, marked, ATTRIBUTE_BOLD);
		} else {
			line_cell(line, layout, column, text, NULL);
		}
	}
	line_write(layout->stream, line);
}

static bool rows_are_of_one_group(const struct text_table *table, size_t left, size_t right)
{
	for (size_t i = 0; i < table->kept_count; i++) {
		if (table->schema->columns[table->kept[i]].role == COLUMN_ROLE_GROUP &&
		    !cells_equal(&table_row_cells(table, left)[i], &table_row_cells(table, right)[i])) {
			return false;
		}
	}
	return true;
}

static size_t group_end(const struct text_table *table, size_t first)
{
	size_t end = first + 1;

	while (end < table->row_count && rows_are_of_one_group(table, first, end)) {
		end++;
	}
	return end;
}

/* The group columns from the last to the first: the most specific name leads. */
static void write_group_headline(const struct text_layout *layout, size_t row)
{
	const struct text_table *table = layout->table;
	g_autoptr(GString) line = g_string_new(NULL);
	bool is_first = true;

	for (size_t i = table->kept_count; i-- > 0;) {
		const struct table_column *column = &table->schema->columns[table->kept[i]];
		g_autofree char *text = cell_human_text(&table_row_cells(table, row)[i], column->format);

		if (column->role != COLUMN_ROLE_GROUP || !*text) {
			continue;
		}
		if (is_first && layout->style->has_attributes) {
			g_string_append_printf(line, ATTRIBUTE_BOLD "%s" ATTRIBUTE_NONE, text);
		} else if (column->label && *column->label && !is_first) {
			g_string_append_printf(line, "%s %s", column->label, text);
		} else {
			g_string_append(line, text);
		}
		line_pad(line, 2);
		is_first = false;
	}
	if (!is_first) {
		output_stream_byte(layout->stream, '\n');
		line_write(layout->stream, line);
	}
}

/* Rows of a child stand in the order of their parents, so the next run usually begins where the last one ended. */
static size_t child_run(const struct text_table *child, const struct cell *parent, size_t *cursor)
{
	size_t length = 0;

	for (size_t i = 0; i < child->row_count; i++) {
		size_t row = (*cursor + i) % child->row_count;

		if (cells_equal(table_row_cells(child, row), parent)) {
			*cursor = row;
			break;
		}
	}
	while (*cursor + length < child->row_count && cells_equal(table_row_cells(child, *cursor + length), parent)) {
		length++;
	}
	return length;
}

static void write_children(const struct text_layout *parent, size_t row, struct text_layout *children,
			   size_t child_count, size_t *cursors)
{
	for (size_t i = 0; i < child_count; i++) {
		size_t length = child_run(children[i].table, table_row_cells(parent->table, row), &cursors[i]);

		if (length) {
			write_labels(&children[i]);
		}
		for (; length; length--) {
			write_row(&children[i], cursors[i]++, NULL);
		}
		if (cursors[i] >= children[i].table->row_count) {
			cursors[i] = 0;
		}
	}
}

static void write_idle(const struct text_layout *layout, size_t count)
{
	g_autoptr(GString) line = g_string_new(NULL);

	line_pad(line, layout->indent);
	g_string_append_printf(line, "%zu %s", count, table_idle(layout->table));
	write_attribute(layout->stream, layout->style, ATTRIBUTE_DIM);
	line_write(layout->stream, line);
	write_attribute(layout->stream, layout->style, ATTRIBUTE_NONE);
}

static void write_group(const struct text_layout *layout, size_t first, size_t end, struct text_layout *children,
			size_t child_count, size_t *cursors)
{
	g_autofree double *largest = g_new(double, layout->column_count);
	size_t idle_count = 0;

	for (size_t i = 0; i < layout->column_count; i++) {
		largest[i] = end - first > 1 ? largest_of_rows(layout, &layout->columns[i], first, end) : INFINITY;
	}
	for (size_t row = first; row < end; row++) {
		if (row_is_idle(layout->table, row)) {
			idle_count++;
			continue;
		}
		write_row(layout, row, largest);
		write_children(layout, row, children, child_count, cursors);
	}
	if (idle_count) {
		write_idle(layout, idle_count);
	}
}

static void write_rows(const struct text_layout *layout, const struct text_table *const *children)
{
	size_t child_count = 0;
	g_autofree struct text_layout *child_layouts = NULL;
	g_autofree size_t *cursors = NULL;

	while (children && children[child_count]) {
		child_count++;
	}
	child_layouts = g_new0(struct text_layout, child_count);
	cursors = g_new0(size_t, child_count);
	for (size_t i = 0; i < child_count; i++) {
		layout_init(&child_layouts[i], children[i], layout->style, layout->stream, CHILD_INDENT, false);
	}
	write_labels(layout);
	for (size_t first = 0, end; first < layout->table->row_count; first = end) {
		end = group_end(layout->table, first);
		write_group_headline(layout, first);
		write_group(layout, first, end, child_layouts, child_count, cursors);
	}
	for (size_t i = 0; i < child_count; i++) {
		layout_clear(&child_layouts[i]);
	}
}

static void write_title(struct output_stream *stream, const struct table_schema *schema, const struct text_style *style)
{
	const char *title = schema->title ? schema->title : schema->name;

	output_stream_byte(stream, '\n');
	write_attribute(stream, style, ATTRIBUTE_BOLD);
	output_stream_text(stream, title);
	write_attribute(stream, style, ATTRIBUTE_NONE);
	output_stream_byte(stream, '\n');
}

static bool has_groups(const struct table_schema *schema)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		if (schema->columns[i].role == COLUMN_ROLE_GROUP) {
			return true;
		}
	}
	return false;
}

/* The column by which rows are compared; NULL if there is none. */
static const struct text_column *layout_marked_column(const struct text_layout *layout)
{
	for (size_t i = 0; i < layout->column_count; i++) {
		if (layout->columns[i].is_shown && layout->columns[i].hints->marks_largest) {
			return &layout->columns[i];
		}
	}
	return NULL;
}

/* The rows with the largest values of a column, largest first, equal ones in order; gives how many. */
static size_t find_longest(const struct text_table *table, const struct text_column *column,
			   size_t longest[LONGEST_ROWS])
{
	size_t count = 0;

	for (size_t row = 0; row < table->row_count; row++) {
		double number = cell_number(&table_row_cells(table, row)[column->kept]);
		size_t at = count;

		while (at > 0 && number > cell_number(&table_row_cells(table, longest[at - 1])[column->kept])) {
			at--;
		}
		if (!isfinite(number) || at == LONGEST_ROWS) {
			continue;
		}
		count = MIN(count + 1, LONGEST_ROWS);
		memmove(&longest[at + 1], &longest[at], (count - at - 1) * sizeof(*longest));
		longest[at] = row;
	}
	return count;
}

/* In a long table of many groups, what matters most first. */
static void write_longest(const struct text_table *table, const struct text_style *style, struct output_stream *stream)
{
	struct text_layout layout;
	const struct text_column *column;

	layout_init(&layout, table, style, stream, ROW_INDENT, true);
	column = layout_marked_column(&layout);
	if (column && has_groups(table->schema) && active_row_count(table) > (size_t)2 * LONGEST_ROWS) {
		size_t longest[LONGEST_ROWS];
		size_t count = find_longest(table, column, longest);

		output_stream_text(stream, "\n  The longest\n");
		write_labels(&layout);
		for (size_t i = 0; i < count; i++) {
			write_row(&layout, longest[i], NULL);
		}
		output_stream_text(stream, "\n  All, by group\n");
	}
	layout_clear(&layout);
}

void text_table_write(const struct text_table *table, const struct text_table *const *children,
		      const struct text_style *style, struct output_stream *stream)
{
	struct text_layout layout;

	write_title(stream, table->schema, style);
	if (table->row_count == 0) {
		output_stream_text(stream, "  nothing\n");
		return;
	}
	write_longest(table, style, stream);
	layout_init(&layout, table, style, stream, ROW_INDENT, false);
	write_rows(&layout, children);
	if (layout.has_marks && layout_marked_column(&layout)) {
		write_attribute(stream, style, ATTRIBUTE_DIM);
		output_stream_text(stream, has_groups(table->schema) ? "\n  * largest of its group, ** largest of all\n"
								     : "\n  ** largest of all\n");
		write_attribute(stream, style, ATTRIBUTE_NONE);
	}
	layout_clear(&layout);
}

static size_t stream_column_width(const struct table_column *column)
{
	static const size_t widths[] = {
		[COLUMN_PLAIN] = 12,  [COLUMN_DURATION] = 10, [COLUMN_TIME] = 29,
		[COLUMN_PERCENT] = 6, [COLUMN_NAME] = 24,     [COLUMN_STATISTIC] = 0,
	};

	return MAX(widths[column->format], human_text_width(column_label(column)));
}

static void line_stream_cell(GString *line, const struct table_column *column, const char *text)
{
	size_t width = human_text_width(text), column_width = stream_column_width(column);

	line_pad(line, COLUMN_GAP + (width < column_width ? column_width - width : 0));
	g_string_append(line, text);
}

void text_stream_header(struct output_stream *stream, const struct table_schema *schema)
{
	struct text_style style = text_style_plain();
	g_autoptr(GString) line = g_string_new(NULL);

	write_title(stream, schema, &style);
	for (size_t i = 0; i < schema->column_count; i++) {
		if (schema->columns[i].role != COLUMN_ROLE_HIDDEN) {
			line_stream_cell(line, &schema->columns[i], column_label(&schema->columns[i]));
		}
	}
	line_write(stream, line);
}

static void line_stream_value(GString *line, const struct table_column *column, const struct cell *cell)
{
	char buffer[NUMBER_TEXT_SIZE];

	if (cell->type == CELL_TEXT || cell->type == CELL_EMPTY) {
		g_autofree char *text = cell_human_text(cell, column->format);

		line_stream_cell(line, column, text);
	} else {
		line_stream_cell(line, column, number_human_text(buffer, cell, column->format));
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
	line_write(stream, line);
}

static void append_hosts(GString *line, const struct report_trace *trace)
{
	for (size_t i = 0; i < trace->hostname_count; i++) {
		g_autofree char *hostname = human_text_clean(trace->hostnames[i]);

		g_string_append_printf(line, "%s%s", i ? ", " : "  on ", hostname);
	}
}

/* On top, so that nobody takes the figures for those of the whole recording. */
static void write_missing(struct output_stream *stream, const struct report_trace *trace,
			  const struct text_style *style)
{
	for (size_t i = 0; i < trace->missing_count; i++) {
		g_autofree char *reason = human_text_clean(trace->missing[i]);

		write_attribute(stream, style, ATTRIBUTE_BOLD);
		output_stream_text(stream, "PARTIAL: ");
		write_attribute(stream, style, ATTRIBUTE_NONE);
		output_stream_text(stream, reason);
		output_stream_byte(stream, '\n');
	}
}

void text_headline(struct output_stream *stream, const struct report_trace *trace, const struct text_style *style)
{
	g_autoptr(GString) line = g_string_new(NULL);

	write_missing(stream, trace, style);
	write_attribute(stream, style, ATTRIBUTE_BOLD);
	output_stream_text(stream, "ROS 2 latency");
	write_attribute(stream, style, ATTRIBUTE_NONE);
	g_string_append_printf(line, "  %" PRIu64 " process%s", trace->process_count,
			       trace->process_count == 1 ? "" : "es");
	append_hosts(line, trace);
	if (trace->has_runtime_events) {
		char begin_text[HUMAN_TEXT_SIZE], duration_text[HUMAN_TEXT_SIZE];
		const char *begin = human_text_time(begin_text, trace->begin_ns);
		const char *duration = human_text_duration(
			duration_text, (int64_t)MIN((uint64_t)trace->end_ns - (uint64_t)trace->begin_ns, INT64_MAX));

		/* Whole seconds say enough here. */
		g_string_append_printf(line, "  %s from %.*s UTC", duration, (int)strcspn(begin, "."), begin);
	}
	g_string_append_c(line, '\n');
	output_stream_bytes(stream, line->str, line->len);
}
