/* SPDX-License-Identifier: MIT */
#include "core/statistics/duration_statistics.h"

#include <float.h>
#include <glib.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/base/memory_layout.h"
#include "core/statistics/duration_histogram.h"
#include "core/statistics/few_buckets.h"

/* Most series of a large system have few samples: they take two, then four cache lines, then all. */
#define FIRST_ROOM 15
#define SECOND_ROOM 31

/* Of a series with more samples than are stored. */
struct duration_sums {
	struct duration_totals totals; /* of the samples added to the totals */
	struct duration_histogram histogram;
	uint32_t counted;	 /* number of stored samples that are in the histogram, but not in the totals */
	unsigned int per_octave; /* buckets per octave, if some samples are only known by coarser buckets than those of
				    the histogram; else 0 */
};

_Static_assert(sizeof(struct duration_sums) <= 2 * CACHE_LINE, "a large system has thousands of them");
_Static_assert(DURATION_STATISTICS_SAMPLES <= FEW_BUCKETS_MAX, "they are added to a histogram at once");
_Static_assert(sizeof(struct duration_record) + FIRST_ROOM * sizeof(int64_t) <= 2 * CACHE_LINE,
	       "a short series takes two cache lines");
_Static_assert(sizeof(struct duration_record) + SECOND_ROOM * sizeof(int64_t) <= 4 * CACHE_LINE, "a longer one four");

void duration_statistics_init(struct duration_statistics *statistics, struct arena *arena)
{
	*statistics = (struct duration_statistics){ .arena = arena, .longest_ns = INT64_MIN };
}

uint64_t duration_statistics_count(const struct duration_statistics *statistics)
{
	const struct duration_record *record = statistics->record;

	if (duration_statistics_is_added_up(statistics)) {
		return statistics->count;
	}
	return (record && record->sums ? record->sums->totals.count : 0) + statistics->stored;
}

/* Adds the samples that are not in the histogram yet to it. */
static void count_samples(const struct duration_record *record, size_t sample_count)
{
	struct duration_sums *sums = record->sums;

	duration_histogram_add(&sums->histogram, record->samples + sums->counted, sample_count - sums->counted);
	sums->counted = (uint32_t)sample_count;
}

static struct duration_sums *make_sums(struct arena *arena)
{
	struct duration_sums *sums = arena_take(arena, sizeof(*sums));

	sums->histogram.arena = arena;
	return sums;
}

static size_t record_size(size_t room)
{
	return sizeof(struct duration_record) + room * sizeof(int64_t);
}

static void free_record(struct duration_statistics *statistics)
{
	struct duration_record *record = statistics->record;

	if (record) {
		if (record->sums) {
			duration_histogram_clear(&record->sums->histogram);
			arena_give(statistics->arena, record->sums, sizeof(*record->sums));
		}
		arena_give(statistics->arena, record, record_size(statistics->room));
	}
}

void duration_statistics_clear(struct duration_statistics *statistics)
{
	free_record(statistics);
	duration_statistics_init(statistics, statistics->arena);
}

/* The sum of DURATION_STATISTICS_SAMPLES samples up to this fits 64 bits. */
#define SHORT_NS (INT64_MAX / DURATION_STATISTICS_SAMPLES)

/* All but the largest one, which the series knows. */
static void add_samples(struct duration_totals *totals, const int64_t *samples, size_t count)
{
	uint128 sum_of_squares_ns2 = totals->sum_of_squares_ns2;
	int64_t min_ns = totals->min_ns;
	uint64_t sum_ns = 0;

#pragma GCC unroll 4
	for (size_t i = 0; i < count; i++) {
		min_ns = MIN(min_ns, samples[i]);
		sum_ns += (uint64_t)samples[i];
		sum_of_squares_ns2 += (uint128)((int128)samples[i] * samples[i]);
	}
	totals->count += count;
	totals->min_ns = min_ns;
	totals->sum_of_squares_ns2 = sum_of_squares_ns2;
	if (G_LIKELY(min_ns >= -SHORT_NS && totals->max_ns <= SHORT_NS)) {
		totals->sum_ns += (int64_t)sum_ns;
		return;
	}
	for (size_t i = 0; i < count; i++) {
		totals->sum_ns += samples[i];
	}
}

