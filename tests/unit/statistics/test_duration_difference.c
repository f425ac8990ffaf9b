/* SPDX-License-Identifier: MIT */
#include "core/statistics/duration_difference.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>

static struct arena *arena;
static struct duration_statistics now, before, gained, expected;
static GArray *scratch;

static void setup(void)
{
	arena = arena_create();
	scratch = g_array_new(FALSE, FALSE, sizeof(struct duration_bucket));
	duration_statistics_init(&now, arena);
	duration_statistics_init(&before, arena);
	duration_statistics_init(&gained, arena);
	duration_statistics_init(&expected, arena);
}

static void teardown(void)
{
	arena_destroy(arena);
	g_array_unref(scratch);
}

TestSuite(duration_difference, .init = setup, .fini = teardown);

static bool is_near(int64_t value, int64_t exact)
{
	return fabs((double)value - (double)exact) <= fabs((double)exact) / 500;
}

/* The window has what `expected` has. */
static void check_window(void)
{
	struct duration_totals exact = duration_statistics_totals(&expected), totals;

	cr_assert(duration_difference(&gained, &now, &before, scratch));
	totals = duration_statistics_totals(&gained);
	cr_assert_eq(totals.count, exact.count);
	cr_assert(totals.sum_ns == exact.sum_ns && totals.sum_of_squares_ns2 == exact.sum_of_squares_ns2);
	if (exact.count == 0) {
		return;
	}
	cr_assert(is_near(totals.min_ns, exact.min_ns), "%" PRId64 " %" PRId64, totals.min_ns, exact.min_ns);
	cr_assert(is_near(totals.max_ns, exact.max_ns), "%" PRId64 " %" PRId64, totals.max_ns, exact.max_ns);
	cr_assert(totals.max_ns <= exact.max_ns && totals.max_ns >= totals.min_ns);
	for (double quantile = 0; quantile <= 1; quantile += 0.125) {
		int64_t value = duration_statistics_quantile(&gained, quantile);

		cr_assert(is_near(value, duration_statistics_quantile(&expected, quantile)), "%g: %" PRId64, quantile,
			  value);
	}
}

/* Windows of a series, of many lengths; quantiles are asked for in between, which sorts samples. */
static void check_series(int64_t (*duration)(int64_t number))
{
	static const int64_t lengths[] = { 1, 0, 3, 6, 1, 50, 10, 200, 1, 1000, 0, 5000, 64, 64 };
	int64_t number = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(lengths); i++) {
		duration_statistics_clear(&expected);
		for (int64_t end = number + lengths[i]; number < end; number++) {
			duration_statistics_add(&now, duration(number), number);
			duration_statistics_add(&expected, duration(number), number);
		}
		(void)duration_statistics_quantile(&now, 0.5);
		check_window();
		duration_statistics_clear(&before);
		duration_statistics_add_all(&before, &now);
	}
}

static int64_t scattered(int64_t number)
{
	return (number * INT64_C(7919)) % 10007 * 997 - 1000000;
}

static int64_t falling(int64_t number)
{
	return 100000000 - number * 1000;
}

static int64_t equal(int64_t number)
{
	return 1234567;
}

Test(duration_difference, windows_of_series)
{
	check_series(scattered);
}

Test(duration_difference, windows_whose_longest_is_that_of_the_first)
{
	check_series(falling);
}

Test(duration_difference, windows_of_equal_durations)
{
	check_series(equal);
}

Test(duration_difference, the_longest_of_the_whole_is_exact_and_has_its_time)
{
	duration_statistics_add(&now, 1000003, 1);
	duration_statistics_add_all(&before, &now);
	duration_statistics_add(&now, 2000003, 7);
	cr_assert(duration_difference(&gained, &now, &before, scratch));
	cr_assert_eq(duration_statistics_totals(&gained).max_ns, 2000003);
	cr_assert_eq(gained.longest_at_ns, 7);
}

Test(duration_difference, when_a_shorter_one_began_is_unknown)
{
	duration_statistics_add(&now, 2000003, 1);
	duration_statistics_add_all(&before, &now);
	duration_statistics_add(&now, 1000003, 7);
	cr_assert(duration_difference(&gained, &now, &before, scratch));
	cr_assert_eq(gained.longest_at_ns, DURATION_TIME_UNKNOWN);
}

Test(duration_difference, another_series_has_no_difference)
{
	duration_statistics_add(&before, 1000, 1);
	duration_statistics_add(&before, 1000, 2);
	duration_statistics_add(&now, 1000, 1);
	cr_assert_not(duration_difference(&gained, &now, &before, scratch), "fewer samples");
	duration_statistics_add(&now, 2000, 1);
	duration_statistics_add(&now, 2000, 1);
	cr_assert_not(duration_difference(&gained, &now, &before, scratch), "more, but one of 1000 ns less");
	cr_assert_eq(duration_statistics_totals(&gained).count, 0);
}
