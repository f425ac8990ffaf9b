/* SPDX-License-Identifier: MIT */
#include "core/output/page/page_table.h"

#include "core/output/hidden_row.h"
#include "core/output/json_writer.h"
#include "core/output/page/page_bucket.h"
#include "core/output/page/page_columns.h"
#include "core/output/page/page_histogram.h"
#include "core/output/page/page_rows.h"
#include "core/output/text/text_cell.h"
#include "core/statistics/duration_statistics.h"
#include "core/tables/statistics_columns.h"
#include "core/tables/table_order.h"
#include "ros2bt/output/output_stream.h"

struct page_table {
	struct table_writer writer;
	const struct table_schema *source;		   /* borrowed; with statistics in one column */
	struct statistics_columns *columns;		   /* owned */
	struct output_stream *row_spool, *histogram_spool; /* owned */
	struct json_writer rows, histograms;		   /* into the spools */
	struct page_rows *chosen;			   /* owned: which of the rows are written */
	bool shows_hidden;
	GArray *buckets; /* struct duration_bucket, of one statistic */
};

/* --- rows --- */

static bool is_hidden(const struct table_schema *schema, const struct cell *cells)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		if (column_hides_row(&schema->columns[i], &cells[i], cells)) {
			return true;
		}
	}
	return false;
}

static bool is_idle(const struct table_schema *schema, const struct cell *cells)
{
	bool has_idle_columns = false;

	for (size_t i = 0; i < schema->column_count; i++) {
		if (text_hints_of(&schema->columns[i])->idle) {
			if (cells[i].type != CELL_EMPTY && text_cell_number(&cells[i]) != 0) {
				return false;
			}
			has_idle_columns = true;
		}
	}
	return has_idle_columns;
}

static void write_histogram(struct page_table *table, const struct cell *cell)
{
	g_array_set_size(table->buckets, 0);
	if (cell->type == CELL_STATISTIC) {
		duration_statistics_buckets(cell->statistic, 1U << PAGE_HISTOGRAM_BITS, table->buckets);
	}
	page_histogram_write(&table->histograms, table->buckets);
}

static void write_histograms(struct page_table *table, const struct cell *cells)
{
	json_writer_line_break(&table->histograms);
	json_writer_begin_array(&table->histograms);
	for (size_t i = 0; i < table->source->column_count; i++) {
		if (table->source->columns[i].format == COLUMN_STATISTIC) {
			write_histogram(table, &cells[i]);
		}
	}
	json_writer_end_array(&table->histograms);
}

static bool has_statistics(const struct page_table *table)
{
	return statistics_columns_schema(table->columns) != table->source;
}

static void write_row(struct table_writer *writer, const struct cell *cells)
{
	struct page_table *table = (struct page_table *)writer;
	const struct table_schema *schema = statistics_columns_schema(table->columns);
	bool is_row_hidden = is_hidden(table->source, cells), is_row_idle = is_idle(table->source, cells);
	const struct cell *expanded;

	if (has_statistics(table)) {
		write_histograms(table, cells);
	}
	expanded = statistics_columns_cells(table->columns, cells);
	page_rows_add(table->chosen, expanded, is_row_hidden, is_row_idle);
	json_writer_line_break(&table->rows);
	json_writer_begin_array(&table->rows);
	for (size_t i = 0; i < schema->column_count; i++) {
		json_writer_cell(&table->rows, &expanded[i]);
	}
	json_writer_end_array(&table->rows);
}

struct page_table *page_table_create(const struct table_schema *schema, const struct output_place *place)
{
	struct page_table *table = g_new0(struct page_table, 1);

	table->writer.row = write_row;
	table->source = schema;
	table->columns = statistics_columns_create(schema, place->quantiles, place->quantile_count);
	table->row_spool = output_stream_create_spool(place->spool_directory);
	table->histogram_spool = output_stream_create_spool(place->spool_directory);
	json_writer_init(&table->rows, table->row_spool);
	json_writer_init(&table->histograms, table->histogram_spool);
	table->chosen = page_rows_create(statistics_columns_schema(table->columns));
	table->shows_hidden = place->choice.shows_hidden;
	table->buckets = g_array_new(FALSE, FALSE, sizeof(struct duration_bucket));
	return table;
}

