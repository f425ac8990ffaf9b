/* SPDX-License-Identifier: MIT */
#include "core/normalize/visit_queue.h"

/* Visited entries are forgotten in chunks of at least this many, so that moving the rest costs O(1) for each. */
#define FORGET_CHUNK 4096

void visit_queue_init(struct visit_queue *queue, guint entry_size, bool are_kept)
{
	*queue = (struct visit_queue){ .entries = g_array_new(FALSE, TRUE, entry_size), .are_kept = are_kept };
}

void visit_queue_clear(struct visit_queue *queue)
{
	g_array_free(queue->entries, TRUE);
}

static void *entry(const struct visit_queue *queue, uint64_t number)
{
	return queue->entries->data + (number - queue->first) * g_array_get_element_size(queue->entries);
}

uint64_t visit_queue_append(struct visit_queue *queue)
{
	g_array_set_size(queue->entries, queue->entries->len + 1);
	return queue->first + queue->entries->len - 1;
}

void *visit_queue_unvisited(struct visit_queue *queue, uint64_t number)
{
	return number < queue->position ? NULL : entry(queue, number);
}

static void forget(struct visit_queue *queue)
{
	guint count = (guint)(queue->position - queue->first);

	if (queue->are_kept || count < FORGET_CHUNK || count < queue->entries->len / 2) {
		return;
	}
	g_array_remove_range(queue->entries, 0, count);
	queue->first += count;
}

const void *visit_queue_next(struct visit_queue *queue)
{
	forget(queue);
	if (queue->position >= queue->first + queue->entries->len) {
		return NULL;
	}
	return entry(queue, queue->position++);
}

void visit_queue_rewind(struct visit_queue *queue)
{
	queue->position = queue->first;
}
