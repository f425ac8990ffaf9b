/* SPDX-License-Identifier: MIT */
#include "core/reports/merge/report_reader.h"

#include <math.h>
#include <string.h>

#include "core/base/int128.h"
#include "core/reports/merge/csv_rows.h"
#include "core/reports/merge/reported_histograms.h"
#include "core/statistics/duration_statistics.h"
#include "ros2bt/events/diagnostics.h"

#define NO_COLUMN (-1)
#define DIAGNOSTICS_FILE "diagnostics.csv"
#define MEAN_DIGIT_NS 0.0006 /* means are written with three digits */
#define DOUBLE_ERROR 1e-12

/* The columns of a statistic in the file. */
struct statistic_columns {
	int sum, min, mean, stddev, max, max_at;
};

/* A table being read. */
struct reading {
	const struct table_schema *schema;
	struct csv_rows *rows;			/* owned */
	struct reported_histograms *histograms; /* owned; NULL: the table has none */
	int *columns; /* owned; by column of the schema: its index in the file, or NO_COLUMN */
	struct statistic_columns *statistic_columns; /* owned; by column of the schema */
	struct cell *cells;			     /* owned; of a row */
	struct duration_statistics *statistics;	     /* owned; of a row, by column of the schema */
	struct arena *arena;			     /* owned; of the statistics */
	GString *key;				     /* owned; of the row */
};

static int find_statistic_column(const struct csv_rows *rows, const char *statistic, const char *function)
{
	g_autofree char *name = g_strdup_printf("%s_%s_ns", statistic, function);

	return csv_rows_find(rows, name);
}

static bool find_statistic(struct reading *reading, size_t index, GError **error)
{
	const char *name = reading->schema->columns[index].name;
	struct statistic_columns *found = &reading->statistic_columns[index];

	*found = (struct statistic_columns){
		.sum = find_statistic_column(reading->rows, name, "sum"),
		.min = find_statistic_column(reading->rows, name, "min"),
		.mean = find_statistic_column(reading->rows, name, "mean"),
		.stddev = find_statistic_column(reading->rows, name, "stddev"),
		.max = find_statistic_column(reading->rows, name, "max"),
		.max_at = find_statistic_column(reading->rows, name, "max_at"),
	};
	reading->columns[index] = found->max;
	if (found->max == NO_COLUMN) {
		return true; /* the report of an earlier version, which did not have it */
	}
	return (found->sum >= 0 && found->min >= 0 && found->mean >= 0 && found->stddev >= 0 && found->max_at >= 0) ||
	       csv_rows_refuse(reading->rows, error, "columns of %s are missing", name);
}

static bool find_columns(struct reading *reading, GError **error)
{
	const struct table_schema *schema = reading->schema;

	for (size_t i = 0; i < schema->column_count; i++) {
		const struct table_column *column = &schema->columns[i];

		if (column->format == COLUMN_STATISTIC) {
			if (!find_statistic(reading, i, error)) {
				return false;
			}
			continue;
		}
		reading->columns[i] = csv_rows_find(reading->rows, column->name);
		if (reading->columns[i] == NO_COLUMN && column->merge != COLUMN_MERGE_NONE) {
			return csv_rows_refuse(reading->rows, error, "no column `%s`", column->name);
		}
	}
	return true;
}

/* The cell as it was before it was written: a number or a text. */
static struct cell cell_of_name(const char *text)
{
	size_t length = strlen(text);
	bool is_number =
		length > 0 && length < 19 && strspn(text, "0123456789") == length && (text[0] != '0' || length == 1);

	if (length == 0) {
		return CELL_NONE;
	}
	return is_number ? cell_integer(g_ascii_strtoll(text, NULL, 10)) : cell_text(text);
}

static bool read_count(struct reading *reading, int column, const char *text, struct cell *cell, GError **error)
{
	uint64_t value;

	*cell = CELL_NONE;
	if (text[0] == '\0') {
		return true;
	}
	if (!csv_rows_unsigned(reading->rows, (size_t)column, text, &value, error)) {
		return false;
	}
	*cell = cell_unsigned(value);
	return true;
}

