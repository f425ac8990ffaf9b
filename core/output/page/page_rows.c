/* SPDX-License-Identifier: MIT */
#include "core/output/page/page_rows.h"

#include <math.h>

#include "core/output/json_writer.h"
#include "core/output/text/text_cell.h"
#include "ros2bt/base/u64_map.h"

struct page_row {
	uint64_t id; /* of the first cell; 0: it has none */
	double rank;
	bool is_hidden, is_idle, is_kept;
};

/* The rows of hidden names, or the others. */
struct page_rows_part {
	size_t count, lacking; /* of those that were looked at to choose; not in the page */
	uint64_t *sums;	       /* by column, owned */
};

enum { OTHERS, HIDDEN, PARTS };

struct page_rows {
	const struct table_schema *schema; /* borrowed */
	int rank;			   /* the column by which rows are ranked, -1 if there is none */
	GArray *rows;			   /* struct page_row */
	GArray *order;		/* guint: numbers of rows, those that matter most first; empty until chosen */
	struct u64_map lacking; /* ids of rows that are not kept */
	struct page_rows_part parts[PARTS];
};

static int ranking_column(const struct table_schema *schema)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		if (text_hints_of(&schema->columns[i])->marks_largest) {
			return (int)i;
		}
	}
	return -1;
}

struct page_rows *page_rows_create(const struct table_schema *schema)
{
	struct page_rows *rows = g_new0(struct page_rows, 1);

	rows->schema = schema;
	rows->rank = ranking_column(schema);
	rows->rows = g_array_new(FALSE, FALSE, sizeof(struct page_row));
	rows->order = g_array_new(FALSE, FALSE, sizeof(guint));
	for (size_t i = 0; i < PARTS; i++) {
		rows->parts[i].sums = g_new0(uint64_t, schema->column_count);
	}
	u64_map_init(&rows->lacking);
	return rows;
}

void page_rows_destroy(struct page_rows *rows)
{
	g_array_unref(rows->rows);
	g_array_unref(rows->order);
	for (size_t i = 0; i < PARTS; i++) {
		g_free(rows->parts[i].sums);
	}
	u64_map_clear(&rows->lacking);
	g_free(rows);
}

static bool is_count(const struct table_column *column)
{
	return column->merge == COLUMN_MERGE_SUM;
}

void page_rows_add(struct page_rows *rows, const struct cell *cells, bool is_hidden, bool is_idle)
{
	uint64_t *sums = rows->parts[is_hidden].sums;
	struct page_row row = { .rank = -INFINITY, .is_hidden = is_hidden, .is_idle = is_idle, .is_kept = true };

	if (cells[0].type == CELL_UNSIGNED) {
		row.id = cells[0].unsigned_integer;
	}
	if (rows->rank >= 0 && cells[rows->rank].type != CELL_EMPTY) {
		double rank = text_cell_number(&cells[rows->rank]);

		row.rank = isnan(rank) ? -INFINITY : rank;
	}
	for (size_t i = 0; i < rows->schema->column_count; i++) {
		if (is_count(&rows->schema->columns[i]) && cells[i].type == CELL_UNSIGNED) {
			sums[i] += cells[i].unsigned_integer;
		}
	}
	g_array_append_val(rows->rows, row);
}

static struct page_row *row_at(const struct page_rows *rows, uint64_t number)
{
	return &g_array_index(rows->rows, struct page_row, number);
}

/* --- the choice --- */

static gint compare_rows(gconstpointer a, gconstpointer b, gpointer data)
{
	guint one = *(const guint *)a, other = *(const guint *)b;
	const struct page_row *first = row_at(data, one), *second = row_at(data, other);

	if (first->is_idle != second->is_idle) {
		return first->is_idle - second->is_idle;
	}
	if (first->rank != second->rank) {
		return first->rank > second->rank ? -1 : 1;
	}
	return (one > other) - (one < other);
}

static void leave_out(struct page_rows *rows, guint number)
{
	struct page_row *row = row_at(rows, number);

	row->is_kept = false;
	rows->parts[row->is_hidden].lacking++;
}

