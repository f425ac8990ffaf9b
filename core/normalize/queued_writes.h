/* SPDX-License-Identifier: MIT */
/*
 * The publications of a recording in their order, each with what is known of its write into the middleware, which older
 * releases do not record, and with the timestamp by which takes that are inferred refer to it: that of the write if it
 * is recorded, else one that is made of the time of rcl_publish and that no other made one equals.
 *
 * A publication is an rcl_publish. The write that follows it on its thread with the same message is its own. If another
 * runtime event of the thread follows, the write is not recorded.
 *
 * Times in ns since the Unix epoch. Cost: O(1) for a record. Memory: that of a visit_queue, and of the threads.
 */
#ifndef ROS2BT_QUEUED_WRITES_H
#define ROS2BT_QUEUED_WRITES_H

#include "core/normalize/visit_queue.h"
#include "ros2bt/events/event_record.h"
#include "ros2bt/events/event_schema.h"

struct queued_write {
	int64_t timestamp;
	bool is_taken;
	bool is_missing;     /* the write is not recorded, nor was any other one before */
	bool is_bound_later; /* an event of CARET will record its timestamp */
};

struct queued_writes {
	struct visit_queue queue; /* of struct queued_write */
	GArray *threads;	  /* struct sending_thread, by index */
	int64_t last_timestamp;
	bool has_writes; /* one was recorded */
};

void queued_writes_init(struct queued_writes *writes, bool are_kept);
void queued_writes_clear(struct queued_writes *writes);

/* The number of the rcl_publish; sets the time of its first publish event. */
uint64_t queued_writes_publish(struct queued_writes *writes, const struct event_record *record, int64_t *first_ns);
/* Takes all other runtime events. */
void queued_writes_learn(struct queued_writes *writes, const struct event_record *record);

/* Events may be missing: the rest of what the thread has begun may be lost. */
void queued_writes_forget_thread(struct queued_writes *writes, uint32_t thread);
void queued_writes_forget_threads(struct queued_writes *writes);

/* A callback handles the message. Sets no timestamp if it was visited without that, or has none so far. */
void queued_writes_take(struct queued_writes *writes, uint64_t number, int64_t *timestamp);

#endif
