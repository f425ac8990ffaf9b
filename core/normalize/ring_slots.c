/* SPDX-License-Identifier: MIT */
#include "core/normalize/ring_slots.h"

void ring_slots_init(struct ring_slots *slots)
{
	u64_map_init(&slots->buffers);
	u64_map_init(&slots->words);
}

void ring_slots_clear(struct ring_slots *slots)
{
	u64_map_clear(&slots->buffers);
	u64_map_clear(&slots->words);
}

static uint64_t key_of(uint64_t number, uint64_t index)
{
	return number << 32 | index;
}

static bool find_key(const struct ring_slots *slots, uint64_t buffer, uint64_t index, uint64_t *key)
{
	uint64_t number = u64_map_get(&slots->buffers, buffer);

	*key = key_of(number, index);
	return number != U64_MAP_NONE && index <= UINT32_MAX;
}

bool ring_slots_set(struct ring_slots *slots, uint64_t buffer, uint64_t index, uint64_t word)
{
	uint64_t number = u64_map_get(&slots->buffers, buffer);

	if (buffer == U64_MAP_NONE || index > UINT32_MAX) {
		return false;
	}
	if (number == U64_MAP_NONE) {
		number = slots->buffers.count;
		u64_map_set(&slots->buffers, buffer, number);
	}
	u64_map_set(&slots->words, key_of(number, index), word);
	return true;
}

uint64_t ring_slots_get(const struct ring_slots *slots, uint64_t buffer, uint64_t index)
{
	uint64_t key;

	return find_key(slots, buffer, index, &key) ? u64_map_get(&slots->words, key) : U64_MAP_NONE;
}

uint64_t ring_slots_remove(struct ring_slots *slots, uint64_t buffer, uint64_t index)
{
	uint64_t key;

	return find_key(slots, buffer, index, &key) ? u64_map_remove(&slots->words, key) : U64_MAP_NONE;
}
