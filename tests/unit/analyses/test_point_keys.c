/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/analyses/points/point_keys.h"
#include "core/base/arena.h"

static struct arena *arena;
static struct point_keys keys;

static void setup(void)
{
	arena = arena_create();
	point_keys_init(&keys, arena);
}

static void teardown(void)
{
	arena_destroy(arena);
}

TestSuite(point_keys, .init = setup, .fini = teardown);

/* A key of some bytes. */
static GByteArray *key_of(const char *bytes)
{
	GByteArray *key = g_byte_array_new();

	g_byte_array_append(key, (const guint8 *)bytes, (guint)strlen(bytes));
	return key;
}

static struct open_point *add(struct point_owner owner, const char *bytes, int64_t start_ns)
{
	g_autoptr(GByteArray) key = key_of(bytes);

	return point_keys_add(&keys, &owner, key, start_ns);
}

static struct open_point *find(struct point_owner owner, const char *bytes)
{
	g_autoptr(GByteArray) key = key_of(bytes);

	return point_keys_find(&keys, &owner, key);
}

/* Starts of all that is open, oldest first, and back. */
static void expect_open(const char *expected)
{
	g_autoptr(GString) found = g_string_new(NULL);
	const struct open_point *newest = NULL;
	size_t count = 0;

	for (const struct open_point *open = keys.oldest; open; open = open->newer) {
		g_string_append_printf(found, "%s%d", found->len ? " " : "", (int)open->start_ns);
		cr_expect_eq(open->older, newest);
		newest = open;
		count++;
	}
	cr_expect_str_eq(found->str, expected, "%s", found->str);
	cr_expect_eq(keys.newest, newest);
	cr_expect_eq(keys.count, count);
}

#define OWNER(place, row) ((struct point_owner){ (place), (row) })

Test(point_keys, a_key_is_of_its_place_and_row)
{
	struct open_point *open = add(OWNER(1, 2), "key", 10);

	cr_expect_eq(find(OWNER(1, 2), "key"), open);
	cr_expect_null(find(OWNER(2, 2), "key"));
	cr_expect_null(find(OWNER(1, 3), "key"));
	cr_expect_null(find(OWNER(1, 2), "kez"));
	cr_expect_null(find(OWNER(1, 2), "ke"));
	cr_expect_null(find(OWNER(1, 2), ""));
}

Test(point_keys, an_empty_key_is_one_too)
{
	struct open_point *open = add(OWNER(1, 2), "", 10);

	cr_expect_eq(find(OWNER(1, 2), ""), open);
	point_keys_remove(&keys, open);
	cr_expect_null(find(OWNER(1, 2), ""));
}

Test(point_keys, long_keys_are_copied)
{
	struct open_point *open = add(OWNER(1, 2), "more bytes than a short key has room for: 60 or so", 10);

	cr_expect_not_null(open->long_key);
	cr_expect_eq(find(OWNER(1, 2), "more bytes than a short key has room for: 60 or so"), open);
	cr_expect_null(find(OWNER(1, 2), "more bytes than a short key has room for: 60 or SO"));
}

Test(point_keys, any_of_them_may_end_first)
{
	struct open_point *first = add(OWNER(1, 0), "a", 1), *second = add(OWNER(1, 0), "b", 2);
	struct open_point *third = add(OWNER(1, 0), "c", 3), *fourth = add(OWNER(1, 0), "d", 4);

	expect_open("1 2 3 4");
	point_keys_remove(&keys, second);
	expect_open("1 3 4");
	point_keys_remove(&keys, fourth);
	expect_open("1 3");
	point_keys_remove(&keys, first);
	expect_open("3");
	point_keys_remove(&keys, third);
	expect_open("");
}

/*
 * The place whose hash with a row is that of place 0 and row 0: the inverse of the hash function (FNV-1a), whose prime
 * has an inverse modulo 2^64.
 */
static uint64_t colliding_place(uint32_t row)
{
	const uint64_t basis = UINT64_C(0xcbf29ce484222325), prime = UINT64_C(0x100000001b3);
	const uint64_t inverse = UINT64_C(0xce965057aff6957b);

	return basis ^ ((basis * prime) ^ row) * inverse;
}

Test(point_keys, keys_of_one_hash_are_kept_apart)
{
	struct point_owner owners[4];
	struct open_point *open[4];

	for (uint32_t i = 0; i < 4; i++) {
		owners[i] = OWNER(colliding_place(i), i);
		open[i] = add(owners[i], "key", i);
		cr_assert_eq(open[i]->hash, open[0]->hash);
	}
	cr_assert_eq(owners[0].place, 0);
	for (uint32_t i = 0; i < 4; i++) {
		cr_expect_eq(find(owners[i], "key"), open[i]);
	}
	/* in the middle of the chain, its last and its first one */
	point_keys_remove(&keys, open[2]);
	cr_expect_null(find(owners[2], "key"));
	cr_expect_eq(find(owners[1], "key"), open[1]);
	point_keys_remove(&keys, open[0]);
	cr_expect_eq(find(owners[3], "key"), open[3]);
	point_keys_remove(&keys, open[3]);
	cr_expect_null(find(owners[3], "key"));
	cr_expect_eq(find(owners[1], "key"), open[1]);
}
