/* SPDX-License-Identifier: MIT */
/*
 * The slots of a process's ring buffers, by address of the buffer and index: a word for each slot. A buffer with the
 * address U64_MAP_NONE and an index above UINT32_MAX, which no release records, are not followed.
 *
 * Cost: O(1). Memory: an entry for each buffer and each slot that was ever set.
 */
#ifndef ROS2BT_RING_SLOTS_H
#define ROS2BT_RING_SLOTS_H

#include <stdbool.h>

#include "ros2bt/base/u64_map.h"

struct ring_slots {
	struct u64_map buffers; /* address → number, in order of first use */
	struct u64_map words;	/* number of the buffer and index → word */
};

void ring_slots_init(struct ring_slots *slots);
void ring_slots_clear(struct ring_slots *slots);

/* False if the slot is not followed. */
bool ring_slots_set(struct ring_slots *slots, uint64_t buffer, uint64_t index, uint64_t word);
/* The word; U64_MAP_NONE if the slot has none. */
uint64_t ring_slots_get(const struct ring_slots *slots, uint64_t buffer, uint64_t index);
/* The same, and the slot has none afterwards. */
uint64_t ring_slots_remove(struct ring_slots *slots, uint64_t buffer, uint64_t index);

#endif
