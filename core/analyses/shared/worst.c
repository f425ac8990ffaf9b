/* SPDX-License-Identifier: MIT */
#include "core/analyses/shared/worst.h"

#include <glib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 4

struct worst *worst_create(struct arena *arena, uint32_t count_max, size_t kept_size)
{
	struct worst *worst;

	if (count_max == 0) {
		return NULL;
	}
	worst = arena_take(arena, sizeof(*worst));
	worst->arena = arena;
	worst->count_max = count_max;
	worst->kept_size = kept_size;
	return worst;
}

static bool is_worse(const struct worst_instance *left, const struct worst_instance *right)
{
	if (left->duration_ns != right->duration_ns) {
		return left->duration_ns > right->duration_ns;
	}
	return left->start_ns != right->start_ns ? left->start_ns < right->start_ns : left->order < right->order;
}

/* Moves the instance from the root down to its place. */
static void sift_down(struct worst *worst, struct worst_instance instance)
{
	uint32_t place = 0;

	for (uint32_t child = 1; child < worst->count; child = 2 * place + 1) {
		child += child + 1 < worst->count && is_worse(&worst->heap[child], &worst->heap[child + 1]);
		if (!is_worse(&instance, &worst->heap[child])) {
			break;
		}
		worst->heap[place] = worst->heap[child];
		place = child;
	}
	worst->heap[place] = instance;
}

/* Moves the instance from the end up to its place. */
static void sift_up(struct worst *worst, struct worst_instance instance)
{
	uint32_t place = worst->count++;

	while (place > 0 && is_worse(&worst->heap[(place - 1) / 2], &instance)) {
		worst->heap[place] = worst->heap[(place - 1) / 2];
		place = (place - 1) / 2;
	}
	worst->heap[place] = instance;
}

static void grow(struct worst *worst)
{
	uint32_t capacity = worst->capacity ? 2 * worst->capacity : FIRST_CAPACITY;

	worst->heap = arena_grow(worst->arena, worst->heap, worst->capacity * sizeof(*worst->heap),
				 capacity * sizeof(*worst->heap));
	worst->capacity = capacity;
}

void *worst_add(struct worst *worst, int64_t duration_ns, int64_t start_ns)
{
	struct worst_instance instance = {
		.duration_ns = duration_ns,
		.start_ns = start_ns,
		.order = worst->next_order++,
	};

	if (worst->count == worst->count_max) {
		if (!is_worse(&instance, &worst->heap[0])) {
			return NULL;
		}
		instance.kept = memset(worst->heap[0].kept, 0, worst->kept_size);
		sift_down(worst, instance);
		return instance.kept;
	}
	if (worst->count == worst->capacity) {
		grow(worst);
	}
	instance.kept = arena_take(worst->arena, worst->kept_size);
	sift_up(worst, instance);
	return instance.kept;
}

static int compare(const void *a, const void *b)
{
	return is_worse(a, b) ? -1 : 1;
}

struct worst_instance *worst_sorted(const struct worst *worst, size_t *count)
{
	struct worst_instance *sorted;

	*count = worst ? worst->count : 0;
	if (*count == 0) {
		return NULL;
	}
	sorted = g_memdup2(worst->heap, *count * sizeof(*sorted));
	qsort(sorted, *count, sizeof(*sorted), compare);
	return sorted;
}
