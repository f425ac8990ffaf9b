/* SPDX-License-Identifier: MIT */
#include "core/tables/window_tables.h"

#include <string.h>

#include "core/base/int128.h"
#include "core/statistics/duration_difference.h"
#include "core/tables/window_key.h"
#include "ros2bt/base/time_units.h"

/* Of a distribution: what there was, or what was gained. */
struct window_count {
	uint64_t count;
	int128 sum_ns;
};

/* The state of a row when it was written the last time; zeros: it was not. */
struct window_row {
	struct window_row *next; /* of the same key; owned */
	/* Of the first of a key: in which write it was last, and which row of the key was the last one of that. */
	uint64_t write;
	struct window_row *at;
	struct cell *cells;			/* by column; only numbers */
	struct window_count *counts;		/* by column of a distribution */
	struct duration_statistics *statistics; /* the same, of those that are needed */
};

/* Takes the rows of one table. */
struct window_table {
	struct table_writer writer;
	struct window_tables *windows;
	const struct table_schema *schema;
	struct table_writer *target; /* borrowed; NULL: nobody asked for it */
	bool has_windows;
	size_t statistic_count;
	bool *needed;				/* by column of a distribution: the target looks at it */
	int period_index;			/* the same, of the column `period`; -1: there is none */
	int counted;				/* the column of which a rate is made; -1: there is none */
	GHashTable *rows;			/* char * → struct window_row, the first of its key; owned */
	struct cell *cells;			/* of the row at hand */
	struct duration_statistics *statistics; /* of the row at hand */
	struct window_count *gained;		/* the same */
};

struct window_tables {
	struct table_output tables;
	struct table_output *target; /* borrowed */
	GPtrArray *opened;	     /* struct window_table, one for each schema */
	struct arena *arena;
	GString *key;
	GArray *scratch;   /* struct duration_bucket */
	int64_t length_ns; /* 0: rows pass as they are */
	uint64_t write;	   /* the number of the write */
};

/* --- columns --- */

/* What happened as often as the rate says. */
static int find_counted(const struct table_schema *schema)
{
	static const enum column_meaning meanings[] = { MEANS_COUNT, MEANS_RECEIVED, MEANS_SENT };
	int found = -1;

	for (size_t i = 0; i < G_N_ELEMENTS(meanings) && found < 0; i++) {
		found = table_find_meaning(schema, meanings[i], SIDE_NONE);
	}
	return found >= 0 ? found : table_find_column(schema, "count");
}

/* --- rows --- */

static void row_destroy(gpointer data)
{
	struct window_row *row = data;

	while (row) {
		struct window_row *next = row->next;

		g_free(row->cells);
		g_free(row->counts);
		g_free(row->statistics); /* their samples are in the arena */
		g_free(row);
		row = next;
	}
}

static struct duration_statistics *make_statistics(const struct window_table *table)
{
	struct duration_statistics *statistics = g_new(struct duration_statistics, table->statistic_count);

	for (size_t i = 0; i < table->statistic_count; i++) {
		duration_statistics_init(&statistics[i], table->windows->arena);
	}
	return statistics;
}

static struct window_row *row_create(const struct window_table *table)
{
	struct window_row *row = g_new0(struct window_row, 1);

	row->cells = g_new0(struct cell, table->schema->column_count);
	row->counts = g_new0(struct window_count, table->statistic_count);
	row->statistics = make_statistics(table);
	return row;
}

/* Of several rows of one key in a write, each is that of the same place in the write before. */
static struct window_row *find_row(const struct window_table *table, const struct cell *cells)
{
	GString *key = table->windows->key;
	struct window_row *first, *row;

	window_key_make(key, table->schema, cells);
	first = row = g_hash_table_lookup(table->rows, key->str);
	if (!first) {
		first = row = row_create(table);
		g_hash_table_insert(table->rows, g_strdup(key->str), first);
	} else if (first->write == table->windows->write) {
		row = first->at->next;
		if (!row) {
			row = first->at->next = row_create(table);
		}
	}
	first->write = table->windows->write;
	first->at = row;
	return row;
}

/* --- cells --- */

static struct cell difference(const struct cell *now, const struct cell *before)
{
	switch (now->type) {
	case CELL_UNSIGNED:
		return cell_unsigned(now->unsigned_integer - MIN(before->unsigned_integer, now->unsigned_integer));
	case CELL_INTEGER:
		return cell_integer(now->integer > before->integer ? now->integer - before->integer : 0);
	case CELL_REAL:
		return cell_real(MAX(now->real - before->real, 0));
	default:
		return CELL_NONE;
	}
}

static bool has_grown(const struct cell *now, const struct cell *before)
{
	switch (now->type) {
	case CELL_UNSIGNED:
		return now->unsigned_integer > before->unsigned_integer;
	case CELL_INTEGER:
		return now->integer > before->integer;
	case CELL_REAL:
		return now->real > before->real;
	default:
		return false;
	}
}

