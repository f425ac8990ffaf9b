/* SPDX-License-Identifier: MIT */
#include "ros2bt/base/string_pool.h"

#include <string.h>

#define BLOCK_SIZE ((size_t)64 * 1024)

struct pool_key {
	const char *bytes;
	size_t size;
};

struct string_pool {
	GHashTable *strings; /* struct pool_key * (owned) → itself */
	GPtrArray *blocks;   /* owned */
	char *block;	     /* current block, borrowed from blocks */
	size_t used;	     /* bytes of the current block */
};

static guint pool_key_hash(gconstpointer data)
{
	const struct pool_key *key = data;
	guint hash = 2166136261u;

	for (size_t i = 0; i < key->size; i++) {
		hash = (hash ^ (unsigned char)key->bytes[i]) * 16777619u;
	}
	return hash;
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

	pool->strings = g_hash_table_new_full(pool_key_hash, pool_key_equal, g_free, NULL);
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
static char *pool_allocate(struct string_pool *pool, size_t size)
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
		char *copy = pool_allocate(pool, size + 1);

		if (size > 0) {
			memcpy(copy, bytes, size);
		}
		copy[size] = '\0';
		key = g_new(struct pool_key, 1);
		*key = (struct pool_key){ copy, size };
		g_hash_table_add(pool->strings, key);
	}
	return key->bytes;
}

const char *string_pool_intern(struct string_pool *pool, const char *text)
{
	return string_pool_intern_bytes(pool, text, strlen(text));
}
