/* SPDX-License-Identifier: MIT */
/*
 * A figure of a recording with its variation by chance, and the change from one figure to another.
 *
 * Every figure is a quotient of two sums over blocks: the mean is sum / count, a rate is events / seconds, a quantile
 * is the value below which the requested share of samples lies. Its standard error is that of the jackknife over blocks
 * (leave one out), widened if neighbouring blocks resemble each other (with the first autocorrelation r, by (1 + r) /
 * (1 - r)). The error of a quantile is the error of its share, turned into a value by the distribution (Woodruff 1952).
 *
 * A change is the difference of the logarithms, or of the figures if one is not positive. It is beyond chance if it is
 * farther from 0 than Student's t allows with the probability `alpha` of an error.
 */
#ifndef ROS2BT_ESTIMATE_H
#define ROS2BT_ESTIMATE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* A block: dividend and divisor, and whether the block before it in the array also precedes it in time. */
struct estimate_part {
	double dividend, divisor;
	bool follows;
};

struct estimate {
	bool is_known; /* some parts are not empty */
	double value, error;
	size_t parts; /* that are not empty */
};

struct estimate estimate_ratio(const struct estimate_part *parts, size_t count);

struct change {
	bool is_known;			  /* both figures are known */
	double percent;			  /* NAN if there is none: a figure is not positive */
	double low_percent, high_percent; /* with 95 % certainty, of this figure alone */
	double distance;		  /* from no change, in standard errors */
	size_t freedom;			  /* degrees of freedom of the distance */
};

struct change change_between(const struct estimate *base, const struct estimate *changed);

/* Whether the change is beyond chance, with at most this probability of an error. */
bool change_is_beyond_chance(const struct change *change, double alpha);

/* The value that Student's t exceeds on either side with the probability alpha, with this many degrees of freedom. */
double student_t(double alpha, size_t freedom);

#endif
