/* SPDX-License-Identifier: MIT */
/*
 * The N worst of many instances: those of the longest durations, of equal ones the earlier, each with what its owner
 * keeps of it.
 *
 * A heap whose root is the least of the N; it grows with the instances up to N, in the arena. O(1) for an instance that
 * is not among the worst, O(log N) for one that is.
 */
#ifndef ROS2BT_WORST_H
#define ROS2BT_WORST_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"

struct worst_instance {
	int64_t duration_ns;
	int64_t start_ns;
	uint64_t order; /* of worst_add(), for those that are equal in all else */
	void *kept;	/* in the arena */
};

struct worst {
	struct arena *arena; /* borrowed */
	struct worst_instance *heap;
	uint32_t count, capacity, count_max;
	size_t kept_size;
	uint64_t next_order;
};

/* In the arena; NULL if count_max is 0. `kept_size`: bytes that are kept of each instance, more than 0. */
struct worst *worst_create(struct arena *arena, uint32_t count_max, size_t kept_size);

/* kept_size zeros to be filled for this instance, valid as long as it is among the worst; NULL if it is not. */
void *worst_add(struct worst *worst, int64_t duration_ns, int64_t start_ns);

/* The worst first: a copy of `count` instances, to be freed with g_free(). NULL if there are none, or no `worst`. */
struct worst_instance *worst_sorted(const struct worst *worst, size_t *count);

#endif
