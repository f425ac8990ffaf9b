/* SPDX-License-Identifier: MIT */
/*
 * A cache in front of the string pool for texts of 16 bytes, such as the names of threads in events of a kernel: a few
 * hundred of them recur, up to two in each event, so that a look-up must cost less than one in the pool. It takes two
 * loads, a multiplication and a comparison; a text that was evicted by another is found in the pool again.
 */
#ifndef ROS2BT_COMM_CACHE_H
#define ROS2BT_COMM_CACHE_H

#include <stdint.h>
#include <string.h>

#include "ros2bt/base/string_pool.h"

#define COMM_CACHE_SIZE 16 /* bytes of a text, ended by NUL unless it fills them */
#define COMM_CACHE_BITS 8

/* A struct of zeros is empty. */
struct comm_cache {
	struct {
		uint64_t first, second;
		const char *text; /* NULL: free */
	} entries[1 << COMM_CACHE_BITS];
};

static inline const char *comm_cache_get(struct comm_cache *cache, struct string_pool *pool, const void *bytes)
{
	uint64_t first, second;
	size_t place;

	memcpy(&first, bytes, sizeof(first));
	memcpy(&second, (const uint8_t *)bytes + sizeof(first), sizeof(second));
	place = (size_t)(((first ^ (second << 7 | second >> 57)) * UINT64_C(0x9E3779B97F4A7C15)) >>
			 (64 - COMM_CACHE_BITS));
	if (__builtin_expect(!cache->entries[place].text || cache->entries[place].first != first ||
				     cache->entries[place].second != second,
			     0)) {
		cache->entries[place].text = string_pool_intern_bytes(pool, bytes, strnlen(bytes, COMM_CACHE_SIZE));
		cache->entries[place].first = first;
		cache->entries[place].second = second;
	}
	return cache->entries[place].text;
}

#endif
