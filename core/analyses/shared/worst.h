/* SPDX-License-Identifier: MIT */
/*
 * The N worst of many instances: those with the longest durations, the earlier ones first where durations are equal.
 * The owner keeps a struct of its own with each.
 *
 * A heap in the arena, whose root is the least of the worst. It grows with the instances up to N. Cost: O(1) for an
 * instance that is not among the worst, O(log N) for one that is. Times in ns.
 */
#ifndef ROS2BT_WORST_H
#define ROS2BT_WORST_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"

struct worst_instance {
	int64_t duration_ns;
	int64_t start_ns;
	uint64_t order; /* of worst_add(), which decides where both times are equal */
	void *kept;	/* the owner's struct, in the arena */
};

struct worst {
	struct arena *arena; /* borrowed */
	struct worst_instance *heap;
	uint32_t count, capacity, count_max;
	size_t kept_size;
	uint64_t next_order;
};

/* In the arena; NULL if count_max is 0. `kept_size`: of the owner's struct, more than 0. */
struct worst *worst_create(struct arena *arena, uint32_t count_max, size_t kept_size);

/* The struct to fill for this instance, zeroed, valid as long as it is among the worst; NULL if it is not. */
void *worst_add(struct worst *worst, int64_t duration_ns, int64_t start_ns);

/* A copy of the instances, the worst first; NULL if there are none. `worst` may be NULL. To be freed with g_free(). */
struct worst_instance *worst_sorted(const struct worst *worst, size_t *count);

#endif
