/* SPDX-License-Identifier: MIT */
#include "core/bt/gate/message_queue.h"

#include <glib.h>

void message_queue_init(struct message_queue *queue)
{
	*queue = (struct message_queue){ 0 };
}

static const bt_message **message_at(const struct message_queue *queue, size_t index)
{
	return &queue->messages[(queue->first + index) & (queue->capacity - 1)];
}

void message_queue_clear(struct message_queue *queue)
{
	for (size_t i = 0; i < queue->count; i++) {
		bt_message_put_ref(*message_at(queue, i));
	}
	g_free(queue->messages);
	message_queue_init(queue);
}

static void grow(struct message_queue *queue)
{
	size_t capacity = queue->capacity ? 2 * queue->capacity : 64;
	const bt_message **messages = g_new(const bt_message *, capacity);

	for (size_t i = 0; i < queue->count; i++) {
		messages[i] = *message_at(queue, i);
	}
	g_free(queue->messages);
	queue->messages = messages;
	queue->capacity = capacity;
	queue->first = 0;
}

void message_queue_push(struct message_queue *queue, const bt_message *message)
{
	if (queue->count == queue->capacity) {
		grow(queue);
	}
	*message_at(queue, queue->count++) = message;
}

uint64_t message_queue_end(const struct message_queue *queue)
{
	return queue->popped + queue->count;
}

const bt_message **message_queue_at(const struct message_queue *queue, uint64_t position)
{
	return message_at(queue, position - queue->popped);
}

uint64_t message_queue_pop(struct message_queue *queue, bt_message_array_const messages, uint64_t capacity)
{
	uint64_t count = MIN(queue->count, capacity);

	for (uint64_t i = 0; i < count; i++) {
		messages[i] = *message_at(queue, i);
	}
	queue->first = count < queue->count ? (queue->first + count) & (queue->capacity - 1) : 0;
	queue->count -= count;
	queue->popped += count;
	return count;
}
