/* SPDX-License-Identifier: MIT */
#include "ros2bt/base/string_pool.h"

#include <stdint.h>
#include <string.h>

#include "ros2bt/base/u64_map.h"

#define BLOCK_SIZE ((size_t)64 * 1024)

struct pooled {
	struct pooled *next; /* of the same hash */
	size_t size;
	char bytes[];
};

struct string_pool {
	struct u64_map strings; /* hash → struct pooled *, in a block */
	GPtrArray *blocks;	/* owned */
	char *block;		/* current block, borrowed from blocks */
	size_t used;		/* bytes of the current block */
};

/* Eight bytes at a time, those that are left over first: names are long. */
static uint64_t hash_of(const char *bytes, size_t size)
{
	size_t i = size % sizeof(uint64_t);
	uint64_t hash = size, word = 0;

	if (i > 0) {
		memcpy(&word, bytes, i);
	}
	for (;; i += sizeof(word)) {
		hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
		hash ^= hash >> 32;
		if (i == size) {
			return hash;
		}
		memcpy(&word, bytes + i, sizeof(word));
	}
}

struct string_pool *string_pool_create(void)
{
	struct string_pool *pool = g_new0(struct string_pool, 1);

	u64_map_init(&pool->strings);
	pool->blocks = g_ptr_array_new_with_free_func(g_free);
	return pool;
}

void string_pool_destroy(struct string_pool *pool)
{
	if (!pool) {
		return;
	}
	u64_map_clear(&pool->strings);
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
	uint64_t hash = hash_of(bytes, size);
	struct pooled *first = u64_map_get_pointer(&pool->strings, hash), *found = first;

	while (found && (found->size != size || memcmp(found->bytes, bytes, size) != 0)) {
		found = found->next;
	}
	if (!found) {
		found = pool_allocate(pool, sizeof(*found) + size + 1);
		*found = (struct pooled){ .next = first, .size = size };
		if (size > 0) {
			memcpy(found->bytes, bytes, size);
		}
		found->bytes[size] = '\0';
		u64_map_set_pointer(&pool->strings, hash, found);
	}
	return found->bytes;
}

const char *string_pool_intern(struct string_pool *pool, const char *text)
{
	return string_pool_intern_bytes(pool, text, strlen(text));
}
