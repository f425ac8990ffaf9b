/* SPDX-License-Identifier: MIT */
#include "ros2bt/base/unique_ids.h"

void unique_ids_init(struct unique_ids *ids)
{
	u64_map_init(&ids->namespaces);
	u64_map_init(&ids->indexes);
	u64_map_init(&ids->made);
}

void unique_ids_clear(struct unique_ids *ids)
{
	u64_map_clear(&ids->namespaces);
	u64_map_clear(&ids->indexes);
	u64_map_clear(&ids->made);
}

static uint32_t index_of(struct unique_ids *ids, uint64_t pid_ns)
{
	uint64_t index = u64_map_get(&ids->indexes, pid_ns);

	if (index == U64_MAP_NONE) {
		index = ids->indexes.count;
		u64_map_set(&ids->indexes, pid_ns, index);
	}
	return (uint32_t)index;
}

int32_t unique_ids_get(struct unique_ids *ids, int32_t id, uint64_t pid_ns)
{
	uint32_t index = index_of(ids, pid_ns);
	uint64_t first = u64_map_get(&ids->namespaces, (uint32_t)id);
	uint64_t key, made;

	if (first == U64_MAP_NONE) {
		u64_map_set(&ids->namespaces, (uint32_t)id, index);
		first = index;
	}
	if (first == index) {
		return id;
	}
	if (index < UNIQUE_IDS_NAMESPACES && id >= 0 && id < UNIQUE_IDS_RANGE) {
		return UNIQUE_IDS_FIRST + (int32_t)index * UNIQUE_IDS_RANGE + id;
	}
	key = (uint64_t)index << 32 | (uint32_t)id;
	made = u64_map_get(&ids->made, key);
	if (made == U64_MAP_NONE) {
		made = UNIQUE_IDS_PLAIN + ids->made.count;
		u64_map_set(&ids->made, key, made);
	}
	return (int32_t)made;
}
