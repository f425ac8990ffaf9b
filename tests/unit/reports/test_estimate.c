/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>
#include <math.h>

#include "core/reports/compare/estimate.h"

#define PARTS 30

TestSuite(estimate);

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
		change = change_between(&one, &other, alpha);
		found += change.is_beyond_chance;
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
	cr_assert_geq(share_beyond_chance(1.12, 0, 0.01), 0.7);
	cr_assert_geq(share_beyond_chance(1.2, 0.3, 0.01), 0.95);
}

static struct estimate figure(double value, double error, double weight)
{
	return (struct estimate){
		.is_known = true, .value = value, .error = error, .parts = 30, .freedom = 29, .weight = weight
	};
}

Test(estimate, a_change_has_its_percentage_and_both_bounds)
{
	struct estimate base = figure(10e6, 1e5, 30), changed = figure(11e6, 1e5, 30);
	struct change change = change_between(&base, &changed, 0.001);

	cr_assert_float_eq(change.percent, 10, 1e-9);
	cr_assert_lt(change.low_percent, 10);
	cr_assert_gt(change.low_percent, 5);
	cr_assert_gt(change.high_percent, 10);
	cr_assert(change.is_beyond_chance);
	cr_assert(change.is_increase);
}

Test(estimate, what_is_not_positive_changes_by_its_difference)
{
	struct estimate none = figure(0, 0, 30), some = figure(0.1, 0.01, 30);
	struct change change = change_between(&none, &some, 0.001);

	cr_assert(isnan(change.percent));
	cr_assert(change.is_beyond_chance);
	change = change_between(&none, &none, 0.05);
	cr_assert_not(change.is_beyond_chance);
}

Test(estimate, what_resembles_its_neighbours_counts_less)
{
	GRand *random = g_rand_new_with_seed(3);
	double independent = 0, resembling = 0;

	for (int i = 0; i < 100; i++) {
		struct estimate_part parts[PARTS];

		draw(random, parts, 5e6, 0);
		independent += estimate_ratio(parts, PARTS).independent / 100;
		draw(random, parts, 5e6, 0.8);
		resembling += estimate_ratio(parts, PARTS).independent / 100;
	}
	cr_assert_gt(independent, 0.75 * PARTS);
	cr_assert_lt(resembling, 0.35 * PARTS);
	g_rand_free(random);
}

Test(estimate, the_error_is_that_of_long_blocks_where_they_differ_more)
{
	struct estimate_part parts[32];
	struct estimate alternating, slow;

	for (int i = 0; i < 32; i++) {
		parts[i] = (struct estimate_part){ i % 2 ? 11 : 9, 1, i > 0 };
	}
	alternating = estimate_ratio(parts, 32);
	for (int i = 0; i < 32; i++) {
		parts[i].dividend = i % 8 < 4 ? 11 : 9;
	}
	slow = estimate_ratio(parts, 32);
	cr_assert_float_eq(alternating.value, slow.value, 1e-12);
	cr_assert_gt(slow.error, 1.9 * alternating.error);
	cr_assert_eq(slow.freedom, 7);
}

Test(estimate, recordings_have_no_neighbours)
{
	const struct estimate_part parts[] = { { 10, 2, false }, { 2, 1, false }, { 6, 3, false } };
	struct estimate estimate = estimate_ratio(parts, G_N_ELEMENTS(parts));

	cr_assert(isinf(estimate.independent));
	cr_assert_eq(estimate.freedom, 2);
}

Test(estimate, a_short_recording_that_varies_little_is_not_trusted)
{
	struct estimate calm = figure(1, 1e-6, 30), varying = figure(1.05, 0.012, 300);
	struct change change = change_between(&calm, &varying, 0.05);

	cr_assert_not(change.is_beyond_chance);
	cr_assert_lt(change.low_percent, 1);
	/* the other way round, the long one is known well enough */
	calm.weight = 3000;
	change = change_between(&calm, &varying, 0.05);
	cr_assert(change.is_beyond_chance);
}
