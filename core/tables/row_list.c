/* SPDX-License-Identifier: MIT */
#include "core/tables/row_list.h"

#include <string.h>

#include "core/base/int128.h"

struct row_list *row_list_create(const struct table_schema *schema)
{
	struct row_list *list = g_new0(struct row_list, 1);

	list->schema = schema;
	list->rows = g_ptr_array_new();
	list->owned = g_ptr_array_new_with_free_func(g_free);
	return list;
}

void row_list_destroy(struct row_list *list)
{
	g_ptr_array_unref(list->rows);
	g_ptr_array_unref(list->owned);
	g_free(list);
}

void row_list_add(struct row_list *list, void *row)
{
	g_ptr_array_add(list->rows, row);
}

void *row_list_make(struct row_list *list)
{
	void *row = g_malloc0(list->schema->row_size);

	g_ptr_array_add(list->owned, row);
	g_ptr_array_add(list->rows, row);
	return row;
}

void *row_list_keep(struct row_list *list, void *kept)
{
	if (kept) {
		g_ptr_array_add(list->owned, kept);
	}
	return kept;
}

guint row_list_sift(struct row_list *list, bool (*stays)(const void *data, const void *row), const void *data)
{
	guint count = row_list_count(list), kept = 0;

	for (guint i = 0; i < count; i++) {
		void *row = row_list_at(list, i);

		if (stays(data, row)) {
			row_list_put(list, kept++, row);
		}
	}
	row_list_cut(list, kept);
	return count - kept;
}

static bool is_chosen(const void *data, const void *row)
{
	const struct row_list *list = data;

	return row_is_chosen(list->chosen, list->schema, row);
}

void row_list_choose(struct row_list *list)
{
	if (list->chosen && !chosen_names_are_all(list->chosen)) {
		row_list_sift(list, is_chosen, list);
	}
}

void row_list_leave_out(struct row_list *list, struct table_writer *writer)
{
	if (writer && writer->leave_out) {
		writer->leave_out(writer, list);
	}
}

/* --- order --- */

struct order_key {
	const struct cell_source *source;
	bool is_descending;
};

/* What orders a row: a number or a text. */
struct order_value {
	enum { VALUE_NONE, VALUE_INTEGER, VALUE_REAL, VALUE_TEXT } type;
	union {
		int128 integer;
		double real;
		const char *text;
	};
};

/* So many keys of a row are looked up once, the others only for rows that are equal so far: most orders have many. */
#define KEYS_READY 3

struct ordered_row {
	void *row;
	size_t place; /* among the rows before */
	struct order_value values[KEYS_READY];
};

static struct order_value value_of(const struct cell *cell)
{
	switch (cell->type) {
	case CELL_INTEGER:
		return (struct order_value){ VALUE_INTEGER, .integer = cell->integer };
	case CELL_UNSIGNED:
	case CELL_ADDRESS:
		return (struct order_value){ VALUE_INTEGER, .integer = cell->unsigned_integer };
	case CELL_STATISTIC:
		return (struct order_value){ VALUE_INTEGER,
					     .integer = duration_statistics_totals(cell->statistic).sum_ns };
	case CELL_REAL:
		return (struct order_value){ VALUE_REAL, .real = cell->real };
	case CELL_TEXT:
		return (struct order_value){ VALUE_TEXT, .text = cell->text };
	case CELL_EMPTY:
		break;
	}
	return (struct order_value){ .type = VALUE_NONE };
}

static int compare_values(const struct order_value *left, const struct order_value *right)
{
	if (left->type != right->type) {
		return left->type < right->type ? -1 : 1;
	}
	switch (left->type) {
	case VALUE_INTEGER:
		return (left->integer > right->integer) - (left->integer < right->integer);
	case VALUE_REAL:
		return (left->real > right->real) - (left->real < right->real);
	case VALUE_TEXT:
		return left->text == right->text ? 0 : strcmp(left->text, right->text); /* most are interned */
	case VALUE_NONE:
		break;
	}
	return 0;
}

int compare_cells(const struct cell *left, const struct cell *right)
{
	struct order_value left_value = value_of(left), right_value = value_of(right);

	return compare_values(&left_value, &right_value);
}

static int compare_by_key(const struct ordered_row *left, const struct ordered_row *right, const struct order_key *keys,
			  size_t key)
{
	struct cell left_cell, right_cell;

	if (key < KEYS_READY) {
		return compare_values(&left->values[key], &right->values[key]);
	}
	left_cell = row_cell(keys[key].source, left->row);
	right_cell = row_cell(keys[key].source, right->row);
	return compare_cells(&left_cell, &right_cell);
}

static gint compare_rows(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct ordered_row *left = *(const struct ordered_row *const *)a;
	const struct ordered_row *right = *(const struct ordered_row *const *)b;
	const struct order_key *keys = data;

	for (size_t i = 0; keys[i].source; i++) {
		int order = compare_by_key(left, right, keys, i);

		if (order) {
			return keys[i].is_descending ? -order : order;
		}
	}
	return left->place < right->place ? -1 : 1;
}

static const struct cell_source *source_of(const struct table_schema *schema, const char *name)
{
	int column = table_find_column(schema, name);

	if (column >= 0) {
		return &schema->columns[column].source;
	}
	for (size_t i = 0; i < schema->unwritten_count; i++) {
		if (strcmp(schema->unwritten[i].name, name) == 0) {
			return &schema->unwritten[i].source;
		}
	}
	g_error("table %s has no column %s to order it", schema->name, name);
}

