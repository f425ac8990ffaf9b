/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/statistics/duration_statistics.h"
#include "ros2bt/base/time_units.h"

static const double quantiles[] = { 0, 0.05, 0.5, 0.9, 0.99, 0.999, 1 };

static struct arena *arena;

static void setup(void)
{
	arena = arena_create();
}

static void teardown(void)
{
	arena_destroy(arena);
}

TestSuite(duration_statistics, .init = setup, .fini = teardown);

static int compare(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

/* In parts that fit 64 bits, which every machine converts to a long double. */
static long double mean_of(int128 sum, size_t count)
{
	int128 whole = sum / (int64_t)count, rest = sum % (int64_t)count;

	return (long double)(int64_t)(whole / 2) * 2 + (long double)(int64_t)(whole % 2) +
	       (long double)(int64_t)rest / (long double)count;
}

static double standard_deviation(const struct duration_statistics *statistics)
{
	struct duration_totals totals = duration_statistics_totals(statistics);

	return duration_statistics_standard_deviation_of(statistics, &totals);
}

/* All statistics of a series, against the sorted series itself. */
static void check_against_brute_force(GArray *durations)
{
	struct duration_statistics statistics;
	struct duration_totals totals;
	const int64_t *sorted = (const int64_t *)(void *)durations->data;
	size_t count = durations->len;
	int128 sum = 0;
	int64_t first = sorted[0];
	long double squares = 0, mean, mean_offset;

	duration_statistics_init(&statistics, arena);
	for (size_t i = 0; i < count; i++) {
		duration_statistics_add(&statistics, sorted[i], 0);
		sum += sorted[i];
	}
	mean = mean_of(sum, count);
	/* Relative to the first one, so that a long double holds it. */
	mean_offset = mean_of(sum - (int128)count * first, count);
	for (size_t i = 0; i < count; i++) {
		long double distance = (long double)(sorted[i] - first) - mean_offset;

		squares += distance * distance;
	}
	qsort(durations->data, count, sizeof(int64_t), compare);
	totals = duration_statistics_totals(&statistics);
	cr_assert_eq(totals.count, count);
	cr_assert_eq(totals.min_ns, sorted[0]);
	cr_assert_eq(totals.max_ns, sorted[count - 1]);
	cr_assert(totals.sum_ns == sum);
	cr_assert_float_eq(duration_statistics_mean(&statistics), (double)mean, fabsl(mean) * 1e-14 + 1e-9);
	if (count > 1) {
		double expected = (double)sqrtl(squares / (count - 1));

		cr_assert_float_eq(standard_deviation(&statistics), expected, expected * 1e-9 + 1e-9,
				   "%zu of about %ld: %g, not %g", count, (long)first, standard_deviation(&statistics),
				   expected);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(quantiles); i++) {
		size_t rank = (size_t)ceil(quantiles[i] * (double)count);
		int64_t exact = sorted[rank ? rank - 1 : 0];
		int64_t got = duration_statistics_quantile(&statistics, quantiles[i]);

		cr_assert_leq(fabs((double)got - (double)exact), 0.001 * fabs((double)exact), "%g of %zu: %ld, not %ld",
			      quantiles[i], count, (long)got, (long)exact);
	}
}

enum distribution {
	UNIFORM,
	EXPONENTIAL,
	ONE_OCTAVE,
	TWO_PEAKS,
	ALMOST_CONSTANT,
	AROUND_ZERO,
	ALL_MAGNITUDES,
	DISTRIBUTIONS
};

static int64_t draw(GRand *random, enum distribution distribution)
{
	double uniform = g_rand_double(random);

	switch (distribution) {
	case UNIFORM:
		return (int64_t)(uniform * 5e7);
	case EXPONENTIAL:
		return (int64_t)(-log1p(-uniform) * 2e5);
	case ONE_OCTAVE:
		return 6000 + (int64_t)(uniform * 300);
	case TWO_PEAKS:
		return uniform < 0.97 ? 1500 + (int64_t)(uniform * 100) : 900000000 + (int64_t)(uniform * 1e6);
	case ALMOST_CONSTANT:
		return 1700000000000000000 + (int64_t)(uniform * 100);
	case AROUND_ZERO:
		return (int64_t)((uniform - 0.5) * 1e6);
	default:
		return (int64_t)exp(uniform * 36) * (g_rand_boolean(random) ? 1 : -1);
	}
}

Test(duration_statistics, agrees_with_brute_force_over_many_distributions)
{
	static const size_t sizes[] = { 1, 2, 3, 10, 63, 64, 65, 100, 1000, 20000 };
	g_autoptr(GRand) random = g_rand_new_with_seed(7);

	for (int distribution = 0; distribution < DISTRIBUTIONS; distribution++) {
		for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
			g_autoptr(GArray) durations = g_array_new(FALSE, FALSE, sizeof(int64_t));

			for (size_t n = 0; n < sizes[i]; n++) {
				int64_t duration_ns = draw(random, (enum distribution)distribution);

				g_array_append_val(durations, duration_ns);
			}
			check_against_brute_force(durations);
		}
	}
}

