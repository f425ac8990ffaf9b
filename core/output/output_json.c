/* SPDX-License-Identifier: MIT */
/*
 * All tables as one JSON object: an array for each table, with an object for each row on its own line. The keys are the
 * names of the columns; empty cells are null. Rows wait in a spool for each table.
 */
#include "core/output/json_trace.h"
#include "core/output/json_writer.h"
#include "core/output/outputs.h"
#include "core/tables/statistics_columns.h"
#include "ros2bt/output/output_stream.h"

#define JSON_SCHEMA_VERSION 1

struct json_output {
	const struct output_place *place; /* borrowed */
	GPtrArray *tables;		  /* struct json_table, owned, in the order of opening */
};

struct json_table {
	struct table_writer writer;
	struct statistics_columns *columns; /* owned */
	struct output_stream *spool;	    /* owned */
	struct json_writer json;	    /* into the spool */
	char **keys; /* owned; of the columns, json_writer_form_key(); NULL before the first row */
};

static char **form_keys(const struct table_schema *schema)
{
	char **keys = g_new0(char *, schema->column_count + 1);

	for (size_t i = 0; i < schema->column_count; i++) {
		keys[i] = json_writer_form_key(schema->columns[i].name);
	}
	return keys;
}

static void write_row(struct table_writer *writer, const struct cell *cells)
{
	struct json_table *table = (struct json_table *)writer;
	const struct table_schema *schema = statistics_columns_schema(table->columns);

	cells = statistics_columns_cells(table->columns, cells);
	if (G_UNLIKELY(!table->keys)) {
		table->keys = form_keys(schema);
	}
	json_writer_line_break(&table->json);
	json_writer_begin_object(&table->json);
	for (size_t i = 0; i < schema->column_count; i++) {
		json_writer_formed_key(&table->json, table->keys[i]);
		json_writer_cell(&table->json, &cells[i]);
	}
	json_writer_end_object(&table->json);
}

static void table_destroy(gpointer data)
{
	struct json_table *table = data;

	output_stream_destroy(table->spool);
	statistics_columns_destroy(table->columns);
	g_strfreev(table->keys);
	g_free(table);
}

static struct output *create(const struct output_place *place)
{
	struct json_output *json = g_new0(struct json_output, 1);

	json->place = place;
	json->tables = g_ptr_array_new_with_free_func(table_destroy);
	return (struct output *)json;
}

static struct table_writer *open_table(struct output *output, const struct table_schema *schema,
				       struct output_stream *stream)
{
	struct json_output *json = (struct json_output *)output;
	struct json_table *table = g_new0(struct json_table, 1);

	table->writer.row = write_row;
	table->columns = statistics_columns_create(schema, json->place->quantiles, json->place->quantile_count);
	table->spool = output_stream_create_spool(json->place->spool_directory);
	json_writer_init(&table->json, table->spool);
	g_ptr_array_add(json->tables, table);
	return &table->writer;
}

static bool check(const struct output *output, GError **error)
{
	const struct json_output *json = (const struct json_output *)output;

	for (guint i = 0; i < json->tables->len; i++) {
		const struct json_table *table = g_ptr_array_index(json->tables, i);

		if (!output_stream_check(table->spool, error)) {
			return false;
		}
	}
	return true;
}

/* Main tables first, then tables of detail, then instances, each group in the order of opening. */
static int table_rank(const struct json_table *table)
{
	const struct table_schema *schema = statistics_columns_schema(table->columns);

	return table_is_of_instances(schema) ? 2 : table_is_below(schema) ? 1 : 0;
}

static void write_tables(struct json_writer *writer, const struct json_output *json, int rank)
{
	for (guint i = 0; i < json->tables->len; i++) {
		struct json_table *table = g_ptr_array_index(json->tables, i);

		if (table_rank(table) == rank) {
			json_writer_line_break(writer);
			json_writer_member_array(writer, statistics_columns_schema(table->columns)->name);
			json_writer_splice(writer, table->spool);
			json_writer_end_array(writer);
		}
	}
}

static bool finish(struct output *output, const struct report_trace *trace, GError **error)
{
	struct json_output *json = (struct json_output *)output;
	struct output_stream *stream = json->place->stream;
	struct json_writer writer;

	json_writer_init(&writer, stream);
	json_writer_begin_object(&writer);
	json_writer_line_break(&writer);
	json_writer_member_unsigned(&writer, "schema_version", JSON_SCHEMA_VERSION);
	json_writer_line_break(&writer);
	json_trace(&writer, trace);
	for (int rank = 0; rank <= 2; rank++) {
		write_tables(&writer, json, rank);
	}
	output_stream_byte(stream, '\n');
	json_writer_end_object(&writer);
	output_stream_byte(stream, '\n');
	return true;
}

static void destroy(struct output *output)
{
	struct json_output *json = (struct json_output *)output;

	g_ptr_array_unref(json->tables);
	g_free(json);
}

const struct output_class json_output = {
	.name = "json",
	.file = "report.json",
	.takes_histograms = true,
	.create = create,
	.open = open_table,
	.check = check,
	.finish = finish,
	.destroy = destroy,
};
