/* SPDX-License-Identifier: MIT */
/*
 * The buckets in which durations are counted, B per octave, where B is a power of two up to DURATION_BUCKETS_FINEST.
 * Each magnitude below 2 B ns has its own bucket; above, each octave is divided into B buckets of equal width, so the
 * middle of a bucket is within 1/(2 B) of every duration in it. Negative durations mirror the positive ones.
 *
 * Buckets nest: a bucket of a coarser scale consists of whole buckets of a finer one, so counts of both can be added.
 */
#ifndef ROS2BT_DURATION_BUCKET_H
#define ROS2BT_DURATION_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

#define DURATION_BUCKETS_FINEST 512

/* low_ns <= duration < high_ns, except that the last bucket includes its end, INT64_MAX. */
struct duration_bucket {
	int64_t low_ns, high_ns;
	uint64_t count;
};

/* Whether a number of buckets per octave is valid. */
bool duration_buckets_are_allowed(uint64_t per_octave);

/* The bucket of a duration, with a count of 0. */
struct duration_bucket duration_bucket_of(int64_t duration_ns, unsigned int per_octave);

/* The order of buckets, the smallest first, for g_array_sort() and qsort(). */
int duration_bucket_compare(const void *a, const void *b);

/* The middle of a whole bucket of any scale; of the two middle values, the one of larger magnitude. */
int64_t duration_bucket_middle(const struct duration_bucket *bucket);

#endif
