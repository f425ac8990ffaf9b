/* SPDX-License-Identifier: MIT */
/*
 * The output queue of a filter that emits more messages than it receives: first in, first out, each a reference.
 * A ring; O(1), no allocation once it has reached its greatest length. Embedded: init and clear. A message keeps its
 * position, the number of messages pushed before it; NULL may be pushed to keep a place.
 */
#ifndef ROS2BT_MESSAGE_QUEUE_H
#define ROS2BT_MESSAGE_QUEUE_H

#include <babeltrace2/babeltrace.h>
#include <stddef.h>

struct message_queue {
	const bt_message **messages; /* owned; the references too */
	size_t capacity;	     /* power of two, or 0 */
	size_t first, count;
	uint64_t popped; /* position of the first one */
};

void message_queue_init(struct message_queue *queue);
void message_queue_clear(struct message_queue *queue); /* releases the remaining messages; usable afterwards */

/* Takes over the reference. */
void message_queue_push(struct message_queue *queue, const bt_message *message);

/* The position of the message pushed next. */
uint64_t message_queue_end(const struct message_queue *queue);

/* The message at a position that was pushed and not yet popped. */
const bt_message **message_queue_at(const struct message_queue *queue, uint64_t position);

/* Moves up to `capacity` messages into `messages`; returns their number. */
uint64_t message_queue_pop(struct message_queue *queue, bt_message_array_const messages, uint64_t capacity);

#endif
