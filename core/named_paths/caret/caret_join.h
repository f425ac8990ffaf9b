/* SPDX-License-Identifier: MIT */
/*
 * Tables of times, and the joins with which CARET makes flows from them (caret_analyze_cpp_impl, records_base.cpp).
 *
 * A table has rows of one width; a cell is a time in ns, or another 64-bit number to join by, or CARET_NO_TIME. A join
 * puts the cells of a right row behind those of a left row.
 *
 *   sequential  a right row belongs to the last left row at or before it. With CARET_JOIN_LEFT a left row is joined
 * with the first of its right rows, with CARET_JOIN_EVERY with each of them. equal       joins each left row with each
 * right row of the same value, and leaves out the right column, which holds that value again
 *
 * Left rows without partner, or without value, are kept; right rows are not. The result is in the order of the left
 * column, rows without value last, equal ones in their order.
 *
 * O(n log n); O(n) where both columns are in order. An equal join makes at most caret_join_limit() rows, whatever the
 * trace: beyond, each left row is joined with one right row only.
 */
#ifndef ROS2BT_CARET_JOIN_H
#define ROS2BT_CARET_JOIN_H

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

#define CARET_NO_TIME INT64_MIN

struct caret_table {
	size_t width;
	GArray *cells; /* int64_t, row by row */
};

enum caret_join {
	CARET_JOIN_LEFT,
	CARET_JOIN_EVERY, /* CARET: "left_use_latest" */
};

struct caret_table *caret_table_create(size_t width);
void caret_table_destroy(struct caret_table *table); /* NULL is allowed */
typedef struct caret_table caret_table;		     /* for g_autoptr() */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(caret_table, caret_table_destroy)

static inline size_t caret_table_count(const struct caret_table *table)
{
	return table->cells->len / table->width;
}

/* Valid until a row is added. */
static inline int64_t *caret_table_at(const struct caret_table *table, size_t row)
{
	return &g_array_index(table->cells, int64_t, row * table->width);
}

/* A row of CARET_NO_TIME; valid until the next one is added. */
int64_t *caret_table_add(struct caret_table *table);

/* By all columns, from the first on; CARET_NO_TIME last. */
void caret_table_sort(struct caret_table *table);

/* A copy without some columns. `kept` has `count` columns, in their new order. */
struct caret_table *caret_table_select(const struct caret_table *table, const size_t *kept, size_t count);

struct caret_table *caret_join_sequential(const struct caret_table *left, size_t left_column,
					  const struct caret_table *right, size_t right_column, enum caret_join how);
struct caret_table *caret_join_equal(const struct caret_table *left, size_t left_column,
				     const struct caret_table *right, size_t right_column);

static inline size_t caret_join_limit(size_t left, size_t right)
{
	return 8 * (left + right) + 1024;
}

#endif
