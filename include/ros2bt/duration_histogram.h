/* SPDX-License-Identifier: MIT */
/*
 * How often each duration came, kept in little memory: the first DURATION_HISTOGRAM_SAMPLES as they are, then counts in
 * log-linear buckets, 512 an octave. Values of less than 1024 ns have a bucket of their own; above, the middle of a
 * bucket is at most 1/1024 from any value in it. Negative values mirror the positive ones.
 *
 * Pages of 128 buckets are there from the first that was hit to the last, at most 512, of 16 bytes each. A few hits of a
 * page are listed; more have counters of 1, 2, 4 or 8 bytes as the largest needs. A series that spreads over a decade
 * takes about 3 KB, however long it gets. Samples are counted DURATION_HISTOGRAM_SAMPLES at a time, and before something
 * is asked; a sample is O(1).
 */
#ifndef ROS2BT_DURATION_HISTOGRAM_H
#define ROS2BT_DURATION_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#define DURATION_HISTOGRAM_SAMPLES 64

struct duration_histogram;

struct duration_histogram *duration_histogram_create(void);
void duration_histogram_destroy(struct duration_histogram *histogram);

void duration_histogram_add(struct duration_histogram *histogram, int64_t duration_ns);

/* The value of the sample number `rank` (1 is the smallest); what is no exact sample is the middle of its bucket. */
__int128 duration_histogram_value_at(struct duration_histogram *histogram, uint64_t rank);

/* The sum of the squared distances from `center_ns`, with the values of duration_histogram_value_at(). */
double duration_histogram_squared_distances(struct duration_histogram *histogram, double center_ns);

#endif
