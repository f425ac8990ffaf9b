/* SPDX-License-Identifier: MIT */
#include "core/base/few_buckets.h"

#include <glib.h>

#define FIRST_ROOM 125 /* with the numbers before them, whole cache lines */
#define ROOM_MAX 500

static size_t size_of(uint32_t room)
{
	return sizeof(struct few_buckets) + room * sizeof(int32_t);
}

struct few_buckets *few_buckets_make_room(struct few_buckets *few, size_t more, struct arena *arena)
{
	uint32_t count = few ? few->count : 0, room = few ? few->room : 0;

	if (count + more > ROOM_MAX) {
		return NULL;
	}
	if (count + more > room) {
		uint32_t larger = few ? MIN(2 * room, ROOM_MAX) : FIRST_ROOM;

		few = arena_grow(arena, few, few ? size_of(room) : 0, size_of(larger));
		few->room = larger;
	}
	return few;
}

void few_buckets_destroy(struct few_buckets *few, struct arena *arena)
{
	if (few) {
		arena_give(arena, few, size_of(few->room));
	}
}

/* Any bucket is within +- 2^15 (duration_histogram.c). */
#define KEY_OFFSET 32768
#define DIGITS 256

/* One pass of a radix sort: in the order of the digit, those of equal digit as before. */
static void sort_by_digit(const uint16_t *from, uint16_t *to, uint32_t count, unsigned int shift)
{
	uint16_t ends[DIGITS] = { 0 }; /* behind those of a digit */

	for (uint32_t i = 0; i < count; i++) {
		ends[from[i] >> shift & (DIGITS - 1)]++;
	}
	for (uint32_t digit = 1; digit < DIGITS; digit++) {
		ends[digit] = (uint16_t)(ends[digit] + ends[digit - 1]);
	}
	for (uint32_t i = count; i-- > 0;) {
		to[--ends[from[i] >> shift & (DIGITS - 1)]] = from[i];
	}
}

/* There are as many sorts as series, and qsort() would be a tenth of a report's instructions. */
static void sort_by_radix(struct few_buckets *few)
{
	uint16_t keys[ROOM_MAX] = { 0 }, other_keys[ROOM_MAX] = { 0 };

	for (uint32_t i = 0; i < few->count; i++) {
		keys[i] = (uint16_t)(few->buckets[i] + KEY_OFFSET);
	}
	sort_by_digit(keys, other_keys, few->count, 0);
	sort_by_digit(other_keys, keys, few->count, 8);
	for (uint32_t i = 0; i < few->count; i++) {
		few->buckets[i] = keys[i] - KEY_OFFSET;
	}
	few->sorted = few->count;
}

void few_buckets_sort(struct few_buckets *few)
{
	if (few->sorted != few->count) {
		sort_by_radix(few);
	}
}
