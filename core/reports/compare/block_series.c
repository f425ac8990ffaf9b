/* SPDX-License-Identifier: MIT */
#include "core/reports/compare/block_series.h"

#include "core/base/text/hidden_names.h"
#include "core/statistics/duration_statistics.h"
#include "core/tables/row_key.h"
#include "core/tables/row_name.h"
#include "ros2bt/base/time_units.h"

/* Takes the rows of one table. */
struct watched_table {
	struct table_writer writer;
	struct block_series *series;
	const struct table_schema *schema;
};

struct block_series {
	struct table_output tables;
	const char *const *chosen;
	GPtrArray *opened; /* struct watched_table */
	GHashTable *rows;  /* char * → struct block_row */
	GString *key;
	guint block; /* the block that rows are written for, from 1 */
	int64_t begin_ns, length_ns, end_ns;
	bool has_begun;
};

static void mark_clear(gpointer data)
{
	g_clear_pointer(&((struct block_mark *)data)->buckets, g_array_unref);
}

static void row_destroy(gpointer data)
{
	struct block_row *row = data;

	for (size_t i = 0; i < row->schema->column_count; i++) {
		g_clear_pointer(&row->marks[i], g_array_unref);
	}
	g_free(row->marks);
	g_free(row->name);
	g_free(row->timeless_key);
	g_free(row);
}

/* --- rows --- */

static bool is_watched(const struct table_column *column)
{
	return column->format == COLUMN_STATISTIC || column->merge == COLUMN_MERGE_SUM;
}

static bool is_period(const struct table_column *column, const struct cell *cell)
{
	return column->merge == COLUMN_MERGE_KEY && column->format == COLUMN_DURATION &&
	       (cell->type == CELL_INTEGER || cell->type == CELL_UNSIGNED);
}

/* The key of a row without its periods; NULL if it has none. To be freed. */
static char *make_timeless_key(const struct table_schema *schema, const struct cell *cells)
{
	g_autofree struct cell *others = g_memdup2(cells, schema->column_count * sizeof(*cells));
	GString *key = g_string_new(NULL);
	bool has_period = false;

	for (size_t i = 0; i < schema->column_count; i++) {
		if (is_period(&schema->columns[i], &cells[i])) {
			others[i] = CELL_NONE;
			has_period = true;
		}
	}
	row_key_append(key, schema->name);
	row_key_append_names(key, schema, others);
	return g_string_free(key, !has_period);
}

static struct block_row *row_create(const struct table_schema *schema, const struct cell *cells)
{
	struct block_row *row = g_new0(struct block_row, 1);

	row->schema = schema;
	row->name = row_name(schema, cells);
	row->timeless_key = make_timeless_key(schema, cells);
	row->marks = g_new0(GArray *, schema->column_count);
	for (size_t i = 0; i < schema->column_count; i++) {
		if (is_watched(&schema->columns[i])) {
			row->marks[i] = g_array_new(FALSE, FALSE, sizeof(struct block_mark));
			g_array_set_clear_func(row->marks[i], mark_clear);
		}
	}
	return row;
}

const char *block_series_key(const struct block_series *series, const struct table_schema *schema,
			     const struct cell *cells)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		if (schema->columns[i].merge == COLUMN_MERGE_KEY && cells[i].type == CELL_TEXT &&
		    name_is_hidden(cells[i].text)) {
			return NULL;
		}
	}
	g_string_truncate(series->key, 0);
	row_key_append(series->key, schema->name);
	row_key_append_names(series->key, schema, cells);
	return series->key->str;
}

/* The mark of the current block. */
static struct block_mark *mark_of(const struct block_series *series, GArray *marks, bool is_statistic)
{
	struct block_mark mark = { .block = series->block };

	if (marks->len == 0 || g_array_index(marks, struct block_mark, marks->len - 1).block != series->block) {
		mark.buckets = is_statistic ? g_array_new(FALSE, FALSE, sizeof(struct duration_bucket)) : NULL;
		g_array_append_val(marks, mark);
	}
	return &g_array_index(marks, struct block_mark, marks->len - 1);
}

/* Adds the buckets of two rows with one name. */
static void join_buckets(GArray *buckets)
{
	guint kept = 0;

	g_array_sort(buckets, duration_bucket_compare);
	for (guint i = 0; i < buckets->len; i++) {
		struct duration_bucket *bucket = &g_array_index(buckets, struct duration_bucket, i);

		if (kept > 0 && g_array_index(buckets, struct duration_bucket, kept - 1).low_ns == bucket->low_ns) {
			g_array_index(buckets, struct duration_bucket, kept - 1).count += bucket->count;
		} else {
			g_array_index(buckets, struct duration_bucket, kept++) = *bucket;
		}
	}
	g_array_set_size(buckets, kept);
}

static void add_statistic(struct block_mark *mark, const struct duration_statistics *statistic)
{
	struct duration_totals totals = duration_statistics_totals(statistic);
	bool is_second = mark->count > 0;

	mark->count += (double)totals.count;
	mark->sum += int128_to_double(totals.sum_ns);
	duration_statistics_buckets(statistic, BLOCK_BUCKETS, mark->buckets);
	if (is_second) {
		join_buckets(mark->buckets);
	}
}

