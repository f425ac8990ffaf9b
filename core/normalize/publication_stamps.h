/* SPDX-License-Identifier: MIT */
/*
 * The source timestamps of publications whose own events do not record them, learned from later events:
 *
 *   - CARET's dds_bind_addr_to_stamp: by the thread that wrote, for the last message it wrote (addr is that message, or
 * 0);
 *   - the take (rmw_take, dispatch_subscription_callback), by the rule of core/stamps/stamp_matcher.h, which the flow
 *     linker uses as well;
 *   - an intra-process publication has the timestamp of its inter-process leg, if it has one.
 *
 * A queue: publication_stamps_learn() gets all records in order and appends the publications among them,
 * publication_stamps_next() visits the same publications in the same order, with any delay: the longer, the more is
 * known. Publications are the records for which publication_stamps_has() is true.
 *
 * Times in ns since the Unix epoch. Memory: 120 bytes per publication between learn and next (or for all, if they are
 * kept). Cost: that of stamp_matcher.h per take, O(1) otherwise.
 */
#ifndef ROS2BT_PUBLICATION_STAMPS_H
#define ROS2BT_PUBLICATION_STAMPS_H

#include "core/base/time_units.h"
#include "ros2bt/event_record.h"
#include "ros2bt/recording.h"

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

/* No more records come: timestamps that waited for them are decided. */
void publication_stamps_finish(struct publication_stamps *stamps);

/* Whether the record is a publication of the queue. */
bool publication_stamps_has(const struct event_record *record);

/* The next publication of the queue; its stamp is unknown if it was not learned. */
struct publication_stamp publication_stamps_next(struct publication_stamps *stamps);

/* Walk from the first one again. */
void publication_stamps_rewind(struct publication_stamps *stamps);

#endif
