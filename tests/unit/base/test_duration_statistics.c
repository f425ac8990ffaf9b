/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>
#include <math.h>
#include <stdlib.h>

#include "ros2bt/duration_statistics.h"

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

/* All statistics of a series, against the sorted series itself. */
static void check_against_brute_force(GArray *durations)
{
	struct duration_statistics statistics;
	struct duration_totals totals;
	const int64_t *sorted = (const int64_t *)(void *)durations->data;
	size_t count = durations->len;
	__int128 sum = 0;
	int64_t first = sorted[0];
	long double squares = 0, mean, mean_offset;

	duration_statistics_init(&statistics, arena);
	for (size_t i = 0; i < count; i++) {
		duration_statistics_add(&statistics, sorted[i], 0);
		sum += sorted[i];
	}
	mean = (long double)sum / count;
	/* Relative to the first one, so that a long double holds it. */
	mean_offset = (long double)(sum - (__int128)count * first) / count;
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

		cr_assert_float_eq(duration_statistics_standard_deviation(&statistics), expected,
				   expected * 1e-9 + 1e-9, "%zu of about %ld: %g, not %g", count, (long)first,
				   duration_statistics_standard_deviation(&statistics), expected);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(quantiles); i++) {
		size_t rank = (size_t)ceil(quantiles[i] * (double)count);
		int64_t exact = sorted[rank ? rank - 1 : 0];
		int64_t got = duration_statistics_quantile(&statistics, quantiles[i]);

		cr_assert_leq(fabs((double)got - (double)exact), 0.001 * fabs((double)exact), "%g of %zu: %ld, not %ld",
			      quantiles[i], count, (long)got, (long)exact);
	}
}

enum distribution { UNIFORM, EXPONENTIAL, TWO_PEAKS, ALMOST_CONSTANT, AROUND_ZERO, ALL_MAGNITUDES, DISTRIBUTIONS };

static int64_t draw(GRand *random, enum distribution distribution)
{
	double uniform = g_rand_double(random);

	switch (distribution) {
	case UNIFORM:
		return (int64_t)(uniform * 5e7);
	case EXPONENTIAL:
		return (int64_t)(-log1p(-uniform) * 2e5);
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
	cr_assert_float_eq(duration_statistics_standard_deviation(&statistics) / 0x1p63, 1, 0.002);
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
	cr_assert_float_eq(duration_statistics_standard_deviation(&statistics), sqrt(2000 / 2999.0), 1e-12);
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