static bool read_totals(struct reading *reading, const struct statistic_columns *columns, const char *const *cells,
			struct duration_totals *totals, int64_t *longest_at_ns, GError **error)
{
	const struct csv_rows *rows = reading->rows;
	double mean_ns, stddev_ns = 0;
	int64_t sum_ns;

	if (!csv_rows_integer(rows, (size_t)columns->min, cells[columns->min], &totals->min_ns, error) ||
	    !csv_rows_integer(rows, (size_t)columns->max, cells[columns->max], &totals->max_ns, error) ||
	    !csv_rows_integer(rows, (size_t)columns->max_at, cells[columns->max_at], longest_at_ns, error) ||
	    !csv_rows_real(rows, (size_t)columns->mean, cells[columns->mean], &mean_ns, error)) {
		return false;
	}
	if (totals->count > 1 &&
	    !csv_rows_real(rows, (size_t)columns->stddev, cells[columns->stddev], &stddev_ns, error)) {
		return false;
	}
	if (cells[columns->sum][0] == '\0') {
		totals->sum_ns = int128_from_double(mean_ns * (double)totals->count); /* more than 64 bits */
	} else if (csv_rows_integer(rows, (size_t)columns->sum, cells[columns->sum], &sum_ns, error)) {
		totals->sum_ns = sum_ns;
	} else {
		return false;
	}
	totals->sum_of_squares_ns2 = duration_totals_squares(totals, stddev_ns);
	return true;
}

static bool is_in(const struct duration_bucket *bucket, int64_t duration_ns)
{
	return bucket->low_ns <= duration_ns && (duration_ns < bucket->high_ns || bucket->high_ns == INT64_MAX);
}

/* Whether the mean is that of so many samples, as far as its digits tell. */
static bool has_mean(const struct statistic_columns *columns, const char *const *cells,
		     const struct duration_totals *totals)
{
	double mean_ns = g_ascii_strtod(cells[columns->mean], NULL);
	double count = (double)totals->count, sum_ns = int128_to_double(totals->sum_ns);

	return fabs(sum_ns - mean_ns * count) <= count * MEAN_DIGIT_NS + fabs(sum_ns) * DOUBLE_ERROR;
}

static bool read_statistic(struct reading *reading, size_t index, const char *const *cells, GError **error)
{
	const struct statistic_columns *columns = &reading->statistic_columns[index];
	const char *name = reading->schema->columns[index].name;
	struct duration_statistics *statistic = &reading->statistics[index];
	struct reported_histogram histogram = reported_histograms_take(reading->histograms, reading->key->str, index);
	struct duration_totals totals = { .count = histogram.sample_count };
	int64_t longest_at_ns = 0;

	duration_statistics_init(statistic, reading->arena);
	reading->cells[index] = cell_statistic(statistic);
	if ((cells[columns->max][0] == '\0') != (totals.count == 0)) {
		return csv_rows_refuse(reading->rows, error, "%s and its histogram contradict each other", name);
	}
	if (totals.count == 0) {
		return true;
	}
	if (!read_totals(reading, columns, cells, &totals, &longest_at_ns, error)) {
		return false;
	}
	if (!is_in(&histogram.buckets[0], totals.min_ns) ||
	    !is_in(&histogram.buckets[histogram.bucket_count - 1], totals.max_ns) ||
	    !has_mean(columns, cells, &totals)) {
		return csv_rows_refuse(reading->rows, error, "%s and its histogram contradict each other", name);
	}
	duration_statistics_add_buckets(statistic, &totals, longest_at_ns, histogram.buckets, histogram.bucket_count,
					histogram.per_octave);
	return true;
}

static bool read_cell(struct reading *reading, size_t index, const char *const *cells, GError **error)
{
	const struct table_column *column = &reading->schema->columns[index];
	int at = reading->columns[index];

	reading->cells[index] = CELL_NONE;
	if (at == NO_COLUMN) {
		return true;
	}
	if (column->format == COLUMN_STATISTIC) {
		return read_statistic(reading, index, cells, error);
	}
	switch (column->merge) {
	case COLUMN_MERGE_KEY:
		reading->cells[index] = cell_of_name(cells[at]);
		return true;
	case COLUMN_MERGE_SUM:
	case COLUMN_MERGE_MAX:
		return read_count(reading, at, cells[at], &reading->cells[index], error);
	case COLUMN_MERGE_NONE:
		break;
	}
	return true;
}

