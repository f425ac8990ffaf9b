/* SPDX-License-Identifier: MIT */
/*
 * Statistics as tables of histograms: beside a table `things` with columns of the format COLUMN_STATISTIC stands
 * `thing_histograms` = ID, statistic, low_ns, high_ns, count, a row for each bucket that was hit
 * (core/base/duration_bucket.h), half open. Rows of several recordings are merged by adding the counts of equal
 * buckets, with what else identifies a row of things in the place of ID.
 *
 * ID are the columns that identify a row of things: the first where its name ends in _id, else those before the first
 * that is counted, or as many as the schema says.
 * The order is that of the rows of things, in it that of the statistics and buckets. Memory: the buckets of one series.
 */
#ifndef ROS2BT_HISTOGRAM_TABLE_H
#define ROS2BT_HISTOGRAM_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "ros2bt/table.h"

struct histogram_table;

/* Whether it has statistics, of more than instances, and more rows than a summary. */
bool table_has_histograms(const struct table_schema *schema);

/* How many columns identify a row: those that stand for ID. */
size_t histogram_table_key_count(const struct table_schema *schema);

/* What the table of histograms is called; free it. */
char *histogram_table_name(const struct table_schema *schema);

/* The schema is borrowed. */
struct histogram_table *histogram_table_create(const struct table_schema *schema, unsigned int per_octave);
void histogram_table_destroy(struct histogram_table *table); /* NULL is allowed */

/* The schema of the histograms; lives as long as the table. */
const struct table_schema *histogram_table_schema(const struct histogram_table *table);

/* What writes rows to `rows` and their histograms to `histograms`. Both are borrowed; either may be NULL. */
struct table_writer *histogram_table_insert(struct histogram_table *table, struct table_writer *rows,
					    struct table_writer *histograms);

#endif
