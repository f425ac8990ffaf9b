/* SPDX-License-Identifier: MIT */
/*
 * The overflows of a histogram's counters, in the order of their buckets: 8 bytes for each bucket with more hits than
 * its counter can count; of more than 2^56 hits, as only merged reports can claim, a bucket has several. Cost: O(log
 * buckets), with a new bucket O(buckets).
 */
#ifndef ROS2BT_HISTOGRAM_CARRIES_H
#define ROS2BT_HISTOGRAM_CARRIES_H

#include <stdint.h>

#include "core/base/arena.h"

struct histogram_carry {
	int64_t bucket : 16; /* any fits (duration_histogram.c) */
	uint64_t count : 48; /* of overflows */
};

struct histogram_carries {
	struct histogram_carry *carries; /* in the arena; NULL: none */
	uint32_t count, room;
};

void histogram_carries_make_room(struct histogram_carries *carries, uint32_t room, struct arena *arena);
void histogram_carries_copy(struct histogram_carries *carries, const struct histogram_carries *other,
			    struct arena *arena);
void histogram_carries_free(struct histogram_carries *carries, struct arena *arena);

/* The index of the first one of this bucket or a later one. */
uint32_t histogram_carries_from(const struct histogram_carries *carries, int32_t bucket);

void histogram_carries_add(struct histogram_carries *carries, int32_t bucket, uint64_t count, struct arena *arena);

/* The overflows of the buckets up to `last_bucket`, from the carry *index on, which moves past them. */
static inline uint64_t histogram_carries_up_to(const struct histogram_carries *carries, int32_t last_bucket,
					       uint32_t *index)
{
	uint64_t count = 0;

	for (; *index < carries->count && carries->carries[*index].bucket <= last_bucket; (*index)++) {
		count += carries->carries[*index].count;
	}
	return count;
}

#endif
