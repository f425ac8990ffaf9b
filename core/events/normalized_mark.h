/* SPDX-License-Identifier: MIT */
/*
 * The mark that filter.ros2.normalize leaves in the specific context of the events that it changed or supplied, by
 * which a reader undoes the normalization: the records of a normalized trace are those of the recorded one, so that
 * every report is the same with and without the filter, wherever it stands, and also behind a trace that was written.
 *
 * All events of a class are marked alike. Each member of the mark is an enumeration with a single label, so the mark is
 * read once, from the class:
 *
 *   - `normalized`: what was done (enum normalized_how);
 *   - `recorded_as`, not of supplied events: the name of the recorded event.
 *
 * The payload has the fields of today's layout, and behind them those that only the recorded event had (init_timestamp
 * of CARET, the subscription_handle of Dashing), and the recorded version of rcl_init as `recorded_version`.
 */
#ifndef ROS2BT_NORMALIZED_MARK_H
#define ROS2BT_NORMALIZED_MARK_H

#include "ros2bt/event_schema.h"

#define NORMALIZED_MARK "normalized"
#define NORMALIZED_RECORDED_AS "recorded_as"
#define NORMALIZED_RECORDED_VERSION "recorded_version"

/* The numbers are also the values of the enumeration `normalized`. */
enum normalized_how {
	NORMALIZED_KEPT,      /* the event as it is; not marked */
	NORMALIZED_CHANGED,   /* the event in today's layout */
	NORMALIZED_SUPPLIED,  /* an event that the trace implies; readers pass over it */
	NORMALIZED_INFERRED,  /* a publication with publisher, and with a timestamp inferred from the take */
	NORMALIZED_UNSTAMPED, /* a publication with publisher, and with a timestamp of -1: nothing records it */
	NORMALIZED_BOUND,     /* a publication with publisher, and with the timestamp of dds_bind_addr_to_stamp */
	NORMALIZED_COMPLETED, /* a callback of a subscription with the rclcpp subscription that Dashing does not record
			       */
	NORMALIZED_AS_INTER_PROCESS, /* an event supplied to show an intra-process message; read as any other */
	NORMALIZED_HOW_COUNT,
};

struct normalized_mark {
	enum normalized_how how;
	const char *recorded_as; /* borrowed; NULL: under its own name */
};

/* Whether the event is not in the recording. */
static inline bool normalized_is_supplied(enum normalized_how how)
{
	return how == NORMALIZED_SUPPLIED || how == NORMALIZED_AS_INTER_PROCESS;
}

/* The label of the enumeration; NULL for NORMALIZED_KEPT. */
const char *normalized_how_label(enum normalized_how how);

/* NORMALIZED_KEPT if the label is NULL or unknown. */
enum normalized_how normalized_how_of_label(const char *label);

/* The mark from the labels of its members, which may be NULL. */
struct normalized_mark normalized_mark_of_labels(const char *how, const char *recorded_as);

/* The member of the payload that holds what the recorded event of this kind had in the field; NULL: it had none. */
const char *normalized_mark_member(const struct normalized_mark *mark, enum event_kind kind,
				   const struct event_field *field);

#endif