/* A number that was written as another type, or never, counts as 0. */
static const struct cell *number_before(const struct window_row *row, size_t column, const struct cell *now)
{
	static const struct cell none;

	return row->cells[column].type == now->type ? &row->cells[column] : &none;
}

static struct cell rate_cell_of(const struct window_table *table, const struct window_row *row)
{
	static const struct window_count none;
	const struct cell *counted = table->counted >= 0 ? &table->cells[table->counted] : NULL;
	const struct window_count *period = table->period_index >= 0 ? &table->gained[table->period_index] : &none;

	if (period->count > 0 && period->sum_ns > 0) {
		return cell_real((double)NS_PER_S / (int128_to_double(period->sum_ns) / (double)period->count));
	}
	return counted && counted->type == CELL_UNSIGNED && row->cells[table->counted].unsigned_integer > 0
		       ? cell_real((double)counted->unsigned_integer * (double)NS_PER_S /
				   (double)table->windows->length_ns)
		       : CELL_NONE;
}

static struct cell cell_of(const struct table_column *column, const struct cell *now, const struct cell *before)
{
	if (column->merge == COLUMN_MERGE_SUM) {
		return difference(now, before);
	}
	if (column->merge == COLUMN_MERGE_MAX) {
		return has_grown(now, before) ? *now : CELL_NONE;
	}
	return window_key_has(column) || column->id_of ? *now : CELL_NONE;
}

static struct window_count count_of(const struct cell *cell)
{
	struct duration_totals totals;

	if (cell->type != CELL_STATISTIC) {
		return (struct window_count){ 0 };
	}
	totals = duration_statistics_totals(cell->statistic);
	return (struct window_count){ totals.count, totals.count > 0 ? totals.sum_ns : 0 };
}

/* Empty if it is no later state of the distribution that was written before: it has lost samples. */
static void make_statistic_cell(struct window_table *table, const struct window_row *row, const struct cell *now,
				size_t index, struct cell *cell)
{
	struct window_count count = count_of(now);

	*cell = CELL_NONE;
	table->gained[index] = (struct window_count){ 0 };
	if (now->type != CELL_STATISTIC || count.count < row->counts[index].count) {
		return;
	}
	table->gained[index].count = count.count - row->counts[index].count;
	table->gained[index].sum_ns = count.sum_ns - row->counts[index].sum_ns;
	if (!table->needed[index]) {
		return;
	}
	if (duration_difference(&table->statistics[index], now->statistic, &row->statistics[index],
				table->windows->scratch)) {
		*cell = cell_statistic(&table->statistics[index]);
	} else {
		table->gained[index] = (struct window_count){ 0 };
	}
}

static void make_statistic_cells(struct window_table *table, const struct window_row *row, const struct cell *cells)
{
	const struct table_schema *schema = table->schema;
	size_t statistic = 0;

	for (size_t i = 0; i < schema->column_count; i++) {
		if (schema->columns[i].format == COLUMN_STATISTIC) {
			make_statistic_cell(table, row, &cells[i], statistic++, &table->cells[i]);
		}
	}
}

static void make_number_cells(struct window_table *table, const struct window_row *row, const struct cell *cells)
{
	const struct table_schema *schema = table->schema;

	for (size_t i = 0; i < schema->column_count; i++) {
		if (schema->columns[i].format != COLUMN_STATISTIC) {
			table->cells[i] = cell_of(&schema->columns[i], &cells[i], number_before(row, i, &cells[i]));
		}
	}
	for (size_t i = 0; i < schema->column_count; i++) {
		if (schema->columns[i].format == COLUMN_RATE) {
			table->cells[i] = rate_cell_of(table, row);
		}
	}
}

/* What is empty now stays as it was: when it is known again, only what was added since then is gained. */
static void keep(const struct window_table *table, struct window_row *row, const struct cell *cells)
{
	const struct table_schema *schema = table->schema;
	size_t statistic = 0;

	for (size_t i = 0; i < schema->column_count; i++) {
		bool is_number =
			cells[i].type == CELL_UNSIGNED || cells[i].type == CELL_INTEGER || cells[i].type == CELL_REAL;

		row->cells[i] = is_number ? cells[i] : row->cells[i];
		if (schema->columns[i].format == COLUMN_STATISTIC) {
			size_t index = statistic++;
			struct window_count count = count_of(&cells[i]);

			if (count.count > 0 && table->needed[index] && count.count != row->counts[index].count) {
				duration_statistics_clear(&row->statistics[index]);
				duration_statistics_add_all(&row->statistics[index], cells[i].statistic);
			}
			if (count.count > 0) {
				row->counts[index] = count;
			}
		}
	}
}

/* A gap that did not grow is none of the window. */
static bool is_of_window(const struct window_table *table)
{
	for (size_t i = 0; table->schema->subject == SUBJECT_GAPS && i < table->schema->column_count; i++) {
		if (table->schema->columns[i].merge == COLUMN_MERGE_SUM) {
			return table->cells[i].unsigned_integer > 0;
		}
	}
	return true;
}

