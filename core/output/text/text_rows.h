/* SPDX-License-Identifier: MIT */
/*
 * The rows of a table for people: kept until all are known, since widths and order depend on all of them. A selection
 * is those of the rows that are listed, and their order.
 */
#ifndef ROS2BT_TEXT_ROWS_H
#define ROS2BT_TEXT_ROWS_H

#include <glib.h>

#include "core/output/text/text_style.h"
#include "ros2bt/table.h"

struct text_table {
	const struct table_schema *schema; /* borrowed */
	struct row_choice choice;
	GArray *cells;	     /* struct cell, kept_count a row */
	GStringChunk *texts; /* what the cells point to */
	size_t *kept;	     /* owned; the columns that are kept: the first, and those that somebody looks at */
	size_t kept_count;
	size_t row_count;
	size_t rank; /* of the kept columns: by which rows are ranked; kept_count: none */
};

/* Keeps the rows until they are written. The schema and what the choice points to are borrowed. */
struct text_table *text_table_create(const struct table_schema *schema, const struct row_choice *choice);
void text_table_destroy(struct text_table *table);
void text_table_add(struct text_table *table, const struct cell *cells);

const struct cell *text_table_cells(const struct text_table *table, size_t row); /* kept_count */
const struct table_column *text_table_column(const struct text_table *table, size_t kept);
bool text_table_has_groups(const struct text_table *table);
/* Whether it is the column that the parameter `sort` names. */
bool text_table_is_sort_column(const struct text_table *table, const struct table_column *column);
/* What to say of rows of what never happened; NULL: there are no such rows. */
const char *text_table_idle(const struct text_table *table);
bool text_rows_are_of_one_group(const struct text_table *table, size_t left, size_t right);

struct text_selection {
	size_t *rows; /* owned */
	size_t count;
	size_t left_out;     /* after these */
	size_t idle, hidden; /* not listed */
	bool is_ranked;	     /* by the column of rank; else in the order of the table, by group */
};

/* All rows that a person wants to see: ranked if there are no groups, or if the parameter `sort` asks for it. */
void text_selection_init(struct text_selection *selection, const struct text_table *table);
void text_selection_clear(struct text_selection *selection);
void text_selection_rank(struct text_selection *selection, const struct text_table *table);
/* Leaves the first `count`. */
void text_selection_cut(struct text_selection *selection, size_t count);

#endif
