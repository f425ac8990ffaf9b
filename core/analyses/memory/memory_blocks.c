/* SPDX-License-Identifier: MIT */
#include "core/analyses/memory/memory_blocks.h"

#include "core/base/arena_parts.h"
#include "ros2bt/base/time_units.h"

/* From the free within realloc() to its event: it takes longer only if the thread is preempted in between. */
#define REPLACED_NS (NS_PER_S / 10)

struct memory_blocks *memory_blocks_create(struct arena *arena)
{
	struct memory_blocks *blocks = arena_take(arena, sizeof(*blocks));

	arena_map(arena, &blocks->by_address);
	arena_pool(arena, &blocks->pool, sizeof(struct memory_block));
	return blocks;
}

static void remember(struct memory_blocks *blocks, const struct memory_replaced *replaced)
{
	blocks->replaced[blocks->next_replaced] = *replaced;
	blocks->next_replaced = (blocks->next_replaced + 1) % MEMORY_REPLACED_MAX;
}

bool memory_blocks_add(struct memory_blocks *blocks, uint64_t address, const struct memory_block *block,
		       uint32_t thread, int64_t time_ns, struct memory_block *replaced)
{
	struct memory_block *kept = u64_map_get_pointer(&blocks->by_address, address);
	bool is_live = kept != NULL;

	if (is_live) {
		*replaced = *kept;
		remember(blocks, &(struct memory_replaced){ address, thread, time_ns, *kept });
	} else {
		kept = object_pool_take(&blocks->pool);
		u64_map_set_pointer(&blocks->by_address, address, kept);
	}
	*kept = *block;
	return is_live;
}

bool memory_blocks_remove(struct memory_blocks *blocks, uint64_t address, struct memory_block *block)
{
	uint64_t word = u64_map_remove(&blocks->by_address, address);

	if (word == U64_MAP_NONE) {
		return false;
	}
	*block = *(struct memory_block *)(uintptr_t)word;
	object_pool_give(&blocks->pool, (void *)(uintptr_t)word);
	return true;
}

bool memory_blocks_take_replaced(struct memory_blocks *blocks, uint64_t address, uint32_t thread, int64_t time_ns,
				 struct memory_block *block)
{
	for (size_t i = 0; i < MEMORY_REPLACED_MAX; i++) {
		struct memory_replaced *replaced = &blocks->replaced[i];

		if (replaced->block.owner && replaced->address == address && replaced->thread != thread &&
		    time_ns - replaced->time_ns <= REPLACED_NS) {
			*block = replaced->block;
			replaced->block.owner = NULL;
			return true;
		}
	}
	return false;
}
