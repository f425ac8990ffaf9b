/* SPDX-License-Identifier: MIT */
/*
 * The report as text for people (text_table.h): main tables with the rows of their tables of detail below the rows,
 * then the instances. Instances wait in a spool of their table, other rows in memory.
 */
#include "core/output/output_stream.h"
#include "core/output/outputs.h"
#include "core/output/statistics_columns.h"
#include "core/output/text_table.h"
#include "core/text/ascii_text.h"

struct text_output {
	const struct output_place *place; /* borrowed */
	GPtrArray *tables;		  /* struct waiting_table, owned, in the order of opening */
};

/* Either kept, or in a spool. */
struct waiting_table {
	struct table_writer writer;
	struct statistics_columns *columns; /* owned */
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

static struct table_writer *open_table(struct output *output, const struct table_schema *schema,
				       struct output_stream *stream)
{
	struct text_output *text = (struct text_output *)output;
	struct waiting_table *table = g_new0(struct waiting_table, 1);

	table->columns = statistics_columns_create(schema, text->place->quantiles, text->place->quantile_count);
	table->schema = statistics_columns_schema(table->columns);
	if (schema->is_instances) {
		table->writer.row = spool_row;
		table->spool = output_stream_create_spool(text->place->spool_directory);
		text_stream_header(table->spool, table->schema);
	} else {
		table->writer.row = keep_row;
		table->kept = text_table_create(table->schema);
	}
	g_ptr_array_add(text->tables, table);
	return &table->writer;
}

static struct waiting_table *table_at(const struct text_output *text, guint index)
{
	return g_ptr_array_index(text->tables, index);
}

static bool check(const struct output *output, GError **error)
{
	const struct text_output *text = (const struct text_output *)output;

	for (guint i = 0; i < text->tables->len; i++) {
		const struct output_stream *spool = table_at(text, i)->spool;

		if (spool && !output_stream_check(spool, error)) {
			return false;
		}
	}
	return true;
}

static void write_table(const struct text_output *text, const struct waiting_table *table,
			const struct text_style *style)
{
	g_autoptr(GPtrArray) children = g_ptr_array_new();

	for (guint i = 0; i < text->tables->len; i++) {
		const struct waiting_table *child = table_at(text, i);

		if (child->kept && g_strcmp0(child->schema->parent, table->schema->name) == 0) {
			g_ptr_array_add(children, child->kept);
		}
	}
	g_ptr_array_add(children, NULL);
	text_table_write(table->kept, (const struct text_table *const *)children->pdata, style, text->place->stream);
}

static bool finish(struct output *output, const struct report_trace *trace, GError **error)
{
	struct text_output *text = (struct text_output *)output;
	struct output_stream *stream = text->place->stream;
	struct text_style style =
		text->place->is_standard_output ? text_style_of_standard_output() : text_style_plain();

	text_headline(stream, trace, &style);
	for (guint i = 0; i < text->tables->len; i++) {
		const struct waiting_table *table = table_at(text, i);

		if (table->kept && !table->schema->parent) {
			write_table(text, table, &style);
		}
	}
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
	.create = create,
	.open = open_table,
	.check = check,
	.finish = finish,
	.destroy = destroy,
};
