/* SPDX-License-Identifier: MIT */
#include "core/output/text/text_report.h"

#include <string.h>

#include "core/base/compare_numbers.h"
#include "ros2bt/base/ascii_text.h"
#include "core/output/text/text_leave_out.h"
#include "core/output/text/text_sort.h"
#include "core/output/text/text_stream.h"
#include "core/tables/statistics_columns.h"
#include "ros2bt/output/output_stream.h"

/* A row below one that is only counted is not listed either. */
static void keep_row(struct table_writer *writer, const struct cell *cells)
{
	struct text_report_table *table = (struct text_report_table *)writer;
	const struct text_report_table *parent = table->parent;

	if (!parent || !parent->has_left_out || parent->left_out_id != cells[0].unsigned_integer) {
		table->has_left_out = !text_table_add(table->kept, statistics_columns_cells(table->columns, cells));
		table->left_out_id = cells[0].unsigned_integer;
	}
}

static void spool_row(struct table_writer *writer, const struct cell *cells)
{
	struct text_report_table *table = (struct text_report_table *)writer;

	text_stream_row(table->spool, table->schema, statistics_columns_cells(table->columns, cells));
}

static void table_destroy(gpointer data)
{
	struct text_report_table *table = data;

	text_table_destroy(table->kept);
	output_stream_destroy(table->spool);
	statistics_columns_destroy(table->columns);
	g_free(table);
}

struct output *text_report_create(const struct output_place *place)
{
	struct text_report *report = g_new0(struct text_report, 1);

	report->place = place;
	report->tables = g_ptr_array_new_with_free_func(table_destroy);
	if (ascii_text_is_needed()) {
		output_stream_set_ascii(place->stream);
	}
	return (struct output *)report;
}

/* For tables that are a summary. */
static const struct row_choice all_rows;

/* A table that a person reads by itself: neither the detail of another one, nor a summary, nor instances. */
static bool is_main(const struct text_report_table *table)
{
	return table->kept && !table_is_below(table->schema) && table->schema->kind != KIND_SUMMARY;
}

/* One more than may be listed, so that it is seen that not all are. Tables with more rows than the report has lines get
 * the same share of these; text says of a table that folds rows whether it does so among as many rows as lines. */
static size_t limit_of(const struct text_report_table *table)
{
	const struct row_choice *choice = &table->report->place->choice;
	size_t full = 1;

	if (!is_main(table) || choice->sort || (choice->has_top && choice->top == 0)) {
		return SIZE_MAX;
	}
	if (choice->has_top) {
		return (size_t)MIN(choice->top, SIZE_MAX - 1) + 1;
	}
	for (guint i = 0; i < table->report->tables->len && table->kept->fold == table->kept->kept_count; i++) {
		const struct text_report_table *other = text_report_table_at(table->report, i);

		full += other != table && is_main(other) && other->kept->row_count >= TEXT_REPORT_LINES;
	}
	return MAX(TEXT_REPORT_LINES / full, MARKDOWN_ROWS) + 1;
}

static void leave_out(struct table_writer *writer, struct row_list *rows)
{
	struct text_report_table *table = (struct text_report_table *)writer;

	table->kept->limit = limit_of(table);
	text_leave_out(table->kept, table->columns, rows);
}

/* The table below which rows are listed, if each of its rows has an id of its own. */
static struct text_report_table *parent_of(const struct text_report *report, const struct table_schema *schema)
{
	for (guint i = 0; schema->parent && i < report->tables->len; i++) {
		struct text_report_table *table = text_report_table_at(report, i);

		if (table->kept && strcmp(table->given->name, schema->parent) == 0 &&
		    g_strcmp0(table->given->columns[0].id_of, schema->parent) == 0) {
			return table;
		}
	}
	return NULL;
}

static void keep_rows(struct text_report *report, struct text_report_table *table)
{
	const struct row_choice *choice = &report->place->choice;

	table->writer.row = keep_row;
	table->writer.leave_out = leave_out;
	table->writer.only_counts_hidden = table->writer.only_counts_idle = !choice->shows_hidden;
	table->kept = text_table_create(table->schema, table->given->kind == KIND_SUMMARY ? &all_rows : choice);
	table->parent = parent_of(report, table->given);
}

struct table_writer *text_report_open(struct output *output, const struct table_schema *schema,
				      struct output_stream *stream)
{
	struct text_report *report = (struct text_report *)output;
	struct text_report_table *table = g_new0(struct text_report_table, 1);

