/* SPDX-License-Identifier: MIT */
/*
 * A figure of a recording with its variation by chance, and the change from one figure to another.
 *
 * Every figure here is a quotient of two sums over blocks of time: the mean is sum / count, a rate is events / seconds,
 * the share below a value is the number below it / count (quantile_estimate.h makes quantiles of that).
 *
 * Neighbouring blocks may resemble each other: what is slow stays slow for a while. So the error is the largest of
 * several estimates: the jackknife over blocks (leave one out), widened by the first autocorrelation r of the blocks,
 * by (1 + r) / (1 - r); and the jackknife over blocks twice, four times, … as long, while there are
 * ESTIMATE_PARTS_MIN of them. The largest of estimates that scatter is rather too large than too small, and
 * the degrees of freedom are those of the longest blocks.
 *
 * `independent` says how many of the blocks count: n (1 - r) / (1 + r). Where these are few, the recording is too short
 * for how slowly the figure varies. Then no error that is computed from it can be relied on. Recordings that are blocks
 * have no neighbours; they are independent.
 */
#ifndef ROS2BT_ESTIMATE_H
#define ROS2BT_ESTIMATE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#define ESTIMATE_PARTS_MIN 8

/* A block: dividend and divisor, and whether the block before it in the array also precedes it in time. */
struct estimate_part {
	double dividend, divisor;
	bool follows;
};

struct estimate {
	bool is_known; /* some parts are not empty */
	double value, error;
	size_t parts;	    /* that are not empty */
	size_t freedom;	    /* degrees of freedom of the error */
	double weight;	    /* what the variance is inverse to: the sum of divisors, or the number of recordings */
	double independent; /* parts that vary independently; infinite if none follows another */
};

/* What a figure lies in with 95 % certainty. */
struct interval {
	double low, high; /* infinite: there is no such end; NAN: it is unknown */
};

/* O(count). */
struct estimate estimate_ratio(const struct estimate_part *parts, size_t count);

/* Of an estimate that is known; not below 0, where no figure here is that is above. */
struct interval estimate_interval(const struct estimate *estimate);

/* The degrees of freedom of the difference of two figures with these errors (Welch and Satterthwaite). */
size_t estimate_freedom(double error, size_t freedom, double other_error, size_t other_freedom);

struct change {
	bool is_known;			  /* both figures are known */
	bool is_decidable;		  /* a change could be large enough to be beyond chance */
	double percent;			  /* NAN if there is none: a figure is not positive */
	double low_percent, high_percent; /* with 95 % certainty, of this figure alone; NAN: none */
	bool is_beyond_chance;		  /* whether the change is, with at most the probability asked for */
	bool is_increase;
};

/*
 * `alpha`: the probability of an error. The change is the difference of the logarithms, or of the figures if one is not
 * positive. What varies on one side can vary on the other, where a short recording may by chance contain nothing of
 * what is rare and slow: the error is at least that of both sides with their common variance.
 */
struct change change_between(const struct estimate *base, const struct estimate *changed, double alpha);

#endif
