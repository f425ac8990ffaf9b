/* SPDX-License-Identifier: MIT */
#include "ros2bt/reports/merged_table.h"

#include <string.h>

#include "core/tables/row_key.h"
#include "core/tables/row_list.h"
#include "ros2bt/base/string_pool.h"

struct kept_row {
	struct merged_row row;
	uint64_t last_recording; /* of the table: the last one that had the row */
};

struct merged_table {
	struct table_writer writer;
	const struct table_schema *schema; /* borrowed */
	struct arena *arena;		   /* owned; rows and their cells and statistics */
	struct string_pool *pool;	   /* owned; keys and names */
	GHashTable *rows;		   /* owned; key → struct kept_row * */
	GString *key;			   /* owned; of the row at hand */
	uint64_t recording;		   /* the number of the recording whose rows are being added, from 1 */
	const uint64_t *recordings;	   /* borrowed; of the row being added; NULL or 0: one recording */
};

static void open_table(struct merged_table *table)
{
	table->arena = arena_create();
	table->pool = string_pool_create();
	table->rows = g_hash_table_new(g_str_hash, g_str_equal);
	table->recording = 1;
}

static void close_table(struct merged_table *table)
{
	g_hash_table_unref(table->rows);
	string_pool_destroy(table->pool);
	arena_destroy(table->arena);
}

/* --- adding --- */

static const char *key_of(struct merged_table *table, const struct cell *cells)
{
	g_string_truncate(table->key, 0);
	row_key_append_names(table->key, table->schema, cells);
	return table->key->str;
}

static struct cell keep_name(struct merged_table *table, const struct cell *cell)
{
	return cell->type == CELL_TEXT ? cell_text(string_pool_intern(table->pool, cell->text)) : *cell;
}

static struct kept_row *create_row(struct merged_table *table, const struct cell *cells)
{
	size_t count = table->schema->column_count;
	struct kept_row *kept = arena_take(table->arena, sizeof(*kept));
	struct merged_row *row = &kept->row;

	row->cells = arena_take(table->arena, count * sizeof(*row->cells));
	row->statistics = arena_take(table->arena, count * sizeof(*row->statistics));
	for (size_t i = 0; i < count; i++) {
		const struct table_column *column = &table->schema->columns[i];

		if (column->format == COLUMN_STATISTIC) {
			duration_statistics_init(&row->statistics[i], table->arena);
			row->cells[i] = cell_statistic(&row->statistics[i]);
		} else if (column->merge == COLUMN_MERGE_KEY) {
			row->cells[i] = keep_name(table, &cells[i]);
		}
	}
	return kept;
}

static uint64_t count_of(const struct cell *cell)
{
	return cell->type == CELL_INTEGER ? (uint64_t)MAX(cell->integer, 0) : cell->unsigned_integer;
}

static void add_count(enum column_merge merge, struct cell *sum, const struct cell *cell)
{
	uint64_t count = count_of(cell);

	if (cell->type != CELL_INTEGER && cell->type != CELL_UNSIGNED) {
		return;
	}
	if (sum->type == CELL_EMPTY) {
		*sum = cell_unsigned(count);
	} else if (merge == COLUMN_MERGE_MAX) {
		sum->unsigned_integer = MAX(sum->unsigned_integer, count);
	} else if (__builtin_add_overflow(sum->unsigned_integer, count, &sum->unsigned_integer)) {
		sum->unsigned_integer = UINT64_MAX;
	}
}

static void add_cells(const struct merged_table *table, struct merged_row *row, const struct cell *cells)
{
	for (size_t i = 0; i < table->schema->column_count; i++) {
		enum column_merge merge = table->schema->columns[i].merge;

		if (cells[i].type == CELL_STATISTIC) {
			duration_statistics_add_all(&row->statistics[i], cells[i].statistic);
		} else if (merge == COLUMN_MERGE_SUM || merge == COLUMN_MERGE_MAX) {
			add_count(merge, &row->cells[i], &cells[i]);
		}
	}
}

