/* SPDX-License-Identifier: MIT */
/*
 * How often each duration came, counted in log-linear buckets, 512 an octave, in little memory. Values of less than
 * 1024 ns have a bucket of their own; above, the middle of a bucket is at most 1/1024 from any value in it. Negative
 * values mirror the positive ones.
 *
 * Pages of 128 buckets are there from the first that was hit to the last, at most 512, of 16 bytes each. A few hits of
 * a page are listed; more have counters of 1, 2, 4 or 8 bytes as the largest needs. A series that spreads over a decade
 * takes about 3 KB, however long it gets. O(1) a duration; many at once are faster than one by one.
 */
#ifndef ROS2BT_DURATION_HISTOGRAM_H
#define ROS2BT_DURATION_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#define DURATION_HISTOGRAM_BATCH 64

struct duration_histogram;

struct duration_histogram *duration_histogram_create(void);
void duration_histogram_destroy(struct duration_histogram *histogram);

/* At most DURATION_HISTOGRAM_BATCH durations. */
void duration_histogram_add(struct duration_histogram *histogram, const int64_t *durations_ns, size_t count);

/* The value of the duration number `rank` (1 is the smallest): the middle of its bucket. */
__int128 duration_histogram_value_at(const struct duration_histogram *histogram, uint64_t rank);

/* The sum of the squared distances from `center_ns`, with the values of duration_histogram_value_at(). */
double duration_histogram_squared_distances(const struct duration_histogram *histogram, double center_ns);

#endif
