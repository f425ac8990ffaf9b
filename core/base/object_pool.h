/* SPDX-License-Identifier: MIT */
/*
 * A pool of objects of one size: allocated in blocks, freed to a list in the pool, and to the system only with the
 * pool. For objects that are created and freed with every message; those larger than half a cache line have cache lines
 * of their own. Embedded: init and clear. O(1).
 */
#ifndef ROS2BT_OBJECT_POOL_H
#define ROS2BT_OBJECT_POOL_H

#include <stddef.h>

struct object_pool_block;

struct object_pool {
	size_t object_size;
	void *free_list;		  /* next free object in the first word of each */
	struct object_pool_block *blocks; /* owned */
	size_t in_use;			  /* objects */
};

void object_pool_init(struct object_pool *pool, size_t object_size);
void object_pool_clear(struct object_pool *pool); /* frees all objects, in use or not */

/* A zeroed object. */
void *object_pool_take(struct object_pool *pool);
void object_pool_give(struct object_pool *pool, void *object);

#endif