/* The count in the column of this name; `otherwise` without one. */
static uint64_t count_in(const struct reading *reading, const char *name, uint64_t otherwise)
{
	int column = name ? table_find_column(reading->schema, name) : -1;

	return column >= 0 && reading->cells[column].type == CELL_UNSIGNED ? reading->cells[column].unsigned_integer
									   : otherwise;
}

/* Whether the statistics have as many samples as the row counts. */
static bool has_counts(struct reading *reading, GError **error)
{
	for (size_t i = 0; i < reading->schema->column_count; i++) {
		const struct table_column *column = &reading->schema->columns[i];
		uint64_t samples = column->counted_by && reading->cells[i].type == CELL_STATISTIC
					   ? duration_statistics_count(&reading->statistics[i])
					   : 0;
		uint64_t count = count_in(reading, column->counted_by, samples);

		if (samples > 0 && (samples > count || count - samples > count_in(reading, column->lacks, 0))) {
			return csv_rows_refuse(reading->rows, error, "%s and the histogram of %s contradict each other",
					       column->counted_by, column->name);
		}
	}
	return true;
}

/* False: there is no such column, or its cell is empty. */
static bool count_of(const struct reading *reading, enum column_meaning means, uint64_t *count)
{
	const struct cell *cell = table_find_meant(reading->schema, reading->cells, means, SIDE_NONE);

	*count = cell->type == CELL_UNSIGNED ? cell->unsigned_integer : 0;
	return cell->type == CELL_UNSIGNED;
}

/* Whether as many messages were sent as were received, lost, overwritten or have an unknown end. */
static bool adds_up(struct reading *reading, GError **error)
{
	uint64_t sent, received, lost, overwritten, unknown, sum;
	bool has_all = count_of(reading, MEANS_RECEIVED, &received);

	has_all &= count_of(reading, MEANS_LOST, &lost);	  /* empty where nothing proves a loss */
	(void)count_of(reading, MEANS_OVERWRITTEN, &overwritten); /* reports of before do not have it */
	if (!count_of(reading, MEANS_UNKNOWN, &unknown) || !count_of(reading, MEANS_SENT, &sent)) {
		return true;
	}
	sum = received + lost + overwritten + unknown;
	return (has_all ? sum == sent : sum <= sent) ||
	       csv_rows_refuse(reading->rows, error, "messages and what became of them contradict each other");
}

static bool read_row(struct reading *reading, const char *const *cells, GError **error)
{
	if (reading->histograms) {
		reported_histograms_key(reading->histograms, cells, reading->key);
	}
	for (size_t i = 0; i < reading->schema->column_count; i++) {
		if (!read_cell(reading, i, cells, error)) {
			return false;
		}
	}
	return has_counts(reading, error) && adds_up(reading, error);
}

/* How many recordings the row is of; 0: one, in a report that is not merged. */
static bool read_recordings(struct reading *reading, const char *const *cells, uint64_t *recordings, GError **error)
{
	int column = csv_rows_find(reading->rows, REPORT_RECORDINGS_COLUMN);

	*recordings = 0;
	return column < 0 || csv_rows_unsigned(reading->rows, (size_t)column, cells[column], recordings, error);
}

/* `recordings`: of the row that is being written, for the caller. */
static bool read_rows(struct reading *reading, struct table_writer *writer, uint64_t *recordings, GError **error)
{
	const char *const *cells;

	if (!find_columns(reading, error)) {
		return false;
	}
	while ((cells = csv_rows_next(reading->rows, error))) {
		if (!read_row(reading, cells, error) || !read_recordings(reading, cells, recordings, error)) {
			return false;
		}
		table_row(writer, reading->cells);
	}
	if (csv_rows_are_refused(reading->rows)) {
		return false;
	}
	if (reading->histograms && !reported_histograms_are_taken(reading->histograms)) {
		return csv_rows_refuse(reading->rows, error, "rows are missing: there are histograms without one");
	}
	return true;
}

