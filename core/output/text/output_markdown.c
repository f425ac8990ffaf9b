/* SPDX-License-Identifier: MIT */
/*
 * The report in GitHub-flavoured Markdown, for a pull request or an issue: the tables and rows of the text, worst
 * first, ten of each unless the parameter `top` says otherwise. Rows of detail are left out; instances are a block of
 * code.
 */
#include "core/base/text/markdown_text.h"
#include "core/output/outputs.h"
#include "core/output/text/text_cell.h"
#include "core/output/text/text_headline.h"
#include "core/output/text/text_layout.h"
#include "core/output/text/text_report.h"
#include "core/output/text/text_title.h"
#include "ros2bt/output/output_stream.h"

/* Of what would be text: which columns of detail have room. */
#define WIDTH 140

static bool is_name(const struct text_column *column)
{
	return column->column->role == COLUMN_ROLE_GROUP || column->column->format != COLUMN_PLAIN;
}

static void append_label(GString *line, const struct text_column *column)
{
	const char *heading = column->hints->heading;

	if (heading) {
		markdown_text_append(line, heading);
		g_string_append_c(line, ' ');
	}
	markdown_text_append(line, text_column_label(column->column));
}

static void append_cell(GString *line, const struct text_layout *layout, const struct text_column *column, size_t index)
{
	const struct cell *cell = &text_table_cells(layout->table, layout->selection->rows[index])[column->kept];
	g_autofree char *text = NULL;

	if (column->tells_apart && !text_apart_needs_cell(&layout->apart, index, column->kept)) {
		return;
	}
	text = text_cell_text(cell, column->column->format, layout->style);
	if (cell->type != CELL_TEXT) {
		g_string_append(line, text);
	} else if (is_name(column)) {
		markdown_text_append_name(line, text);
	} else {
		markdown_text_append(line, text);
	}
}

static void write_line(const struct text_layout *layout, GString *line)
{
	g_string_append(line, " |\n");
	output_stream_text(layout->stream, line->str);
	g_string_truncate(line, 0);
}

static void write_labels(const struct text_layout *layout)
{
	g_autoptr(GString) line = g_string_new(NULL);

	for (size_t i = 0; i < layout->column_count; i++) {
		if (layout->columns[i].is_shown) {
			g_string_append(line, line->len > 0 ? " | " : "| ");
			append_label(line, &layout->columns[i]);
		}
	}
	write_line(layout, line);
	for (size_t i = 0; i < layout->column_count; i++) {
		if (layout->columns[i].is_shown) {
			g_string_append(line, line->len > 0 ? " | " : "| ");
			g_string_append(line, layout->columns[i].has_text ? "---" : "---:");
		}
	}
	write_line(layout, line);
}

static void write_row(const struct text_layout *layout, size_t index)
{
	g_autoptr(GString) line = g_string_new(NULL);

	for (size_t i = 0; i < layout->column_count; i++) {
		if (layout->columns[i].is_shown) {
			g_string_append(line, line->len > 0 ? " | " : "| ");
			append_cell(line, layout, &layout->columns[i], index);
		}
	}
	write_line(layout, line);
}

static void write_rows(const struct text_table *table, const struct text_selection *selection,
		       const struct text_style *style, struct output_stream *stream)
{
	struct text_layout layout;

	text_layout_init(&layout, table, selection, style, stream, 0);
	write_labels(&layout);
	for (size_t i = 0; i < selection->count; i++) {
		write_row(&layout, i);
	}
	text_layout_clear(&layout);
}

/* `order`: see text_order(). */
static void write_title(struct output_stream *stream, const struct table_schema *schema, const char *order)
{
	g_autoptr(GString) line = g_string_new("\n#### ");

	markdown_text_append(line, schema->title ? schema->title : schema->name);
	markdown_text_append(line, order);
	g_string_append(line, "\n\n");
	output_stream_text(stream, line->str);
}

static void append_count(GString *line, size_t count, const char *what)
{
	if (count > 0) {
		g_string_append_printf(line, "%s%zu %s", line->len > 0 ? ", " : "", count, what);
	}
}

/* What is not listed. */
static void write_left_out(const struct text_table *table, const struct text_selection *selection,
			   struct output_stream *stream)
{
	g_autoptr(GString) line = g_string_new(NULL);

	append_count(line, selection->left_out, selection->left_out == 1 ? "more row" : "more rows");
	append_count(line, table->idle, text_idle_of(table->schema));
	append_count(line, table->hidden, "of hidden names");
	if (line->len > 0) {
		g_string_prepend(line, selection->count > 0 ? "\nNot listed: " : "Not listed: ");
		g_string_append(line, ".\n");
		output_stream_text(stream, line->str);
	}
}

