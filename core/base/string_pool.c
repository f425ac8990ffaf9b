/* SPDX-License-Identifier: MIT */
#include "ros2bt/base/string_pool.h"

#include <stdint.h>
#include <string.h>

#define BLOCK_SIZE ((size_t)64 * 1024)

struct pool_key {
	const char *bytes;
	size_t size;
};

struct string_pool {
	GHashTable *strings; /* struct pool_key *, in a block in front of its bytes, → itself */
	GPtrArray *blocks;   /* owned */
	char *block;	     /* current block, borrowed from blocks */
	size_t used;	     /* bytes of the current block */
};

/* Eight bytes at a time, those that are left over first: names are long. */
static guint pool_key_hash(gconstpointer data)
{
	const struct pool_key *key = data;
	size_t i = key->size % sizeof(uint64_t);
	uint64_t hash = key->size, word = 0;

	if (i > 0) {
		memcpy(&word, key->bytes, i);
	}
	for (;; i += sizeof(word)) {
		hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
		hash ^= hash >> 32;
		if (i == key->size) {
			return (guint)hash;
		}
		memcpy(&word, key->bytes + i, sizeof(word));
	}
}

static gboolean pool_key_equal(gconstpointer a, gconstpointer b)
{
	const struct pool_key *left = a;
	const struct pool_key *right = b;

	return left->size == right->size && memcmp(left->bytes, right->bytes, left->size) == 0;
}

struct string_pool *string_pool_create(void)
{
	struct string_pool *pool = g_new0(struct string_pool, 1);

	pool->strings = g_hash_table_new(pool_key_hash, pool_key_equal);
	pool->blocks = g_ptr_array_new_with_free_func(g_free);
	return pool;
}

void string_pool_destroy(struct string_pool *pool)
{
	if (!pool) {
		return;
	}
	g_hash_table_destroy(pool->strings);
	g_ptr_array_free(pool->blocks, TRUE);
	g_free(pool);
}

/* `size` bytes at a multiple of 8. */
static void *pool_allocate(struct string_pool *pool, size_t size)
{
	size_t rounded = (size + 7) & ~(size_t)7;
	char *bytes;

	if (rounded > BLOCK_SIZE / 4) {
		bytes = g_malloc(rounded);
		g_ptr_array_add(pool->blocks, bytes);
		return bytes;
	}
	if (!pool->block || pool->used + rounded > BLOCK_SIZE) {
		pool->block = g_malloc(BLOCK_SIZE);
		pool->used = 0;
		g_ptr_array_add(pool->blocks, pool->block);
	}
	bytes = pool->block + pool->used;
	pool->used += rounded;
	return bytes;
}

const void *string_pool_intern_bytes(struct string_pool *pool, const void *bytes, size_t size)
{
	struct pool_key probe = { bytes, size };
	struct pool_key *key = g_hash_table_lookup(pool->strings, &probe);

	if (!key) {
		char *copy;

		key = pool_allocate(pool, sizeof(*key) + size + 1);
		copy = (char *)(key + 1);
		if (size > 0) {
			memcpy(copy, bytes, size);
		}
		copy[size] = '\0';
		*key = (struct pool_key){ copy, size };
		g_hash_table_add(pool->strings, key);
	}
	return key->bytes;
}

const char *string_pool_intern(struct string_pool *pool, const char *text)
{
	return string_pool_intern_bytes(pool, text, strlen(text));
}
