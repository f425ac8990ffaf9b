/* SPDX-License-Identifier: MIT */
#include "core/output/text/text_table.h"

#include <math.h>

#include "core/output/text/text_cell.h"
#include "core/output/text/text_layout.h"
#include "core/output/text/text_layout_write.h"
#include "core/output/text/text_line.h"
#include "core/output/text/text_title.h"
#include "ros2bt/base/u64_map.h"

#define ROW_INDENT 2
#define CHILD_INDENT 6

/* A table under the rows of another table. */
struct child {
	const struct text_table *table; /* borrowed */
	struct u64_map first_rows;	/* by the id in the first cell: the first of a run of rows with the same id */
	struct text_selection selection;
	struct text_layout layout;
};

/* The parts that are written as one table. */
struct writing {
	const struct text_table *table; /* borrowed, like the next two */
	const struct text_style *style;
	struct output_stream *stream;
	struct text_selection selection;
	struct text_layout layout;
	struct child *children; /* owned */
	size_t child_count;
};

static void write_dim(const struct writing *writing, GString *line)
{
	text_style_attribute(writing->stream, writing->style, ATTRIBUTE_DIM);
	text_line_write(writing->stream, line);
	text_style_attribute(writing->stream, writing->style, ATTRIBUTE_NONE);
}

/* --- children --- */

/* Rows of a child with the same first cell are adjacent. */
static void child_init(struct child *child, const struct text_table *table)
{
	*child = (struct child){ .table = table };
	u64_map_init(&child->first_rows);
	for (size_t row = table->row_count; row-- > 0;) {
		u64_map_set(&child->first_rows, text_table_cells(table, row)->unsigned_integer, row);
	}
}

static void child_clear(struct child *child)
{
	u64_map_clear(&child->first_rows);
	text_selection_clear(&child->selection);
	text_layout_clear(&child->layout);
}

/* The rows under a row of the parent; returns how many. */
static size_t child_run(const struct child *child, const struct cell *parent, size_t *first)
{
	uint64_t row = u64_map_get(&child->first_rows, parent->unsigned_integer);
	size_t length = 0;

	if (row == U64_MAP_NONE) {
		return 0;
	}
	*first = (size_t)row;
	while (*first + length < child->table->row_count &&
	       text_cells_equal(text_table_cells(child->table, *first + length), parent)) {
		length++;
	}
	return length;
}

/* A run appears under each row of the parent with its id, so there can be more rows than the child has. */
static size_t child_row_count(const struct child *child, const struct writing *writing)
{
	size_t count = 0, first;

	for (size_t i = 0; i < writing->selection.count; i++) {
		count += child_run(child, text_table_cells(writing->table, writing->selection.rows[i]), &first);
	}
	return count;
}

/* Of all listed rows, in their order. */
static void child_lay_out(struct child *child, const struct writing *writing)
{
	child->selection.rows = g_new(size_t, child_row_count(child, writing));
	for (size_t i = 0; i < writing->selection.count; i++) {
		const struct cell *parent = text_table_cells(writing->table, writing->selection.rows[i]);
		size_t first = 0, length = child_run(child, parent, &first);

		for (size_t j = 0; j < length; j++) {
			child->selection.rows[child->selection.count++] = first + j;
		}
	}
	text_layout_init(&child->layout, child->table, &child->selection, writing->style, writing->stream,
			 CHILD_INDENT);
	child->layout.has_marks = false;
}

/* --- how many lines --- */

static size_t row_height(const struct writing *writing, size_t row)
{
	size_t height = 1;

	for (size_t i = 0; i < writing->child_count; i++) {
		size_t first, length = child_run(&writing->children[i], text_table_cells(writing->table, row), &first);

		height += length > 0 ? length + 1 : 0;
	}
	return height;
}

static size_t group_count(const struct writing *writing)
{
	const struct text_selection *selection = &writing->selection;
	size_t count = 0;

	for (size_t i = 0; i < selection->count && text_table_has_groups(writing->table); i++) {
		count += i == 0 ||
			 !text_rows_are_of_one_group(writing->table, selection->rows[i - 1], selection->rows[i]);
	}
	return count;
}

