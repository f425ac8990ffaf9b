/* SPDX-License-Identifier: MIT */
#include "core/statistics/histogram_carries.h"

#include <glib.h>
#include <string.h>

#define FIRST_ROOM 8
#define COUNT_MAX ((UINT64_C(1) << 48) - 1) /* of one carry */

static size_t size_of(uint32_t count)
{
	return count * sizeof(struct histogram_carry);
}

void histogram_carries_make_room(struct histogram_carries *carries, uint32_t room, struct arena *arena)
{
	carries->carries = arena_grow(arena, carries->carries, size_of(carries->room), size_of(room));
	carries->room = room;
}

void histogram_carries_copy(struct histogram_carries *carries, const struct histogram_carries *other,
			    struct arena *arena)
{
	*carries = (struct histogram_carries){ .count = other->count };
	if (other->carries) {
		histogram_carries_make_room(carries, other->room, arena);
		memcpy(carries->carries, other->carries, size_of(other->count));
	}
}

void histogram_carries_free(struct histogram_carries *carries, struct arena *arena)
{
	arena_give(arena, carries->carries, size_of(carries->room));
}

uint32_t histogram_carries_from(const struct histogram_carries *carries, int32_t bucket)
{
	uint32_t low = 0, high = carries->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (carries->carries[middle].bucket < bucket) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

static void insert(struct histogram_carries *carries, uint32_t index, int32_t bucket, struct arena *arena)
{
	struct histogram_carry *carry;

	if (carries->count == carries->room) {
		histogram_carries_make_room(carries, MAX(2 * carries->room, FIRST_ROOM), arena);
	}
	carry = &carries->carries[index];
	memmove(carry + 1, carry, size_of(carries->count - index));
	carries->count++;
	*carry = (struct histogram_carry){ .bucket = bucket };
}

void histogram_carries_add(struct histogram_carries *carries, int32_t bucket, uint64_t count, struct arena *arena)
{
	uint32_t index = histogram_carries_from(carries, bucket);

	for (uint64_t part; count > 0; count -= part) {
		part = MIN(count, COUNT_MAX);
		if (index == carries->count || carries->carries[index].bucket != bucket ||
		    carries->carries[index].count > COUNT_MAX - part) {
			insert(carries, index, bucket, arena);
		}
		carries->carries[index].count += part;
	}
}
