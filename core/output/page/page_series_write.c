/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/output/json_writer.h"
#include "core/output/page/page_bucket.h"
#include "core/output/page/page_rows.h"
#include "core/output/page/page_series.h"
#include "core/output/page/page_series_parts.h"

static int64_t mean_of(const struct piece *piece)
{
	double mean_ns = piece->sum_ns / (double)piece->count;

	/* Against the rounding of a sum: a mean lies between the extremes. */
	return mean_ns <= (double)piece->min_ns	  ? piece->min_ns
	       : mean_ns >= (double)piece->max_ns ? piece->max_ns
						  : (int64_t)mean_ns;
}

/*
 * Four numbers: count, then least, mean and greatest as buckets; the last two as the distance from the one before. A
 * piece without instances is only its count.
 */
static void write_piece(struct json_writer *json, const struct piece *piece)
{
	int64_t least, mean, greatest;

	json_writer_unsigned(json, piece->count);
	if (piece->count > 0) {
		least = page_bucket(piece->min_ns, PAGE_SERIES_BITS);
		mean = page_bucket(mean_of(piece), PAGE_SERIES_BITS);
		greatest = page_bucket(piece->max_ns, PAGE_SERIES_BITS);
		json_writer_integer(json, least);
		json_writer_integer(json, mean - least);
		json_writer_integer(json, greatest - mean);
	}
}

static void write_series(struct page_series *all, struct json_writer *json, struct one_series *series)
{
	page_series_make_pieces(all, series);
	json_writer_line_break(json);
	json_writer_begin_object(json);
	json_writer_member_unsigned(json, "id", series->id);
	json_writer_member_unsigned(json, "shift", series->shift);
	json_writer_member_integer(json, "first", series->first);
	json_writer_member_array(json, "pieces");
	for (size_t i = 0; i < series->count; i++) {
		write_piece(json, &series->pieces[i]);
	}
	json_writer_end_array(json);
	json_writer_member_array(json, "worst");
	for (size_t i = 0; i < series->worst_count; i++) {
		json_writer_begin_array(json);
		json_writer_integer(json, series->worst[i].at_ns);
		json_writer_integer(json, series->worst[i].duration_ns);
		if (series->worst[i].window > 0) {
			json_writer_unsigned(json, series->worst[i].window - 1);
		}
		json_writer_end_array(json);
	}
	json_writer_end_array(json);
	json_writer_end_object(json);
}

/* The name of a column without a label, without its unit; to be freed. */
static char *label_of(const struct table_column *column)
{
	return column->label ? g_strdup(column->label) : column_name_without_ns(column);
}

static void write_label(struct json_writer *json, const struct table_schema *schema, const struct series_column *column)
{
	g_autofree char *last = label_of(&schema->columns[column->column]);
	g_autofree char *first = label_of(&schema->columns[column->since]);
	g_autofree char *both = g_strdup_printf("%s to %s", first, last);

	json_writer_text(json, column->since > 0 ? both : last);
}

static void write_rows(struct page_series_table *table, struct json_writer *json, const struct series_column *column,
		       const struct page_choice *choice)
{
	json_writer_member_array(json, "rows");
	for (guint i = 0; i < column->series->len; i++) {
		struct one_series *series = g_ptr_array_index(column->series, i);

		if (choice->has_row(choice->data, table->schema, series->id)) {
			write_series(table->all, json, series);
		}
	}
	json_writer_end_array(json);
}

static void write_column(struct page_series_table *table, struct json_writer *json, const struct series_column *column,
			 const struct page_choice *choice)
{
	const struct table_schema *schema = table->schema;

	json_writer_line_break(json);
	json_writer_begin_object(json);
	json_writer_member_text(json, "instances", schema->name);
	json_writer_member_text(json, "title", schema->title ? schema->title : schema->name);
	json_writer_member_text(json, "selection", schema->selection);
	json_writer_member_text(json, "key", schema->columns[0].name);
	json_writer_member_text(json, "column", schema->columns[column->column].name);
	json_writer_member_text_or_null(json, "since", column->since > 0 ? schema->columns[column->since].name : NULL);
	json_writer_key(json, "label");
	write_label(json, schema, column);
	write_rows(table, json, column, choice);
	json_writer_end_object(json);
}

static void visit_worst(const struct table_schema *schema, struct one_series *series,
			void (*visit)(void *data, const struct page_worst *worst), void *data)
{
	for (size_t i = 0; i < series->worst_count; i++) {
		visit(data, &(struct page_worst){
				    .instances = schema,
				    .id = series->id,
				    .rank = i,
				    .at_ns = series->worst[i].at_ns,
				    .duration_ns = series->worst[i].duration_ns,
				    .window = &series->worst[i].window,
			    });
	}
}

void page_series_each_worst(struct page_series *series, const struct page_choice *choice,
			    void (*visit)(void *data, const struct page_worst *worst), void *data)
{
	for (guint i = 0; i < series->tables->len; i++) {
		const struct page_series_table *table = g_ptr_array_index(series->tables, i);

		for (guint j = 0; j < table->columns->len; j++) {
			const GPtrArray *rows = g_array_index(table->columns, struct series_column, j).series;

			for (guint k = 0; k < rows->len; k++) {
				struct one_series *one = g_ptr_array_index(rows, k);

				if (choice->has_row(choice->data, table->schema, one->id)) {
					visit_worst(table->schema, one, visit, data);
				}
			}
		}
	}
}

void page_series_write(struct page_series *series, struct json_writer *json, const struct page_choice *choice)
{
	json_writer_begin_array(json);
	for (guint i = 0; i < series->tables->len; i++) {
		struct page_series_table *table = g_ptr_array_index(series->tables, i);

		for (guint j = 0; j < table->columns->len; j++) {
			const struct series_column *column = &g_array_index(table->columns, struct series_column, j);

			if (column->series->len > 0) {
				write_column(table, json, column, choice);
			}
		}
	}
	json_writer_end_array(json);
}
