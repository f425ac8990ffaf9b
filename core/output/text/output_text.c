/* SPDX-License-Identifier: MIT */
/*
 * The report as text for people (text_table.h): main tables with the rows of their tables of detail below the rows,
 * then the instances. Instances wait in a spool for each table, other rows in memory.
 */
#include "core/base/compare_numbers.h"
#include "core/output/output_stream.h"
#include "core/output/outputs.h"
#include "core/output/statistics_columns.h"
#include "core/output/text/text_headline.h"
#include "core/output/text/text_sort.h"
#include "core/output/text/text_stream.h"
#include "core/output/text/text_table.h"
#include "core/text/ascii_text.h"

/* Two screens, and a little room for names that take two lines. */
#define LINES 112

struct text_output {
	const struct output_place *place; /* borrowed */
	GPtrArray *tables;		  /* struct waiting_table, owned, in the order of opening */
};

/* A table: its rows are either kept or in a spool. */
struct waiting_table {
	struct table_writer writer;
	struct statistics_columns *columns; /* owned */
	const struct table_schema *given;   /* as the table was opened */
	const struct table_schema *schema;  /* of the columns */
	struct text_table *kept;	    /* owned, or NULL */
	struct output_stream *spool;	    /* owned, or NULL */
};

static void keep_row(struct table_writer *writer, const struct cell *cells)
{
	struct waiting_table *table = (struct waiting_table *)writer;

	text_table_add(table->kept, statistics_columns_cells(table->columns, cells));
}

static void spool_row(struct table_writer *writer, const struct cell *cells)
{
	struct waiting_table *table = (struct waiting_table *)writer;

	text_stream_row(table->spool, table->schema, statistics_columns_cells(table->columns, cells));
}

static void table_destroy(gpointer data)
{
	struct waiting_table *table = data;

	text_table_destroy(table->kept);
	output_stream_destroy(table->spool);
	statistics_columns_destroy(table->columns);
	g_free(table);
}

static struct output *create(const struct output_place *place)
{
	struct text_output *text = g_new0(struct text_output, 1);

	text->place = place;
	text->tables = g_ptr_array_new_with_free_func(table_destroy);
	if (ascii_text_is_needed()) {
		output_stream_set_ascii(place->stream);
	}
	return (struct output *)text;
}

/* For tables that are a summary. */
static const struct row_choice all_rows;

static struct table_writer *open_table(struct output *output, const struct table_schema *schema,
				       struct output_stream *stream)
{
	struct text_output *text = (struct text_output *)output;
	struct waiting_table *table = g_new0(struct waiting_table, 1);

	table->columns = statistics_columns_create(schema, text->place->quantiles, text->place->quantile_count);
	table->given = schema;
	table->schema = statistics_columns_schema(table->columns);
	if (schema->is_instances) {
		table->writer.row = spool_row;
		table->spool = output_stream_create_spool(text->place->spool_directory);
		text_stream_header(table->spool, table->schema);
	} else {
		table->writer.row = keep_row;
		table->kept = text_table_create(table->schema, schema->summary > 0 ? &all_rows : &text->place->choice);
	}
	g_ptr_array_add(text->tables, table);
	return &table->writer;
}

static struct waiting_table *table_at(const struct text_output *text, guint index)
{
	return g_ptr_array_index(text->tables, index);
}

static bool is_main_table(const struct waiting_table *table)
{
	return table->kept && !table->schema->parent && table->schema->summary == 0;
}

static bool has_sort_column(const struct waiting_table *table)
{
	for (size_t i = 0; is_main_table(table) && i < table->schema->column_count; i++) {
		if (text_table_is_sort_column(table->kept, &table->schema->columns[i])) {
			return true;
		}
	}
	return false;
}

/* Adds the error for a column that no table has. */
static void refuse_sort(const struct text_output *text, GError **error)
{
	const struct row_choice *choice = &text->place->choice;
	g_autoptr(GArray) tables = g_array_new(FALSE, FALSE, sizeof(struct sorted_table));
	g_autofree char *problem = NULL;

	for (guint i = 0; i < text->tables->len; i++) {
		const struct waiting_table *table = table_at(text, i);
		struct sorted_table sorted = { table->given, table->schema };

		if (is_main_table(table)) {
			g_array_append_val(tables, sorted);
		}
	}
	problem = text_sort_problem(choice->are_parameters ? "parameter \"sort\"" : "--sort", choice->sort,
				    &g_array_index(tables, struct sorted_table, 0), tables->len);
	g_set_error_literal(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, problem);
}

/* Tables without the column stay as they are, but at least one must have it. */
static bool check_sort(const struct text_output *text, GError **error)
{
	bool is_found = !text->place->choice.sort || text->tables->len == 0;

	for (guint i = 0; !is_found && i < text->tables->len; i++) {
		is_found = has_sort_column(table_at(text, i));
	}
	if (!is_found) {
		refuse_sort(text, error);
	}
	return is_found;
}

