/* SPDX-License-Identifier: MIT */
/*
 * Statistics as tables of histograms. A table `things` with columns of the format COLUMN_STATISTIC gets a second table,
 * `thing_histograms` = ID, statistic, low_ns, high_ns, count, with a row for each bucket that was hit
 * (core/statistics/duration_bucket.h); intervals are half open. To merge several recordings, add the counts of equal
 * buckets, with other columns that identify a row of `things` in place of ID.
 *
 * ID is the columns that identify a row of `things`: the first key_count columns of the schema; if that is 0, the first
 * column if it is an id, else those before the first count and all names (COLUMN_MERGE_KEY) after it. Rows are
 * in the order of the rows of `things`, then of the statistics and the buckets. Memory: the buckets of one series.
 */
#ifndef ROS2BT_HISTOGRAM_TABLE_H
#define ROS2BT_HISTOGRAM_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/tables/table.h"

struct histogram_table;

/* Whether ID contains the column of this index. */
bool histogram_table_has_key(const struct table_schema *schema, size_t index);

/* The name of the table of histograms; to be freed. */
char *histogram_table_name(const struct table_schema *schema);

/* The schema is borrowed. */
struct histogram_table *histogram_table_create(const struct table_schema *schema, unsigned int per_octave);
void histogram_table_destroy(struct histogram_table *table); /* NULL is allowed */

/* The schema of the histograms; lives as long as the table. */
const struct table_schema *histogram_table_schema(const struct histogram_table *table);

/*
 * The writer of `things`, which passes rows on to `rows` and writes their histograms to `histograms`. Both are
 * borrowed; either may be NULL.
 */
struct table_writer *histogram_table_insert(struct histogram_table *table, struct table_writer *rows,
					    struct table_writer *histograms);

#endif
