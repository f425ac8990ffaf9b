/* SPDX-License-Identifier: MIT */
/*
 * A quantile of a recording with its variation by chance, and its change.
 *
 * The interval of a quantile lies between two samples in order (order statistics): of n independent samples, the number
 * above the true quantile is binomial, so it is unlikely to be far from n (1 - quantile), whatever the distribution is.
 * That holds where a density does not exist: between two modes, or where one execution of a hundred is slow.
 *
 * n is the number of independent samples: that of all samples, divided by how many times more the share below the
 * quantile varies from block to block (estimate.h) than it would if samples were independent. Where even the largest of
 * n samples may be below the quantile by chance, the interval has no upper end.
 *
 * The bound is the number of samples at which the deviance, 2 n times the Kullback-Leibler divergence, reaches z², and
 * half a sample beyond it, since the number is whole. It is that of the binomial distribution within a few percent of
 * z.
 */
#ifndef ROS2BT_QUANTILE_ESTIMATE_H
#define ROS2BT_QUANTILE_ESTIMATE_H

#include <glib.h>

#include "core/reports/compare/estimate.h"

/* The samples of a side in buckets, the smallest first. */
struct sample_buckets {
	const GArray *buckets; /* struct duration_bucket; borrowed */
	double samples;
};

struct quantile_estimate {
	bool is_known; /* there are samples */
	double quantile, value;
	struct sample_buckets of;
	double inflation; /* samples for each independent one */
	size_t freedom;	  /* degrees of freedom of that number */
};

/* The bucket that holds this share of the samples, 0 … 1; there must be one. O(buckets). */
struct duration_bucket sample_buckets_at(const struct sample_buckets *of, double share);

/* `below`, `up_to`: the shares of samples below the bucket of the quantile, and up to its end. */
struct quantile_estimate quantile_estimate_make(const struct sample_buckets *of, double quantile,
						const struct estimate *below, const struct estimate *up_to);

/*
 * The share of samples that lies at the true quantile if chance is `z` standard deviations high or, if negative, low.
 * Beyond 0 … 1 if no sample is that far.
 */
double quantile_share(double quantile, double independent_samples, double z);

/* Of an estimate that is known. */
struct interval quantile_interval(const struct quantile_estimate *estimate);

/*
 * As change_between(), with the inflation of the side where it is larger. low_percent is -100 and high_percent is
 * infinite where the interval has no such end.
 */
struct change quantile_change(const struct quantile_estimate *base, const struct quantile_estimate *changed,
			      double alpha);

#endif