static bool check(const struct output *output, GError **error)
{
	const struct text_output *text = (const struct text_output *)output;

	if (!check_sort(text, error)) {
		return false;
	}
	for (guint i = 0; i < text->tables->len; i++) {
		const struct output_stream *spool = table_at(text, i)->spool;

		if (spool && !output_stream_check(spool, error)) {
			return false;
		}
	}
	return true;
}

/* The tables whose parent it is, ended by NULL. */
static GPtrArray *children_of(const struct text_output *text, const struct waiting_table *table)
{
	GPtrArray *children = g_ptr_array_new();

	for (guint i = 0; i < text->tables->len; i++) {
		const struct waiting_table *child = table_at(text, i);

		if (child->kept && g_strcmp0(child->schema->parent, table->schema->name) == 0) {
			g_ptr_array_add(children, child->kept);
		}
	}
	g_ptr_array_add(children, NULL);
	return children;
}

static gint compare_summaries(gconstpointer a, gconstpointer b)
{
	const struct waiting_table *left = *(const struct waiting_table *const *)a;
	const struct waiting_table *right = *(const struct waiting_table *const *)b;

	return compare_unsigned(left->schema->summary, right->schema->summary);
}

/* Returns the number of lines. */
static size_t write_summaries(const struct text_output *text, const struct text_style *style)
{
	g_autoptr(GPtrArray) summaries = g_ptr_array_new();
	size_t lines = 0;

	for (guint i = 0; i < text->tables->len; i++) {
		if (table_at(text, i)->schema->summary > 0) {
			g_ptr_array_add(summaries, table_at(text, i));
		}
	}
	g_ptr_array_sort(summaries, compare_summaries);
	for (guint i = 0; i < summaries->len; i++) {
		const struct waiting_table *table = g_ptr_array_index(summaries, i);

		lines += text_table_write_summary(table->kept, style, text->place->stream);
	}
	return lines;
}

static gint compare_sizes(gconstpointer a, gconstpointer b)
{
	const size_t *left = a, *right = b;

	return compare_unsigned(*left, *right);
}

/* How many lines the largest table may have so that all together fit: smaller tables leave it what they do not need. */
static size_t fair_share(GArray *heights, size_t lines)
{
	size_t height = 0;

	g_array_sort(heights, compare_sizes);
	for (guint i = 0; i < heights->len; i++) {
		size_t share = lines / (heights->len - i);

		height = g_array_index(heights, size_t, i);
		if (height > share) {
			return share;
		}
		lines -= height;
	}
	return height + lines;
}

static void write_tables(const struct text_output *text, size_t lines, const struct text_style *style)
{
	g_autoptr(GArray) heights = g_array_new(FALSE, FALSE, sizeof(size_t));
	size_t share;

	for (guint i = 0; i < text->tables->len; i++) {
		if (is_main_table(table_at(text, i))) {
			g_autoptr(GPtrArray) children = children_of(text, table_at(text, i));
			size_t height = text_table_height(table_at(text, i)->kept,
							  (const struct text_table *const *)children->pdata);

			g_array_append_val(heights, height);
		}
	}
	share = fair_share(heights, lines);
	for (guint i = 0; i < text->tables->len; i++) {
		if (is_main_table(table_at(text, i))) {
			g_autoptr(GPtrArray) children = children_of(text, table_at(text, i));

			text_table_write(table_at(text, i)->kept, (const struct text_table *const *)children->pdata,
					 share, style, text->place->stream);
		}
	}
}

/* A recording of something else: the reader reports it, and empty tables would add nothing. Chosen tables are written.
 */
static bool is_worth_a_report(const struct text_output *text, const struct report_trace *trace)
{
	bool is_chosen = true;

	for (guint i = 0; i < text->tables->len; i++) {
		is_chosen &= table_at(text, i)->schema->summary == 0;
	}
	return is_chosen || trace->has_runtime_events || trace->missing_count > 0;
}

static bool finish(struct output *output, const struct report_trace *trace, GError **error)
{
	struct text_output *text = (struct text_output *)output;
	struct output_stream *stream = text->place->stream;
	size_t lines;
	struct text_style style =
		text->place->is_standard_output ? text_style_of_standard_output() : text_style_plain();

	if (!is_worth_a_report(text, trace)) {
		return true;
	}
	style.begin_ns = trace->begin_ns;
	lines = text_headline(stream, trace, &style);
	lines += write_summaries(text, &style);
	write_tables(text, lines < LINES ? LINES - lines : 0, &style);
	for (guint i = 0; i < text->tables->len; i++) {
		if (table_at(text, i)->spool) {
			output_stream_splice(stream, table_at(text, i)->spool);
		}
	}
	return true;
}

static void destroy(struct output *output)
{
	struct text_output *text = (struct text_output *)output;

	g_ptr_array_unref(text->tables);
	g_free(text);
}

const struct output_class text_output = {
	.name = "text",
	.file = "report.txt",
	.takes_summary = true,
	.leaves_out_optional = true,
	.create = create,
	.open = open_table,
	.check = check,
	.finish = finish,
	.destroy = destroy,
};
