/* SPDX-License-Identifier: MIT */
/*
 * The source timestamps of publications whose own events do not record them, learned from later events:
 *
 *   - CARET's dds_bind_addr_to_stamp: by the thread that wrote, for the last message it wrote (addr is that message, or
 * 0);
 *   - the take (rmw_take, dispatch_subscription_callback): Humble and Iron stamp a message right after their
 * rmw_publish, so a timestamp belongs to the latest publication on the topic at or before it, if that is at most
 *     PUBLICATION_STAMP_DISTANCE_NS earlier. A publication that matches two timestamps gets neither;
 *   - an intra-process publication has the timestamp of its inter-process leg, if it has one.
 *
 * core/flow/infer.h answers the last question by another rule, learnt distances: the linker must also hold where the
 * clock of the stamps has drifted before that of the trace, marks what it inferred, and can leave a take open. Here
 * each publication gets its stamp for good. tests/flow/compare_inference.c compares both on recordings.
 *
 * A queue: publication_stamps_learn() gets all records in order and appends the publications among them,
 * publication_stamps_next() visits the same publications in the same order, with any delay: the longer, the more is
 * known. Publications are the records for which publication_stamps_has() is true.
 *
 * Measured on recordings of Humble (Cyclone DDS, 16 950 timestamps): 0.1 to 53 µs after the event, never before it.
 * Times in ns since the Unix epoch. Memory: 32 bytes per publication between learn and next (or for all, if they are
 * kept). O(log of the publications on the topic) per take, O(1) otherwise.
 */
#ifndef ROS2BT_PUBLICATION_STAMPS_H
#define ROS2BT_PUBLICATION_STAMPS_H

#include "core/base/time_units.h"
#include "ros2bt/event_record.h"
#include "ros2bt/recording.h"

#define PUBLICATION_STAMP_DISTANCE_NS NS_PER_MS
#define PUBLICATION_STAMP_UNKNOWN INT64_C(-1)

enum publication_stamp_source {
	PUBLICATION_STAMP_NONE,	    /* not recorded */
	PUBLICATION_STAMP_BOUND,    /* recorded in an event */
	PUBLICATION_STAMP_INFERRED, /* from the take */
};

struct publication_stamp {
	int64_t timestamp; /* PUBLICATION_STAMP_UNKNOWN if the source is NONE */
	enum publication_stamp_source source;
	/* Of an intra-process publication, if no subscription took the message before that leg had its timestamp. */
	bool has_inter_process_leg;
};

struct publication_stamps;

/* `are_kept`: publication_stamps_rewind() is possible. The recording is borrowed. */
struct publication_stamps *publication_stamps_create(const struct recording *recording, bool are_kept);
void publication_stamps_destroy(struct publication_stamps *stamps);

void publication_stamps_learn(struct publication_stamps *stamps, const struct event_record *record);

/* Whether the record is a publication of the queue. */
bool publication_stamps_has(const struct event_record *record);

/* The next publication of the queue; its stamp is unknown if it was not learned. */
struct publication_stamp publication_stamps_next(struct publication_stamps *stamps);

/* Walk from the first one again. */
void publication_stamps_rewind(struct publication_stamps *stamps);

#endif