struct duration_totals duration_statistics_totals(const struct duration_statistics *statistics)
{
	const struct duration_record *record = statistics->record;
	struct duration_totals totals = { 0 };
	size_t count = statistics->stored;

	if (duration_statistics_is_added_up(statistics)) {
		totals.count = statistics->count;
		totals.max_ns = statistics->longest_ns;
		totals.sum_ns = statistics->sum_ns;
		return totals;
	}
	if (record && record->sums && record->sums->totals.count > 0) {
		totals = record->sums->totals;
	} else if (record && count > 0) {
		totals.min_ns = record->samples[0];
	}
	if (record && count > 0) {
		totals.max_ns = statistics->longest_ns;
		add_samples(&totals, record->samples, count);
	}
	return totals;
}

/* A brief series keeps no more than it needs; mostly it has no samples yet. */
static void add_up(struct duration_statistics *statistics)
{
	struct duration_totals totals = { 0 };

	if (statistics->record) {
		totals = duration_statistics_totals(statistics);
		free_record(statistics);
	}
	statistics->sum_ns = totals.sum_ns;
	statistics->count = totals.count;
	statistics->beside = statistics;
}

void duration_statistics_set_beside(struct duration_statistics *statistics, const struct duration_statistics *other)
{
	if (other == statistics) {
		add_up(statistics);
	}
	statistics->beside = other;
}

void duration_statistics_add_first(struct duration_statistics *statistics, int64_t duration_ns)
{
	if (duration_statistics_is_brief(statistics)) {
		add_up(statistics);
		statistics->sum_ns += duration_ns;
		statistics->count++;
	} else {
		duration_statistics_keep(statistics, duration_ns);
	}
}

static void work_up(struct duration_statistics *statistics)
{
	struct duration_record *record = statistics->record;
	struct duration_totals totals;

	g_assert(record);
	if (!record->sums) {
		record->sums = make_sums(statistics->arena);
	}
	/* they were not needed for a while: they are fetched while the samples are added up */
	__builtin_prefetch(record->sums->histogram.octaves);
	totals = duration_statistics_totals(statistics);
	count_samples(record, statistics->stored);
	record->sums->totals = totals;
	record->sums->counted = 0;
	statistics->stored = 0;
}

static void make_room(struct duration_statistics *statistics)
{
	uint32_t old = statistics->room;
	uint32_t room = old == 0 ? FIRST_ROOM : old < SECOND_ROOM ? SECOND_ROOM : DURATION_STATISTICS_SAMPLES;

	if (old == DURATION_STATISTICS_SAMPLES) {
		work_up(statistics);
		return;
	}
	statistics->record =
		arena_grow(statistics->arena, statistics->record, old > 0 ? record_size(old) : 0, record_size(room));
	statistics->room = room;
}

G_GNUC_NO_INLINE void duration_statistics_keep_more(struct duration_statistics *statistics, int64_t duration_ns)
{
	make_room(statistics);
	statistics->record->samples[statistics->stored++] = duration_ns;
}

/* By insertion: a third of the time of qsort() for DURATION_STATISTICS_SAMPLES, and hardly any once they are sorted. */
static void sort(int64_t *samples, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		int64_t sample = samples[i];
		size_t place = i;

		for (; place > 0 && samples[place - 1] > sample; place--) {
			samples[place] = samples[place - 1];
		}
		samples[place] = sample;
	}
}

static int64_t exact_value_at(struct duration_record *record, size_t count, uint64_t rank)
{
	sort(record->samples, count);
	return record->samples[rank - 1];
}

/* The value of a sample in the histogram: the middle of its bucket, or of the coarser bucket. */
static int128 middle_of_bucket(const struct duration_sums *sums, int128 value_ns)
{
	struct duration_bucket bucket;

	if (sums->per_octave == 0) {
		return value_ns;
	}
	bucket = duration_bucket_of((int64_t)CLAMP(value_ns, INT64_MIN, INT64_MAX), sums->per_octave);
	return duration_bucket_middle(&bucket);
}

