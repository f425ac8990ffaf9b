/* SPDX-License-Identifier: MIT */
/*
 * Messages on their way out of a filter that makes more of them than it gets: first in, first out, each a reference.
 * A ring; O(1), no allocation once it is as long as it gets. Embedded: init and clear.
 */
#ifndef ROS2BT_MESSAGE_QUEUE_H
#define ROS2BT_MESSAGE_QUEUE_H

#include <babeltrace2/babeltrace.h>
#include <stddef.h>

struct message_queue {
	const bt_message **messages; /* owned; the references too */
	size_t capacity;	     /* power of two, or 0 */
	size_t first, count;
};

void message_queue_init(struct message_queue *queue);
void message_queue_clear(struct message_queue *queue); /* puts what is left; usable afterwards */

/* Takes over the reference. */
void message_queue_push(struct message_queue *queue, const bt_message *message);

/* Moves as many as there are, at most `capacity`, into `messages`; returns how many. */
uint64_t message_queue_pop(struct message_queue *queue, bt_message_array_const messages, uint64_t capacity);

#endif