void page_table_destroy(struct page_table *table)
{
	page_rows_destroy(table->chosen);
	g_array_unref(table->buckets);
	output_stream_destroy(table->row_spool);
	output_stream_destroy(table->histogram_spool);
	statistics_columns_destroy(table->columns);
	g_free(table);
}

struct table_writer *page_table_writer(struct page_table *table)
{
	return &table->writer;
}

bool page_table_check(const struct page_table *table, GError **error)
{
	return output_stream_check(table->row_spool, error) && output_stream_check(table->histogram_spool, error);
}

const struct table_schema *page_table_schema(const struct page_table *table)
{
	return table->source;
}

void page_table_choose(struct page_table *table, const struct page_table *parent)
{
	static const struct page_rows_limits limits = { PAGE_ROWS, PAGE_HIDDEN_ROWS, PAGE_PARTS };
	static const struct page_rows_limits limits_with_hidden = { PAGE_ROWS, PAGE_ROWS, PAGE_PARTS };

	page_rows_choose(table->chosen, parent ? parent->chosen : NULL,
			 table->shows_hidden ? &limits_with_hidden : &limits);
}

bool page_table_has(const struct page_table *table, uint64_t id)
{
	return page_rows_keep_id(table->chosen, id);
}

/* --- the object --- */

static const char *format_name(enum column_format format)
{
	static const char *const names[] = {
		[COLUMN_PLAIN] = "plain",     [COLUMN_DURATION] = "duration", [COLUMN_TIME] = "time",
		[COLUMN_PERCENT] = "percent", [COLUMN_NAME] = "name",	      [COLUMN_MOMENT] = "moment",
		[COLUMN_RATE] = "rate",	      [COLUMN_BYTES] = "bytes",
	};

	return (size_t)format < G_N_ELEMENTS(names) ? names[format] : NULL;
}

static const char *meaning_name(enum column_meaning means)
{
	static const char *const names[] = {
		[MEANS_HOST] = "host",
		[MEANS_PROCESS] = "process",
		[MEANS_PROCESS_NAME] = "process_name",
		[MEANS_THREAD] = "thread",
		[MEANS_NODE] = "node",
		[MEANS_TOPIC] = "topic",
		[MEANS_PATH] = "path",
		[MEANS_CALLBACK] = "callback",
		[MEANS_SYMBOL] = "symbol",
		[MEANS_KIND] = "kind",
		[MEANS_STATE] = "state",
		[MEANS_SOURCE] = "source",
		[MEANS_SCOPE] = "scope",
		[MEANS_RANK] = "rank",
		[MEANS_COUNT] = "count",
		[MEANS_SENT] = "sent",
		[MEANS_RECEIVED] = "received",
		[MEANS_LOST] = "lost",
		[MEANS_OVERWRITTEN] = "overwritten",
		[MEANS_MISSED] = "missed",
		[MEANS_UNKNOWN] = "unknown",
		[MEANS_RATE] = "rate",
		[MEANS_DURATION] = "duration",
		[MEANS_TRANSPORT] = "transport",
		[MEANS_WAIT] = "wait",
		[MEANS_EXECUTION] = "execution",
		[MEANS_KEPT] = "kept",
		[MEANS_SHARE] = "share",
		[MEANS_CPU_TIME] = "CPU time",
	};

	return (size_t)means < G_N_ELEMENTS(names) ? names[means] : NULL;
}

static const char *side_name(enum column_side side)
{
	return side == SIDE_SENDER ? "sender" : side == SIDE_RECEIVER ? "receiver" : NULL;
}

static const char *subject_name(enum table_subject subject)
{
	static const char *const names[] = {
		[SUBJECT_CALLBACKS] = "callbacks", [SUBJECT_MESSAGES] = "messages", [SUBJECT_CALLS] = "calls",
		[SUBJECT_PATHS] = "paths",	   [SUBJECT_GAPS] = "gaps",
	};

	return (size_t)subject < G_N_ELEMENTS(names) ? names[subject] : NULL;
}