static int128 value_at(const struct duration_statistics *statistics, uint64_t rank)
{
	struct duration_record *record = statistics->record;
	size_t count = statistics->stored;

	if (!record->sums) {
		return exact_value_at(record, count, rank);
	}
	count_samples(record, count);
	return middle_of_bucket(record->sums, duration_histogram_value_at(&record->sums->histogram, rank));
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
	return totals->count > 0 ? int128_mean(totals->sum_ns, totals->count) : 0;
}

double duration_statistics_mean(const struct duration_statistics *statistics)
{
	struct duration_totals totals = duration_statistics_totals(statistics);

	return duration_totals_mean(&totals);
}

/* Whether the sum of squared distances, at most count * range² / 4, is certain to be less than 2^128. */
static bool fits_128_bits(const struct duration_totals *totals)
{
	uint128 range_ns = (uint64_t)totals->max_ns - (uint64_t)totals->min_ns;
	uint128 bound;

	return !__builtin_mul_overflow(range_ns * range_ns, (uint128)totals->count / 4 + 1, &bound);
}

/*
 * With the mean m rounded down and the rest r = sum - n m, the sum of (x - m)² is Q - m (sum + r), and around the true
 * mean r²/n less. Modulo 2^128 this is exact even where Q itself has wrapped, because the result is known to fit.
 */
static double squared_distances(const struct duration_totals *totals)
{
	int128 count = totals->count;
	int128 mean_ns = totals->sum_ns / count - (totals->sum_ns % count < 0);
	int128 rest_ns = totals->sum_ns - count * mean_ns;
	uint128 around_floor =
		totals->sum_of_squares_ns2 - (uint128)mean_ns * ((uint128)totals->sum_ns + (uint128)rest_ns);

	return uint128_to_double(around_floor) -
	       int128_to_double(rest_ns) * (int128_to_double(rest_ns) / (double)totals->count);
}

