/* SPDX-License-Identifier: MIT */
/*
 * Counts durations in the buckets of core/statistics/duration_bucket.h, 512 per octave, in little memory: values below
 * 1024 ns have their own buckets; above, the middle of a bucket is within 1/1024 of every value in it.
 *
 * Each octave with durations has a counter of one byte per bucket, at most 57 KB for all octaves; the overflow of a
 * counter is carried over to a list. A series that spans a decade takes about 2 KB, and 8 bytes for each bucket with
 * more than 255 durations. As long as durations are few (128), they are a list of buckets of 2 bytes each: a large
 * system has many such series. In an arena of a recording that goes on (arena_set_lasting()), counters are
 * there from then on for all octaves from two below those of the first durations to three above: these are reached
 * sooner or later. Cost: O(1) per duration, O(log buckets) per carry.
 */
#ifndef ROS2BT_DURATION_HISTOGRAM_H
#define ROS2BT_DURATION_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/int128.h"
#include "core/statistics/histogram_carries.h"

/* Zeros, but for the arena, are one without durations. */
struct duration_histogram {
	struct arena *arena;	 /* borrowed; all that follows is in it */
	struct few_buckets *few; /* of all durations; NULL: there are octaves, or no durations */
	int32_t first;		 /* octave of octaves[0] */
	uint32_t octave_count;
	struct histogram_octave *octaves;
	struct histogram_carries carries; /* overflows of counters */
};

struct duration_histogram duration_histogram_copy(const struct duration_histogram *other, struct arena *arena);
void duration_histogram_clear(struct duration_histogram *histogram); /* gives its memory back */

/* Up to FEW_BUCKETS_MAX (few_buckets.h) at once. */
void duration_histogram_add(struct duration_histogram *histogram, const int64_t *durations_ns, size_t count);

/* Adds a duration `hits` times. */
void duration_histogram_add_hits(struct duration_histogram *histogram, int64_t duration_ns, uint64_t hits);

/* Adds all durations of another histogram, each as the middle of its bucket. */
void duration_histogram_add_all(struct duration_histogram *histogram, const struct duration_histogram *other);

/* Calls `take` with the middle and the number of hits of each bucket that was hit, the smallest first. */
void duration_histogram_each(const struct duration_histogram *histogram,
			     void (*take)(int64_t duration_ns, uint64_t hits, void *data), void *data);

/* The duration of a rank, from 1 (the smallest) to the number of durations: the middle of its bucket. */
int128 duration_histogram_value_at(const struct duration_histogram *histogram, uint64_t rank);

/* The sum of the squared distances from `center_ns`, with the values of duration_histogram_value_at(). */
double duration_histogram_squared_distances(const struct duration_histogram *histogram, double center_ns);

#endif
