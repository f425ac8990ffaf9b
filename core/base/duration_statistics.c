/* SPDX-License-Identifier: MIT */
#include "ros2bt/duration_statistics.h"

#include <float.h>
#include <glib.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/duration_histogram.h"

#define FIRST_ROOM 4 /* most series of a large system have few samples */

struct duration_record {
	struct duration_totals totals;	      /* of the samples added to the totals */
	struct duration_histogram *histogram; /* NULL as long as there is room for all samples */
	size_t counted;			      /* of the samples here: in the histogram, but not in the totals */
	size_t sorted;			      /* of the samples here, if there is no histogram */
	size_t room;
	int64_t samples[]; /* not yet added to the totals */
};

_Static_assert(DURATION_STATISTICS_SAMPLES <= DURATION_HISTOGRAM_BATCH, "all samples are counted at once");

void duration_statistics_init(struct duration_statistics *statistics, struct arena *arena)
{
	*statistics = (struct duration_statistics){ .arena = arena, .longest_ns = INT64_MIN };
}

static size_t sample_count(const struct duration_statistics *statistics)
{
	return statistics->record ? (size_t)(statistics->next - statistics->record->samples) : 0;
}

/* Counts the samples that are not in the histogram yet. */
static void count_samples(struct duration_record *record, size_t sample_count)
{
	duration_histogram_add(record->histogram, record->samples + record->counted, sample_count - record->counted);
	record->counted = sample_count;
}

static void work_up(struct duration_statistics *statistics)
{
	struct duration_record *record = statistics->record;

	if (!record->histogram) {
		record->histogram = duration_histogram_create(statistics->arena);
	}
	count_samples(record, sample_count(statistics));
	record->totals = duration_statistics_totals(statistics);
	record->counted = 0;
	statistics->next = record->samples;
}

static size_t record_size(size_t room)
{
	return sizeof(struct duration_record) + room * sizeof(int64_t);
}

void duration_statistics_make_room(struct duration_statistics *statistics)
{
	struct duration_record *record = statistics->record;
	size_t count = sample_count(statistics), room;

	if (count == DURATION_STATISTICS_SAMPLES) {
		work_up(statistics);
		return;
	}
	room = record ? DURATION_STATISTICS_SAMPLES : FIRST_ROOM;
	record = arena_grow(statistics->arena, record, record ? record_size(record->room) : 0, record_size(room));
	record->room = room;
	statistics->record = record;
	statistics->next = record->samples + count;
	statistics->end = record->samples + record->room;
}

static void add_to_totals(struct duration_totals *totals, int64_t duration_ns)
{
	unsigned __int128 magnitude_ns = duration_ns < 0 ? -(uint64_t)duration_ns : (uint64_t)duration_ns;

	totals->count++;
	totals->min_ns = MIN(totals->min_ns, duration_ns);
	totals->max_ns = MAX(totals->max_ns, duration_ns);
	totals->sum_ns += duration_ns;
	totals->sum_of_squares_ns2 += magnitude_ns * magnitude_ns;
}

struct duration_totals duration_statistics_totals(const struct duration_statistics *statistics)
{
	const struct duration_record *record = statistics->record;
	struct duration_totals totals = { 0 };
	size_t count = sample_count(statistics);

	if (record && record->totals.count > 0) {
		totals = record->totals;
	} else if (count > 0) {
		totals.min_ns = totals.max_ns = record->samples[0];
	}
	for (size_t i = 0; i < count; i++) {
		add_to_totals(&totals, record->samples[i]);
	}
	return totals;
}

