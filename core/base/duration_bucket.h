/* SPDX-License-Identifier: MIT */
/*
 * The buckets in which durations are counted: B an octave, B a power of two up to DURATION_BUCKETS_FINEST. Magnitudes
 * below 2 B have a bucket of their own; from there on each doubling is cut into B buckets of the same width, so that
 * the middle of a bucket is within 1/(2 B) of every duration in it. Negative durations mirror the positive ones.
 *
 * Buckets nest: one of few buckets an octave is made of whole ones of more. So counts of both can be added.
 */
#ifndef ROS2BT_DURATION_BUCKET_H
#define ROS2BT_DURATION_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

#define DURATION_BUCKETS_FINEST 512

/* Half open: low_ns <= duration < high_ns. The last one ends with INT64_MAX, which is in it. */
struct duration_bucket {
	int64_t low_ns, high_ns;
	uint64_t count;
};

/* Whether there may be so many buckets an octave. */
bool duration_buckets_are_allowed(uint64_t per_octave);

/* The bucket that a duration is in, with a count of 0. */
struct duration_bucket duration_bucket_of(int64_t duration_ns, unsigned int per_octave);

/* Orders buckets, the smallest first: for g_array_sort() and qsort(). */
int duration_bucket_compare(const void *a, const void *b);

/* Of a whole bucket, however many there are an octave. */
int64_t duration_bucket_middle(const struct duration_bucket *bucket);

#endif
