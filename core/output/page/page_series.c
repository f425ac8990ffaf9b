/* SPDX-License-Identifier: MIT */
#include "core/output/page/page_series.h"

#include <string.h>

#include "core/output/page/page_series_parts.h"

#define FIRST_SHIFT 20 /* pieces of 1 ms */
#define FIRST_ROOM 8

static void series_destroy(gpointer data)
{
	struct one_series *series = data;

	g_free(series->pieces);
	g_free(series);
}

static void column_clear(gpointer data)
{
	struct series_column *column = data;

	g_ptr_array_unref(column->series);
	u64_map_clear(&column->by_id);
}

static void table_destroy(gpointer data)
{
	struct page_series_table *table = data;

	g_array_unref(table->columns);
	g_free(table);
}

struct page_series *page_series_create(void)
{
	struct page_series *series = g_new0(struct page_series, 1);

	series->tables = g_ptr_array_new_with_free_func(table_destroy);
	series->series_pieces = PAGE_SERIES_PIECES;
	return series;
}

void page_series_destroy(struct page_series *series)
{
	g_ptr_array_unref(series->tables);
	g_free(series);
}

/* --- pieces --- */

static void piece_add(struct piece *piece, const struct piece *other)
{
	if (other->count == 0) {
		return;
	}
	piece->min_ns = piece->count ? MIN(piece->min_ns, other->min_ns) : other->min_ns;
	piece->max_ns = piece->count ? MAX(piece->max_ns, other->max_ns) : other->max_ns;
	piece->count += other->count;
	piece->sum_ns += other->sum_ns;
}

static void double_length(struct one_series *series)
{
	int64_t first = series->first >> 1;
	size_t count = 0;

	for (size_t i = 0; i < series->count; i++) {
		struct piece piece = series->pieces[i];
		size_t index = (size_t)(((series->first + (int64_t)i) >> 1) - first);

		if (index == count) {
			series->pieces[count++] = piece;
		} else {
			piece_add(&series->pieces[index], &piece);
		}
	}
	series->first = first;
	series->count = count;
	series->shift++;
}

/* Moves the pieces to the one at `index`, relative to the first one. */
static uint64_t reach_of(const struct one_series *series, int64_t index)
{
	return index < 0 ? series->count + (uint64_t)-index : MAX(series->count, (uint64_t)index + 1);
}

static void set_room(struct page_series *all, struct one_series *series, size_t room)
{
	all->piece_room += room - series->room;
	series->pieces = g_renew(struct piece, series->pieces, room);
	series->room = room;
}

/* Adds empty pieces up to `index`; returns the index of that piece afterwards. */
static size_t reach(struct page_series *all, struct one_series *series, int64_t index)
{
	size_t count = (size_t)reach_of(series, index);
	size_t before = index < 0 ? (size_t)-index : 0;

	if (count > series->room) {
		set_room(all, series, MIN(MAX(2 * series->room, MAX(count, FIRST_ROOM)), PAGE_SERIES_PIECES));
	}
	if (before > 0) {
		memmove(series->pieces + before, series->pieces, series->count * sizeof(*series->pieces));
		memset(series->pieces, 0, before * sizeof(*series->pieces));
		series->first += index;
		index = 0;
	} else {
		memset(series->pieces + series->count, 0, (count - series->count) * sizeof(*series->pieces));
	}
	series->count = count;
	return (size_t)index;
}

static void shrink(struct page_series *all, struct one_series *series)
{
	while (series->count > all->series_pieces) {
		double_length(series);
	}
	if (series->room > all->series_pieces) {
		set_room(all, series, all->series_pieces);
	}
}

/* If all series together have too many pieces, each may have half as many. */
static void shrink_all(struct page_series *all)
{
	all->series_pieces /= 2;
	for (guint i = 0; i < all->tables->len; i++) {
		const struct page_series_table *table = g_ptr_array_index(all->tables, i);

		for (guint j = 0; j < table->columns->len; j++) {
			GPtrArray *series = g_array_index(table->columns, struct series_column, j).series;

			for (guint k = 0; k < series->len; k++) {
				shrink(all, g_ptr_array_index(series, k));
			}
		}
	}
}

static void keep_if_worst(struct one_series *series, int64_t at_ns, int64_t duration_ns)
{
	size_t place = series->worst_count;
	size_t count = MIN(series->worst_count + 1, PAGE_WORST);

	while (place > 0 &&
	       (duration_ns > series->worst[place - 1].duration_ns ||
		(duration_ns == series->worst[place - 1].duration_ns && at_ns < series->worst[place - 1].at_ns))) {
		place--;
	}
	if (place == PAGE_WORST) {
		return;
	}
	memmove(&series->worst[place + 1], &series->worst[place], (count - 1 - place) * sizeof(*series->worst));
	series->worst[place] = (struct worst){ .at_ns = at_ns, .duration_ns = duration_ns };
	series->worst_count = count;
}