Test(duration_statistics, counters_of_one_value_widen_without_loss)
{
	struct duration_statistics statistics;

	duration_statistics_init(&statistics, arena);
	for (int i = 0; i < 70000; i++) {
		duration_statistics_add(&statistics, 5000, 0);
	}
	for (int i = 0; i < 69999; i++) {
		duration_statistics_add(&statistics, 7000, 0);
	}
	cr_assert_float_eq((double)duration_statistics_quantile(&statistics, 0.5), 5000, 5);
	duration_statistics_add(&statistics, 7000, 0);
	duration_statistics_add(&statistics, 7000, 0);
	cr_assert_float_eq((double)duration_statistics_quantile(&statistics, 0.5), 7000, 7);
}

Test(duration_statistics, hostile_values_give_no_nonsense)
{
	struct duration_statistics statistics;
	struct duration_totals totals;

	duration_statistics_init(&statistics, arena);
	for (int i = 0; i < 1000; i++) {
		duration_statistics_add(&statistics, INT64_MIN, 0);
		duration_statistics_add(&statistics, INT64_MAX, 0);
	}
	totals = duration_statistics_totals(&statistics);
	cr_assert_eq(totals.min_ns, INT64_MIN);
	cr_assert_eq(totals.max_ns, INT64_MAX);
	cr_assert(totals.sum_ns == -1000);
	cr_assert_float_eq(duration_statistics_mean(&statistics), -0.5, 1e-9);
	cr_assert_float_eq(standard_deviation(&statistics) / 0x1p63, 1, 0.002);
	cr_assert_float_eq((double)duration_statistics_quantile(&statistics, 0.25) / -0x1p63, 1, 0.001);
	for (int i = 0; i < 2000; i++) {
		duration_statistics_add(&statistics, INT64_MAX, 0);
	}
	totals = duration_statistics_totals(&statistics);
	cr_assert(totals.sum_ns != (int64_t)totals.sum_ns, "a sum of more than 64 bits");
	cr_assert_eq(totals.max_ns, INT64_MAX);
}

Test(duration_statistics, deviation_is_exact_where_squares_exceed_128_bits)
{
	struct duration_statistics statistics;

	duration_statistics_init(&statistics, arena);
	for (int i = 0; i < 3000; i++) {
		duration_statistics_add(&statistics, INT64_MAX - i % 3, 0);
	}
	cr_assert_float_eq(standard_deviation(&statistics), sqrt(2000 / 2999.0), 1e-12);
}

Test(duration_statistics, a_decimal_quantile_means_its_nearest_rank)
{
	struct duration_statistics statistics;

	duration_statistics_init(&statistics, arena);
	for (int i = 1; i <= 100; i++) {
		duration_statistics_add(&statistics, i, 0);
	}
	for (int percent = 1; percent <= 100; percent++) {
		cr_assert_eq(duration_statistics_quantile(&statistics, percent / 100.0), percent);
		cr_assert_eq(duration_statistics_quantile(&statistics, percent * 0.01), percent);
	}
}

Test(duration_statistics, knows_when_the_longest_began_and_of_equal_ones_the_first)
{
	struct duration_statistics statistics;

	duration_statistics_init(&statistics, arena);
	for (int64_t at = 1000; at < 1000 + 3 * DURATION_STATISTICS_SAMPLES; at++) {
		duration_statistics_add(&statistics, at % 100, at);
	}
	cr_assert_eq(duration_statistics_totals(&statistics).max_ns, statistics.longest_ns);
	cr_assert_eq(statistics.longest_ns, 99);
	cr_assert_eq(statistics.longest_at_ns, 1099);
}

/* --- buckets and merging --- */

static struct duration_statistics statistics_of(const int64_t *durations_ns, size_t count)
{
	struct duration_statistics statistics;

	duration_statistics_init(&statistics, arena);
	for (size_t i = 0; i < count; i++) {
		duration_statistics_add(&statistics, durations_ns[i], (int64_t)i);
	}
	return statistics;
}

