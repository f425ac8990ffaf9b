/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>
#include <math.h>

#include "core/compare/estimate.h"

#define PARTS 30

TestSuite(estimate);

Test(estimate, students_t_is_that_of_tables)
{
	cr_assert_float_eq(student_t(0.025, 1), 12.7062, 1e-3);
	cr_assert_float_eq(student_t(0.025, 2), 4.3027, 1e-3);
	cr_assert_float_eq(student_t(0.025, 10), 2.2281, 1e-3);
	cr_assert_float_eq(student_t(0.005, 29), 2.7564, 1e-3);
	cr_assert_float_eq(student_t(0.0005, 20), 3.8495, 1e-3);
	cr_assert_float_eq(student_t(0.025, 100000), 1.9600, 1e-3);
}

Test(estimate, a_ratio_is_that_of_the_sums)
{
	const struct estimate_part parts[] = { { 10, 2, false }, { 2, 1, true }, { 0, 0, true }, { 6, 3, true } };
	struct estimate estimate = estimate_ratio(parts, G_N_ELEMENTS(parts));

	cr_assert(estimate.is_known);
	cr_assert_float_eq(estimate.value, 3, 1e-12);
	cr_assert_eq(estimate.parts, 3);
	cr_assert_gt(estimate.error, 0);
	cr_assert_not(estimate_ratio(parts + 2, 1).is_known);
	cr_assert_not(estimate_ratio(parts, 0).is_known);
}

/* A normal variable (Box and Muller). */
static double normal(GRand *random)
{
	return sqrt(-2 * log(1 - g_rand_double(random))) * cos(2 * M_PI * g_rand_double(random));
}

/* Blocks of a mean, which resemble their neighbours by `resemblance`. */
static void draw(GRand *random, struct estimate_part *parts, double mean, double resemblance)
{
	double state = normal(random);

	for (size_t i = 0; i < PARTS; i++) {
		double count = 50 + g_rand_int_range(random, 0, 20);

		state = resemblance * state + sqrt(1 - resemblance * resemblance) * normal(random);
		parts[i] = (struct estimate_part){ count * mean * (1 + 0.1 * state), count, i > 0 };
	}
}

static double share_beyond_chance(double change_by, double resemblance, double alpha)
{
	GRand *random = g_rand_new_with_seed(7);
	int found = 0;

	for (int i = 0; i < 2000; i++) {
		struct estimate_part base[PARTS], changed[PARTS];
		struct estimate one, other;
		struct change change;

		draw(random, base, 5e6, resemblance);
		draw(random, changed, 5e6 * change_by, resemblance);
		one = estimate_ratio(base, PARTS);
		other = estimate_ratio(changed, PARTS);
		change = change_between(&one, &other);
		found += change_is_beyond_chance(&change, alpha);
	}
	g_rand_free(random);
	return found / 2000.0;
}

Test(estimate, chance_is_taken_for_a_change_as_rarely_as_asked)
{
	cr_assert_leq(share_beyond_chance(1, 0, 0.05), 0.06);
	cr_assert_leq(share_beyond_chance(1, 0, 0.01), 0.015);
	cr_assert_leq(share_beyond_chance(1, 0.3, 0.05), 0.09);
}

Test(estimate, a_change_is_found)
{
	cr_assert_geq(share_beyond_chance(1.1, 0, 0.01), 0.7);
	cr_assert_geq(share_beyond_chance(1.2, 0.3, 0.01), 0.95);
}

Test(estimate, a_change_has_its_percentage_and_both_bounds)
{
	struct estimate base = { true, 10e6, 1e5, 30 }, changed = { true, 11e6, 1e5, 30 };
	struct change change = change_between(&base, &changed);

	cr_assert_float_eq(change.percent, 10, 1e-9);
	cr_assert_lt(change.low_percent, 10);
	cr_assert_gt(change.low_percent, 5);
	cr_assert_gt(change.high_percent, 10);
	cr_assert(change_is_beyond_chance(&change, 0.001));
}

Test(estimate, what_is_not_positive_changes_by_its_difference)
{
	struct estimate none = { true, 0, 0, 30 }, some = { true, 0.1, 0.01, 30 };
	struct change change = change_between(&none, &some);

	cr_assert(isnan(change.percent));
	cr_assert(change_is_beyond_chance(&change, 0.001));
	change = change_between(&none, &none);
	cr_assert_not(change_is_beyond_chance(&change, 0.05));
}