static void choose_rows(struct page_rows *rows, const struct page_rows_limits *limits)
{
	const size_t most[PARTS] = { [OTHERS] = limits->rows, [HIDDEN] = limits->hidden_rows };

	for (guint i = 0; i < rows->rows->len; i++) {
		g_array_append_val(rows->order, i);
	}
	g_array_sort_with_data(rows->order, compare_rows, rows);
	for (guint i = 0; i < rows->order->len; i++) {
		guint number = g_array_index(rows->order, guint, i);
		const struct page_row *row = row_at(rows, number);

		if (rows->parts[row->is_hidden].count++ >= most[row->is_hidden]) {
			leave_out(rows, number);
			u64_map_set(&rows->lacking, row->id, 1);
		}
	}
}

/* How many parts each row of the parent has, by id. */
static void count_parts(const struct page_rows *rows, struct u64_map *counts)
{
	for (guint i = 0; i < rows->rows->len; i++) {
		u64_map_count(counts, row_at(rows, i)->id, 1);
	}
}

/* Parts of rows that are in the page, those of the rows that matter most first, as long as there is room for all of a
 * row. */
static void choose_parts(struct page_rows *rows, const struct page_rows *parents, const struct page_rows_limits *limits)
{
	struct u64_map counts;
	size_t used = 0;

	u64_map_init(&counts);
	count_parts(rows, &counts);
	for (guint i = 0; i < parents->order->len; i++) {
		const struct page_row *parent = row_at(parents, g_array_index(parents->order, guint, i));
		uint64_t count = u64_map_get(&counts, parent->id);

		if (count == U64_MAP_NONE) {
			continue;
		}
		if (parent->is_kept && used + count <= limits->parts) {
			used += count;
		} else {
			u64_map_set(&rows->lacking, parent->id, 1);
		}
	}
	u64_map_clear(&counts);
	for (guint i = 0; i < rows->rows->len; i++) {
		if (!page_rows_keep_id(rows, row_at(rows, i)->id)) {
			leave_out(rows, i);
		}
	}
}

void page_rows_choose(struct page_rows *rows, const struct page_rows *parents, const struct page_rows_limits *limits)
{
	if (parents) {
		choose_parts(rows, parents, limits);
	} else {
		choose_rows(rows, limits);
	}
}

bool page_rows_keep(const struct page_rows *rows, uint64_t number)
{
	return row_at(rows, number)->is_kept;
}

bool page_rows_keep_id(const struct page_rows *rows, uint64_t id)
{
	return u64_map_get(&rows->lacking, id) == U64_MAP_NONE;
}

bool page_rows_lack_any(const struct page_rows *rows)
{
	return rows->parts[HIDDEN].lacking > 0 || rows->parts[OTHERS].lacking > 0;
}

/* --- writing --- */

static void write_numbers(const struct page_rows *rows, struct json_writer *json,
			  bool (*matches)(const struct page_row *row))
{
	uint64_t number = 0;

	json_writer_begin_array(json);
	for (guint i = 0; i < rows->rows->len; i++) {
		const struct page_row *row = row_at(rows, i);

		if (row->is_kept) {
			if (matches(row)) {
				json_writer_unsigned(json, number);
			}
			number++;
		}
	}
	json_writer_end_array(json);
}

static bool is_hidden(const struct page_row *row)
{
	return row->is_hidden;
}

static bool is_idle(const struct page_row *row)
{
	return row->is_idle;
}

void page_rows_write_hidden(const struct page_rows *rows, struct json_writer *json)
{
	write_numbers(rows, json, is_hidden);
}

void page_rows_write_idle(const struct page_rows *rows, struct json_writer *json)
{
	write_numbers(rows, json, is_idle);
}

static void write_sums(const struct page_rows *rows, struct json_writer *json, const char *key, const uint64_t *sums)
{
	json_writer_member_array(json, key);
	for (size_t i = 0; i < rows->schema->column_count; i++) {
		if (is_count(&rows->schema->columns[i])) {
			json_writer_unsigned(json, sums[i]);
		} else {
			json_writer_null(json);
		}
	}
	json_writer_end_array(json);
}

void page_rows_write_lacking(const struct page_rows *rows, struct json_writer *json)
{
	if (!page_rows_lack_any(rows)) {
		json_writer_null(json);
		return;
	}
	json_writer_begin_object(json);
	json_writer_member_unsigned(json, "hidden", rows->parts[HIDDEN].lacking);
	json_writer_member_unsigned(json, "others", rows->parts[OTHERS].lacking);
	json_writer_member_object(json, "sums");
	write_sums(rows, json, "hidden", rows->parts[HIDDEN].sums);
	write_sums(rows, json, "others", rows->parts[OTHERS].sums);
	json_writer_end_object(json);
	json_writer_end_object(json);
}