/* The sum of squared distances of the values in the histogram. */
static double approximate_squared_distances(const struct duration_statistics *statistics, double center_ns)
{
	struct duration_record *record = statistics->record;
	size_t count = statistics->stored;
	double sum = 0;

	if (record->sums) {
		count_samples(record, count);
		return duration_histogram_squared_distances(&record->sums->histogram, center_ns);
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

/* --- buckets --- */

struct bucket_list {
	GArray *buckets; /* struct duration_bucket */
	guint first;	 /* index of the first bucket of this series */
	unsigned int per_octave;
};

/* To be called with the smallest duration first. */
static void add_to_list(int64_t duration_ns, uint64_t hits, void *data)
{
	struct bucket_list *list = data;
	struct duration_bucket bucket = duration_bucket_of(duration_ns, list->per_octave);
	struct duration_bucket *last =
		list->buckets->len > list->first
			? &g_array_index(list->buckets, struct duration_bucket, list->buckets->len - 1)
			: NULL;

	if (last && last->low_ns == bucket.low_ns) {
		last->count += hits;
		return;
	}
	bucket.count = hits;
	g_array_append_val(list->buckets, bucket);
}

void duration_statistics_buckets(const struct duration_statistics *statistics, unsigned int per_octave, GArray *buckets)
{
	struct duration_record *record = statistics->record;
	size_t count = statistics->stored;
	struct bucket_list list = { buckets, buckets->len, per_octave };

	if (duration_statistics_is_added_up(statistics) || !record) {
		return;
	}
	if (record->sums) {
		list.per_octave = record->sums->per_octave ? MIN(per_octave, record->sums->per_octave) : per_octave;
		count_samples(record, count);
		duration_histogram_each(&record->sums->histogram, add_to_list, &list);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		add_to_list(exact_value_at(record, count, i + 1), 1, &list);
	}
}

/* --- merging --- */

static void add_totals(struct duration_totals *totals, const struct duration_totals *other)
{
	if (other->count == 0) {
		return;
	}
	totals->min_ns = totals->count ? MIN(totals->min_ns, other->min_ns) : other->min_ns;
	totals->max_ns = totals->count ? MAX(totals->max_ns, other->max_ns) : other->max_ns;
	totals->count += other->count;
	totals->sum_ns += other->sum_ns;
	totals->sum_of_squares_ns2 += other->sum_of_squares_ns2;
}

/* (n - 1) s² + sum²/n. The square of a sum beyond 64 bits, which only hostile durations have, is not exact. */
uint128 duration_totals_squares(const struct duration_totals *totals, double standard_deviation_ns)
{
	uint128 sum_ns = totals->sum_ns < 0 ? -(uint128)totals->sum_ns : (uint128)totals->sum_ns;
	double distances_ns2;

	if (totals->count < 2) {
		return sum_ns * sum_ns;
	}
	distances_ns2 = (double)(totals->count - 1) * standard_deviation_ns * standard_deviation_ns;
	/* up to the largest double below 2^128 */
	distances_ns2 = distances_ns2 > 0 ? MIN(distances_ns2, 0x1.fffffffffffffp127) : 0;
	return uint128_from_double(distances_ns2 + 0.5) + sum_ns * sum_ns / totals->count;
}

/* Moves all samples to a histogram. */
static struct duration_sums *open_histogram(struct duration_statistics *statistics)
{
	if (!statistics->record) {
		make_room(statistics);
	}
	work_up(statistics);
	return statistics->record->sums;
}

static void keep_longest(struct duration_statistics *statistics, int64_t longest_ns, int64_t longest_at_ns)
{
	if (longest_ns > statistics->longest_ns) {
		statistics->longest_ns = longest_ns;
		statistics->longest_at_ns = longest_at_ns;
	} else if (longest_ns == statistics->longest_ns) {
		statistics->longest_at_ns = MIN(statistics->longest_at_ns, longest_at_ns);
	}
}

static void coarsen(struct duration_sums *sums, unsigned int per_octave)
{
	if (per_octave > 0 && per_octave < DURATION_BUCKETS_FINEST) {
		sums->per_octave = sums->per_octave ? MIN(sums->per_octave, per_octave) : per_octave;
	}
}

void duration_statistics_add_all(struct duration_statistics *statistics, const struct duration_statistics *other)
{
	struct duration_record *record = other->record;
	struct duration_totals totals = duration_statistics_totals(other);
	struct duration_sums *sums;

	if (totals.count == 0) {
		return;
	}
	keep_longest(statistics, other->longest_ns, other->longest_at_ns);
	if (!record->sums) {
		for (size_t i = 0; i < totals.count; i++) {
			duration_statistics_add(statistics, record->samples[i], 0);
		}
		return;
	}
	count_samples(record, other->stored);
	if (!statistics->record) {
		make_room(statistics);
		sums = statistics->record->sums = make_sums(statistics->arena);
		sums->histogram = duration_histogram_copy(&record->sums->histogram, statistics->arena);
	} else {
		sums = open_histogram(statistics);
		duration_histogram_add_all(&sums->histogram, &record->sums->histogram);
	}
	add_totals(&sums->totals, &totals);
	coarsen(sums, record->sums->per_octave);
}

void duration_statistics_add_buckets(struct duration_statistics *statistics, const struct duration_totals *totals,
				     int64_t longest_at_ns, const struct duration_bucket *buckets, size_t bucket_count,
				     unsigned int per_octave)
{
	struct duration_sums *sums;

	if (totals->count == 0) {
		return;
	}
	keep_longest(statistics, totals->max_ns, longest_at_ns);
	sums = open_histogram(statistics);
	add_totals(&sums->totals, totals);
	for (size_t i = 0; i < bucket_count; i++) {
		duration_histogram_add_hits(&sums->histogram, duration_bucket_middle(&buckets[i]), buckets[i].count);
	}
	coarsen(sums, per_octave);
}
