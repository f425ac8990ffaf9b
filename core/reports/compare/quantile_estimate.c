/* SPDX-License-Identifier: MIT */
#include "core/reports/compare/quantile_estimate.h"

#include <math.h>

#include "core/reports/compare/student_t.h"
#include "core/statistics/duration_bucket.h"

/* How finely the chance of two figures is divided between them. */
#define DIVISIONS 8

/* --- samples --- */

struct duration_bucket sample_buckets_at(const struct sample_buckets *of, double share)
{
	double rank = MAX(ceil(share * of->samples), 1), count = 0;

	for (guint i = 0; i + 1 < of->buckets->len; i++) {
		const struct duration_bucket *bucket = &g_array_index(of->buckets, struct duration_bucket, i);

		count += (double)bucket->count;
		if (count >= rank) {
			return *bucket;
		}
	}
	return g_array_index(of->buckets, struct duration_bucket, of->buckets->len - 1);
}

/* --- one quantile --- */

/* How many times more the share varies than that of independent samples would. */
static double inflation(const struct estimate *share, double samples)
{
	double independent = share->value * (1 - share->value) / samples;

	return share->value > 0 && share->value < 1 ? share->error * share->error / independent : 0;
}

struct quantile_estimate quantile_estimate_make(const struct sample_buckets *of, double quantile,
						const struct estimate *below, const struct estimate *up_to)
{
	struct quantile_estimate estimate = { .is_known = of->samples > 0, .quantile = quantile, .of = *of };
	struct duration_bucket bucket;

	if (estimate.is_known) {
		bucket = sample_buckets_at(of, quantile);
		estimate.value = (double)duration_bucket_middle(&bucket);
		estimate.inflation = MAX(1, MAX(inflation(below, of->samples), inflation(up_to, of->samples)));
		estimate.freedom = MIN(below->freedom, up_to->freedom);
	}
	return estimate;
}

/* Kullback and Leibler's divergence of one share from another. */
static double divergence(double share, double from)
{
	return (share > 0 ? share * log(share / from) : 0) +
	       (share < 1 ? (1 - share) * log((1 - share) / (1 - from)) : 0);
}

double quantile_share(double quantile, double independent_samples, double z)
{
	double near = quantile, far = z > 0 ? 1 : 0;

	for (int i = 0; i < 50; i++) {
		double middle = (near + far) / 2;

		if (2 * independent_samples * divergence(middle, quantile) < z * z) {
			near = middle;
		} else {
			far = middle;
		}
	}
	return near + (z > 0 ? 0.5 : -0.5) / independent_samples;
}

/* The quantile if chance is z standard deviations high or low; infinite if no sample is that far. */
static double value_by_chance(const struct quantile_estimate *estimate, double z)
{
	double share = quantile_share(estimate->quantile, estimate->of.samples / estimate->inflation, z);
	struct duration_bucket bucket;

	if (share < 0 || share > 1) {
		return z > 0 ? INFINITY : -INFINITY;
	}
	bucket = sample_buckets_at(&estimate->of, share);
	return (double)(z > 0 ? bucket.high_ns - 1 : bucket.low_ns);
}

struct interval quantile_interval(const struct quantile_estimate *estimate)
{
	double z = student_t(0.025, estimate->freedom);

	return (struct interval){ value_by_chance(estimate, -z), value_by_chance(estimate, z) };
}

/* --- changes --- */

struct end {
	double difference; /* infinite: there is no end */
	double percent;	   /* the same as a change; not of values that may not be positive */
};

/*
 * An end of the interval of a change, -1: the lower, 1: the upper one. Chance moves both figures apart, one more and
 * the other less, but not by more than z together.
 */
static struct end find_end(const struct quantile_estimate *base, const struct quantile_estimate *changed, double z,
			   double direction)
{
	struct end end = { .difference = -direction * INFINITY, .percent = -direction * INFINITY };

	for (int i = 0; i <= DIVISIONS; i++) {
		double angle = M_PI / 2 * i / DIVISIONS;
		double from = value_by_chance(base, -direction * z * cos(angle));
		double to = value_by_chance(changed, direction * z * sin(angle));
		double percent = from <= 0 ? INFINITY : isinf(from) ? -100 : 100 * (MAX(to, 0) / from - 1);

		if (direction * (to - from) > direction * end.difference) {
			end.difference = to - from;
		}
		if (direction * percent > direction * end.percent) {
			end.percent = percent;
		}
	}
	return end;
}

struct change quantile_change(const struct quantile_estimate *base, const struct quantile_estimate *changed,
			      double alpha)
{
	struct quantile_estimate wide[] = { *base, *changed };
	struct change change = {
		.is_known = base->is_known && changed->is_known, .percent = NAN, .low_percent = NAN, .high_percent = NAN
	};
	double z, low, high;
	size_t freedom;

	if (!change.is_known) {
		return change;
	}
	wide[0].inflation = wide[1].inflation = MAX(base->inflation, changed->inflation);
	/* the variance of a share */
	freedom = estimate_freedom(sqrt(base->inflation / base->of.samples), base->freedom,
				   sqrt(changed->inflation / changed->of.samples), changed->freedom);
	if (base->value > 0 && changed->value > 0) {
		z = student_t(0.025, freedom);
		change.percent = 100 * (changed->value / base->value - 1);
		change.low_percent = find_end(&wide[0], &wide[1], z, -1).percent;
		change.high_percent = find_end(&wide[0], &wide[1], z, 1).percent;
	}
	z = student_t(alpha / 2, freedom);
	low = find_end(&wide[0], &wide[1], z, -1).difference;
	high = find_end(&wide[0], &wide[1], z, 1).difference;
	change.is_decidable = !isinf(low) || !isinf(high);
	change.is_increase = changed->value > base->value;
	change.is_beyond_chance = low > 0 || high < 0;
	return change;
}
