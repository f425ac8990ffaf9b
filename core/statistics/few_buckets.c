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
#define DIGITS 256
#define LOW_DIGIT(bucket) ((uint16_t)(bucket) % DIGITS)
#define HIGH_DIGIT(bucket) ((uint16_t)(bucket) / DIGITS ^ DIGITS / 2)

/* By radix, in two passes: in the order of the low digit, then of the high one, those of equal digit as before. There
 * are as many sorts as series, and qsort() would be a tenth of a report's instructions. */
static void sort_by_radix(const int16_t *buckets, int16_t *sorted, uint32_t count)
{
	int16_t other[FEW_BUCKETS_MAX];
	uint16_t low_ends[DIGITS] = { 0 }, high_ends[DIGITS] = { 0 }; /* behind those of a digit */

	for (uint32_t i = 0; i < count; i++) {
		low_ends[LOW_DIGIT(buckets[i])]++;
		high_ends[HIGH_DIGIT(buckets[i])]++;
	}
	for (uint32_t digit = 1; digit < DIGITS; digit++) {
		low_ends[digit] = (uint16_t)(low_ends[digit] + low_ends[digit - 1]);
		high_ends[digit] = (uint16_t)(high_ends[digit] + high_ends[digit - 1]);
	}
	for (uint32_t i = count; i-- > 0;) {
		other[--low_ends[LOW_DIGIT(buckets[i])]] = buckets[i];
	}
	for (uint32_t i = count; i-- > 0;) {
		sorted[--high_ends[HIGH_DIGIT(other[i])]] = other[i];
	}
}

void few_buckets_sort(struct few_buckets *few)
{
	int16_t buckets[FEW_BUCKETS_MAX], sorted[FEW_BUCKETS_MAX];

	if (few->sorted == few->count) {
		return;
	}
	few_buckets_take(few, buckets);
	sort_by_radix(buckets, sorted, few->count);
	for (uint32_t i = 0, room; i < few->count; i += room) {
		int16_t *to = few_buckets_part_from(few, i, &room);

		memcpy(to, &sorted[i], MIN(room, few->count - i) * sizeof(*to));
	}
	few->sorted = few->count;
}
