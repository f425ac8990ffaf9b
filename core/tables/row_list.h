/* SPDX-License-Identifier: MIT */
/*
 * The rows of a table as they are written: collected, chosen (chosen_names.h), sorted as the schema says
 * (table_schema.order) or otherwise, and written. Rows are borrowed, or made in the list if they exist for one write
 * only; so are texts. Rows that are equal in all that orders them stay in the order in which they were added.
 *
 * Cost to sort: of the values that order rows, the first three are read once a row, the others for each two rows that
 * are equal so far.
 */
#ifndef ROS2BT_ROW_LIST_H
#define ROS2BT_ROW_LIST_H

#include "core/tables/chosen_names.h"

struct row_list {
	const struct table_schema *schema;
	const struct chosen_names *chosen; /* borrowed; NULL: all */
	GPtrArray *rows;		   /* borrowed, or in `owned` */
	GPtrArray *owned;		   /* rows, and what they refer to */
	bool is_sifted;			   /* none of them is idle or of hidden names: see row_list_leave_out() */
};

/* The schema is borrowed. To be destroyed, unless g_autoptr(row_list) does. */
struct row_list *row_list_create(const struct table_schema *schema);
void row_list_destroy(struct row_list *list);

typedef struct row_list row_list;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(row_list, row_list_destroy)

/* Adds a row, which must outlive the list. */
void row_list_add(struct row_list *list, void *row);
/* Adds a row of zeros, which lives as long as the list. */
void *row_list_make(struct row_list *list);
/* Gives memory, such as a text, to the list, which frees it in the end; NULL is allowed. Returns the pointer. */
void *row_list_keep(struct row_list *list, void *kept);

static inline guint row_list_count(const struct row_list *list)
{
	return list->rows->len;
}

static inline void *row_list_at(const struct row_list *list, guint index)
{
	return list->rows->pdata[index];
}

/* To leave rows out: those that stay are put from the first place on, and the rest is cut off. */
static inline void row_list_put(struct row_list *list, guint index, void *row)
{
	list->rows->pdata[index] = row;
}

static inline void row_list_cut(struct row_list *list, guint count)
{
	g_ptr_array_set_size(list->rows, (gint)count);
}

/* Leaves out the rows that do not stay. Returns how many. */
guint row_list_sift(struct row_list *list, bool (*stays)(const void *data, const void *row), const void *data);

/*
 * Leaves out rows that the report is not about. Writing does so, too; before, it is for rows that are counted or summed
 * up, or of which more than the names is costly to know.
 */
void row_list_choose(struct row_list *list);

/*
 * Leaves out rows that the writer only counts, such as all but the first of thousands in a text: it has counted them.
 * The others are to be written. The rows may be in any order; what their texts say but does not hide them, and what
 * ranks none, may be unknown so far, and the report must be about them. If the list is sifted, what hides them or makes
 * them idle is not looked at. Does nothing without a writer. Writing does so with a copy of the list; before, it is for
 * rows of which more is costly to know.
 */
void row_list_leave_out(struct row_list *list, struct table_writer *writer);

/* The order of two cells: empty ones come first, then numbers and texts; distributions are ordered by their sums. */
int compare_cells(const struct cell *left, const struct cell *right);

/* Sorts an array of rows of a table by an order as in its schema. Those that are equal in it stay as they are. */
void rows_sort(GPtrArray *unsorted, const struct table_schema *schema, const char *order);

void row_list_sort(struct row_list *list, const char *order);

/*
 * The rows of a list in an order, if of many only the first are needed: each is found when it is asked for, in
 * O(log rows); O(rows) to create. The list must not change meanwhile.
 */
struct row_order;
struct row_order *row_order_create(const struct row_list *list, const char *by);
void row_order_destroy(struct row_order *order);
/* The row at a place in the order. */
void *row_order_at(struct row_order *order, guint index);
/* The same, if all rows are visited anyhow: behind those that were asked for, in any order. */
void *row_order_any(const struct row_order *order, guint index);
/* Puts a row to a place that was asked for. */
void row_order_put(struct row_order *order, guint index, void *row);

typedef struct row_order row_order;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(row_order, row_order_destroy)

/* Chooses the rows, sorts them as the schema says, and writes them if there is a writer. */
void row_list_write(struct row_list *list, struct table_writer *writer);
/* The same of the first rows only; the list stays in its order. */
void row_list_write_first(struct row_list *list, guint count, struct table_writer *writer);

#endif
