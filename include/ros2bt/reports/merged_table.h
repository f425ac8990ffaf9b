/* SPDX-License-Identifier: MIT */
/*
 * The rows of one table over several recordings: rows with the same names (COLUMN_MERGE_KEY) become one. Counts are
 * added, or the largest is kept; statistics are merged. An empty count is ignored, unless all are empty: then the
 * merged one is, too. The result depends neither on the order of the recordings nor on that of the rows.
 *
 * Memory: the rows with different names, whatever the number of recordings.
 */
#ifndef ROS2BT_MERGED_TABLE_H
#define ROS2BT_MERGED_TABLE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/statistics/duration_statistics.h"
#include "core/tables/table.h"

struct merged_table;

/* By column of the schema; columns that a merge leaves out are empty. */
struct merged_row {
	struct cell *cells;			/* names, counts, and statistics */
	struct duration_statistics *statistics; /* the statistics that cells point to */
	uint64_t recordings;			/* number of recordings that have the row */
	void *notes; /* for the reader of the table, NULL at first: allocated in the arena of the table */
};

/* The schema is borrowed. */
struct merged_table *merged_table_create(const struct table_schema *schema);
void merged_table_destroy(struct merged_table *table); /* NULL is allowed */

/* Takes the rows of one recording, see merged_table_end_recording(). */
struct table_writer *merged_table_writer(struct merged_table *table);

/* All further rows are those of another recording. */
void merged_table_end_recording(struct merged_table *table);

/*
 * *recordings is to tell of how many recordings the next row is that the writer takes, 0: of the recording at hand. For
 * reports that were merged.
 */
void merged_table_count_by(struct merged_table *table, const uint64_t *recordings);

/*
 * Adds a row of another table of the same schema. Returns the row that it is added to, valid until the table is
 * cleared.
 */
struct merged_row *merged_table_add(struct merged_table *table, const struct merged_row *row);

/* Moves all rows of `from`, which has the same schema and is empty afterwards, to the table. */
void merged_table_take(struct merged_table *table, struct merged_table *from);

size_t merged_table_column_count(const struct merged_table *table);
size_t merged_table_row_count(const struct merged_table *table);

void merged_table_clear(struct merged_table *table);

struct arena *merged_table_arena(const struct merged_table *table);

/* struct merged_row *, in the order of their names; valid until the table changes. The array is to be freed. */
GPtrArray *merged_table_rows(const struct merged_table *table);

#endif