static const char *role_name(enum column_role role)
{
	static const char *const names[] = {
		[COLUMN_ROLE_VALUE] = "value",
		[COLUMN_ROLE_GROUP] = "group",
		[COLUMN_ROLE_DETAIL] = "detail",
		[COLUMN_ROLE_HIDDEN] = "hidden",
	};

	return names[role];
}

static void write_column(struct json_writer *json, const struct table_column *column)
{
	const struct text_hints *hints = text_hints_of(column);

	json_writer_line_break(json);
	json_writer_begin_object(json);
	json_writer_member_text(json, "name", column->name);
	json_writer_member_text(json, "label", text_column_label(column));
	json_writer_member_text_or_null(json, "means", meaning_name(column->means));
	json_writer_member_text_or_null(json, "side", side_name(column->side));
	json_writer_member_text_or_null(json, "heading", hints->heading);
	json_writer_member_text_or_null(json, "format", format_name(column->format));
	json_writer_member_text(json, "role", role_name(column->role));
	json_writer_member_bool(json, "ranks", hints->marks_largest);
	json_writer_member_bool(json, "wraps", hints->wraps);
	json_writer_member_bool(json, "is_id", column->id_of != NULL);
	json_writer_member_bool(json, "is_name", column->merge == COLUMN_MERGE_KEY);
	json_writer_member_integer(json, "tells_apart", hints->tells_apart);
	json_writer_member_bool(json, "only_if_any", hints->only_if_any);
	json_writer_member_bool(json, "next_if_empty", hints->next_if_empty);
	json_writer_member_text_or_null(json, "if_empty", hints->if_empty);
	json_writer_end_object(json);
}

static void write_columns(struct json_writer *json, const struct table_schema *schema)
{
	json_writer_member_array(json, "columns");
	for (size_t i = 0; i < schema->column_count; i++) {
		write_column(json, &schema->columns[i]);
	}
	json_writer_end_array(json);
}

static void write_schema(struct json_writer *json, const struct page_table *table)
{
	const struct table_schema *schema = table->source;
	int order = table_find_descending(schema);

	json_writer_member_text(json, "name", schema->name);
	json_writer_member_text(json, "title", schema->title ? schema->title : schema->name);
	json_writer_member_text(json, "selection", schema->selection);
	json_writer_member_text_or_null(json, "subject", subject_name(schema->subject));
	json_writer_member_text_or_null(json, "parent", schema->parent);
	json_writer_member_unsigned(json, "summary", schema->place);
	json_writer_member_text_or_null(json, "order",
					schema->place > 0 && order >= 0 ? schema->columns[order].name : NULL);
	json_writer_member_text_or_null(json, "idle_text", text_idle_of(schema));
	write_columns(json, statistics_columns_schema(table->columns));
}

static bool keeps(const void *chosen, uint64_t number)
{
	return page_rows_keep(chosen, number);
}

static void write_statistics(struct json_writer *json, struct page_table *table)
{
	json_writer_member_array(json, "statistics");
	for (size_t i = 0; i < table->source->column_count; i++) {
		if (table->source->columns[i].format == COLUMN_STATISTIC) {
			json_writer_text(json, table->source->columns[i].name);
		}
	}
	json_writer_end_array(json);
	json_writer_member_array(json, "histograms");
	if (page_rows_lack_any(table->chosen)) {
		json_writer_splice_some(json, table->histogram_spool, keeps, table->chosen);
	} else {
		json_writer_splice(json, table->histogram_spool);
	}
	json_writer_end_array(json);
}

void page_table_write(struct page_table *table, struct json_writer *json)
{
	json_writer_line_break(json);
	json_writer_begin_object(json);
	write_schema(json, table);
	json_writer_key(json, "cells");
	page_columns_write(json, statistics_columns_schema(table->columns), table->row_spool, table->chosen);
	json_writer_key(json, "hidden");
	page_rows_write_hidden(table->chosen, json);
	json_writer_key(json, "idle");
	page_rows_write_idle(table->chosen, json);
	json_writer_key(json, "lacking");
	page_rows_write_lacking(table->chosen, json);
	write_statistics(json, table);
	json_writer_end_object(json);
}
