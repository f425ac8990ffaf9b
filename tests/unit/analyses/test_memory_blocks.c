/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/analyses/memory/memory_blocks.h"
#include "ros2bt/base/time_units.h"

static struct arena *arena;
static struct memory_blocks *blocks;
static struct memory_owner owner;
static struct memory_block found;

static void setup(void)
{
	arena = arena_create();
	blocks = memory_blocks_create(arena);
	found = (struct memory_block){ 0 };
}

static void teardown(void)
{
	arena_destroy(arena);
}

TestSuite(memory_blocks, .init = setup, .fini = teardown);

static bool add(uint64_t address, uint64_t size, uint32_t thread, int64_t time_ns)
{
	const struct memory_block block = { .size = size, .owner = &owner };

	return memory_blocks_add(blocks, address, &block, thread, time_ns, &found);
}

Test(memory_blocks, a_block_is_live_until_it_is_removed)
{
	cr_assert_not(add(0x10, 100, 1, 0));
	cr_assert(memory_blocks_remove(blocks, 0x10, &found));
	cr_assert_eq(found.size, 100);
	cr_assert_eq(found.owner, &owner);
	cr_assert_not(memory_blocks_remove(blocks, 0x10, &found));
}

Test(memory_blocks, a_block_at_the_address_of_a_live_one_replaces_it)
{
	cr_assert_not(add(0x10, 100, 1, 0));
	cr_assert(add(0x10, 200, 2, 5));
	cr_assert_eq(found.size, 100);
	cr_assert(memory_blocks_remove(blocks, 0x10, &found));
	cr_assert_eq(found.size, 200);
}

Test(memory_blocks, a_realloc_that_is_recorded_late_means_the_block_that_was_there_before)
{
	add(0x10, 100, 1, 0);
	add(0x10, 200, 2, 5);
	cr_assert_not(memory_blocks_take_replaced(blocks, 0x20, 1, 6, &found), "another address");
	cr_assert_not(memory_blocks_take_replaced(blocks, 0x10, 2, 6, &found), "its own block");
	cr_assert(memory_blocks_take_replaced(blocks, 0x10, 1, 6, &found));
	cr_assert_eq(found.size, 100);
	cr_assert_not(memory_blocks_take_replaced(blocks, 0x10, 1, 7, &found), "once");
}

Test(memory_blocks, what_was_replaced_is_soon_forgotten)
{
	add(0x10, 100, 1, 0);
	add(0x10, 200, 2, 5);
	cr_assert_not(memory_blocks_take_replaced(blocks, 0x10, 1, NS_PER_S, &found));
}

Test(memory_blocks, only_the_last_few_that_were_replaced_are_kept)
{
	for (uint64_t i = 0; i <= MEMORY_REPLACED_MAX; i++) {
		add(0x10 + i, 100 + i, 1, 0);
		add(0x10 + i, 200, 2, 1);
	}
	cr_assert_not(memory_blocks_take_replaced(blocks, 0x10, 1, 2, &found));
	cr_assert(memory_blocks_take_replaced(blocks, 0x11, 1, 2, &found));
	cr_assert_eq(found.size, 101);
}
