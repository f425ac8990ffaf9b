/* SPDX-License-Identifier: MIT */
#include "core/reports/merge/reported_histograms.h"

#include <string.h>

#include "core/reports/merge/csv_rows.h"
#include "core/tables/histogram_table.h"
#include "core/tables/row_key.h"
#include "ros2bt/base/string_pool.h"

#define LARGEST_COUNT                                                                                                  \
	((uint64_t)1 << 62) /* of samples: more than can be recorded, but small enough for sums not to wrap */

/* Consecutive buckets of one series. */
struct series {
	guint first, count;
	uint64_t sample_count;
	unsigned int per_octave;
	bool is_found;
};

struct reported_histograms {
	struct string_pool *pool;  /* of the keys */
	GHashTable **by_statistic; /* key, of the pool → struct series *, owned */
	size_t statistic_count;	   /* columns of the schema, most of them none */
	size_t series_count, found_count;
	GArray *buckets;   /* struct duration_bucket */
	GArray *table_key; /* int: the columns of the table that identify a row */
};

/* The columns in the file. */
struct histogram_columns {
	GArray *key; /* int, in the order of `own_columns`; owned */
	int statistic, low, high, count;
};

/* Without it rows cannot be told apart. What else identifies a row may be gone: merged reports have no processes. */
static bool is_needed(const struct table_schema *schema, size_t index)
{
	return histogram_table_has_key(schema, index) &&
	       (schema->columns[index].merge == COLUMN_MERGE_KEY || schema->columns[index].id_of);
}

/* The key is what both tables have: names of the schema, and what a merge has added to them, such as attributes. */
static bool find_columns(struct reported_histograms *histograms, const struct csv_rows *rows,
			 const struct csv_rows *table, const struct table_schema *schema,
			 struct histogram_columns *columns, GError **error)
{
	bool is_complete = true;

	columns->statistic = csv_rows_find(rows, "statistic");
	columns->low = csv_rows_find(rows, "low_ns");
	columns->high = csv_rows_find(rows, "high_ns");
	columns->count = csv_rows_find(rows, "count");
	is_complete &= columns->statistic >= 0 && columns->low >= 0 && columns->high >= 0 && columns->count >= 0;
	for (int i = 0; is_complete && i < columns->statistic; i++) {
		int of_table = csv_rows_find(table, csv_rows_column_name(rows, (size_t)i));

		if (of_table >= 0) {
			g_array_append_val(columns->key, i);
			g_array_append_val(histograms->table_key, of_table);
		}
	}
	for (size_t i = 0; i < schema->column_count; i++) {
		is_complete &= !is_needed(schema, i) || csv_rows_find(rows, schema->columns[i].name) >= 0;
	}
	return is_complete || csv_rows_refuse(rows, error, "not a table of histograms of %s", schema->name);
}

/* The number of buckets an octave to which this one belongs; the finest for buckets of one duration; 0: impossible. */
static unsigned int buckets_per_octave(const struct duration_bucket *bucket)
{
	for (unsigned int per_octave = DURATION_BUCKETS_FINEST; per_octave > 0; per_octave /= 2) {
		struct duration_bucket expected = duration_bucket_of(bucket->low_ns, per_octave);

		if (expected.low_ns == bucket->low_ns && expected.high_ns == bucket->high_ns) {
			return per_octave;
		}
	}
	return 0;
}

static bool read_bucket(const struct csv_rows *rows, const struct histogram_columns *columns, const char *const *cells,
			struct duration_bucket *bucket, GError **error)
{
	if (!csv_rows_integer(rows, (size_t)columns->low, cells[columns->low], &bucket->low_ns, error) ||
	    !csv_rows_integer(rows, (size_t)columns->high, cells[columns->high], &bucket->high_ns, error) ||
	    !csv_rows_unsigned(rows, (size_t)columns->count, cells[columns->count], &bucket->count, error)) {
		return false;
	}
	if (buckets_per_octave(bucket) == 0 || bucket->count == 0 || bucket->count > LARGEST_COUNT) {
		return csv_rows_refuse(rows, error,
				       "%" G_GINT64_FORMAT " to %" G_GINT64_FORMAT ", %" G_GUINT64_FORMAT
				       " times, is no bucket",
				       bucket->low_ns, bucket->high_ns, bucket->count);
	}
	return true;
}

static int find_statistic(const struct table_schema *schema, const char *name)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		if (schema->columns[i].format == COLUMN_STATISTIC && strcmp(schema->columns[i].name, name) == 0) {
			return (int)i;
		}
	}
	return -1;
}

/* The series of a row: the last one if the row continues it, else a new one; NULL if the series had already ended. */
static struct series *series_of(struct reported_histograms *histograms, size_t statistic, const GString *key)
{
	GHashTable *by_key = histograms->by_statistic[statistic];
	struct series *series = g_hash_table_lookup(by_key, key->str);

	if (!series) {
		series = g_new0(struct series, 1);
		series->first = histograms->buckets->len;
		series->per_octave = DURATION_BUCKETS_FINEST;
		g_hash_table_insert(by_key, (gpointer)string_pool_intern(histograms->pool, key->str), series);
		histograms->series_count++;
	}
	return series->first + series->count == histograms->buckets->len ? series : NULL;
}