	table->columns = statistics_columns_create(schema, report->place->quantiles, report->place->quantile_count);
	table->report = report;
	table->given = schema;
	table->schema = statistics_columns_schema(table->columns);
	if (table_is_of_instances(schema)) {
		table->writer.row = spool_row;
		table->spool = output_stream_create_spool(report->place->spool_directory);
		text_stream_header(table->spool, table->schema);
	} else {
		keep_rows(report, table);
	}
	g_ptr_array_add(report->tables, table);
	return &table->writer;
}

struct text_report_table *text_report_table_at(const struct text_report *report, guint index)
{
	return g_ptr_array_index(report->tables, index);
}

bool text_report_is_shown(const struct text_report_table *table)
{
	return is_main(table) && !(table->writer.may_be_left_out && table->kept->row_count == 0);
}

static bool has_sort_column(const struct text_report_table *table)
{
	for (size_t i = 0; is_main(table) && i < table->schema->column_count; i++) {
		if (text_table_is_sort_column(table->kept, &table->schema->columns[i])) {
			return true;
		}
	}
	return false;
}

/* Adds the error for a column that no table has. */
static void refuse_sort(const struct text_report *report, GError **error)
{
	const struct row_choice *choice = &report->place->choice;
	g_autoptr(GArray) tables = g_array_new(FALSE, FALSE, sizeof(struct sorted_table));
	g_autofree char *problem = NULL;

	for (guint i = 0; i < report->tables->len; i++) {
		const struct text_report_table *table = text_report_table_at(report, i);
		struct sorted_table sorted = { table->given, table->schema };

		if (is_main(table)) {
			g_array_append_val(tables, sorted);
		}
	}
	problem = text_sort_problem(choice->are_parameters ? "parameter \"sort\"" : "--sort", choice->sort,
				    &g_array_index(tables, struct sorted_table, 0), tables->len);
	g_set_error_literal(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, problem);
}

/* Tables without the column stay as they are, but at least one must have it. */
static bool check_sort(const struct text_report *report, GError **error)
{
	bool is_found = !report->place->choice.sort || report->tables->len == 0;

	for (guint i = 0; !is_found && i < report->tables->len; i++) {
		is_found = has_sort_column(text_report_table_at(report, i));
	}
	if (!is_found) {
		refuse_sort(report, error);
	}
	return is_found;
}

bool text_report_check(const struct output *output, GError **error)
{
	const struct text_report *report = (const struct text_report *)output;

	if (!check_sort(report, error)) {
		return false;
	}
	for (guint i = 0; i < report->tables->len; i++) {
		const struct output_stream *spool = text_report_table_at(report, i)->spool;

		if (spool && !output_stream_check(spool, error)) {
			return false;
		}
	}
	return true;
}

static gint compare_summaries(gconstpointer a, gconstpointer b)
{
	const struct text_report_table *left = *(const struct text_report_table *const *)a;
	const struct text_report_table *right = *(const struct text_report_table *const *)b;

	return compare_unsigned(left->schema->place, right->schema->place);
}

GPtrArray *text_report_summaries(const struct text_report *report)
{
	GPtrArray *summaries = g_ptr_array_new();

	for (guint i = 0; i < report->tables->len; i++) {
		if (text_report_table_at(report, i)->schema->kind == KIND_SUMMARY) {
			g_ptr_array_add(summaries, text_report_table_at(report, i));
		}
	}
	g_ptr_array_sort(summaries, compare_summaries);
	return summaries;
}

void text_report_note_left_out(const struct text_report *report)
{
	for (guint i = 0; i < report->tables->len; i++) {
		struct text_report_table *table = text_report_table_at(report, i);

		if (table->kept) {
			table->kept->hidden += table->writer.hidden;
			table->kept->idle += table->writer.idle;
			table->kept->note = table->writer.note;
		}
	}
}

bool text_report_is_worth_it(const struct text_report *report, const struct report_trace *trace)
{
	bool is_chosen = true;

	for (guint i = 0; i < report->tables->len; i++) {
		is_chosen &= text_report_table_at(report, i)->schema->kind != KIND_SUMMARY;
	}
	return is_chosen || trace->has_runtime_events || trace->missing_count > 0;
}

void text_report_destroy(struct output *output)
{
	struct text_report *report = (struct text_report *)output;

	g_ptr_array_unref(report->tables);
	g_free(report);
}
