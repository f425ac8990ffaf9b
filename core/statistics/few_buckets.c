/* SPDX-License-Identifier: MIT */
#include "core/statistics/few_buckets.h"

#include <string.h>

static size_t part_size(size_t part)
{
	return (part == 0 ? FEW_BUCKETS_FIRST : FEW_BUCKETS_PART) * sizeof(int16_t);
}

struct few_buckets *few_buckets_make_room(struct few_buckets *few, size_t more, struct arena *arena)
{
	size_t count = more + (few ? few->count : 0), room = 0;

	if (count > FEW_BUCKETS_MAX) {
		return NULL;
	}
	if (!few) {
		few = arena_take(arena, sizeof(*few));
	}
	for (size_t part = 0; room < count; part++) {
		if (!few->parts[part]) {
			few->parts[part] = arena_take(arena, part_size(part));
		}
		room += part_size(part) / sizeof(int16_t);
	}
	return few;
}

struct few_buckets *few_buckets_copy(const struct few_buckets *other, struct arena *arena)
{
	struct few_buckets *few = arena_copy(arena, other, sizeof(*few));

	for (size_t part = 0; few && part < FEW_BUCKETS_PARTS; part++) {
		few->parts[part] = arena_copy(arena, other->parts[part], part_size(part));
	}
	return few;
}

void few_buckets_destroy(struct few_buckets *few, struct arena *arena)
{
	if (few) {
		for (size_t part = 0; part < FEW_BUCKETS_PARTS; part++) {
			arena_give(arena, few->parts[part], part_size(part));
		}
		arena_give(arena, few, sizeof(*few));
	}
}

void few_buckets_take(const struct few_buckets *few, int16_t buckets[FEW_BUCKETS_MAX])
{
	for (uint32_t i = 0, room; i < few->count; i += room) {
		const int16_t *from = few_buckets_part_from(few, i, &room);

		memcpy(&buckets[i], from, MIN(room, few->count - i) * sizeof(*from));
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
	uint16_t keys[FEW_BUCKETS_MAX] = { 0 }, other_keys[FEW_BUCKETS_MAX] = { 0 };

	for (uint32_t i = 0; i < few->count; i++) {
		keys[i] = (uint16_t)(*few_buckets_at(few, i) + KEY_OFFSET);
	}
	sort_by_digit(keys, other_keys, few->count, 0);
	sort_by_digit(other_keys, keys, few->count, 8);
	for (uint32_t i = 0; i < few->count; i++) {
		*few_buckets_at(few, i) = (int16_t)(keys[i] - KEY_OFFSET);
	}
	few->sorted = few->count;
}

void few_buckets_sort(struct few_buckets *few)
{
	if (few->sorted != few->count) {
		sort_by_radix(few);
	}
}