/* Ended by a key without source. */
static struct order_key *keys_of(const struct table_schema *schema, const char *order)
{
	g_auto(GStrv) names = g_strsplit(order, " ", -1);
	size_t count = g_strv_length(names);
	struct order_key *keys = g_new0(struct order_key, count + 1);

	for (size_t i = 0; i < count; i++) {
		keys[i].is_descending = names[i][0] == '-';
		keys[i].source = source_of(schema, names[i] + keys[i].is_descending);
	}
	return keys;
}

/* `sorted` gets pointers to `ordered`, which are moved faster. */
static void prepare(const GPtrArray *rows, const struct order_key *keys, struct ordered_row *ordered,
		    struct ordered_row **sorted)
{
	for (size_t i = 0; i < rows->len; i++) {
		ordered[i].row = rows->pdata[i];
		ordered[i].place = i;
		sorted[i] = &ordered[i];
		for (size_t j = 0; j < KEYS_READY && keys[j].source; j++) {
			struct cell cell = row_cell(keys[j].source, ordered[i].row);

			ordered[i].values[j] = value_of(&cell);
		}
	}
}

void rows_sort(GPtrArray *unsorted, const struct table_schema *schema, const char *order)
{
	g_autofree struct order_key *keys = keys_of(schema, order);
	g_autofree struct ordered_row *rows = g_new(struct ordered_row, unsorted->len);
	g_autofree struct ordered_row **sorted = g_new(struct ordered_row *, unsorted->len);

	prepare(unsorted, keys, rows, sorted);
	g_qsort_with_data(sorted, (gint)unsorted->len, sizeof(gpointer), compare_rows, keys);
	for (guint i = 0; i < unsorted->len; i++) {
		unsorted->pdata[i] = sorted[i]->row;
	}
}

/* --- the first rows in an order --- */

struct row_order {
	struct order_key *keys;
	struct ordered_row *rows;
	struct ordered_row **sorted; /* `done` rows in order, and behind them a heap that begins at the end */
	guint count, done;
};

static struct ordered_row **heap_at(const struct row_order *order, guint place)
{
	return &order->sorted[order->count - 1 - place];
}

/* Puts the row at a place of the heap where it belongs, behind those that come first. */
static void sift_down(const struct row_order *order, guint place)
{
	struct ordered_row *moved = *heap_at(order, place);
	guint heap_count = order->count - order->done, child;

	while ((child = 2 * place + 1) < heap_count) {
		if (child + 1 < heap_count &&
		    compare_rows(heap_at(order, child + 1), heap_at(order, child), order->keys) < 0) {
			child++;
		}
		if (compare_rows(&moved, heap_at(order, child), order->keys) < 0) {
			break;
		}
		*heap_at(order, place) = *heap_at(order, child);
		place = child;
	}
	*heap_at(order, place) = moved;
}

struct row_order *row_order_create(const struct row_list *list, const char *by)
{
	struct row_order *order = g_new0(struct row_order, 1);

	order->count = list->rows->len;
	order->keys = keys_of(list->schema, by);
	order->rows = g_new(struct ordered_row, order->count);
	order->sorted = g_new(struct ordered_row *, order->count);
	prepare(list->rows, order->keys, order->rows, order->sorted);
	for (guint place = order->count / 2; place-- > 0;) {
		sift_down(order, place);
	}
	return order;
}

void row_order_destroy(struct row_order *order)
{
	g_free(order->keys);
	g_free(order->rows);
	g_free(order->sorted);
	g_free(order);
}

void *row_order_at(struct row_order *order, guint index)
{
	while (order->done <= index) {
		struct ordered_row *first = *heap_at(order, 0);

		*heap_at(order, 0) = order->sorted[order->done];
		order->sorted[order->done++] = first;
		if (order->done < order->count) {
			sift_down(order, 0);
		}
	}
	return order->sorted[index]->row;
}

void *row_order_any(const struct row_order *order, guint index)
{
	return order->sorted[index]->row;
}

void row_order_put(struct row_order *order, guint index, void *row)
{
	order->sorted[index]->row = row;
}

void row_list_sort(struct row_list *list, const char *order)
{
	rows_sort(list->rows, list->schema, order);
}

void row_list_write_first(struct row_list *list, guint count, struct table_writer *writer)
{
	g_autoptr(row_order) order = NULL;

	row_list_choose(list);
	if (list->schema->order) {
		order = row_order_create(list, list->schema->order);
	}
	for (guint i = 0; writer && i < MIN(count, list->rows->len); i++) {
		row_write(writer, list->schema, order ? row_order_at(order, i) : row_list_at(list, i));
	}
}

void row_list_write(struct row_list *list, struct table_writer *writer)
{
	struct row_list written = *list;

	row_list_choose(list);
	if (list->schema->order) {
		row_list_sort(list, list->schema->order);
	}
	written.rows = g_ptr_array_copy(list->rows, NULL, NULL);
	row_list_leave_out(&written, writer);
	for (guint i = 0; writer && i < written.rows->len; i++) {
		row_write(writer, list->schema, written.rows->pdata[i]);
	}
	g_ptr_array_unref(written.rows);
}
