/* SPDX-License-Identifier: MIT */
/*
 * A table in a page: an object with its schema, and its rows as arrays of cells, the same values as in the JSON output.
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

/* Called once. */
void page_table_write(struct page_table *table, struct json_writer *json);

#endif
