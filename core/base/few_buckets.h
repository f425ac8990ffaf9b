/* SPDX-License-Identifier: MIT */
/*
 * The buckets of a histogram's durations as long as these are few: one number for each duration. A large system has
 * many such series. Counters for all buckets take about 500 bytes an octave; so do 125 durations, however far apart.
 */
#ifndef ROS2BT_FEW_BUCKETS_H
#define ROS2BT_FEW_BUCKETS_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"

struct few_buckets {
	uint32_t count, room;
	uint32_t sorted; /* the first of them are in order */
	int32_t buckets[];
};

/* Makes room in the arena for more of them, at most 64; `few` may be NULL. NULL, with nothing changed: too many. */
struct few_buckets *few_buckets_make_room(struct few_buckets *few, size_t more, struct arena *arena);
void few_buckets_destroy(struct few_buckets *few, struct arena *arena); /* NULL is allowed */

/* The smallest first. O(1) if nothing was added. */
void few_buckets_sort(struct few_buckets *few);

#endif
