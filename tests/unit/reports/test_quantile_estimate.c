/* SPDX-License-Identifier: MIT */
#include "core/reports/compare/quantile_estimate.h"

#include <criterion/criterion.h>
#include <math.h>

#include "core/statistics/duration_bucket.h"

TestSuite(quantile_estimate);

/* The number above a quantile that binomial tables give for two-sided 5 %, and 0.05 %. */
Test(quantile_estimate, shares_are_binomial)
{
	/* median of 100: ranks 40 and 61 */
	cr_assert_float_eq(100 * quantile_share(0.5, 100, -1.96), 39.8, 0.6);
	cr_assert_float_eq(100 * quantile_share(0.5, 100, 1.96), 60.2, 0.6);
	/* p99 of 3000: 30 are above; Poisson: P(X <= 19) = 0.022, P(X >= 42) = 0.022, P(X <= 13) = 0.0003 */
	cr_assert_float_eq(3000 * (1 - quantile_share(0.99, 3000, 1.96)), 19, 1);
	cr_assert_float_eq(3000 * (1 - quantile_share(0.99, 3000, -1.96)), 42, 1);
	cr_assert_float_eq(3000 * (1 - quantile_share(0.99, 3000, 3.4)), 13, 1);
}

/* P(nothing is above the p99 of 300) = 0.05. */
Test(quantile_estimate, few_samples_have_no_bound)
{
	cr_assert_gt(quantile_share(0.99, 300, 1.96), 1);
	cr_assert_leq(quantile_share(0.99, 300, 1.5), 1);
	cr_assert_lt(quantile_share(0.5, 4, -1.96), 0);
}

static const GArray *buckets_of(const struct duration_bucket *buckets, guint count)
{
	GArray *array = g_array_new(FALSE, FALSE, sizeof(*buckets));

	return g_array_append_vals(array, buckets, count);
}

static struct quantile_estimate estimate_of(uint64_t low, uint64_t high, double inflation)
{
	const struct duration_bucket buckets[] = { { 1000, 1010, low }, { 8000, 8080, high } };
	struct sample_buckets of = { buckets_of(buckets, 2), (double)(low + high) };
	double share = (double)low / of.samples;
	struct estimate edge = { .is_known = true,
				 .value = share,
				 .error = sqrt(inflation * share * (1 - share) / of.samples),
				 .freedom = 30 };
	struct estimate all = { .is_known = true, .value = 1, .freedom = 30 },
			none = { .is_known = true, .freedom = 30 };
	bool is_low = 2 * low >= low + high;

	return quantile_estimate_make(&of, 0.5, is_low ? &none : &edge, is_low ? &edge : &all);
}

Test(quantile_estimate, the_median_of_two_modes_is_either)
{
	struct quantile_estimate low = estimate_of(510, 490, 1), high = estimate_of(490, 510, 1);
	struct change change = quantile_change(&low, &high, 0.05);

	cr_assert_eq(low.value, 1005);
	cr_assert_eq(high.value, 8040);
	cr_assert_gt(change.percent, 600);
	cr_assert_leq(change.low_percent, 0);
	cr_assert(change.is_decidable);
	cr_assert_not(change.is_beyond_chance);
}

Test(quantile_estimate, modes_that_change_places_are_a_change)
{
	struct quantile_estimate low = estimate_of(700, 300, 1), high = estimate_of(300, 700, 1);
	struct change change = quantile_change(&low, &high, 0.001), back = quantile_change(&high, &low, 0.001);

	cr_assert(change.is_beyond_chance);
	cr_assert(change.is_increase);
	cr_assert(back.is_beyond_chance);
	cr_assert_not(back.is_increase);
}

Test(quantile_estimate, dependent_samples_count_less)
{
	struct quantile_estimate low = estimate_of(700, 300, 100), high = estimate_of(300, 700, 100);
	struct change change = quantile_change(&low, &high, 0.001);

	cr_assert_float_eq(low.inflation, 100, 1e-6);
	cr_assert_not(change.is_beyond_chance);
}
