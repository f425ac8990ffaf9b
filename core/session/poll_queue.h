/* SPDX-License-Identifier: MIT */
/*
 * Brings the polls of each thread into their place among the other events of that thread. A reader joins polls of a
 * stream (RECORD_POLLS), which is how they lie in the trace, and so gives some of them before events of other streams
 * that are earlier. Where the thread has moved to another CPU in between, they are events of that thread.
 *
 * Polls are kept until something else of their thread comes, and given away up to the time of that, in order.
 *
 * Cost: a copy of 16 bytes a poll. Memory: for each thread that polls, those of a record of the reader, or two.
 */
#ifndef ROS2BT_POLL_QUEUE_H
#define ROS2BT_POLL_QUEUE_H

#include <stddef.h>

#include "ros2bt/poll.h"

struct poll_queue;

/* Takes polls of a thread, the earliest first; they are borrowed during the call. */
typedef void (*poll_taker)(void *data, uint32_t thread, const struct poll *polls, size_t count);

struct poll_queue *poll_queue_create(poll_taker take, void *data);
void poll_queue_destroy(struct poll_queue *queue); /* NULL is allowed */

/* Polls of a thread, in order; all further events of all threads are at or after the first of them. */
void poll_queue_add(struct poll_queue *queue, uint32_t thread, const struct poll *polls, size_t count);

/* Gives away the polls of a thread up to a time. O(1) without any. */
void poll_queue_release(struct poll_queue *queue, uint32_t thread, int64_t until_ns);

/* Gives away those of all threads, up to a time. */
void poll_queue_release_all(struct poll_queue *queue, int64_t until_ns);

#endif