static GArray *draw_durations(enum distribution distribution, size_t count, guint32 seed)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(seed);
	GArray *durations = g_array_new(FALSE, FALSE, sizeof(int64_t));

	for (size_t i = 0; i < count; i++) {
		int64_t duration_ns = draw(random, distribution);

		g_array_append_val(durations, duration_ns);
	}
	return durations;
}

static GArray *buckets_of(const struct duration_statistics *statistics, unsigned int per_octave)
{
	GArray *buckets = g_array_new(FALSE, FALSE, sizeof(struct duration_bucket));

	duration_statistics_buckets(statistics, per_octave, buckets);
	return buckets;
}

static uint64_t samples_in(const GArray *durations, const struct duration_bucket *bucket)
{
	uint64_t count = 0;

	for (guint i = 0; i < durations->len; i++) {
		int64_t duration_ns = g_array_index(durations, int64_t, i);

		count += bucket->low_ns <= duration_ns && duration_ns < bucket->high_ns;
	}
	return count;
}

Test(duration_statistics, each_bucket_counts_the_samples_in_it)
{
	static const size_t sizes[] = { 0, 1, 5, 64, 65, 3000 };

	for (int distribution = 0; distribution < DISTRIBUTIONS; distribution++) {
		for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
			g_autoptr(GArray) durations = draw_durations((enum distribution)distribution, sizes[i], 5);
			struct duration_statistics statistics =
				statistics_of((const int64_t *)(void *)durations->data, sizes[i]);
			g_autoptr(GArray) buckets = buckets_of(&statistics, i % 2 ? 512 : 32);
			uint64_t count = 0;

			for (guint j = 0; j < buckets->len; j++) {
				const struct duration_bucket *bucket =
					&g_array_index(buckets, struct duration_bucket, j);

				cr_assert_eq(bucket->count, samples_in(durations, bucket));
				cr_assert(j == 0 || bucket[-1].high_ns <= bucket->low_ns);
				count += bucket->count;
			}
			cr_assert_eq(count, sizes[i]);
		}
	}
}

/* One bucket with more hits than counters and carries take at once. */
Test(duration_statistics, a_bucket_counts_any_number)
{
	static const struct duration_bucket parts[] = {
		{ 5, 6, 300 }, { 5, 6, 255 }, { 5, 6, UINT64_C(1) << 40 }, { 5, 6, UINT64_C(1) << 62 }, { 7, 8, 1000 },
	};
	const uint64_t fives = 555 + (UINT64_C(1) << 40) + (UINT64_C(1) << 62);
	struct duration_statistics statistics;
	g_autoptr(GArray) buckets = NULL;

	duration_statistics_init(&statistics, arena);
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		int64_t low_ns = parts[i].low_ns;
		struct duration_totals totals = { parts[i].count, low_ns, low_ns, (int128)parts[i].count * low_ns, 0 };

		duration_statistics_add_buckets(&statistics, &totals, 0, &parts[i], 1, 512);
	}
	buckets = buckets_of(&statistics, 512);
	cr_assert_eq(buckets->len, 2);
	cr_assert_eq(g_array_index(buckets, struct duration_bucket, 0).count, fives);
	cr_assert_eq(g_array_index(buckets, struct duration_bucket, 1).count, 1000);
	cr_assert_eq(duration_statistics_quantile(&statistics, 0.999), 5);
	cr_assert_eq(duration_statistics_quantile(&statistics, 1), 7);
}

static void check_same(const struct duration_statistics *merged, const struct duration_statistics *whole,
		       unsigned int per_octave)
{
	struct duration_totals totals = duration_statistics_totals(merged);
	struct duration_totals expected = duration_statistics_totals(whole);
	g_autoptr(GArray) buckets = buckets_of(merged, per_octave), expected_buckets = buckets_of(whole, per_octave);

	cr_assert_eq(totals.count, expected.count);
	cr_assert(totals.sum_ns == expected.sum_ns);
	cr_assert_eq(totals.min_ns, expected.min_ns);
	cr_assert_eq(totals.max_ns, expected.max_ns);
	cr_assert_eq(merged->longest_ns, whole->longest_ns);
	cr_assert_float_eq(standard_deviation(merged), standard_deviation(whole),
			   standard_deviation(whole) * 1e-9 + 1e-3);
	cr_assert_eq(buckets->len, expected_buckets->len);
	cr_assert_eq(memcmp(buckets->data, expected_buckets->data, buckets->len * sizeof(struct duration_bucket)), 0);
}

