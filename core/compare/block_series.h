/* SPDX-License-Identifier: MIT */
/*
 * The tables of a recording in blocks of time: what each row showed in each of some BLOCKS_MAX equally long parts of
 * it. Neighbouring samples of one recording are not independent (a slow moment is slow for many of them), blocks nearly
 * are: their differences say how much a figure varies by chance.
 *
 * It is a table_output that a session writes to again and again, at the end of each block; a block is the difference of
 * two writes. Blocks begin short, and are joined by pairs whenever there are twice as many as are kept, since nobody
 * knows beforehand how long the recording is.
 *
 * Rows are known by their names (COLUMN_MERGE_KEY): those with the same are one. Rows of hidden names are left out.
 * Memory: blocks x rows x some 50 buckets of 16 bytes a statistic.
 */
#ifndef ROS2BT_BLOCK_SERIES_H
#define ROS2BT_BLOCK_SERIES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/duration_bucket.h"
#include "ros2bt/table.h"

#define BLOCKS_MAX 32
#define BLOCK_SHORTEST_NS (INT64_C(100) * 1000 * 1000)
#define BLOCK_BUCKETS 64 /* an octave */

struct block_series;

/* What a column of a row had come to at the end of a block: of a count its value, of a statistic its buckets. */
struct block_mark {
	guint block; /* from 1; none before the row appeared */
	double count, sum;
	GArray *buckets; /* struct duration_bucket, the smallest first; NULL of a count */
};

struct block_row {
	const struct table_schema *schema;
	char *name;	/* its names, for people */
	GArray **marks; /* by column: struct block_mark, in order; NULL: the column is neither count nor statistic */
};

struct block_series *block_series_create(void);
void block_series_destroy(struct block_series *series); /* NULL is allowed */

/* Whether a table has names and statistics, and can be compared. */
bool block_series_takes(const struct table_schema *schema);

/* `chosen`: names of tables, ended by NULL; NULL: those that every recording has. Borrowed. */
struct table_output *block_series_tables(struct block_series *series, const char *const *chosen);

/* Whether a block has ended by now: then block_series_end_block(), and have the tables written. O(1). */
bool block_series_is_due(struct block_series *series, int64_t time_ns);
void block_series_end_block(struct block_series *series);
/* When the block at hand ends. */
int64_t block_series_due_ns(const struct block_series *series);

/* Before the tables are written for the last time. */
void block_series_finish(struct block_series *series, int64_t end_ns);

guint block_series_count(const struct block_series *series);
/* From the beginning to the end of a block; the last one is shorter than the others. */
double block_series_seconds(const struct block_series *series, guint block);

/* struct block_row * by key, which rows of different recordings share; borrowed. */
GHashTable *block_series_rows(const struct block_series *series);

#endif