static struct kept_row *add_row(struct merged_table *table, const struct cell *cells)
{
	const char *key = key_of(table, cells);
	struct kept_row *kept = g_hash_table_lookup(table->rows, key);

	if (!kept) {
		kept = create_row(table, cells);
		g_hash_table_insert(table->rows, (gpointer)string_pool_intern(table->pool, key), kept);
	}
	add_cells(table, &kept->row, cells);
	return kept;
}

static void write_row(struct table_writer *writer, const struct cell *cells)
{
	struct merged_table *table = (struct merged_table *)writer;
	struct kept_row *kept = add_row(table, cells);

	if (table->recordings && *table->recordings > 0) {
		kept->row.recordings += *table->recordings;
		return;
	}
	kept->row.recordings += kept->last_recording != table->recording;
	kept->last_recording = table->recording;
}

void merged_table_end_recording(struct merged_table *table)
{
	table->recording++;
}

void merged_table_count_by(struct merged_table *table, const uint64_t *recordings)
{
	table->recordings = recordings;
}

struct merged_row *merged_table_add(struct merged_table *table, const struct merged_row *row)
{
	struct kept_row *kept = add_row(table, row->cells);

	kept->row.recordings += row->recordings;
	return &kept->row;
}

static void exchange(struct merged_table *table, struct merged_table *other)
{
	struct merged_table one = *table;

	table->arena = other->arena;
	table->pool = other->pool;
	table->rows = other->rows;
	table->recording = other->recording;
	other->arena = one.arena;
	other->pool = one.pool;
	other->rows = one.rows;
	other->recording = one.recording;
}

void merged_table_take(struct merged_table *table, struct merged_table *from)
{
	GHashTableIter iterator;
	gpointer row;

	if (g_hash_table_size(table->rows) == 0) {
		exchange(table, from);
	}
	g_hash_table_iter_init(&iterator, from->rows);
	while (g_hash_table_iter_next(&iterator, NULL, &row)) {
		merged_table_add(table, &((const struct kept_row *)row)->row);
	}
	merged_table_end_recording(table);
	merged_table_clear(from);
}

/* --- the table --- */

struct merged_table *merged_table_create(const struct table_schema *schema)
{
	struct merged_table *table = g_new0(struct merged_table, 1);

	table->writer.row = write_row;
	table->schema = schema;
	table->key = g_string_new(NULL);
	open_table(table);
	return table;
}

void merged_table_destroy(struct merged_table *table)
{
	if (!table) {
		return;
	}
	close_table(table);
	g_string_free(table->key, TRUE);
	g_free(table);
}

struct table_writer *merged_table_writer(struct merged_table *table)
{
	return &table->writer;
}

struct arena *merged_table_arena(const struct merged_table *table)
{
	return table->arena;
}

size_t merged_table_column_count(const struct merged_table *table)
{
	return table->schema->column_count;
}

size_t merged_table_row_count(const struct merged_table *table)
{
	return g_hash_table_size(table->rows);
}

void merged_table_clear(struct merged_table *table)
{
	if (g_hash_table_size(table->rows) > 0) {
		close_table(table);
		open_table(table);
	}
}

static gint compare_rows(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct merged_row *left = *(const struct merged_row *const *)a;
	const struct merged_row *right = *(const struct merged_row *const *)b;
	const struct table_schema *schema = data;

	for (size_t i = 0; i < schema->column_count; i++) {
		int order = schema->columns[i].merge == COLUMN_MERGE_KEY
				    ? compare_cells(&left->cells[i], &right->cells[i])
				    : 0;

		if (order != 0) {
			return order;
		}
	}
	return 0;
}

GPtrArray *merged_table_rows(const struct merged_table *table)
{
	GPtrArray *rows = g_ptr_array_new();
	GHashTableIter iterator;
	gpointer row;

	g_hash_table_iter_init(&iterator, table->rows);
	while (g_hash_table_iter_next(&iterator, NULL, &row)) {
		g_ptr_array_add(rows, &((struct kept_row *)row)->row);
	}
	g_ptr_array_sort_with_data(rows, compare_rows, (gpointer)table->schema);
	return rows;
}
