/* SPDX-License-Identifier: MIT */
#include "core/tables/histogram_table.h"

#include <string.h>

#include "core/statistics/duration_statistics.h"

#define PLURAL "s"

struct histogram_table {
	struct table_writer writer;
	const struct table_schema *source; /* borrowed */
	struct table_writer *rows;	   /* borrowed; may be NULL */
	struct table_writer *histograms;   /* borrowed; may be NULL */
	struct table_schema schema;	   /* .name and .columns owned */
	struct table_column *columns;
	struct cell *cells;
	size_t *keys; /* indexes of the source's columns that identify a row */
	size_t key_count;
	unsigned int per_octave;
	GArray *buckets; /* struct duration_bucket; of one series */
};

static const struct table_column bucket_columns[] = {
	{ .name = "statistic" },
	{ .name = "low_ns", .format = COLUMN_DURATION },
	{ .name = "high_ns", .format = COLUMN_DURATION },
	{ .name = "count" },
};

static bool is_before_first_count(const struct table_schema *schema, size_t index)
{
	for (size_t i = 0; i <= index; i++) {
		const struct table_column *column = &schema->columns[i];

		if (column->format == COLUMN_STATISTIC || column->merge == COLUMN_MERGE_SUM ||
		    column->merge == COLUMN_MERGE_MAX) {
			return false;
		}
	}
	return true;
}

bool histogram_table_has_key(const struct table_schema *schema, size_t index)
{
	if (schema->key_count > 0) {
		return index < schema->key_count;
	}
	if (table_has_id(schema)) {
		return index == 0;
	}
	return schema->columns[index].merge == COLUMN_MERGE_KEY || is_before_first_count(schema, index);
}

char *histogram_table_name(const struct table_schema *schema)
{
	size_t length = strlen(schema->name) - (g_str_has_suffix(schema->name, PLURAL) ? strlen(PLURAL) : 0);

	return g_strdup_printf("%.*s_histograms", (int)length, schema->name);
}

struct histogram_table *histogram_table_create(const struct table_schema *schema, unsigned int per_octave)
{
	struct histogram_table *table = g_new0(struct histogram_table, 1);

	table->source = schema;
	table->per_octave = per_octave;
	table->buckets = g_array_new(FALSE, FALSE, sizeof(struct duration_bucket));
	table->keys = g_new0(size_t, schema->column_count);
	table->columns = g_new0(struct table_column, schema->column_count + G_N_ELEMENTS(bucket_columns));
	for (size_t i = 0; i < schema->column_count; i++) {
		if (histogram_table_has_key(schema, i)) {
			table->columns[table->key_count] = schema->columns[i];
			table->keys[table->key_count++] = i;
		}
	}
	memcpy(table->columns + table->key_count, bucket_columns, sizeof(bucket_columns));
	table->cells = g_new0(struct cell, table->key_count + G_N_ELEMENTS(bucket_columns));
	table->schema = (struct table_schema){
		.name = histogram_table_name(schema),
		.title = schema->title,
		.selection = schema->selection,
		.kind = KIND_DETAIL,
		.parent = schema->name,
		.presence = schema->presence,
		.columns = table->columns,
		.key_count = schema->key_count,
		.column_count = table->key_count + G_N_ELEMENTS(bucket_columns),
	};
	return table;
}

void histogram_table_destroy(struct histogram_table *table)
{
	if (!table) {
		return;
	}
	g_array_unref(table->buckets);
	g_free((char *)table->schema.name);
	g_free(table->keys);
	g_free(table->columns);
	g_free(table->cells);
	g_free(table);
}

const struct table_schema *histogram_table_schema(const struct histogram_table *table)
{
	return &table->schema;
}

static void write_histogram(struct histogram_table *table, const char *name,
			    const struct duration_statistics *statistic)
{
	struct cell *cells = table->cells + table->key_count;

	g_array_set_size(table->buckets, 0);
	duration_statistics_buckets(statistic, table->per_octave, table->buckets);
	for (guint i = 0; i < table->buckets->len; i++) {
		const struct duration_bucket *bucket = &g_array_index(table->buckets, struct duration_bucket, i);

		cells[0] = cell_text(name);
		cells[1] = cell_integer(bucket->low_ns);
		cells[2] = cell_integer(bucket->high_ns);
		cells[3] = cell_unsigned(bucket->count);
		table_row(table->histograms, table->cells);
	}
}

static void write_row(struct table_writer *writer, const struct cell *cells)
{
	struct histogram_table *table = (struct histogram_table *)writer;

	table_row(table->rows, cells);
	if (!table->histograms) {
		return;
	}
	for (size_t i = 0; i < table->key_count; i++) {
		table->cells[i] = cells[table->keys[i]];
	}
	for (size_t i = 0; i < table->source->column_count; i++) {
		if (cells[i].type == CELL_STATISTIC) {
			write_histogram(table, table->source->columns[i].name, cells[i].statistic);
		}
	}
}

struct table_writer *histogram_table_insert(struct histogram_table *table, struct table_writer *rows,
					    struct table_writer *histograms)
{
	table->writer.row = write_row;
	table->writer.is_late = rows && rows->is_late;
	table->rows = rows;
	table->histograms = histograms;
	return &table->writer;
}
