/* SPDX-License-Identifier: MIT */
/*
 * The source timestamps of publications whose own events do not record them, learned from later events:
 *
 *   - CARET's dds_bind_addr_to_stamp: of the thread that wrote, for the last message it wrote, if addr is that
 *     message or 0
 *   - the take (rmw_take, dispatch_subscription_callback), by the rule of core/stamps/stamp_matcher.h, which the flow
 *     linker uses as well
 *   - an intra-process publication has the timestamp of its inter-process leg, if it has one
 *
 * A queue: publication_stamps_learn() takes all records in order and appends the publications among them, which are the
 * records for which publication_stamps_has() is true. publication_stamps_next() visits the same publications in the
 * same order, with any delay: the longer the delay, the more is known.
 *
 * Times in ns since the Unix epoch. Memory: 120 bytes for each publication between learn and next (for all if they are
 * kept). Cost: that of stamp_matcher.h for a take, O(1) otherwise.
 */
#ifndef ROS2BT_PUBLICATION_STAMPS_H
#define ROS2BT_PUBLICATION_STAMPS_H

#include "ros2bt/base/time_units.h"
#include "ros2bt/events/event_record.h"
#include "ros2bt/events/event_schema.h"
#include "ros2bt/events/recording.h"

#define PUBLICATION_STAMP_UNKNOWN INT64_C(-1)

enum publication_stamp_source {
	PUBLICATION_STAMP_NONE,	    /* not recorded */
	PUBLICATION_STAMP_BOUND,    /* recorded in an event */
	PUBLICATION_STAMP_INFERRED, /* inferred from the take */
};

struct publication_stamp {
	int64_t timestamp; /* PUBLICATION_STAMP_UNKNOWN if the source is NONE */
	enum publication_stamp_source source;
	/* Of an intra-process publication; false if a subscription took the message before that leg had its timestamp.
	 */
	bool has_inter_process_leg;
};

struct publication_stamps;

/* `are_kept`: keeps all publications for publication_stamps_rewind(). The recording is borrowed. */
struct publication_stamps *publication_stamps_create(const struct recording *recording, bool are_kept);
void publication_stamps_destroy(struct publication_stamps *stamps);

/* Takes records in order. */
void publication_stamps_learn(struct publication_stamps *stamps, const struct event_record *record);

/* The end of the recording: decides what can be decided. */
void publication_stamps_finish(struct publication_stamps *stamps);

/* Whether the record is a publication of the queue. */
static inline bool publication_stamps_has(const struct event_record *record)
{
	switch (record->kind) {
	case EVENT_RMW_PUBLISH:
		return !record_has(record, RMW_PUBLISH__timestamp);
	case EVENT_DDS_WRITE:
		return !record_has(record, DDS_WRITE__timestamp);
	case EVENT_RCLCPP_INTRA_PUBLISH:
		return true;
	default:
		return false;
	}
}

/* The stamp of the next publication of the queue; unknown if that was not learned. */
struct publication_stamp publication_stamps_next(struct publication_stamps *stamps);

/* Starts again with the first publication. Only with `are_kept`. */
void publication_stamps_rewind(struct publication_stamps *stamps);

#endif
