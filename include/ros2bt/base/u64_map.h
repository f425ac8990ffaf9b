/* SPDX-License-Identifier: MIT */
/*
 * A hash map from a 64-bit word (an address, a timestamp, a pair of ids) to a 64-bit word or pointer, for one look-up
 * per event: open addressing, linear probing, one multiplicative hash, load at most 1/2, backward-shift deletion (no
 * tombstones). Keys may be any word, 0 included. A value is never U64_MAP_NONE, which means "not in the map". The order
 * of iteration is undefined: sort before printing.
 *
 * Embedded: init and clear. Cost: 4-9 ns per look-up, otherwise O(1) amortized. Memory: 32 to 64 bytes per entry, and
 * 256 for the first one.
 */
#ifndef ROS2BT_U64_MAP_H
#define ROS2BT_U64_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define U64_MAP_NONE UINT64_MAX

struct u64_map {
	uint64_t *slots; /* owned; pairs of key, value */
	size_t capacity; /* power of two, or 0 */
	size_t count;
	unsigned int shift;
};

void u64_map_init(struct u64_map *map);
void u64_map_clear(struct u64_map *map); /* frees; the map is empty and usable afterwards */

/* Adds an entry, or replaces its value; returns that, or U64_MAP_NONE if there was none. */
uint64_t u64_map_set(struct u64_map *map, uint64_t key, uint64_t value);
/* Adds to the value of an entry, or adds the entry with it. */
void u64_map_count(struct u64_map *map, uint64_t key, uint64_t more);

/* Removes an entry; returns its value, or U64_MAP_NONE if there was none. */
uint64_t u64_map_remove(struct u64_map *map, uint64_t key);

static inline size_t u64_map_home(const struct u64_map *map, uint64_t key)
{
	return (size_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> map->shift);
}

/* The value, or U64_MAP_NONE. */
static inline uint64_t u64_map_get(const struct u64_map *map, uint64_t key)
{
	if (map->capacity == 0) {
		return U64_MAP_NONE;
	}
	for (size_t i = u64_map_home(map, key);; i = (i + 1) & (map->capacity - 1)) {
		const uint64_t *slot = &map->slots[2 * i];

		if (slot[1] == U64_MAP_NONE || slot[0] == key) {
			return slot[1];
		}
	}
}

/* --- the same of pointers: NULL if there is or was none --- */

static inline void *u64_map_pointer(uint64_t value)
{
	return value == U64_MAP_NONE ? NULL : (void *)(uintptr_t)value;
}

static inline void *u64_map_get_pointer(const struct u64_map *map, uint64_t key)
{
	return u64_map_pointer(u64_map_get(map, key));
}

static inline void *u64_map_set_pointer(struct u64_map *map, uint64_t key, const void *value)
{
	return u64_map_pointer(u64_map_set(map, key, (uint64_t)(uintptr_t)value));
}

static inline void *u64_map_remove_pointer(struct u64_map *map, uint64_t key)
{
	return u64_map_pointer(u64_map_remove(map, key));
}

/* Iteration: start with *position = 0; false at the end. The map must not change during the iteration. */
bool u64_map_next(const struct u64_map *map, size_t *position, uint64_t *key, uint64_t *value);

#endif
