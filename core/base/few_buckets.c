/* SPDX-License-Identifier: MIT */
#include "core/base/few_buckets.h"

#include <glib.h>
#include <stdlib.h>

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

static int compare(const void *a, const void *b)
{
	const int32_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

void few_buckets_sort(struct few_buckets *few)
{
	if (few->sorted != few->count) {
		qsort(few->buckets, few->count, sizeof(*few->buckets), compare);
		few->sorted = few->count;
	}
}
