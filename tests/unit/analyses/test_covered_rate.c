/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/analyses/shared/covered_rate.h"

#define MS INT64_C(1000000)

static double rate_hz(const struct covered_rate *rate)
{
	struct cell cell = covered_rate_cell(rate);

	cr_assert_eq(cell.type, CELL_REAL);
	return cell.real;
}

/* What was not recorded. */
struct gap {
	int64_t begin_ms, end_ms;
};

static const struct gap one_gap[] = { { 25, 95 }, { 0 } };
static const struct gap two_gaps[] = { { 25, 35 }, { 55, 95 }, { 0 } };

static bool is_whole(const void *data, int64_t from_ns, int64_t to_ns)
{
	for (const struct gap *gap = data; gap->end_ms > 0; gap++) {
		if (from_ns < gap->end_ms * MS && gap->begin_ms * MS < to_ns) {
			return false;
		}
	}
	return true;
}

/* Occurrences at these times, in this order; 0: the end. */
static struct covered_rate rate_of(const struct gap *gaps, const int64_t *times_ms)
{
	struct covered_rate rate = { 0 };

	for (; *times_ms > 0; times_ms++) {
		covered_rate_add(&rate, *times_ms * MS, is_whole, gaps);
	}
	return rate;
}

#define RATE_OF(gaps, ...) rate_of(gaps, (const int64_t[]){ __VA_ARGS__, 0 })

Test(covered_rate, no_period_lies_across_a_pause)
{
	struct covered_rate rate = RATE_OF(one_gap, 1, 11, 21, 101, 111, 121);

	cr_assert_float_eq(rate_hz(&rate), 100, 1e-6);
}

Test(covered_rate, those_behind_a_pause_may_come_in_another_order)
{
	struct covered_rate rate = RATE_OF(one_gap, 1, 11, 21, 121, 111, 101);

	cr_assert_float_eq(rate_hz(&rate), 100, 1e-6);
}

Test(covered_rate, those_before_a_pause_may_come_after_one_behind_it)
{
	struct covered_rate rate = RATE_OF(one_gap, 1, 101, 11, 21, 111);

	cr_assert_float_eq(rate_hz(&rate), 100, 1e-6);
}

Test(covered_rate, one_between_two_gaps_that_comes_behind_them_has_no_period_with_either_side)
{
	struct covered_rate rate = RATE_OF(two_gaps, 1, 11, 101, 41, 111);

	cr_assert_eq(rate.broken, 2);
	cr_assert_float_eq(rate_hz(&rate), 100, 1e-6);
}

Test(covered_rate, those_between_two_gaps_may_come_behind_them)
{
	struct covered_rate rate = RATE_OF(two_gaps, 1, 11, 21, 101, 41, 51, 111);

	cr_assert_eq(rate.broken, 2);
	cr_assert_float_eq(rate_hz(&rate), 100, 1e-6);
}

/* As doubles, times of these days are multiples of 256 ns. */
Test(covered_rate, is_exact_for_periods_of_microseconds)
{
	struct covered_rate rate = { 0 };

	covered_rate_add(&rate, 1700000000000000001, is_whole, one_gap);
	covered_rate_add(&rate, 1700000000000010001, is_whole, one_gap);
	cr_assert_float_eq(rate_hz(&rate), 100000, 1e-6);
}
