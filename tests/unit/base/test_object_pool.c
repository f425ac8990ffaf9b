/* SPDX-License-Identifier: MIT */
#include "core/base/object_pool.h"

#include <criterion/criterion.h>
#include <stdint.h>

#include "core/base/arena.h"

#define MANY 300 /* more than two blocks have */

static struct object_pool pool;

static void setup(void)
{
	object_pool_init(&pool, 100);
}

static void teardown(void)
{
	object_pool_clear(&pool);
}

TestSuite(object_pool, .init = setup, .fini = teardown);

Test(object_pool, objects_are_apart_zeroed_and_on_cache_lines_of_their_own)
{
	uint8_t *objects[MANY];

	for (size_t i = 0; i < MANY; i++) {
		objects[i] = object_pool_take(&pool);
		cr_assert_eq((uintptr_t)objects[i] % 64, 0);
		for (size_t byte = 0; byte < 100; byte++) {
			cr_assert_eq(objects[i][byte], 0);
		}
		memset(objects[i], (int)(i % 251) + 1, 100);
	}
	for (size_t i = 0; i < MANY; i++) {
		cr_assert_eq(objects[i][0], i % 251 + 1);
		cr_assert_eq(objects[i][99], i % 251 + 1);
	}
}

Test(object_pool, what_is_given_back_is_taken_again_zeroed)
{
	uint8_t *first = object_pool_take(&pool), *again;

	memset(first, 0xff, 100);
	object_pool_give(&pool, first);
	again = object_pool_take(&pool);
	cr_assert_eq(again, first);
	for (size_t byte = 0; byte < 100; byte++) {
		cr_assert_eq(again[byte], 0);
	}
}

Test(object_pool, a_cleared_pool_is_usable)
{
	(void)object_pool_take(&pool);
	object_pool_clear(&pool);
	cr_assert_not_null(object_pool_take(&pool));
}

Test(object_pool, its_blocks_may_be_of_an_arena_which_gets_them_back)
{
	struct arena *arena = arena_create();
	struct object_pool in_arena;
	void *first, *again;

	object_pool_init_in(&in_arena, arena, 100);
	first = object_pool_take(&in_arena);
	cr_expect_eq((uintptr_t)first % 64, 0);
	memset(first, 1, 100);
	object_pool_clear(&in_arena);
	object_pool_init_in(&in_arena, arena, 100);
	again = object_pool_take(&in_arena);
	cr_expect_eq(again, first);
	cr_expect_eq(*(const char *)again, 0);
	object_pool_clear(&in_arena);
	arena_destroy(arena);
}
