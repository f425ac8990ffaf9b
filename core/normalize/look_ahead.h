/* SPDX-License-Identifier: MIT */
/*
 * What a pass ahead of the normalizer learns for it from later records: the timestamps of publications, and takes that
 * no event records. The cost and memory of both.
 */
#ifndef ROS2BT_LOOK_AHEAD_H
#define ROS2BT_LOOK_AHEAD_H

#include "core/normalize/inferred_takes.h"
#include "core/normalize/publication_stamps.h"

struct look_ahead {
	struct publication_stamps *stamps; /* owned */
	struct inferred_takes *takes;	   /* owned */
};

/* `are_kept`: keeps all for look_ahead_rewind(). The recording is borrowed. */
struct look_ahead *look_ahead_create(struct recording *recording, bool are_kept);
void look_ahead_destroy(struct look_ahead *ahead); /* NULL is allowed */

/* Takes all records in order. */
void look_ahead_learn(struct look_ahead *ahead, const struct event_record *record);
/* The end of the recording: decides what can be decided. */
void look_ahead_finish(struct look_ahead *ahead);
/* The normalizer starts again with the first record. */
void look_ahead_rewind(struct look_ahead *ahead);

#endif
