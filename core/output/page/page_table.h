/* SPDX-License-Identifier: MIT */
/*
 * A table in a page: an object with its schema, and its cells by column, the same values as in the JSON output.
 * It also holds the numbers of the rows that a report for people leaves out (hidden names, what never happened) and the
 * histograms of its statistics. Everything waits in spools until it is written.
 */
#ifndef ROS2BT_PAGE_TABLE_H
#define ROS2BT_PAGE_TABLE_H

#include "core/output/output.h"

struct json_writer;
struct page_table;

/* The schema and the place are borrowed. */
struct page_table *page_table_create(const struct table_schema *schema, const struct output_place *place);
void page_table_destroy(struct page_table *table);

struct table_writer *page_table_writer(struct page_table *table);
bool page_table_check(const struct page_table *table, GError **error);

/* The one that it was created for. */
const struct table_schema *page_table_schema(const struct page_table *table);

/*
 * Chooses the rows that are written (page_rows.h), once all are known; `parent`, NULL if there is none, has chosen
 * before.
 */
void page_table_choose(struct page_table *table, const struct page_table *parent);

/* Whether the row with the id is written. */
bool page_table_has(const struct page_table *table, uint64_t id);

/* Called once, after the choice. */
void page_table_write(struct page_table *table, struct json_writer *json);

#endif