Test(duration_statistics, merged_parts_are_the_whole_in_any_order)
{
	static const size_t cuts[] = { 0, 3, 60, 100, 2000 };

	for (int distribution = 0; distribution < DISTRIBUTIONS; distribution++) {
		for (size_t i = 0; i < G_N_ELEMENTS(cuts); i++) {
			g_autoptr(GArray) durations = draw_durations((enum distribution)distribution, 2040, 11);
			const int64_t *samples = (const int64_t *)(void *)durations->data;
			struct duration_statistics whole = statistics_of(samples, durations->len);
			struct duration_statistics first = statistics_of(samples, cuts[i]);
			struct duration_statistics second = statistics_of(samples + cuts[i], durations->len - cuts[i]);
			struct duration_statistics forward, backward;

			duration_statistics_init(&forward, arena);
			duration_statistics_init(&backward, arena);
			duration_statistics_add_all(&forward, &first);
			duration_statistics_add_all(&forward, &second);
			duration_statistics_add_all(&backward, &second);
			duration_statistics_add_all(&backward, &first);
			check_same(&forward, &whole, 512);
			check_same(&backward, &whole, 512);
			cr_assert_eq(forward.longest_at_ns, backward.longest_at_ns);
		}
	}
}

/* What is left of it in a report: totals in numbers, and coarse buckets. */
static void add_as_reported(struct duration_statistics *statistics, const struct duration_statistics *part,
			    unsigned int per_octave)
{
	struct duration_totals totals = duration_statistics_totals(part);
	g_autoptr(GArray) buckets = buckets_of(part, per_octave);

	totals.sum_of_squares_ns2 = duration_totals_squares(&totals, standard_deviation(part));
	duration_statistics_add_buckets(statistics, &totals, part->longest_at_ns,
					(const struct duration_bucket *)(void *)buckets->data, buckets->len,
					per_octave);
}

Test(duration_statistics, parts_are_merged_from_their_totals_and_buckets_the_coarsest_decide)
{
	g_autoptr(GArray) durations = draw_durations(EXPONENTIAL, 5000, 13);
	const int64_t *samples = (const int64_t *)(void *)durations->data;
	struct duration_statistics whole = statistics_of(samples, 5000);
	struct duration_statistics parts[] = { statistics_of(samples, 40), statistics_of(samples + 40, 4960) };
	struct duration_statistics merged;
	int64_t median_ns, exact_ns = duration_statistics_quantile(&whole, 0.5);
	struct duration_bucket bucket = duration_bucket_of(exact_ns, 32);

	duration_statistics_init(&merged, arena);
	add_as_reported(&merged, &parts[0], 512);
	add_as_reported(&merged, &parts[1], 32);
	check_same(&merged, &whole, 32);
	check_same(&merged, &whole, 8);
	median_ns = duration_statistics_quantile(&merged, 0.5);
	cr_assert_eq(median_ns, duration_bucket_middle(&bucket));
	cr_assert_eq(duration_statistics_quantile(&merged, 1), duration_statistics_quantile(&whole, 1));
}

/* The memory of a series that is cleared serves the next one: it stays the same however often. */
Test(duration_statistics, a_cleared_series_begins_anew)
{
	struct duration_statistics series;
	const void *record = NULL;

	duration_statistics_init(&series, arena);
	duration_statistics_clear(&series);
	for (int round = 0; round < 100; round++) {
		for (int64_t i = 1; i <= 100000; i += 7) {
			duration_statistics_add(&series, i % 3 == 0 ? 5 : i * 1000, i);
		}
		cr_assert_eq(duration_statistics_totals(&series).count, 14286);
		cr_assert(record == NULL || record == series.record);
		record = series.record;
		duration_statistics_clear(&series);
		cr_assert_eq(duration_statistics_totals(&series).count, 0);
		cr_assert_eq(series.longest_ns, INT64_MIN);
	}
	duration_statistics_add(&series, 3, 0);
	cr_assert_eq(duration_statistics_quantile(&series, 1), 3);
}

/* Of the arena, since its last block. */
static size_t taken_since(const uint8_t *last, size_t last_size)
{
	return (size_t)((const uint8_t *)arena_take(arena, last_size) - (last + last_size));
}

/*
 * 2,000 durations from 20 to 80 µs; then two million from 8 µs to 0.5 ms, of which few are below 20 or above 80 µs, as
 * in a long series. The first ones take all memory that the series will need.
 */