static void add_cell(const struct block_series *series, GArray *marks, const struct cell *cell)
{
	switch (cell->type) {
	case CELL_UNSIGNED:
		mark_of(series, marks, false)->count += (double)cell->unsigned_integer;
		break;
	case CELL_INTEGER:
		mark_of(series, marks, false)->count += (double)cell->integer;
		break;
	case CELL_STATISTIC:
		add_statistic(mark_of(series, marks, true), cell->statistic);
		break;
	default:
		break;
	}
}

static void add_row(struct table_writer *writer, const struct cell *cells)
{
	const struct watched_table *table = (const struct watched_table *)writer;
	struct block_series *series = table->series;
	const char *key = block_series_key(series, table->schema, cells);
	struct block_row *row;

	if (!key) {
		return;
	}
	row = g_hash_table_lookup(series->rows, key);
	if (!row) {
		row = row_create(table->schema, cells);
		g_hash_table_insert(series->rows, g_strdup(key), row);
	}
	for (size_t i = 0; i < table->schema->column_count; i++) {
		if (row->marks[i]) {
			add_cell(series, row->marks[i], &cells[i]);
		}
	}
}

/* --- tables --- */

bool block_series_takes(const struct table_schema *schema)
{
	return table_can_be_merged(schema) && table_has_statistics(schema);
}

static struct table_writer *open_table(struct table_output *tables, const struct table_schema *schema)
{
	struct block_series *series = (struct block_series *)tables;
	bool is_chosen =
		series->chosen ? g_strv_contains(series->chosen, schema->name) : schema->presence != PRESENT_IF_ANY;
	struct watched_table *table;

	if (!is_chosen || !block_series_takes(schema)) {
		return NULL;
	}
	table = g_new0(struct watched_table, 1);
	table->writer.row = add_row;
	table->series = series;
	table->schema = schema;
	g_ptr_array_add(series->opened, table);
	return &table->writer;
}

struct block_series *block_series_create(void)
{
	struct block_series *series = g_new0(struct block_series, 1);

	series->tables.open = open_table;
	series->opened = g_ptr_array_new_with_free_func(g_free);
	series->rows = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, row_destroy);
	series->key = g_string_new(NULL);
	series->length_ns = BLOCK_SHORTEST_NS;
	return series;
}

void block_series_destroy(struct block_series *series)
{
	if (series) {
		g_ptr_array_unref(series->opened);
		g_hash_table_unref(series->rows);
		g_string_free(series->key, TRUE);
		g_free(series);
	}
}

struct table_output *block_series_tables(struct block_series *series, const char *const *chosen)
{
	series->chosen = chosen;
	return &series->tables;
}

/* --- blocks --- */

/* Keeps every second mark: those at the ends of pairs of blocks. */
static void join_pairs(GArray *marks)
{
	guint kept = 0;

	for (guint i = 0; i < marks->len; i++) {
		struct block_mark *mark = &g_array_index(marks, struct block_mark, i);

		if (mark->block % 2 == 0) {
			struct block_mark joined = *mark;

			joined.block /= 2;
			mark->buckets = NULL;
			mark_clear(&g_array_index(marks, struct block_mark, kept));
			g_array_index(marks, struct block_mark, kept++) = joined;
		}
	}
	g_array_set_size(marks, kept);
}

static void join_blocks(struct block_series *series)
{
	GHashTableIter iterator;
	gpointer value;

	g_hash_table_iter_init(&iterator, series->rows);
	while (g_hash_table_iter_next(&iterator, NULL, &value)) {
		const struct block_row *row = value;

		for (size_t i = 0; i < row->schema->column_count; i++) {
			if (row->marks[i]) {
				join_pairs(row->marks[i]);
			}
		}
	}
	series->block /= 2;
	series->length_ns *= 2;
}

bool block_series_is_due(struct block_series *series, int64_t time_ns)
{
	if (!series->has_begun) {
		series->has_begun = true;
		series->begin_ns = time_ns;
	}
	return time_ns >= block_series_due_ns(series);
}

int64_t block_series_due_ns(const struct block_series *series)
{
	return series->begin_ns + (int64_t)(series->block + 1) * series->length_ns;
}

void block_series_end_block(struct block_series *series)
{
	if (series->block == 2 * BLOCKS_MAX) {
		join_blocks(series);
	}
	series->block++;
}

void block_series_finish(struct block_series *series, int64_t end_ns)
{
	series->end_ns = end_ns;
	block_series_end_block(series);
}

guint block_series_count(const struct block_series *series)
{
	return series->block;
}

double block_series_seconds(const struct block_series *series, guint block)
{
	int64_t length_ns = (int64_t)block * series->length_ns;

	return (double)MIN(length_ns, series->end_ns - series->begin_ns) / (double)NS_PER_S;
}

GHashTable *block_series_rows(const struct block_series *series)
{
	return series->rows;
}
