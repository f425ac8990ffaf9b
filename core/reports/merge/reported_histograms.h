/* SPDX-License-Identifier: MIT */
/*
 * The histograms of one table of a report (core/tables/histogram_table.h), by row and statistic. Memory: a few words
 * for each bucket.
 */
#ifndef ROS2BT_REPORTED_HISTOGRAMS_H
#define ROS2BT_REPORTED_HISTOGRAMS_H

#include <glib.h>
#include <stddef.h>

#include "core/reports/merge/csv_rows.h"
#include "core/statistics/duration_bucket.h"
#include "core/tables/table.h"

struct reported_histograms;

/* Of a table with statistics; to be freed. */
char *reported_histograms_path(const char *directory, const struct table_schema *schema);

/* The histograms of the table of this schema in the directory; `table` has its columns. NULL with an error. */
struct reported_histograms *reported_histograms_read(const char *directory, const struct table_schema *schema,
						     const struct csv_rows *table, GError **error);
void reported_histograms_destroy(struct reported_histograms *histograms); /* NULL is allowed */

struct reported_histogram {
	const struct duration_bucket *buckets; /* the smallest first */
	size_t bucket_count;
	uint64_t sample_count;	 /* 0: there is no histogram */
	unsigned int per_octave; /* all are whole buckets of a scale with this many an octave */
};

/* What identifies a row of the table, for the function below. */
void reported_histograms_key(const struct reported_histograms *histograms, const char *const *cells, GString *key);

/* Each can be taken once. `statistic`: its index in the schema. */
struct reported_histogram reported_histograms_take(struct reported_histograms *histograms, const char *key,
						   size_t statistic);

/* Whether all were taken: there is none without its row. */
bool reported_histograms_are_taken(const struct reported_histograms *histograms);

#endif
