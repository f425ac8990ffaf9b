/* SPDX-License-Identifier: MIT */
#include "ros2bt/base/string_pool.h"

#include <criterion/criterion.h>
#include <stdint.h>

static struct string_pool *pool;

static void setup(void)
{
	pool = string_pool_create();
}

static void teardown(void)
{
	string_pool_destroy(pool);
}

TestSuite(string_pool, .init = setup, .fini = teardown);

Test(string_pool, equal_contents_have_one_address)
{
	char text[] = "/chatter";
	const char *interned = string_pool_intern(pool, text);

	cr_assert_neq(interned, text);
	text[1] = 'C';
	cr_assert_str_eq(interned, "/chatter", "the pool has a copy");
	cr_assert_eq(string_pool_intern(pool, "/chatter"), interned);
	cr_assert_neq(string_pool_intern(pool, "/Chatter"), interned);
	cr_assert_neq(string_pool_intern(pool, "/chatte"), interned);
}

Test(string_pool, bytes_may_have_zeros_in_them_and_texts_are_bytes)
{
	const char *one = string_pool_intern_bytes(pool, "a\0b", 3);

	cr_assert_eq(string_pool_intern_bytes(pool, "a\0b", 3), one);
	cr_assert_neq(string_pool_intern_bytes(pool, "a\0c", 3), one);
	cr_assert_neq(string_pool_intern(pool, "a"), one);
	cr_assert_eq(string_pool_intern(pool, "ab"), string_pool_intern_bytes(pool, "ab", 2));
	cr_assert_eq(string_pool_intern_bytes(pool, NULL, 0), string_pool_intern(pool, ""));
}

/* Of all lengths up to a quarter of a block, which stays in the blocks, and of those beyond. */
Test(string_pool, every_string_is_aligned_and_followed_by_a_zero)
{
	static char bytes[200 * 1024];
	const char *interned[64];
	size_t count = 0;

	memset(bytes, 'x', sizeof(bytes));
	for (size_t size = 0; size < sizeof(bytes); size += 1 + size / 4) {
		interned[count] = string_pool_intern_bytes(pool, bytes, size);
		cr_assert_eq((uintptr_t)interned[count] % 8, 0);
		cr_assert_eq(interned[count][size], '\0');
		cr_assert_eq(strlen(interned[count]), size);
		count++;
	}
	for (size_t i = 0; i < count; i++) {
		cr_assert_eq(string_pool_intern_bytes(pool, bytes, strlen(interned[i])), interned[i]);
	}
}

/* Eight bytes at a time, and those that are left over. */
Test(string_pool, every_byte_counts_and_none_behind_the_end_is_read)
{
	for (size_t size = 1; size <= 25; size++) {
		char *bytes = g_malloc0(size + 1);
		char *exact = g_memdup2(bytes, size); /* a sanitizer knows where it ends */
		const char *interned = string_pool_intern_bytes(pool, bytes, size);

		cr_assert_eq(string_pool_intern_bytes(pool, exact, size), interned);
		for (size_t i = 0; i <= size; i++) {
			bytes[i] = 'x';
			cr_assert_eq(string_pool_intern_bytes(pool, bytes, size) == interned, i == size,
				     "byte %zu of %zu", i, size);
			bytes[i] = '\0';
		}
		g_free(exact);
		g_free(bytes);
	}
}

/* What string_pool.c makes of the size and the first of two words. */
static uint64_t hash_of_first(uint64_t word)
{
	const uint64_t factor = UINT64_C(0x9E3779B97F4A7C15);
	uint64_t hash = 2 * sizeof(word) * factor;

	hash = ((hash ^ hash >> 32) ^ word) * factor;
	return hash ^ hash >> 32;
}

Test(string_pool, strings_of_one_hash_are_told_apart)
{
	const char *interned[9];
	uint64_t words[G_N_ELEMENTS(interned)][2];

	for (uint64_t i = 0; i < G_N_ELEMENTS(interned); i++) {
		words[i][0] = i;
		words[i][1] = hash_of_first(0) ^ hash_of_first(i);
		interned[i] = string_pool_intern_bytes(pool, words[i], sizeof(words[i]));
	}
	for (size_t i = 0; i < G_N_ELEMENTS(interned); i++) {
		cr_expect_eq(memcmp(interned[i], words[i], sizeof(words[i])), 0);
		cr_expect_eq(string_pool_intern_bytes(pool, words[i], sizeof(words[i])), interned[i]);
	}
}
