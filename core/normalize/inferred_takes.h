/* SPDX-License-Identifier: MIT */
/*
 * The takes that releases before Humble do not record, as core/untaken/untaken_matcher.h infers them for the flow
 * linker, too: which publication a callback of a subscription handles. The first take that is recorded ends all
 * inference.
 *
 * Two queues: inferred_takes_learn() takes all records in order and appends each rcl_publish to one and each
 * callback_start to the other. inferred_takes_next_write() and inferred_takes_next_start() visit them in the same
 * order, with any delay: the longer the delay, the more is known. What was visited before its decision stays unknown.
 *
 * A callback of a subscription has had a take, even if it is unknown of what. Both ends of a link have the same
 * timestamp: that of the publication if it is recorded, else one that is made of its time, which no other made one
 * equals.
 *
 * Times in ns since the Unix epoch. Memory until the first take: 24 bytes for each rcl_publish and 16 for each
 * callback_start between learn and next (for all if they are kept), the objects of the recording, and what the matcher
 * needs. Cost: O(1) for a record; nothing after the first take.
 */
#ifndef ROS2BT_INFERRED_TAKES_H
#define ROS2BT_INFERRED_TAKES_H

#include "ros2bt/events/event_record.h"
#include "ros2bt/events/event_schema.h"
#include "ros2bt/events/recording.h"

#define INFERRED_TAKE_OF_UNKNOWN INT64_C(0) /* no publication has this timestamp */

/* What is known of the write that follows an rcl_publish. */
struct inferred_write {
	bool is_missing; /* the release does not record it */
	bool is_taken;	 /* a callback handles the message */
	int64_t timestamp;
};

/* A callback_start. */
struct inferred_start {
	bool has_take;	   /* the release does not record the take of the message that the callback handles */
	int64_t timestamp; /* of its publication; INFERRED_TAKE_OF_UNKNOWN: it is not known which */
};

struct inferred_takes;

/* `are_kept`: keeps all for inferred_takes_rewind(). The recording is borrowed. */
struct inferred_takes *inferred_takes_create(struct recording *recording, bool are_kept);
void inferred_takes_destroy(struct inferred_takes *takes);

/* Takes records in order. */
void inferred_takes_learn(struct inferred_takes *takes, const struct event_record *record);
/* The end of the recording: decides what can be decided. */
void inferred_takes_finish(struct inferred_takes *takes);

/* The next rcl_publish, the next callback_start; all false if it was not learned. */
struct inferred_write inferred_takes_next_write(struct inferred_takes *takes);
struct inferred_start inferred_takes_next_start(struct inferred_takes *takes);

/* Starts again with the first ones. Only with `are_kept`. */
void inferred_takes_rewind(struct inferred_takes *takes);

#endif
