/* SPDX-License-Identifier: MIT */
/*
 * The tables of a recording in blocks of time: what each row shows in each of about BLOCKS_MAX parts of equal length.
 * Neighbouring samples of one recording are not independent (a slow moment is slow for many samples), but blocks nearly
 * are: their differences show how much a figure varies by chance.
 *
 * It is a table_output that a session writes to repeatedly, at the end of each block; a block is the difference of two
 * writes. Blocks are short at first, and pairs are joined whenever there are twice as many as are kept, since the
 * length of the recording is not known in advance.
 *
 * Rows are identified by their names (COLUMN_MERGE_KEY): rows with the same names are one. Rows of hidden names are
 * left out. Memory: blocks × rows × about 50 buckets of 16 bytes for each statistic.
 */
#ifndef ROS2BT_BLOCK_SERIES_H
#define ROS2BT_BLOCK_SERIES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/statistics/duration_bucket.h"
#include "core/tables/table.h"

#define BLOCKS_MAX 32
#define BLOCK_SHORTEST_NS (INT64_C(100) * 1000 * 1000)
#define BLOCK_BUCKETS 64 /* an octave */

struct block_series;

/* The total of a column of a row at the end of a block: of a count its value, of a statistic its buckets. */
struct block_mark {
	guint block; /* from 1; there is no mark before the row appears */
	double count, sum;
	GArray *buckets; /* struct duration_bucket, the smallest first; NULL of a count */
};

struct block_row {
	const struct table_schema *schema;
	char *name;	    /* the names of the row, for people */
	char *timeless_key; /* the key without the period of a timer; NULL: no name of the row is a period */
	GArray **marks; /* by column: struct block_mark, in order; NULL: the column is neither count nor statistic */
};

struct block_series *block_series_create(void);
void block_series_destroy(struct block_series *series); /* NULL is allowed */

/* Whether a table has names and statistics, and can be compared. */
bool block_series_takes(const struct table_schema *schema);

/* `chosen`: names of tables, ended by NULL; NULL: those that every recording has. Borrowed. */
struct table_output *block_series_tables(struct block_series *series, const char *const *chosen);

/* Whether a block has ended by now: then call block_series_end_block() and have the tables written. O(1). */
bool block_series_is_due(struct block_series *series, int64_t time_ns);
void block_series_end_block(struct block_series *series);
/* When the current block ends. */
int64_t block_series_due_ns(const struct block_series *series);

/* Before the tables are written for the last time. */
void block_series_finish(struct block_series *series, int64_t end_ns);

guint block_series_count(const struct block_series *series);
/* The length of a block; the last one is shorter than the others. */
double block_series_seconds(const struct block_series *series, guint block);

/* struct block_row * by a key that rows of different recordings share; borrowed. */
GHashTable *block_series_rows(const struct block_series *series);
/* That key; NULL if the row has a hidden name. Valid until the next call. */
const char *block_series_key(const struct block_series *series, const struct table_schema *schema,
			     const struct cell *cells);

#endif