/* Whether the bucket lies above the one before. */
static bool is_above_last(const struct reported_histograms *histograms, const struct series *series,
			  const struct duration_bucket *bucket)
{
	return series->count == 0 ||
	       g_array_index(histograms->buckets, struct duration_bucket, histograms->buckets->len - 1).high_ns <=
		       bucket->low_ns;
}

static bool read_row(struct reported_histograms *histograms, const struct csv_rows *rows,
		     const struct table_schema *schema, const struct histogram_columns *columns,
		     const char *const *cells, GString *key, GError **error)
{
	int statistic = find_statistic(schema, cells[columns->statistic]);
	struct duration_bucket bucket;
	struct series *series;

	if (statistic < 0) {
		return true; /* the report of a later version */
	}
	if (!read_bucket(rows, columns, cells, &bucket, error)) {
		return false;
	}
	g_string_truncate(key, 0);
	for (guint i = 0; i < columns->key->len; i++) {
		row_key_append(key, cells[g_array_index(columns->key, int, i)]);
	}
	series = series_of(histograms, (size_t)statistic, key);
	if (!series || !is_above_last(histograms, series, &bucket)) {
		return csv_rows_refuse(rows, error, "the buckets of a histogram are not together, the smallest first");
	}
	if (series->sample_count + bucket.count > LARGEST_COUNT) {
		return csv_rows_refuse(rows, error, "more samples than anybody counts");
	}
	series->sample_count += bucket.count;
	series->per_octave = MIN(series->per_octave, buckets_per_octave(&bucket));
	series->count++;
	g_array_append_val(histograms->buckets, bucket);
	return true;
}

static bool read_rows(struct reported_histograms *histograms, struct csv_rows *rows, const struct table_schema *schema,
		      const struct histogram_columns *columns, GError **error)
{
	g_autoptr(GString) key = g_string_new(NULL);
	const char *const *cells;

	while ((cells = csv_rows_next(rows, error))) {
		if (!read_row(histograms, rows, schema, columns, cells, key, error)) {
			return false;
		}
	}
	return !csv_rows_are_refused(rows);
}

char *reported_histograms_path(const char *directory, const struct table_schema *schema)
{
	g_autofree char *name = histogram_table_name(schema);
	g_autofree char *file = g_strconcat(name, ".csv", NULL);

	return g_build_filename(directory, file, NULL);
}

struct reported_histograms *reported_histograms_read(const char *directory, const struct table_schema *schema,
						     const struct csv_rows *table, GError **error)
{
	g_autofree char *path = reported_histograms_path(directory, schema);
	struct histogram_columns columns = { .key = NULL };
	struct csv_rows *rows = csv_rows_open(path, error);
	struct reported_histograms *histograms;

	if (!rows) {
		g_prefix_error(error, "%s.csv has no histograms, which --histograms writes: ", schema->name);
		return NULL;
	}
	histograms = g_new0(struct reported_histograms, 1);
	histograms->pool = string_pool_create();
	histograms->buckets = g_array_new(FALSE, FALSE, sizeof(struct duration_bucket));
	histograms->statistic_count = schema->column_count;
	histograms->by_statistic = g_new0(GHashTable *, schema->column_count);
	for (size_t i = 0; i < schema->column_count; i++) {
		histograms->by_statistic[i] = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	}
	histograms->table_key = g_array_new(FALSE, FALSE, sizeof(int));
	columns.key = g_array_new(FALSE, FALSE, sizeof(int));
	if (!find_columns(histograms, rows, table, schema, &columns, error) ||
	    !read_rows(histograms, rows, schema, &columns, error)) {
		g_clear_pointer(&histograms, reported_histograms_destroy);
	}
	g_array_unref(columns.key);
	csv_rows_close(rows);
	return histograms;
}

void reported_histograms_destroy(struct reported_histograms *histograms)
{
	if (!histograms) {
		return;
	}
	for (size_t i = 0; i < histograms->statistic_count; i++) {
		g_hash_table_unref(histograms->by_statistic[i]);
	}
	g_free(histograms->by_statistic);
	g_array_unref(histograms->buckets);
	g_array_unref(histograms->table_key);
	string_pool_destroy(histograms->pool);
	g_free(histograms);
}

void reported_histograms_key(const struct reported_histograms *histograms, const char *const *cells, GString *key)
{
	g_string_truncate(key, 0);
	for (guint i = 0; i < histograms->table_key->len; i++) {
		row_key_append(key, cells[g_array_index(histograms->table_key, int, i)]);
	}
}

struct reported_histogram reported_histograms_take(struct reported_histograms *histograms, const char *key,
						   size_t statistic)
{
	struct series *series = g_hash_table_lookup(histograms->by_statistic[statistic], key);

	if (!series || series->is_found) {
		return (struct reported_histogram){ 0 };
	}
	series->is_found = true;
	histograms->found_count++;
	return (struct reported_histogram){
		.buckets = &g_array_index(histograms->buckets, struct duration_bucket, series->first),
		.bucket_count = series->count,
		.sample_count = series->sample_count,
		.per_octave = series->per_octave,
	};
}

bool reported_histograms_are_taken(const struct reported_histograms *histograms)
{
	return histograms->found_count == histograms->series_count;
}
