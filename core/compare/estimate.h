/* SPDX-License-Identifier: MIT */
/*
 * A figure of a recording with how much it varies by chance, and the change from one to another.
 *
 * Every figure is a ratio of two sums over blocks: the mean is sum / count, a rate events / seconds, a quantile the
 * value up to which the share of samples is the one asked for. Its standard error is that of the jackknife over blocks
 * (leave one out), widened where neighbouring blocks resemble each other (first autocorrelation r: by (1 + r) / (1 -
 * r)); that of a quantile is the error of its share, turned into a value by the distribution (Woodruff 1952).
 *
 * A change is that of the logarithms, or the difference where a figure is not positive. It is beyond chance if it is
 * farther from 0 than Student's t allows with the probability `alpha` of an error.
 */
#ifndef ROS2BT_ESTIMATE_H
#define ROS2BT_ESTIMATE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* A block: what is divided, by what; and whether the block before it in the array is before it in time. */
struct estimate_part {
	double dividend, divisor;
	bool follows;
};

struct estimate {
	bool is_known; /* there are parts with something in them */
	double value, error;
	size_t parts; /* with something in them */
};

struct estimate estimate_ratio(const struct estimate_part *parts, size_t count);

struct change {
	bool is_known;			  /* both figures are */
	double percent;			  /* NAN where there is none: a figure is not positive */
	double low_percent, high_percent; /* with 95 % certainty, of this figure alone */
	double distance;		  /* from no change, in standard errors */
	size_t freedom;			  /* degrees of it */
};

struct change change_between(const struct estimate *base, const struct estimate *changed);

/* Whether the change is beyond chance, with at most this probability of an error. */
bool change_is_beyond_chance(const struct change *change, double alpha);

/* Student's t with so many degrees of freedom: beyond what it is with the probability alpha on either side. */
double student_t(double alpha, size_t freedom);

#endif
