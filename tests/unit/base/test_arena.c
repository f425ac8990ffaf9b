/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>
#include <stdint.h>
#include <string.h>

#include "core/base/arena_parts.h"

static struct arena *arena;

static void setup(void)
{
	arena = arena_create();
}

static void teardown(void)
{
	arena_destroy(arena);
}

TestSuite(arena, .init = setup, .fini = teardown);

static bool is_zero(const uint8_t *bytes, size_t size)
{
	return size == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0);
}

Test(arena, what_is_taken_is_zeros_aligned_and_ones_own)
{
	const size_t sizes[] = { 1, 64, 65, 1000, 57 * 1024 };
	g_autoptr(GPtrArray) all = g_ptr_array_new();

	for (size_t i = 0; i < 1000; i++) {
		size_t size = sizes[i % G_N_ELEMENTS(sizes)];
		uint8_t *bytes = arena_take(arena, size);

		cr_assert_eq((uintptr_t)bytes % 64, 0);
		cr_assert(is_zero(bytes, size));
		memset(bytes, (int)(i % 255) + 1, size);
		g_ptr_array_add(all, bytes);
	}
	for (size_t i = 0; i < all->len; i++) {
		const uint8_t *bytes = g_ptr_array_index(all, i);

		cr_assert_eq(bytes[0], i % 255 + 1);
		cr_assert_eq(memcmp(bytes, bytes + 1, sizes[i % G_N_ELEMENTS(sizes)] - 1), 0);
	}
}

Test(arena, packed_objects_are_zeros_close_together_and_ones_own)
{
	const size_t sizes[] = { 1, 8, 72, 10000, 80 };
	uint8_t *all[1000];

	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		size_t size = sizes[i % G_N_ELEMENTS(sizes)];

		all[i] = arena_take_packed(arena, size);
		cr_assert_eq((uintptr_t)all[i] % 8, 0);
		cr_assert(is_zero(all[i], size));
		memset(all[i], (int)(i % 255) + 1, size);
	}
	cr_assert_eq(all[2] - all[1], 8);
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		cr_assert_eq(all[i][0], i % 255 + 1);
		cr_assert_eq(memcmp(all[i], all[i] + 1, sizes[i % G_N_ELEMENTS(sizes)] - 1), 0);
	}
}

Test(arena, what_was_given_back_is_taken_again_as_zeros)
{
	uint8_t *bytes = arena_take(arena, 600);

	memset(bytes, 'x', 600);
	arena_give(arena, bytes, 600);
	cr_assert_neq(arena_take(arena, 1000), bytes);
	cr_assert_eq(arena_take(arena, 640), bytes);
	cr_assert(is_zero(bytes, 640));
	cr_assert_neq(arena_take(arena, 640), bytes);
}

Test(arena, a_block_that_was_given_back_is_divided_for_smaller_ones)
{
	uint8_t *bytes = arena_take(arena, 2048);

	memset(bytes, 'x', 2048);
	arena_give(arena, bytes, 2048);
	for (size_t i = 0; i < 4; i++) {
		uint8_t *part = arena_take(arena, 512);

		cr_assert_geq(part, bytes);
		cr_assert_lt(part, bytes + 2048);
		cr_assert(is_zero(part, 512), "it is nobody else's");
		memset(part, 'y', 512);
	}
	bytes = arena_take(arena, 512);
	cr_assert(is_zero(bytes, 512));
}

Test(arena, what_grows_keeps_its_content)
{
	uint8_t *bytes = arena_grow(arena, NULL, 0, 100);

	memset(bytes, 'x', 100);
	bytes = arena_grow(arena, bytes, 100, 5000);
	cr_assert_eq(bytes[0], 'x');
	cr_assert_eq(bytes[99], 'x');
	cr_assert(is_zero(bytes + 100, 4900));
}

Test(arena, anything_may_be_larger_than_a_huge_page)
{
	const size_t size = 5 * 1024 * 1024;
	uint8_t *bytes = arena_take(arena, size);

	bytes[size - 1] = 1;
	cr_assert(is_zero(bytes, size - 1));
	cr_assert_eq(*(uint8_t *)arena_take(arena, 1), 0);
}

static char freed[8];

static void note_freed(void *name)
{
	g_strlcat(freed, name, sizeof(freed));
}

Test(arena, what_it_owns_is_freed_with_it_the_last_first)
{
	struct arena *other = arena_create();
	char *kept = arena_take(other, 2);

	kept[0] = 'a';
	cr_assert_eq(arena_own(other, kept, note_freed), kept, "which is still there when it is freed");
	arena_own(other, "b", note_freed);
	cr_assert_str_eq(freed, "");
	arena_destroy(other);
	cr_assert_str_eq(freed, "ba");
}

Test(arena, parts_need_no_function_that_frees_them)
{
	struct parts {
		struct u64_map map;
		struct object_pool pool;
	} *parts = arena_take(arena, sizeof(*parts));
	GArray *array = arena_array(arena, sizeof(uint32_t));
	GPtrArray *pointers = arena_pointers(arena);

	arena_map(arena, &parts->map);
	arena_pool(arena, &parts->pool, 100);
	u64_map_set(&parts->map, 1, 2);
	cr_assert_not_null(object_pool_take(&parts->pool));
	g_array_set_size(array, 5);
	cr_assert_eq(g_array_index(array, uint32_t, 4), 0);
	g_ptr_array_add(pointers, parts);
	g_string_append(arena_string(arena), "freed, as LeakSanitizer would say otherwise");
}

/* As any other; an arena of a recording that goes on tells so. */
Test(arena, a_lasting_one_gives_the_same_over_many_chunks)
{
	cr_assert_not(arena_is_lasting(arena));
	arena_set_lasting(arena);
	cr_assert(arena_is_lasting(arena));
	for (size_t i = 0; i < 100; i++) {
		uint8_t *bytes = arena_take(arena, 100000);

		cr_assert_eq((uintptr_t)bytes % 64, 0);
		cr_assert(is_zero(bytes, 100000));
		memset(bytes, 'x', 100000);
	}
	cr_assert(is_zero(arena_take(arena, 5000000), 5000000));
}
