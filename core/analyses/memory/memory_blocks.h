/* SPDX-License-Identifier: MIT */
/*
 * The live blocks of a process, by address: what was allocated and not freed since. Memory: the live blocks.
 *
 * - A new block at the address of a live one: the free of that one was not recorded. It is gone.
 * - realloc() is recorded after it has freed the old address, which another thread may have got meanwhile, with an
 * event that is earlier. So a block that is gone because another thread got its address is remembered for a moment, and
 * a realloc() of that address by a third party means that one. Cost: O(1).
 */
#ifndef ROS2BT_MEMORY_BLOCKS_H
#define ROS2BT_MEMORY_BLOCKS_H

#include <glib.h>

#include "core/analyses/memory/memory_counts.h"
#include "core/base/object_pool.h"
#include "core/base/u64_map.h"

struct memory_block {
	uint64_t size;		    /* as requested */
	struct memory_owner *owner; /* borrowed: who allocated it */
};

#define MEMORY_REPLACED_MAX 8

/* A block whose address was given to another thread before its free was recorded. */
struct memory_replaced {
	uint64_t address;
	uint32_t thread; /* that got the address */
	int64_t time_ns; /* then */
	struct memory_block block;
};

struct memory_blocks {
	struct u64_map by_address; /* → struct memory_block * in the pool */
	struct object_pool pool;
	struct memory_replaced replaced[MEMORY_REPLACED_MAX]; /* a ring */
	uint32_t next_replaced;
};

void memory_blocks_init(struct memory_blocks *blocks);
void memory_blocks_clear(struct memory_blocks *blocks); /* frees */

/* A block is allocated by a thread. True: it has the address of a live one, which is in *replaced and no more. */
bool memory_blocks_add(struct memory_blocks *blocks, uint64_t address, const struct memory_block *block,
		       uint32_t thread, int64_t time_ns, struct memory_block *replaced);

/* A block is freed; false: it is not known. */
bool memory_blocks_remove(struct memory_blocks *blocks, uint64_t address, struct memory_block *block);

/*
 * Whether the block that a thread's realloc() has freed is one that was replaced a moment ago, given back in *block:
 * then the live one at the address is another thread's, and stays. The block was counted as replaced.
 */
bool memory_blocks_take_replaced(struct memory_blocks *blocks, uint64_t address, uint32_t thread, int64_t time_ns,
				 struct memory_block *block);

#endif