static int compare_durations(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

static int64_t exact_value_at(struct duration_record *record, size_t count, uint64_t rank)
{
	if (record->sorted != count) {
		qsort(record->samples, count, sizeof(*record->samples), compare_durations);
		record->sorted = count;
	}
	return record->samples[rank - 1];
}

static __int128 value_at(const struct duration_statistics *statistics, uint64_t rank)
{
	struct duration_record *record = statistics->record;
	size_t count = sample_count(statistics);

	if (!record->histogram) {
		return exact_value_at(record, count, rank);
	}
	count_samples(record, count);
	return duration_histogram_value_at(record->histogram, rank);
}

int64_t duration_statistics_quantile_of(const struct duration_statistics *statistics,
					const struct duration_totals *totals, double quantile)
{
	double rank;

	if (totals->count == 0) {
		return 0;
	}
	/* The intended decimal fraction may be one rounding below: 0.07 of 100 is the 7th sample, not the 8th. */
	rank = ceil(quantile * (double)totals->count * (1 - DBL_EPSILON));
	if (!(rank > 1)) {
		return totals->min_ns;
	}
	if (rank >= (double)totals->count) {
		return totals->max_ns;
	}
	return (int64_t)CLAMP(value_at(statistics, (uint64_t)rank), totals->min_ns, totals->max_ns);
}

int64_t duration_statistics_quantile(const struct duration_statistics *statistics, double quantile)
{
	struct duration_totals totals = duration_statistics_totals(statistics);

	return duration_statistics_quantile_of(statistics, &totals, quantile);
}

double duration_totals_mean(const struct duration_totals *totals)
{
	__int128 count = totals->count;
	__int128 whole_ns, rest_ns;

	if (count == 0) {
		return 0;
	}
	whole_ns = totals->sum_ns / count;
	rest_ns = totals->sum_ns % count;
	return (double)whole_ns + (double)rest_ns / (double)count;
}

double duration_statistics_mean(const struct duration_statistics *statistics)
{
	struct duration_totals totals = duration_statistics_totals(statistics);

	return duration_totals_mean(&totals);
}

/* Whether the sum of squared distances, at most count * range² / 4, is certain to be less than 2^128. */
static bool fits_128_bits(const struct duration_totals *totals)
{
	unsigned __int128 range_ns = (uint64_t)totals->max_ns - (uint64_t)totals->min_ns;
	unsigned __int128 bound;

	return !__builtin_mul_overflow(range_ns * range_ns, (unsigned __int128)totals->count / 4 + 1, &bound);
}

/*
 * With the mean m rounded down and the rest r = sum - n m, the sum of (x - m)² is Q - m (sum + r), and around the true
 * mean r²/n less. Modulo 2^128 this is exact even where Q itself has wrapped, because the result is known to fit.
 */
static double squared_distances(const struct duration_totals *totals)
{
	__int128 count = totals->count;
	__int128 mean_ns = totals->sum_ns / count - (totals->sum_ns % count < 0);
	__int128 rest_ns = totals->sum_ns - count * mean_ns;
	unsigned __int128 around_floor =
		totals->sum_of_squares_ns2 -
		(unsigned __int128)mean_ns * ((unsigned __int128)totals->sum_ns + (unsigned __int128)rest_ns);

	return (double)around_floor - (double)rest_ns * ((double)rest_ns / (double)totals->count);
}

/* That of the values as they are known. */
static double approximate_squared_distances(const struct duration_statistics *statistics, double center_ns)
{
	struct duration_record *record = statistics->record;
	size_t count = sample_count(statistics);
	double sum = 0;

	if (record->histogram) {
		count_samples(record, count);
		return duration_histogram_squared_distances(record->histogram, center_ns);
	}
	for (size_t i = 0; i < count; i++) {
		double distance_ns = (double)record->samples[i] - center_ns;

		sum += distance_ns * distance_ns;
	}
	return sum;
}

double duration_statistics_standard_deviation_of(const struct duration_statistics *statistics,
						 const struct duration_totals *totals)
{
	double sum;

	if (totals->count < 2) {
		return 0;
	}
	sum = fits_128_bits(totals) ? squared_distances(totals)
				    : approximate_squared_distances(statistics, duration_totals_mean(totals));
	return sqrt(MAX(sum, 0) / (double)(totals->count - 1));
}

double duration_statistics_standard_deviation(const struct duration_statistics *statistics)
{
	struct duration_totals totals = duration_statistics_totals(statistics);

	return duration_statistics_standard_deviation_of(statistics, &totals);
}