static void add_to_pieces(struct page_series *all, struct one_series *series, int64_t at_ns, int64_t duration_ns)
{
	const struct piece piece = { 1, duration_ns, duration_ns, (double)duration_ns };
	int64_t index;

	if (series->count == 0) {
		series->first = at_ns >> series->shift;
	}
	index = (at_ns >> series->shift) - series->first;
	while (reach_of(series, index) > all->series_pieces) {
		double_length(series);
		index = (at_ns >> series->shift) - series->first;
	}
	index = (int64_t)reach(all, series, index);
	piece_add(&series->pieces[index], &piece);
}

void page_series_make_pieces(struct page_series *all, struct one_series *series)
{
	bool has_pieces = series->count > 0;

	for (size_t i = 0; !has_pieces && i < series->worst_count; i++) {
		add_to_pieces(all, series, series->worst[i].at_ns, series->worst[i].duration_ns);
	}
}

static void series_add(struct page_series *all, struct one_series *series, int64_t at_ns, int64_t duration_ns)
{
	if (series->count == 0 && series->worst_count < PAGE_WORST) {
		keep_if_worst(series, at_ns, duration_ns);
		return;
	}
	page_series_make_pieces(all, series);
	add_to_pieces(all, series, at_ns, duration_ns);
	keep_if_worst(series, at_ns, duration_ns);
	while (all->piece_room > PAGE_PIECES && all->series_pieces > FIRST_ROOM) {
		shrink_all(all);
	}
}
/* --- rows --- */

static struct one_series *series_of(struct series_column *column, uint64_t id)
{
	uint64_t index = u64_map_get(&column->by_id, id);
	struct one_series *series;

	if (index != U64_MAP_NONE) {
		return g_ptr_array_index(column->series, (guint)index);
	}
	series = g_new0(struct one_series, 1);
	series->id = id;
	series->shift = FIRST_SHIFT;
	u64_map_set(&column->by_id, id, column->series->len);
	g_ptr_array_add(column->series, series);
	return series;
}

/* The first moment in a row. */
static bool moment_of(const struct table_schema *schema, const struct cell *cells, int64_t *at_ns)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		if ((schema->columns[i].format == COLUMN_TIME || schema->columns[i].format == COLUMN_MOMENT) &&
		    cells[i].type == CELL_INTEGER) {
			*at_ns = cells[i].integer;
			return true;
		}
	}
	return false;
}

/* False if the row has none. */
static bool duration_of(const struct series_column *column, const struct cell *cells, int64_t *duration_ns)
{
	int64_t since_ns = 0;

	if (cells[column->column].type != CELL_INTEGER) {
		return false;
	}
	if (column->since > 0) {
		if (cells[column->since].type != CELL_INTEGER) {
			return false;
		}
		since_ns = cells[column->since].integer;
	}
	return !__builtin_sub_overflow(cells[column->column].integer, since_ns, duration_ns);
}

static void add_row(struct table_writer *writer, const struct cell *cells)
{
	struct page_series_table *table = (struct page_series_table *)writer;
	int64_t at_ns, duration_ns;

	if (cells[0].type != CELL_UNSIGNED || !moment_of(table->schema, cells, &at_ns)) {
		return;
	}
	for (guint i = 0; i < table->columns->len; i++) {
		struct series_column *column = &g_array_index(table->columns, struct series_column, i);

		if (duration_of(column, cells, &duration_ns)) {
			series_add(table->all, series_of(column, cells[0].unsigned_integer), at_ns, duration_ns);
		}
	}
}

static bool is_moment(const struct table_column *column)
{
	return column->format == COLUMN_TIME || column->format == COLUMN_MOMENT;
}

/* Whether rows are instances, not parts of them, which have the number of the instance in a column. */
static bool is_of_whole_instances(const struct table_schema *schema)
{
	return table_find_meaning(schema, MEANS_INSTANCE, SIDE_NONE) < 1;
}

static void add_column(struct page_series_table *table, size_t index, size_t since)
{
	struct series_column column = { .column = index, .since = since };

	column.series = g_ptr_array_new_with_free_func(series_destroy);
	u64_map_init(&column.by_id);
	g_array_append_val(table->columns, column);
}

/* The columns of durations; if there is none, the time from the first moment of an instance to the last. */
static void add_columns(struct page_series_table *table)
{
	const struct table_schema *schema = table->schema;
	size_t first = 0, last = 0;

	for (size_t i = 1; i < schema->column_count; i++) {
		if (schema->columns[i].format == COLUMN_DURATION) {
			add_column(table, i, 0);
		} else if (is_moment(&schema->columns[i])) {
			first = first ? first : i;
			last = i;
		}
	}
	if (first == 0) {
		g_array_set_size(table->columns, 0);
	} else if (table->columns->len == 0 && last > first && is_of_whole_instances(schema)) {
		add_column(table, last, first);
	}
}

struct table_writer *page_series_open(struct page_series *series, const struct table_schema *schema)
{
	struct page_series_table *table;

	if (!table_has_id(schema)) {
		return NULL;
	}
	table = g_new0(struct page_series_table, 1);
	table->writer.row = add_row;
	table->all = series;
	table->schema = schema;
	table->columns = g_array_new(FALSE, FALSE, sizeof(struct series_column));
	g_array_set_clear_func(table->columns, column_clear);
	add_columns(table);
	if (table->columns->len == 0) {
		table_destroy(table);
		return NULL;
	}
	g_ptr_array_add(series->tables, table);
	return &table->writer;
}
