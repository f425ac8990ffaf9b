/* SPDX-License-Identifier: MIT */
/*
 * Durations in few digits, for drawing: the number of the bucket that holds a duration, with 2^bits buckets an octave
 * (core/statistics/duration_bucket.h). Numbers grow with durations; numbers below 2^(bits + 1) are the duration itself,
 * and negative ones mirror positive ones. durationOfBucket() in page/format.js is the inverse.
 */
#ifndef ROS2BT_PAGE_BUCKET_H
#define ROS2BT_PAGE_BUCKET_H

#include <stdint.h>

#define PAGE_SERIES_BITS 6    /* of a time series: within 0.8 % */
#define PAGE_HISTOGRAM_BITS 4 /* of a histogram: 16 bars an octave */

static inline int64_t page_bucket(int64_t duration_ns, unsigned int bits)
{
	uint64_t magnitude = duration_ns < 0 ? -(uint64_t)duration_ns : (uint64_t)duration_ns;
	unsigned int shift = (magnitude >> (bits + 1)) > 0 ? 63 - (unsigned int)__builtin_clzll(magnitude) - bits : 0;
	int64_t number = (int64_t)(((uint64_t)shift << bits) + (magnitude >> shift));

	return duration_ns < 0 ? -number : number;
}

#endif