Test(duration_statistics, a_series_of_a_recording_that_goes_on_takes_its_memory_at_first)
{
	const size_t block = 4160; /* of a size that nothing else has */
	struct duration_statistics series, copy;
	g_autoptr(GArray) durations = g_array_new(FALSE, FALSE, sizeof(int64_t));
	const uint8_t *last;

	arena_set_lasting(arena);
	duration_statistics_init(&series, arena);
	duration_statistics_init(&copy, arena);
	(void)arena_take(arena, 100000); /* the first chunk is small */
	for (int64_t i = 0; i < 2000; i++) {
		duration_statistics_add(&series, 20000 + i % 20 * 3000, i);
	}
	duration_statistics_add_all(&copy, &series);
	last = arena_take(arena, block);
	for (int64_t i = 0; i < 400000; i++) {
		int64_t duration_ns = i % 1000 == 0 ? 8000 + i / 40 : i % 1000 == 1 ? 80000 + i : 20000 + i % 20 * 3000;

		duration_statistics_add(&series, duration_ns, i);
		g_array_append_val(durations, duration_ns);
	}
	cr_assert_eq(taken_since(last, block), 0);
	duration_statistics_clear(&copy);
	last = arena_take(arena, block);
	duration_statistics_add_all(&copy, &series);
	cr_assert_eq(taken_since(last, block), 0, "a copy takes what the one before has given back");
	cr_assert_eq(duration_statistics_totals(&copy).count, 402000);
	for (size_t i = 0; i < G_N_ELEMENTS(quantiles); i++) {
		cr_assert_eq(duration_statistics_quantile(&copy, quantiles[i]),
			     duration_statistics_quantile(&series, quantiles[i]));
	}
	check_against_brute_force(durations);
}

/* The memory of a series of 2,000 durations from 20 to 80 µs, of which one in a hundred is this long. */
static size_t size_with_outliers(int64_t outlier_ns)
{
	const size_t block = 4160;
	struct duration_statistics series;
	const uint8_t *last = arena_take(arena, block);

	duration_statistics_init(&series, arena);
	for (int64_t i = 0; i < 2000; i++) {
		duration_statistics_add(&series, i % 100 == 0 ? outlier_ns : 20000 + i % 20 * 3000, i);
	}
	return taken_since(last, block);
}

/* 100 s are 20 octaves away: only those beside it are prepared, half a KB each. */
Test(duration_statistics, outliers_cost_what_is_near_them)
{
	size_t near, far;

	arena_set_lasting(arena);
	(void)arena_take(arena, 100000);
	near = size_with_outliers(50000);
	far = size_with_outliers(100 * NS_PER_S);
	cr_assert_leq(far, near + 6144, "%zu, %zu", near, far);
}

static void assert_same_sums(const struct duration_statistics *series, const struct duration_statistics *expected)
{
	struct duration_totals totals = duration_statistics_totals(series);
	struct duration_totals expected_totals = duration_statistics_totals(expected);

	cr_assert_eq(totals.count, expected_totals.count);
	cr_assert_eq(totals.max_ns, expected_totals.max_ns);
	cr_assert(totals.sum_ns == expected_totals.sum_ns);
	cr_assert_eq(duration_statistics_count(series), expected_totals.count);
	cr_assert_eq(series->longest_at_ns, expected->longest_at_ns);
}

/* `brief` is full until the other series has samples, and its histogram exists by then; `at_once` never is. */
Test(duration_statistics, a_brief_series_has_the_same_totals)
{
	g_autoptr(GArray) durations = draw_durations(0, 1000, 7);
	const int64_t *durations_ns = (const int64_t *)(void *)durations->data;
	struct duration_statistics full = statistics_of(durations_ns, durations->len), other, brief, at_once;

	duration_statistics_init(&other, arena);
	duration_statistics_init(&brief, arena);
	duration_statistics_init(&at_once, arena);
	duration_statistics_set_beside(&brief, &other);
	duration_statistics_set_beside(&at_once, &at_once);
	cr_assert_eq(duration_statistics_totals(&at_once).sum_ns, 0);
	for (size_t i = 0; i < durations->len; i++) {
		cr_assert_eq(duration_statistics_is_brief(&brief), i > 100);
		duration_statistics_add_briefly(&brief, durations_ns[i], (int64_t)i);
		duration_statistics_add_briefly(&at_once, durations_ns[i], (int64_t)i);
		if (i == 100) {
			duration_statistics_add(&other, 1, 0);
		}
	}
	assert_same_sums(&brief, &full);
	assert_same_sums(&at_once, &full);
}
