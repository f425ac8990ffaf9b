/* SPDX-License-Identifier: MIT */
/*
 * The live blocks of a process by address: what was allocated and not freed since.
 *
 * - A new block at the address of a live one shows that the free of that one was not recorded: the new one replaces it.
 * - realloc() is recorded after it has freed the old address. Another thread may have been given that address
 *   meanwhile, by an event that is earlier. So a block that was replaced by another thread's is remembered for a
 *   moment, and a realloc() of its address by a third thread means that block.
 *
 * Cost: O(1). Memory: the live blocks.
 */
#ifndef ROS2BT_MEMORY_BLOCKS_H
#define ROS2BT_MEMORY_BLOCKS_H

#include <glib.h>

#include "core/analyses/memory/memory_state.h"
#include "core/base/object_pool.h"
#include "ros2bt/base/u64_map.h"

struct memory_block {
	uint64_t size;		    /* as requested */
	struct memory_owner *owner; /* borrowed; it allocated the block */
};

#define MEMORY_REPLACED_MAX 8

/* A block whose address was given to another thread before its free was recorded. */
struct memory_replaced {
	uint64_t address;
	uint32_t thread; /* the one that was given the address */
	int64_t time_ns; /* when it was */
	struct memory_block block;
};

struct memory_blocks {
	struct u64_map by_address; /* → struct memory_block * in the pool */
	struct object_pool pool;
	struct memory_replaced replaced[MEMORY_REPLACED_MAX]; /* a ring */
	uint32_t next_replaced;
};

struct memory_blocks *memory_blocks_create(struct arena *arena);

/* A thread allocates a block. True if it replaces a live one at the address, which is then in *replaced. */
bool memory_blocks_add(struct memory_blocks *blocks, uint64_t address, const struct memory_block *block,
		       uint32_t thread, int64_t time_ns, struct memory_block *replaced);

/* A block is freed; it is in *block. False if no block is known at the address. */
bool memory_blocks_remove(struct memory_blocks *blocks, uint64_t address, struct memory_block *block);

/*
 * Whether a thread's realloc() has freed a block that was replaced a moment ago, which is then in *block and was
 * counted as replaced. The live block at the address is another thread's, and stays.
 */
bool memory_blocks_take_replaced(struct memory_blocks *blocks, uint64_t address, uint32_t thread, int64_t time_ns,
				 struct memory_block *block);

#endif