/* Names of gaps that are not keys, such as where they are. */
static void copy_texts(struct window_table *table, const struct cell *cells)
{
	for (size_t i = 0; table->schema->subject == SUBJECT_GAPS && i < table->schema->column_count; i++) {
		if (cells[i].type == CELL_TEXT) {
			table->cells[i] = cells[i];
		}
	}
}

static void take_row(struct table_writer *writer, const struct cell *cells)
{
	struct window_table *table = (struct window_table *)writer;
	struct window_row *row;

	if (table->windows->length_ns == 0 || table->schema->kind == KIND_WORST) {
		table_row(table->target, cells);
		return;
	}
	if (!table->has_windows) {
		return;
	}
	row = find_row(table, cells);
	make_statistic_cells(table, row, cells);
	make_number_cells(table, row, cells);
	copy_texts(table, cells);
	if (is_of_window(table)) {
		table_row(table->target, table->cells);
	}
	keep(table, row, cells);
}

/* --- tables --- */

static struct window_table *table_create(struct window_tables *windows, const struct table_schema *schema)
{
	struct window_table *table = g_new0(struct window_table, 1);

	table->writer.row = take_row;
	table->windows = windows;
	table->schema = schema;
	table->has_windows = table_can_be_merged(schema);
	table->period_index = -1;
	for (size_t i = 0; i < schema->column_count; i++) {
		if (schema->columns[i].format == COLUMN_STATISTIC && strcmp(schema->columns[i].name, "period") == 0) {
			table->period_index = (int)table->statistic_count;
		}
		table->statistic_count += schema->columns[i].format == COLUMN_STATISTIC;
	}
	table->needed = g_new0(bool, table->statistic_count);
	table->gained = g_new0(struct window_count, table->statistic_count);
	table->counted = find_counted(schema);
	table->rows = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, row_destroy);
	table->cells = g_new0(struct cell, schema->column_count);
	table->statistics = make_statistics(table);
	return table;
}

static void table_destroy(gpointer data)
{
	struct window_table *table = data;

	g_hash_table_unref(table->rows);
	g_free(table->cells);
	g_free(table->statistics);
	g_free(table->needed);
	g_free(table->gained);
	g_free(table);
}

static struct window_table *find_table(struct window_tables *windows, const struct table_schema *schema)
{
	struct window_table *table;

	for (guint i = 0; i < windows->opened->len; i++) {
		table = windows->opened->pdata[i];
		if (table->schema == schema) {
			return table;
		}
	}
	table = table_create(windows, schema);
	g_ptr_array_add(windows->opened, table);
	return table;
}

/* What was needed once is kept. */
static void note_needs(struct window_table *table)
{
	size_t statistic = 0;

	for (size_t i = 0; i < table->schema->column_count; i++) {
		if (table->schema->columns[i].format == COLUMN_STATISTIC) {
			table->needed[statistic++] |= !table->target->needs || table->target->needs(table->target, i);
		}
	}
}

static struct table_writer *open_table(struct table_output *tables, const struct table_schema *schema)
{
	struct window_tables *windows = (struct window_tables *)tables;
	struct table_writer *target = windows->target->open(windows->target, schema);
	struct window_table *table;

	if (!target) {
		return NULL;
	}
	table = find_table(windows, schema);
	table->target = target;
	note_needs(table);
	table->writer.is_late = target->is_late;
	table->writer.only_counts_hidden = target->only_counts_hidden;
	table->writer.hidden = 0;
	table->writer.note = NULL;
	return &table->writer;
}

struct window_tables *window_tables_create(void)
{
	struct window_tables *windows = g_new0(struct window_tables, 1);

	windows->tables.open = open_table;
	windows->opened = g_ptr_array_new_with_free_func(table_destroy);
	windows->arena = arena_create();
	arena_set_lasting(windows->arena);
	windows->key = g_string_new(NULL);
	windows->scratch = g_array_new(FALSE, FALSE, sizeof(struct duration_bucket));
	return windows;
}

void window_tables_destroy(struct window_tables *windows)
{
	if (windows) {
		g_ptr_array_unref(windows->opened);
		arena_destroy(windows->arena);
		g_string_free(windows->key, TRUE);
		g_array_unref(windows->scratch);
		g_free(windows);
	}
}

struct table_output *window_tables_open(struct window_tables *windows, struct table_output *target)
{
	windows->target = target;
	for (guint i = 0; i < windows->opened->len; i++) {
		((struct window_table *)windows->opened->pdata[i])->target = NULL;
	}
	return &windows->tables;
}

void window_tables_begin(struct window_tables *windows, int64_t length_ns)
{
	windows->length_ns = length_ns;
	windows->write++;
}

void window_tables_end(struct window_tables *windows)
{
	for (guint i = 0; i < windows->opened->len; i++) {
		const struct window_table *table = windows->opened->pdata[i];

		if (table->target) {
			table->target->hidden = table->writer.hidden;
			table->target->note = table->writer.note;
		}
	}
}