/* Title, labels with their headings, and the lines below the table. */
#define LINES_AROUND_ROWS 6
/* A headline of a group, and an empty line before it. */
#define LINES_OF_GROUP 2

static size_t rows_height(const struct writing *writing)
{
	size_t height = 0;

	for (size_t i = 0; i < writing->selection.count; i++) {
		height += row_height(writing, writing->selection.rows[i]);
	}
	return height;
}

static size_t writing_height(const struct writing *writing)
{
	size_t groups = writing->selection.is_ranked ? 0 : group_count(writing);

	return LINES_AROUND_ROWS + LINES_OF_GROUP * groups + rows_height(writing);
}

/* If there is no room for a few rows, none is listed. */
#define LINES_MIN (LINES_AROUND_ROWS + 2)
/* A row with rows below it is listed without them if they do not fit. */
#define LINES_OF_ROW_MAX 24

/* How many of the rows fit: at least one, unless there is hardly any room. */
static size_t fitting_rows(const struct writing *writing, size_t lines)
{
	size_t used = LINES_AROUND_ROWS, count = 0;

	while (lines >= LINES_MIN && count < writing->selection.count) {
		used += row_height(writing, writing->selection.rows[count]);
		if (used > lines && count > 0) {
			break;
		}
		count++;
	}
	return count;
}

static void leave_out_children(struct writing *writing)
{
	while (writing->child_count > 0) {
		child_clear(&writing->children[--writing->child_count]);
	}
}

static void choose_rows(struct writing *writing, size_t lines)
{
	const struct row_choice *choice = &writing->table->choice;
	struct text_selection *selection = &writing->selection;

	if (choice->has_top ? choice->top == 0 || choice->top >= selection->count : writing_height(writing) <= lines) {
		return;
	}
	text_selection_rank(selection, writing->table);
	text_selection_cut(selection, writing->table, choice->has_top ? choice->top : fitting_rows(writing, lines));
	if (!choice->has_top && rows_height(writing) > MAX(lines, LINES_OF_ROW_MAX)) {
		leave_out_children(writing);
	}
}

/* How many lines beyond one each the rows take, because of names that wrap. */
static size_t wrapped_lines(const struct writing *writing)
{
	struct text_layout layout;
	size_t lines = 0;

	text_layout_init(&layout, writing->table, &writing->selection, writing->style, writing->stream, ROW_INDENT);
	for (size_t i = 0; i < writing->selection.count; i++) {
		lines += text_layout_row_lines(&layout, i) - 1;
	}
	text_layout_clear(&layout);
	return lines;
}

/* Which names wrap is known only once the rows are chosen. */
static void leave_out_what_wraps(struct writing *writing, size_t lines)
{
	struct text_selection *selection = &writing->selection;

	while (!writing->table->choice.has_top && selection->count > 1 &&
	       writing_height(writing) + wrapped_lines(writing) > lines) {
		text_selection_rank(selection, writing->table);
		text_selection_cut(selection, writing->table, selection->count - 1);
	}
}

/* --- the parts of a table --- */

/* The group columns from the last to the first: the most specific name leads. */
static void write_group_headline(const struct writing *writing, size_t row)
{
	const struct text_table *table = writing->table;
	g_autoptr(GString) line = g_string_new(NULL);
	bool is_first = true;

	for (size_t i = table->kept_count; i-- > 0;) {
		const struct table_column *column = text_table_column(table, i);
		g_autofree char *text =
			text_cell_text(&text_table_cells(table, row)[i], column->format, writing->style);

		if (column->role != COLUMN_ROLE_GROUP || !*text) {
			continue;
		}
		if (is_first && writing->style->has_attributes) {
			g_string_append_printf(line, ATTRIBUTE_BOLD "%s" ATTRIBUTE_NONE, text);
		} else if (column->label && *column->label && !is_first) {
			g_string_append_printf(line, "%s %s", column->label, text);
		} else {
			g_string_append(line, text);
		}
		text_line_pad(line, 2);
		is_first = false;
	}
	if (!is_first) {
		output_stream_byte(writing->stream, '\n');
		text_line_write_wrapped(writing->stream, line, writing->style->width, TEXT_INDENT_WRAPPED);
	}
}

