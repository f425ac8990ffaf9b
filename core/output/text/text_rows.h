/* SPDX-License-Identifier: MIT */
/*
 * The rows of a table for people, kept until all are known because widths and order depend on all of them. Rows that
 * nobody wants to see, of hidden names and of what never happened, are only counted. A selection holds the rows to
 * list, and their order.
 *
 * A large system has thousands of rows, of which a report for people lists a few. So a table may have a limit: others
 * than those that rank first need not be added (text_leave_out.h), but are counted.
 */
#ifndef ROS2BT_TEXT_ROWS_H
#define ROS2BT_TEXT_ROWS_H

#include <glib.h>

#include "core/output/text/text_rank.h"
#include "core/output/text/text_style.h"
#include "core/tables/table.h"

struct text_table {
	const struct table_schema *schema; /* borrowed */
	struct row_choice choice;
	GArray *cells;	     /* struct cell, kept_count a row */
	GStringChunk *texts; /* the texts that cells point to */
	size_t *kept;	     /* owned; the kept columns: the first, and those that text shows or ranks by */
	size_t kept_count;
	size_t *judged; /* owned; of the kept columns those that say whether a row is only counted */
	size_t judged_count;
	size_t row_count;
	size_t limit;	       /* so many rows are enough for those who leave out others; SIZE_MAX: all are needed */
	size_t dropped;	       /* rows that rank behind `limit` others, and were left out */
	struct text_rank last; /* of the last one of `limit` rows, … */
	size_t last_left;      /* … and how many more of the rows that rank the same are needed; SIZE_MAX: all */
	size_t idle, hidden;   /* further rows, which are only counted */
	const char *note;      /* borrowed: a sentence about what the rows lack; or NULL */
	struct cell *shown;    /* owned; for one row, by kept column */
	size_t fold;	       /* of the one by whose names rows are folded (text_rank.h); kept_count: none */
	bool is_folded;	       /* rows were left out that rank before others */
	size_t rank;	       /* index of the kept column that ranks the rows; kept_count: none */
	size_t rank_before;    /* of the one that ranks before it, see HINT_RANKS_BEFORE; kept_count: none */
};

/* Keeps the rows until they are written. The schema and what the choice points to are borrowed. Without a limit. */
struct text_table *text_table_create(const struct table_schema *schema, const struct row_choice *choice);
void text_table_destroy(struct text_table *table);
/* The row is the next one in the order of the table. False: it is only counted. */
bool text_table_add(struct text_table *table, const struct cell *cells);

/* Whether the row is only counted: then it is. Of the cells, only those that are no statistic need be there. */
bool text_table_only_counts(struct text_table *table, const struct cell *cells);
/* What ranks the row. Its texts are borrowed. */
struct text_rank text_table_rank(const struct text_table *table, const struct cell *cells);
/* Columns of the schema whose cells text_table_rank() needs, ended by SIZE_MAX. Two at most. */
void text_table_rank_columns(const struct text_table *table, size_t columns[3]);

const struct cell *text_table_cells(const struct text_table *table, size_t row); /* kept_count */
const struct table_column *text_table_column(const struct text_table *table, size_t kept);
bool text_table_has_groups(const struct text_table *table);
/* Whether the parameter `sort` names the column. */
bool text_table_is_sort_column(const struct text_table *table, const struct table_column *column);
bool text_rows_are_of_one_group(const struct text_table *table, size_t left, size_t right);

struct text_selection {
	size_t *rows; /* owned */
	size_t count;
	size_t left_out; /* not among these */
	bool is_folded;	 /* rows are left out that rank before others */
	bool is_ranked;	 /* by the column of rank; else in the order of the table, by group */
};

/*
 * Selects all rows that are kept: ranked if there are no groups, or if the parameter `sort` asks for it. Those that
 * were left out before stay so.
 */
void text_selection_init(struct text_selection *selection, const struct text_table *table);
void text_selection_clear(struct text_selection *selection);
void text_selection_rank(struct text_selection *selection, const struct text_table *table);
/* Of ranked rows, keeps `count` only: the first ones that are not folded. */
void text_selection_cut(struct text_selection *selection, const struct text_table *table, size_t count);

#endif
