/* SPDX-License-Identifier: MIT */
/*
 * Which rows of a table a page holds. A system of 300 nodes has 90,000 pairs on /parameter_events alone: a page with
 * all of them would be slow, and nobody would look at them. So a table has at most PAGE_ROWS rows, and PAGE_HIDDEN_ROWS
 * of hidden names: those that the table ranks highest, and of equal ones the first; rows of what never happened come
 * last. The parts of rows (table_is_below()) stay with their rows, up to PAGE_PARTS of a table.
 *
 * What is left out is counted, and the columns of counts are added up over all rows, so that sums stay those of the
 * recording. Tables of systems of usual size are whole.
 *
 * Memory: 24 bytes for each row.
 */
#ifndef ROS2BT_PAGE_ROWS_H
#define ROS2BT_PAGE_ROWS_H

#include "core/tables/table.h"

#define PAGE_ROWS 10000
#define PAGE_HIDDEN_ROWS 500
#define PAGE_PARTS 50000

struct json_writer;
struct page_rows;

/* Which rows of main tables a page has, for what is written of their instances. */
struct page_choice {
	bool (*has_row)(const void *data, const struct table_schema *instances, uint64_t id);
	const void *data;
};

struct page_rows_limits {
	size_t rows, hidden_rows, parts;
};

/* The schema, whose columns are those of the written rows, is borrowed. */
struct page_rows *page_rows_create(const struct table_schema *schema);
void page_rows_destroy(struct page_rows *rows);

/* The next row; `cells` of the schema. */
void page_rows_add(struct page_rows *rows, const struct cell *cells, bool is_hidden, bool is_idle);

/* Chooses, once all rows are known; `parents`, the rows of the parent, NULL if there are none, have chosen before. */
void page_rows_choose(struct page_rows *rows, const struct page_rows *parents, const struct page_rows_limits *limits);

/* Whether the row of this number is in the page. */
bool page_rows_keep(const struct page_rows *rows, uint64_t number);

/* Whether the row with this id in its first column is. */
bool page_rows_keep_id(const struct page_rows *rows, uint64_t id);

/* Whether any is not. */
bool page_rows_lack_any(const struct page_rows *rows);

/* Arrays with the numbers, among those in the page, of the rows that were added as hidden, or idle. */
void page_rows_write_hidden(const struct page_rows *rows, struct json_writer *json);
void page_rows_write_idle(const struct page_rows *rows, struct json_writer *json);

/* What is not in the page: null, or { hidden, others, sums: { hidden: […], others: […] } } over all rows, by column. */
void page_rows_write_lacking(const struct page_rows *rows, struct json_writer *json);

#endif