static void reading_clear(struct reading *reading)
{
	csv_rows_close(reading->rows);
	reported_histograms_destroy(reading->histograms);
	g_free(reading->columns);
	g_free(reading->statistic_columns);
	g_free(reading->cells);
	g_free(reading->statistics);
	g_string_free(reading->key, TRUE);
	arena_destroy(reading->arena);
}

static bool read_table(const char *directory, const char *path, const struct table_schema *schema,
		       struct table_writer *writer, uint64_t *recordings, GError **error)
{
	struct reading reading = {
		.schema = schema,
		.rows = csv_rows_open(path, error),
		.columns = g_new0(int, schema->column_count),
		.statistic_columns = g_new0(struct statistic_columns, schema->column_count),
		.cells = g_new0(struct cell, schema->column_count),
		.statistics = g_new0(struct duration_statistics, schema->column_count),
		.key = g_string_new(NULL),
		.arena = arena_create(),
	};
	bool is_read = reading.rows != NULL;

	if (is_read && table_has_histograms(schema)) {
		reading.histograms = reported_histograms_read(directory, schema, reading.rows, error);
		is_read = reading.histograms != NULL;
	}
	is_read = is_read && read_rows(&reading, writer, recordings, error);
	reading_clear(&reading);
	return is_read;
}

/* Of a table that is missing. */
static bool has_no_histograms(const char *directory, const struct table_schema *schema, GError **error)
{
	g_autofree char *path = table_has_histograms(schema) ? reported_histograms_path(directory, schema) : NULL;

	if (!path || !g_file_test(path, G_FILE_TEST_EXISTS)) {
		return true;
	}
	g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "%s: the table of these histograms, %s.csv, is missing",
		    path, schema->name);
	return false;
}

bool report_reader_read(const char *directory, const struct table_schema *const *schemas, struct table_output *tables,
			uint64_t *recordings, GError **error)
{
	size_t table_count = 0;

	for (size_t i = 0; schemas[i]; i++) {
		g_autofree char *file = g_strconcat(schemas[i]->name, ".csv", NULL);
		g_autofree char *path = g_build_filename(directory, file, NULL);
		struct table_writer *writer = NULL;

		if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
			if (!has_no_histograms(directory, schemas[i], error)) {
				return false;
			}
			continue;
		}
		table_count++;
		writer = tables->open(tables, schemas[i]);
		if (writer && !read_table(directory, path, schemas[i], writer, recordings, error)) {
			return false;
		}
	}
	if (table_count == 0) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
			    "%s: %s; expected a directory that ros2-latency --format=csv --histograms --output wrote",
			    directory,
			    g_file_test(directory, G_FILE_TEST_IS_DIR)	 ? "no table of a report there"
			    : g_file_test(directory, G_FILE_TEST_EXISTS) ? "not a directory"
									 : "no such directory");
		return false;
	}
	return true;
}

/* --- what it says of itself --- */

static bool is_partial(const char *what)
{
	const struct diagnostic_kind *kind = diagnostic_kind_of_name(what);

	return kind && kind->severity == SEVERITY_PART;
}

char *report_reader_partial(const char *directory)
{
	g_autofree char *path = g_build_filename(directory, DIAGNOSTICS_FILE, NULL);
	struct csv_rows *rows = csv_rows_open(path, NULL);
	const char *const *cells;
	char *problem = NULL;
	int what, detail;

	if (!rows) {
		return NULL;
	}
	what = csv_rows_find(rows, "what");
	detail = csv_rows_find(rows, "detail");
	while (what >= 0 && !problem && (cells = csv_rows_next(rows, NULL)) != NULL) {
		if (is_partial(cells[what])) {
			problem = g_strdup_printf("%s: partial: %s%s%s", directory, cells[what],
						  detail >= 0 && cells[detail][0] != '\0' ? ": " : "",
						  detail >= 0 ? cells[detail] : "");
		}
	}
	csv_rows_close(rows);
	return problem;
}
