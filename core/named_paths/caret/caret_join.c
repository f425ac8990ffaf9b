/* SPDX-License-Identifier: MIT */
#include "core/named_paths/caret/caret_join.h"

#include <stdbool.h>
#include <string.h>

#include "core/base/compare_numbers.h"

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

/* Rows have as many numbers as the join needs, and no columns with names. */
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
	GArray *order;	/* guint, indices of rows; those without value are last */
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

	return order ? order : compare_unsigned(first, second);
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

/* A join under way. */
struct join {
	struct side left, right;
	bool is_equal;
	struct caret_table *joined;
};

static const int64_t *row_at(const struct side *side, guint position)
{
	return caret_table_at(side->table, g_array_index(side->order, guint, position));
}

/* Adds a left row alone. */
static int64_t *add_left(struct join *join, guint left)
{
	int64_t *row = caret_table_add(join->joined);

	memcpy(row, row_at(&join->left, left), join->left.table->width * sizeof(*row));
	return row;
}

static void add_both(struct join *join, guint left, guint right)
{
	int64_t *after = add_left(join, left) + join->left.table->width;
	const int64_t *from = row_at(&join->right, right);

	for (size_t i = 0; i < join->right.table->width; i++) {
		if (!join->is_equal || i != join->right.column) {
			*after++ = from[i];
		}
	}
}

/* --- joins --- */

static void join_sequential(struct join *join, enum caret_join how)
{
	const struct side *left = &join->left, *right = &join->right;
	guint next = 0;

	for (guint i = 0; i < left->in_order; i++) {
		guint first;

		while (next < right->in_order && value_at(right, next) < value_at(left, i)) {
			next++; /* before any left row */
		}
		first = next;
		while (next < right->in_order &&
		       (i + 1 == left->in_order || value_at(right, next) < value_at(left, i + 1))) {
			next++;
		}
		if (first == next) {
			add_left(join, i);
		}
		for (guint j = first; j < next && (j == first || how == CARET_JOIN_EVERY); j++) {
			add_both(join, i, j);
		}
	}
}

static void join_equal(struct join *join)
{
	const struct side *left = &join->left, *right = &join->right;
	size_t limit = caret_join_limit(left->order->len, right->order->len);
	guint first = 0;

	for (guint i = 0; i < left->in_order; i++) {
		while (first < right->in_order && value_at(right, first) < value_at(left, i)) {
			first++;
		}
		if (first == right->in_order || value_at(right, first) != value_at(left, i)) {
			add_left(join, i);
		}
		for (guint j = first; j < right->in_order && value_at(right, j) == value_at(left, i) &&
				      (j == first || caret_table_count(join->joined) < limit);
		     j++) {
			add_both(join, i, j);
		}
	}
}

static struct join join_begin(const struct caret_table *left, size_t left_column, const struct caret_table *right,
			      size_t right_column, bool is_equal)
{
	return (struct join){
		.left = side_of(left, left_column),
		.right = side_of(right, right_column),
		.is_equal = is_equal,
		.joined = caret_table_create(left->width + right->width - is_equal),
	};
}

static struct caret_table *join_end(struct join *join)
{
	for (guint i = join->left.in_order; i < join->left.order->len; i++) {
		add_left(join, i);
	}
	g_array_free(join->left.order, TRUE);
	g_array_free(join->right.order, TRUE);
	return join->joined;
}

struct caret_table *caret_join_sequential(const struct caret_table *left, size_t left_column,
					  const struct caret_table *right, size_t right_column, enum caret_join how)
{
	struct join join = join_begin(left, left_column, right, right_column, false);

	join_sequential(&join, how);
	return join_end(&join);
}

struct caret_table *caret_join_equal(const struct caret_table *left, size_t left_column,
				     const struct caret_table *right, size_t right_column)
{
	struct join join = join_begin(left, left_column, right, right_column, true);

	join_equal(&join);
	return join_end(&join);
}