static void write_children(const struct writing *writing, size_t index, size_t *cursors)
{
	const struct cell *parent = text_table_cells(writing->table, writing->selection.rows[index]);

	for (size_t i = 0; i < writing->child_count; i++) {
		size_t first, length = child_run(&writing->children[i], parent, &first);

		if (length > 0) {
			text_layout_write_labels(&writing->children[i].layout);
		}
		for (; length > 0; length--) {
			text_layout_write_row(&writing->children[i].layout, cursors[i]++, NULL);
		}
	}
}

static size_t group_end(const struct writing *writing, size_t first)
{
	const struct text_selection *selection = &writing->selection;
	size_t end = first + 1;

	while (end < selection->count &&
	       (selection->is_ranked ||
		text_rows_are_of_one_group(writing->table, selection->rows[first], selection->rows[end]))) {
		end++;
	}
	return end;
}

static void write_group(const struct writing *writing, size_t first, size_t end, size_t *cursors)
{
	const struct text_layout *layout = &writing->layout;
	g_autofree double *largest = g_new(double, layout->column_count);

	for (size_t i = 0; i < layout->column_count; i++) {
		largest[i] = end - first > 1 ? text_layout_largest(layout, &layout->columns[i], first, end) : INFINITY;
	}
	if (!writing->selection.is_ranked) {
		write_group_headline(writing, writing->selection.rows[first]);
	}
	for (size_t i = first; i < end; i++) {
		text_layout_write_row(layout, i, largest);
		write_children(writing, i, cursors);
	}
}

static void write_rows(const struct writing *writing)
{
	g_autofree size_t *cursors = g_new0(size_t, writing->child_count);

	text_layout_write_labels(&writing->layout);
	for (size_t first = 0, end; first < writing->selection.count; first = end) {
		end = group_end(writing, first);
		write_group(writing, first, end, cursors);
	}
}

/* Explains the marks. */
static void write_legend(const struct writing *writing)
{
	g_autoptr(GString) line = g_string_new(NULL);

	for (size_t i = 0; i < writing->layout.column_count && writing->layout.has_marks; i++) {
		const struct text_column *column = &writing->layout.columns[i];

		if (column->is_shown && column->hints->marks_largest) {
			output_stream_byte(writing->stream, '\n');
			g_string_append(line, "  * largest of its group, ** largest of all");
			write_dim(writing, line);
			return;
		}
	}
}

/* Returns the number of lines. */
static size_t write_note(const struct writing *writing)
{
	g_autoptr(GString) line = g_string_new(NULL);
	g_auto(GStrv) sentences = writing->table->note ? g_strsplit(writing->table->note, "\n", -1) : NULL;
	size_t count = 0;

	for (size_t i = 0; sentences && sentences[i]; i++) {
		g_string_printf(line, "  %s", sentences[i]);
		count += text_line_write_wrapped(writing->stream, line, writing->style->width, TEXT_INDENT_WRAPPED);
	}
	return count;
}

/* Counts the rows that are not listed and names the option that lists them. */
static void write_left_out(const struct writing *writing)
{
	const struct text_selection *selection = &writing->selection;
	const struct text_table *table = writing->table;
	g_autoptr(GString) line = g_string_new(NULL);

	if (selection->left_out > 0) {
		g_string_append_printf(line, "  %zu %srow%s: %s lists all", selection->left_out,
				       selection->count > 0 ? "more " : "", selection->left_out == 1 ? "" : "s",
				       table->choice.are_parameters ? "top=0" : "--top=0");
		write_dim(writing, line);
	}
	if (table->hidden == 0 && table->idle == 0) {
		return;
	}
	g_string_append(line, "  ");
	if (table->idle > 0) {
		g_string_append_printf(line, "%zu %s%s", table->idle, text_idle_of(table->schema),
				       table->hidden > 0 ? ", " : "");
	}
	if (table->hidden > 0) {
		g_string_append_printf(line, "%zu of hidden names", table->hidden);
	}
	g_string_append_printf(line, ": %s lists them", table->choice.are_parameters ? "hidden=yes" : "--hidden");
	write_dim(writing, line);
}

