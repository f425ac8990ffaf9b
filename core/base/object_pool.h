/* SPDX-License-Identifier: MIT */
/*
 * A pool of objects of one size, for objects that are created and freed with every message: allocated in blocks, freed
 * to a list in the pool, and to the system, or to the arena that the blocks are of, only with the pool. Objects larger
 * than half a cache line start on a cache line. Embedded: init and clear. Cost: O(1) per call. Memory: the largest
 * number of objects in use at a time.
 */
#ifndef ROS2BT_OBJECT_POOL_H
#define ROS2BT_OBJECT_POOL_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct arena;
struct object_pool_block;

struct object_pool {
	size_t object_size;
	void *free_list;		  /* the first word of a free object points to the next one */
	struct object_pool_block *blocks; /* owned */
	struct arena *arena;		  /* borrowed: the blocks are of it; NULL: of the heap */
};

void object_pool_init(struct object_pool *pool, size_t object_size);
/* In an arena, which must outlive the pool: for pools that are large in a large system, since it has huge pages. */
void object_pool_init_in(struct object_pool *pool, struct arena *arena, size_t object_size);
void object_pool_clear(struct object_pool *pool); /* frees all objects, in use or not */

/* Adds free objects; for object_pool_take(). */
void object_pool_add_block(struct object_pool *pool);

/* Whether object_pool_take() adds a block. */
static inline bool object_pool_is_empty(const struct object_pool *pool)
{
	return !pool->free_list;
}

/* An object with any content: for who sets all of it. */
static inline void *object_pool_take_unset(struct object_pool *pool)
{
	void *object;

	if (G_UNLIKELY(object_pool_is_empty(pool))) {
		object_pool_add_block(pool);
	}
	object = pool->free_list;
	pool->free_list = *(void **)object;
	__builtin_prefetch(pool->free_list, 1); /* the next one, which may not have been touched for long */
	return object;
}

/* A zeroed object. */
static inline void *object_pool_take(struct object_pool *pool)
{
	return memset(object_pool_take_unset(pool), 0, pool->object_size);
}

/* The same of a pool whose objects are of the type, in line: a call of memset() takes longer than to clear so little.
 */
#define OBJECT_POOL_TAKE(pool, type) ((type *)memset(object_pool_take_unset(pool), 0, sizeof(type)))

static inline void object_pool_give(struct object_pool *pool, void *object)
{
	*(void **)object = pool->free_list;
	pool->free_list = object;
}

#endif
