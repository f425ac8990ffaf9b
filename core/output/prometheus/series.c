/* SPDX-License-Identifier: MIT */
#include "core/output/prometheus/series.h"

#include "core/statistics/duration_statistics.h"
#include "ros2bt/base/time_units.h"

const int64_t series_bounds_ns[SERIES_BOUNDS] = {
	100 * NS_PER_US, 250 * NS_PER_US, 500 * NS_PER_US, 1 * NS_PER_MS,  5 * NS_PER_MS / 2,
	5 * NS_PER_MS,	 10 * NS_PER_MS,  25 * NS_PER_MS,  50 * NS_PER_MS, 100 * NS_PER_MS,
	250 * NS_PER_MS, 500 * NS_PER_MS, 1 * NS_PER_S,	   10 * NS_PER_S,
};

static struct series_value counter_of(const struct cell *cell)
{
	switch (cell->type) {
	case CELL_INTEGER:
		return (struct series_value){ .is_known = true, .whole = cell->integer };
	case CELL_UNSIGNED:
		return (struct series_value){ .is_known = true, .whole = cell->unsigned_integer };
	case CELL_REAL:
		return (struct series_value){ .is_known = true, .real = cell->real };
	default:
		return (struct series_value){ .is_known = false };
	}
}

static struct series_value histogram_of(const struct cell *cell)
{
	g_autoptr(GArray) buckets = g_array_new(FALSE, FALSE, sizeof(struct duration_bucket));
	struct series_value value = { .is_known = false };
	struct duration_totals totals;
	size_t bound = 0;

	if (cell->type != CELL_STATISTIC) {
		return value;
	}
	totals = duration_statistics_totals(cell->statistic);
	value.is_known = totals.count > 0;
	value.count = totals.count;
	value.sum_ns = totals.count > 0 ? totals.sum_ns : 0;
	duration_statistics_buckets(cell->statistic, DURATION_BUCKETS_FINEST, buckets);
	for (guint i = 0; i < buckets->len; i++) {
		const struct duration_bucket *bucket = &g_array_index(buckets, struct duration_bucket, i);

		while (bound < SERIES_BOUNDS && duration_bucket_middle(bucket) > series_bounds_ns[bound]) {
			bound++;
		}
		if (bound == SERIES_BOUNDS) {
			break;
		}
		value.buckets[bound] += bucket->count;
	}
	return value;
}

struct series *series_create(const struct metrics *metrics, const struct cell *cells)
{
	struct series *series = g_new(struct series, 1);
	GString *labels = g_string_new(NULL), *hosts = g_string_new(NULL);

	metrics_append_labels(metrics, cells, false, labels);
	metrics_append_labels(metrics, cells, true, hosts);
	series->labels = g_string_free(labels, FALSE);
	series->hosts = g_string_free(hosts, FALSE);
	series->values = g_new(struct series_value, metrics->metrics->len);
	for (guint i = 0; i < metrics->metrics->len; i++) {
		const struct metric *metric = &g_array_index(metrics->metrics, struct metric, i);
		const struct cell *cell = &cells[metric->column];

		series->values[i] = metric->type == METRIC_HISTOGRAM ? histogram_of(cell) : counter_of(cell);
	}
	return series;
}

void series_destroy(struct series *series)
{
	g_free(series->labels);
	g_free(series->hosts);
	g_free(series->values);
	g_free(series);
}

/* A sum with an unknown count is unknown; a histogram without samples adds none. */
static void add_value(struct series_value *value, const struct series_value *other, bool is_histogram)
{
	value->is_known = is_histogram ? value->is_known || other->is_known : value->is_known && other->is_known;
	value->whole += other->whole;
	value->real += other->real;
	value->count += other->count;
	value->sum_ns += other->sum_ns;
	for (size_t i = 0; i < SERIES_BOUNDS; i++) {
		value->buckets[i] += other->buckets[i];
	}
}

void series_add(struct series *series, const struct series *other, const struct metrics *metrics)
{
	for (guint i = 0; i < metrics->metrics->len; i++) {
		const struct metric *metric = &g_array_index(metrics->metrics, struct metric, i);

		add_value(&series->values[i], &other->values[i], metric->type == METRIC_HISTOGRAM);
	}
}

bool series_is_idle(const struct series *series, const struct metrics *metrics)
{
	for (guint i = 0; i < metrics->metrics->len; i++) {
		const struct series_value *value = &series->values[i];

		if (value->whole != 0 || value->real != 0 || value->count != 0) {
			return false;
		}
	}
	return true;
}