/* --- a table --- */

static void writing_init(struct writing *writing, const struct text_table *table,
			 const struct text_table *const *children, const struct text_style *style,
			 struct output_stream *stream)
{
	*writing = (struct writing){ .table = table, .style = style, .stream = stream };
	text_selection_init(&writing->selection, table);
	if (!children) {
		return;
	}
	while (children[writing->child_count]) {
		writing->child_count++;
	}
	writing->children = g_new0(struct child, writing->child_count);
	for (size_t i = 0; i < writing->child_count; i++) {
		child_init(&writing->children[i], children[i]);
	}
}

static void writing_clear(struct writing *writing)
{
	for (size_t i = 0; i < writing->child_count; i++) {
		child_clear(&writing->children[i]);
	}
	g_free(writing->children);
	text_layout_clear(&writing->layout);
	text_selection_clear(&writing->selection);
}

size_t text_table_height(const struct text_table *table, const struct text_table *const *children)
{
	struct writing writing;
	size_t lines;

	writing_init(&writing, table, children, NULL, NULL);
	lines = writing_height(&writing);
	writing_clear(&writing);
	return lines;
}

void text_table_write(const struct text_table *table, const struct text_table *const *children, size_t lines,
		      const struct text_style *style, struct output_stream *stream)
{
	g_autofree char *order = NULL;
	struct writing writing;

	writing_init(&writing, table, children, style, stream);
	choose_rows(&writing, lines);
	leave_out_what_wraps(&writing, lines);
	order = text_order(table, &writing.selection);
	text_title(stream, table->schema, order, style);
	if (writing.selection.count > 0) {
		text_layout_init(&writing.layout, table, &writing.selection, style, stream, ROW_INDENT);
		for (size_t i = 0; i < writing.child_count; i++) {
			child_lay_out(&writing.children[i], &writing);
		}
		write_rows(&writing);
	} else if (table->row_count + table->idle + table->hidden == 0) {
		text_nothing(stream, table->schema, style);
	}
	write_left_out(&writing);
	write_note(&writing);
	write_legend(&writing);
	writing_clear(&writing);
}

/* Tables of one column are text. */
static size_t write_summary_line(const struct writing *writing)
{
	const struct text_style *style = writing->style;
	g_autoptr(GString) line = g_string_new(NULL);
	size_t count = 0;

	for (size_t i = 0; i < writing->table->row_count; i++) {
		g_autofree char *text = text_cell_text(text_table_cells(writing->table, i), COLUMN_PLAIN, style);

		g_string_printf(line, "%s%s%s: %s", style->has_attributes ? ATTRIBUTE_BOLD : "",
				writing->table->schema->title, style->has_attributes ? ATTRIBUTE_NONE : "", text);
		count += text_line_write_wrapped(writing->stream, line, style->width, TEXT_INDENT_WRAPPED);
	}
	return count;
}

#define LINES_OF_LABELS 1

size_t text_table_write_summary(const struct text_table *table, const struct text_style *style,
				struct output_stream *stream)
{
	g_autofree char *order = NULL;
	struct writing writing;
	size_t lines;

	if (table->row_count == 0) {
		return 0;
	}
	writing_init(&writing, table, NULL, style, stream);
	if (table->schema->column_count == 1) {
		output_stream_byte(stream, '\n');
		lines = write_summary_line(&writing) + 1;
	} else {
		text_layout_init(&writing.layout, table, &writing.selection, style, stream, ROW_INDENT);
		order = text_order_of_summary(table);
		lines = text_title(stream, table->schema, order, style) + LINES_OF_LABELS;
		text_layout_write_labels(&writing.layout);
		for (size_t i = 0; i < table->row_count; i++) {
			lines += text_layout_write_row(&writing.layout, i, NULL);
		}
		lines += write_note(&writing);
	}
	writing_clear(&writing);
	return lines;
}
