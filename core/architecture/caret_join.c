/* SPDX-License-Identifier: MIT */
#include "core/architecture/caret_join.h"

#include <stdbool.h>
#include <string.h>

/* --- tables --- */

struct caret_table *caret_table_create(size_t width)
{
	struct caret_table *table = g_new(struct caret_table, 1);

	*table = (struct caret_table){ width, g_array_new(FALSE, FALSE, sizeof(int64_t)) };
	return table;
}

void caret_table_destroy(struct caret_table *table)
{
	if (table) {
		g_array_free(table->cells, TRUE);
		g_free(table);
	}
}

int64_t *caret_table_add(struct caret_table *table)
{
	size_t count = caret_table_count(table);
	int64_t *row;

	g_array_set_size(table->cells, (guint)((count + 1) * table->width));
	row = caret_table_at(table, count);
	for (size_t i = 0; i < table->width; i++) {
		row[i] = CARET_NO_TIME;
	}
	return row;
}

static int compare_cells(int64_t a, int64_t b)
{
	if (a == b) {
		return 0;
	}
	if (a == CARET_NO_TIME || b == CARET_NO_TIME) {
		return a == CARET_NO_TIME ? 1 : -1;
	}
	return a < b ? -1 : 1;
}

static gint compare_rows(gconstpointer a, gconstpointer b, gpointer width)
{
	const int64_t *first = a, *second = b;

	for (size_t i = 0; i < GPOINTER_TO_SIZE(width); i++) {
		int order = compare_cells(first[i], second[i]);

		if (order) {
			return order;
		}
	}
	return 0;
}

void caret_table_sort(struct caret_table *table)
{
	if (table->cells->len > 0) {
		g_qsort_with_data(table->cells->data, (gint)caret_table_count(table), table->width * sizeof(int64_t),
				  compare_rows, GSIZE_TO_POINTER(table->width));
	}
}

struct caret_table *caret_table_select(const struct caret_table *table, const size_t *kept, size_t count)
{
	struct caret_table *selection = caret_table_create(count);

	for (size_t i = 0; i < caret_table_count(table); i++) {
		const int64_t *row = caret_table_at(table, i);
		int64_t *selected = caret_table_add(selection);

		for (size_t j = 0; j < count; j++) {
			selected[j] = row[kept[j]];
		}
	}
	return selection;
}

/* --- a side of a join: its rows in the order of the column --- */

struct side {
	const struct caret_table *table;
	size_t column;
	GArray *order;	/* guint, indexes of rows; those without value are last */
	guint in_order; /* rows that have a value */
};

static int64_t value_at(const struct side *side, guint position)
{
	return caret_table_at(side->table, g_array_index(side->order, guint, position))[side->column];
}

static gint compare_positions(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct side *side = data;
	guint first = *(const guint *)a, second = *(const guint *)b;
	int order = compare_cells(caret_table_at(side->table, first)[side->column],
				  caret_table_at(side->table, second)[side->column]);

	return order ? order : (first > second) - (first < second);
}

static struct side side_of(const struct caret_table *table, size_t column)
{
	guint count = (guint)caret_table_count(table);
	struct side side = { table, column, g_array_sized_new(FALSE, FALSE, sizeof(guint), count), 0 };
	bool is_sorted = true;

	for (guint i = 0; i < count; i++) {
		g_array_append_val(side.order, i);
		is_sorted = is_sorted && (i == 0 || compare_cells(caret_table_at(table, i - 1)[column],
								  caret_table_at(table, i)[column]) <= 0);
	}
	if (!is_sorted) {
		g_qsort_with_data(side.order->data, (gint)count, sizeof(guint), compare_positions, &side);
	}
	while (side.in_order < count && value_at(&side, side.in_order) != CARET_NO_TIME) {
		side.in_order++;
	}
	return side;
}

static void side_clear(struct side *side)
{
	g_array_free(side->order, TRUE);
}

/* Adds a left row, and the right row behind it if there is one (`right` before the end of its order). */
static void add_joined(struct caret_table *joined, const struct side *left, guint left_position,
		       const struct side *right, guint right_position)
{
	const int64_t *from_left = caret_table_at(left->table, g_array_index(left->order, guint, left_position));
	int64_t *row = caret_table_add(joined);

	memcpy(row, from_left, left->table->width * sizeof(*row));
	if (right_position < right->in_order) {
		const int64_t *from_right =
			caret_table_at(right->table, g_array_index(right->order, guint, right_position));
		int64_t *after = row + left->table->width;

		row[left->column] = from_right[right->column];
		for (size_t i = 0; i < right->table->width; i++) {
			if (i != right->column) {
				*after++ = from_right[i];
			}
		}
	}
}

static void add_alone(struct caret_table *joined, const struct side *left, guint left_position,
		      const struct side *right)
{
	add_joined(joined, left, left_position, right, right->in_order);
}

/* --- joins --- */

static void join_sequential(struct caret_table *joined, const struct side *left, const struct side *right,
			    enum caret_join how)
{
	guint next = 0;

	for (guint i = 0; i < left->in_order; i++) {
		guint first;

		/* those before any left row, and those that were left over */
		while (next < right->in_order && value_at(right, next) < value_at(left, i)) {
			next++;
		}
		first = next;
		while (next < right->in_order &&
		       (i + 1 == left->in_order || value_at(right, next) < value_at(left, i + 1))) {
			next++;
		}
		if (first == next && how != CARET_JOIN_INNER) {
			add_alone(joined, left, i, right);
		}
		for (guint j = first; j < next && (j == first || how == CARET_JOIN_EVERY); j++) {
			add_joined(joined, left, i, right, j);
		}
	}
}

static void join_equal(struct caret_table *joined, const struct side *left, const struct side *right)
{
	size_t limit = caret_join_limit(left->order->len, right->order->len);
	guint first = 0;

	for (guint i = 0; i < left->in_order; i++) {
		while (first < right->in_order && value_at(right, first) < value_at(left, i)) {
			first++;
		}
		if (first == right->in_order || value_at(right, first) != value_at(left, i)) {
			add_alone(joined, left, i, right);
			continue;
		}
		for (guint j = first; j < right->in_order && value_at(right, j) == value_at(left, i) &&
				      (j == first || caret_table_count(joined) < limit);
		     j++) {
			add_joined(joined, left, i, right, j);
		}
	}
}

static struct caret_table *join(const struct caret_table *left, size_t left_column, const struct caret_table *right,
				size_t right_column, bool is_equal, enum caret_join how)
{
	struct caret_table *joined = caret_table_create(left->width + right->width - 1);
	struct side left_side = side_of(left, left_column);
	struct side right_side = side_of(right, right_column);

	if (is_equal) {
		join_equal(joined, &left_side, &right_side);
	} else {
		join_sequential(joined, &left_side, &right_side, how);
	}
	for (guint i = left_side.in_order; i < left_side.order->len && how != CARET_JOIN_INNER; i++) {
		add_alone(joined, &left_side, i, &right_side);
	}
	side_clear(&left_side);
	side_clear(&right_side);
	return joined;
}

struct caret_table *caret_join_sequential(const struct caret_table *left, size_t left_column,
					  const struct caret_table *right, size_t right_column, enum caret_join how)
{
	return join(left, left_column, right, right_column, false, how);
}

struct caret_table *caret_join_equal(const struct caret_table *left, size_t left_column,
				     const struct caret_table *right, size_t right_column)
{
	return join(left, left_column, right, right_column, true, CARET_JOIN_LEFT);
}