static void write_note(const struct text_table *table, struct output_stream *stream)
{
	g_autoptr(GString) line = g_string_new("\n");

	if (table->note) {
		markdown_text_append(line, table->note);
		g_string_append_c(line, '\n');
		output_stream_text(stream, line->str);
	}
}

static void write_nothing(struct output_stream *stream, const struct table_schema *schema)
{
	g_autoptr(GString) line = g_string_new("Nothing");

	if (schema->why_empty) {
		g_string_append(line, ": ");
		markdown_text_append(line, schema->why_empty);
	}
	g_string_append(line, ".\n");
	output_stream_text(stream, line->str);
}

static void write_table(const struct text_table *table, const struct text_style *style, struct output_stream *stream)
{
	const struct row_choice *choice = &table->choice;
	struct text_selection selection;
	g_autofree char *order = NULL;

	text_selection_init(&selection, table);
	text_selection_rank(&selection, table);
	if (!choice->has_top || choice->top > 0) {
		text_selection_cut(&selection, table, choice->has_top ? choice->top : MARKDOWN_ROWS);
	}
	order = text_order(table, &selection);
	write_title(stream, table->schema, order);
	if (selection.count > 0) {
		write_rows(table, &selection, style, stream);
	} else if (table->row_count + table->idle + table->hidden == 0) {
		write_nothing(stream, table->schema);
	}
	write_left_out(table, &selection, stream);
	write_note(table, stream);
	text_selection_clear(&selection);
}

/* Tables of one column are sentences. */
static void write_sentences(const struct text_table *table, const struct text_style *style,
			    struct output_stream *stream)
{
	g_autoptr(GString) line = g_string_new(NULL);

	for (size_t i = 0; i < table->row_count; i++) {
		g_autofree char *text = text_cell_text(text_table_cells(table, i), COLUMN_PLAIN, style);

		g_string_assign(line, "\n**");
		markdown_text_append(line, table->schema->title);
		g_string_append(line, ":** ");
		markdown_text_append(line, text);
		g_string_append_c(line, '\n');
		output_stream_text(stream, line->str);
	}
}

static void write_summary(const struct text_table *table, const struct text_style *style, struct output_stream *stream)
{
	struct text_selection selection;
	g_autofree char *order = NULL;

	if (table->row_count == 0) {
		return;
	}
	if (table->schema->column_count == 1) {
		write_sentences(table, style, stream);
		return;
	}
	text_selection_init(&selection, table);
	order = text_order_of_summary(table);
	write_title(stream, table->schema, order);
	write_rows(table, &selection, style, stream);
	write_note(table, stream);
	text_selection_clear(&selection);
}

static void write_headline(struct output_stream *stream, const struct report_trace *trace)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GString) line = g_string_new("### ROS 2 latency");

	text_headline_append(text, trace);
	markdown_text_append(line, text->str);
	g_string_append_c(line, '\n');
	for (size_t i = 0; i < trace->missing_count; i++) {
		g_string_append(line, "\n> **PARTIAL:** ");
		markdown_text_append(line, trace->missing[i]);
		g_string_append_c(line, '\n');
	}
	output_stream_text(stream, line->str);
}

static void write_tables(const struct text_report *report, const struct text_style *style)
{
	struct output_stream *stream = report->place->stream;
	g_autoptr(GPtrArray) summaries = text_report_summaries(report);

	for (guint i = 0; i < summaries->len; i++) {
		write_summary(((const struct text_report_table *)g_ptr_array_index(summaries, i))->kept, style, stream);
	}
	for (guint i = 0; i < report->tables->len; i++) {
		const struct text_report_table *table = text_report_table_at(report, i);

		if (text_report_is_shown(table)) {
			write_table(table->kept, style, stream);
		}
	}
	for (guint i = 0; i < report->tables->len; i++) {
		const struct text_report_table *table = text_report_table_at(report, i);

		if (table->spool) {
			output_stream_text(stream, "\n```\n");
			output_stream_splice(stream, table->spool);
			output_stream_text(stream, "```\n");
		}
	}
}

static bool finish(struct output *output, const struct report_trace *trace, GError **error)
{
	struct text_report *report = (struct text_report *)output;
	struct text_style style = { .width = WIDTH, .has_cells = true, .begin_ns = trace->begin_ns };

	if (text_report_is_worth_it(report, trace)) {
		text_report_note_left_out(report);
		write_headline(report->place->stream, trace);
		write_tables(report, &style);
	}
	return true;
}

const struct output_class markdown_output = {
	.name = "markdown",
	.file = "report.md",
	.takes_summary = true,
	.leaves_out_optional = true,
	.create = text_report_create,
	.open = text_report_open,
	.check = text_report_check,
	.finish = finish,
	.destroy = text_report_destroy,
};
