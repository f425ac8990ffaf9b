/* SPDX-License-Identifier: MIT */
#include "core/base/object_pool.h"

#include <stdalign.h>

#include "core/base/arena.h"
#include "core/base/memory_layout.h"

#define OBJECTS_PER_BLOCK 128
#define SHORT_OBJECT 32

struct object_pool_block {
	struct object_pool_block *next;
	alignas(CACHE_LINE) char objects[];
};

void object_pool_init(struct object_pool *pool, size_t object_size)
{
	*pool = (struct object_pool){
		.object_size = round_up(object_size, object_size > SHORT_OBJECT ? CACHE_LINE : SHORT_OBJECT / 2),
	};
}

void object_pool_init_in(struct object_pool *pool, struct arena *arena, size_t object_size)
{
	object_pool_init(pool, object_size);
	pool->arena = arena;
}

static size_t block_size(const struct object_pool *pool)
{
	return sizeof(struct object_pool_block) + OBJECTS_PER_BLOCK * pool->object_size;
}

void object_pool_clear(struct object_pool *pool)
{
	while (pool->blocks) {
		struct object_pool_block *block = pool->blocks;

		pool->blocks = block->next;
		if (pool->arena) {
			arena_give(pool->arena, block, block_size(pool));
		} else {
			g_aligned_free(block);
		}
	}
	pool->free_list = NULL;
}

void object_pool_add_block(struct object_pool *pool)
{
	struct object_pool_block *block = pool->arena ? arena_take(pool->arena, block_size(pool))
						      : g_aligned_alloc(1, block_size(pool), CACHE_LINE);

	block->next = pool->blocks;
	pool->blocks = block;
	for (size_t i = OBJECTS_PER_BLOCK; i > 0; i--) {
		object_pool_give(pool, block->objects + (i - 1) * pool->object_size);
	}
}
