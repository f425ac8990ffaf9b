/* SPDX-License-Identifier: MIT */
#include "ros2bt/base/u64_map.h"

#include <glib.h>
#include <string.h>

#define FIRST_CAPACITY 16

void u64_map_init(struct u64_map *map)
{
	*map = (struct u64_map){ 0 };
}

void u64_map_clear(struct u64_map *map)
{
	g_free(map->slots);
	u64_map_init(map);
}

static void map_allocate(struct u64_map *map, size_t capacity)
{
	map->slots = g_new(uint64_t, 2 * capacity);
	map->capacity = capacity;
	map->shift = 64 - (unsigned int)__builtin_ctzll(capacity);
	for (size_t i = 0; i < capacity; i++) {
		map->slots[2 * i + 1] = U64_MAP_NONE;
	}
}

/* The slot that holds the key, or the free one where it belongs. */
static size_t map_find(const struct u64_map *map, uint64_t key)
{
	size_t i = u64_map_home(map, key);

	while (map->slots[2 * i + 1] != U64_MAP_NONE && map->slots[2 * i] != key) {
		i = (i + 1) & (map->capacity - 1);
	}
	return i;
}

static G_GNUC_NO_INLINE uint64_t grow_and_set(struct u64_map *map, uint64_t key, uint64_t value)
{
	struct u64_map old = *map;

	map_allocate(map, old.capacity ? 2 * old.capacity : FIRST_CAPACITY);
	for (size_t i = 0; i < 2 * old.capacity; i += 2) {
		if (old.slots[i + 1] != U64_MAP_NONE) {
			memcpy(&map->slots[2 * map_find(map, old.slots[i])], &old.slots[i], 2 * sizeof(uint64_t));
		}
	}
	g_free(old.slots);
	return u64_map_set(map, key, value);
}

uint64_t u64_map_set(struct u64_map *map, uint64_t key, uint64_t value)
{
	uint64_t *slot, before;

	g_assert(value != U64_MAP_NONE);
	if (2 * (map->count + 1) > map->capacity) {
		return grow_and_set(map, key, value);
	}
	slot = &map->slots[2 * map_find(map, key)];
	before = slot[1];
	slot[0] = key;
	slot[1] = value;
	if (before == U64_MAP_NONE) {
		map->count++;
	}
	return before;
}

void u64_map_count(struct u64_map *map, uint64_t key, uint64_t more)
{
	size_t i = map->capacity > 0 ? map_find(map, key) : 0;

	if (map->capacity > 0 && map->slots[2 * i + 1] != U64_MAP_NONE) {
		map->slots[2 * i + 1] += more;
	} else {
		u64_map_set(map, key, more);
	}
}

uint64_t u64_map_remove(struct u64_map *map, uint64_t key)
{
	size_t mask = map->capacity - 1;
	uint64_t value;
	size_t hole;

	if (map->capacity == 0) {
		return U64_MAP_NONE;
	}
	hole = map_find(map, key);
	value = map->slots[2 * hole + 1];
	if (value == U64_MAP_NONE) {
		return U64_MAP_NONE;
	}
	map->count--;
	for (size_t i = (hole + 1) & mask; map->slots[2 * i + 1] != U64_MAP_NONE; i = (i + 1) & mask) {
		size_t home = u64_map_home(map, map->slots[2 * i]);

		/* Move it up unless its home lies behind the hole. */
		if (((i - home) & mask) >= ((i - hole) & mask)) {
			map->slots[2 * hole] = map->slots[2 * i];
			map->slots[2 * hole + 1] = map->slots[2 * i + 1];
			hole = i;
		}
	}
	map->slots[2 * hole + 1] = U64_MAP_NONE;
	return value;
}

bool u64_map_next(const struct u64_map *map, size_t *position, uint64_t *key, uint64_t *value)
{
	while (*position < map->capacity) {
		const uint64_t *slot = &map->slots[2 * (*position)++];

		if (slot[1] != U64_MAP_NONE) {
			*key = slot[0];
			*value = slot[1];
			return true;
		}
	}
	return false;
}
