/* SPDX-License-Identifier: MIT */
/*
 * Puts the polls of each thread into their place among the other events of that thread. A reader joins the polls of a
 * stream (RECORD_POLLS), as they lie in the trace, so some of them are later than events of other streams that follow.
 * If the thread has moved to another CPU in between, those are events of the same thread.
 *
 * Polls are kept until another record of their thread arrives, or someone asks for them; those up to its time are then
 * passed on, in order. So are the oldest 128 once there is a later one. The first poll of a thread is passed on at
 * once. So who is told of polls knows, whatever a reader joined, which threads poll, and may ask what another thread
 * than that of the last record did until now (executions_catch_up()).
 *
 * Those 128 are told before anything happens that is later than the one that makes them too many: what may be missing
 * between polls is answered by what is known then (core/model/coverage.h), whatever a reader joined.
 *
 * Cost: a copy of 16 bytes per poll. Memory: for each thread that polls, 128 polls and those of two records of the
 * reader. Where the clock stands still, the oldest are passed on once there are more than 4,096.
 */
#ifndef ROS2BT_POLL_QUEUE_H
#define ROS2BT_POLL_QUEUE_H

#include <glib.h>
#include <stdbool.h>

#include "ros2bt/events/poll.h"

struct poll_call {
	poll_taker take; /* NULL: the end of the list */
	void *data;
};

/* Of a thread: polls[begin] … polls[end - 1], in order of time. Once none waits, both are 0. */
struct waiting_polls {
	uint32_t begin, end, room;
	int64_t first_ns;   /* of polls[begin]; INT64_MAX: none waits */
	struct poll *polls; /* owned */
};

/* Only for the inline function below. */
struct poll_queue {
	struct poll_call *calls;       /* owned */
	struct waiting_polls *threads; /* owned, by thread index */
	uint32_t thread_count;
	int64_t full_ns; /* at most the time of the first poll that is one too many, of any thread */
};

struct poll_queue *poll_queue_create(void);
void poll_queue_destroy(struct poll_queue *queue); /* NULL is allowed */

/* Before the first polls. Takers are called in the order in which they are added. */
void poll_queue_add_taker(struct poll_queue *queue, poll_taker take, void *data);

/* Adds polls of a thread, in order; all further events of all threads are at or after the first of them. */
void poll_queue_add(struct poll_queue *queue, uint32_t thread, const struct poll *polls, size_t count);

/* The same of a record of polls, or of a single one; a record_taker. */
void poll_queue_feed(void *queue, const struct event_record *record);

/* The polls of a thread if some are to be passed on up to a time before INT64_MAX, else NULL. Asked for each record. */
static inline struct waiting_polls *poll_queue_due(const struct poll_queue *queue, uint32_t thread, int64_t until_ns)
{
	return thread < queue->thread_count && queue->threads[thread].first_ns <= until_ns ? &queue->threads[thread]
											   : NULL;
}

/* Passes on those of poll_queue_due(). */
void poll_queue_pass_on(const struct poll_queue *queue, uint32_t thread, struct waiting_polls *due, int64_t until_ns);

/* Passes on the polls of a thread up to a time. O(1) if there are none. */
void poll_queue_release(const struct poll_queue *queue, uint32_t thread, int64_t until_ns);

/* The slow part of poll_queue_settle(). */
void poll_queue_settle_full(struct poll_queue *queue, int64_t time_ns);

/* To be called before a record at time_ns changes what may be missing: passes on polls that are too many by then. */
static inline void poll_queue_settle(struct poll_queue *queue, int64_t time_ns)
{
	if (G_UNLIKELY(queue->full_ns < time_ns)) {
		poll_queue_settle_full(queue, time_ns);
	}
}

/* Passes on the polls of all threads up to a time. */
void poll_queue_release_all(const struct poll_queue *queue, int64_t until_ns);

#endif
