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

/* At 0, 10, 20 ms; then nothing is recorded until 95 ms; at 100, 110, 120 ms. */
static void add_until_pause(struct covered_rate *rate)
{
	for (int64_t ms = 0; ms <= 20; ms += 10) {
		covered_rate_add(rate, ms * MS, true);
	}
}

Test(covered_rate, no_period_lies_across_a_pause)
{
	struct covered_rate rate = { 0 };

	add_until_pause(&rate);
	covered_rate_add(&rate, 100 * MS, false);
	covered_rate_add(&rate, 110 * MS, true);
	covered_rate_add(&rate, 120 * MS, true);
	cr_assert_float_eq(rate_hz(&rate), 100, 1e-6);
}

Test(covered_rate, those_behind_a_pause_may_come_in_another_order)
{
	struct covered_rate rate = { 0 };

	add_until_pause(&rate);
	covered_rate_add(&rate, 120 * MS, false);
	covered_rate_add(&rate, 110 * MS, true);
	covered_rate_add(&rate, 100 * MS, true);
	cr_assert_float_eq(rate_hz(&rate), 100, 1e-6);
}

Test(covered_rate, those_before_a_pause_may_come_after_one_behind_it)
{
	struct covered_rate rate = { 0 };

	covered_rate_add(&rate, 0, true);
	covered_rate_add(&rate, 100 * MS, false);
	covered_rate_add(&rate, 10 * MS, false);
	covered_rate_add(&rate, 20 * MS, false);
	covered_rate_add(&rate, 110 * MS, true);
	cr_assert_float_eq(rate_hz(&rate), 100, 1e-6);
}
