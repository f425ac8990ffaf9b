/* SPDX-License-Identifier: MIT */
/*
 * The buckets of a histogram's durations as long as these are few: one number for each duration. Counters for all
 * buckets take 512 bytes an octave, and a series has a few octaves; a large system has thousands of short series.
 */
#ifndef ROS2BT_FEW_BUCKETS_H
#define ROS2BT_FEW_BUCKETS_H

#include <stdint.h>

#define FEW_BUCKETS_MAX 128

struct few_buckets {
	uint32_t count;
	uint32_t sorted;		  /* the first of them are in order */
	int16_t buckets[FEW_BUCKETS_MAX]; /* any bucket fits (duration_histogram.c) */
};

/* The smallest first. O(1) if nothing was added. */
void few_buckets_sort(struct few_buckets *few);

#endif
