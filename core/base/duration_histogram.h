/* SPDX-License-Identifier: MIT */
/*
 * Counts durations in log-linear buckets, 512 per octave, in little memory. Values of less than
 * 1024 ns have a bucket of their own; above, the middle of a bucket is within 1/1024 of every value in it. Negative
 * values mirror the positive ones.
 *
 * Each octave that was hit has a counter of one byte for each of its buckets, at most 57 KB in all; a counter that
 * overflows is carried over to a list. A series that spans a decade therefore takes about 2 KB, however long it gets.
 * O(1) per duration, O(log buckets) per carry; adding many at once is faster than one by one.
 */
#ifndef ROS2BT_DURATION_HISTOGRAM_H
#define ROS2BT_DURATION_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"

#define DURATION_HISTOGRAM_BATCH 64

struct duration_histogram;

/* All its memory belongs to the arena. */
struct duration_histogram *duration_histogram_create(struct arena *arena);

/* At most DURATION_HISTOGRAM_BATCH durations. */
void duration_histogram_add(struct duration_histogram *histogram, const int64_t *all_ns, size_t all_count);

/* As often as `hits` a duration of the bucket of this one. */
void duration_histogram_add_hits(struct duration_histogram *histogram, int64_t duration_ns, uint64_t hits);

/* Calls `take` with the middle of each bucket that was hit, the smallest first. */
void duration_histogram_each(const struct duration_histogram *histogram,
			     void (*take)(int64_t duration_ns, uint64_t hits, void *data), void *data);

/* The value of the duration number `rank`, 1 (the smallest) to their number: the middle of its bucket. */
__int128 duration_histogram_value_at(const struct duration_histogram *histogram, uint64_t rank);

/* The sum of the squared distances from `center_ns`, with the values of duration_histogram_value_at(). */
double duration_histogram_squared_distances(const struct duration_histogram *histogram, double center_ns);

#endif
