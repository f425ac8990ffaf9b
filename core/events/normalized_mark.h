/* SPDX-License-Identifier: MIT */
/*
 * The mark that filter.ros2.normalize adds to the specific context of the events that it changed or supplied. With it a
 * reader undoes the normalization: the records of a normalized trace are those of the recorded one, and every report is
 * the same with and without the filter, wherever it is in the graph, and also from a normalized trace on disk.
 *
 * All events of a class have the same mark. Its members are enumerations with a single label each, so a reader takes
 * the mark from the event class:
 *
 *   - `normalized`: what the filter did (enum normalized_how);
 *   - `recorded_as`, not in supplied events: the name of the recorded event.
 *
 * The payload has the fields of the current layout, followed by those that only the recorded event had (init_timestamp
 * of CARET, subscription_handle of Dashing) and by the recorded version of rcl_init as `recorded_version`.
 */
#ifndef ROS2BT_NORMALIZED_MARK_H
#define ROS2BT_NORMALIZED_MARK_H

#include "ros2bt/events/event_schema.h"

#define NORMALIZED_MARK "normalized"
#define NORMALIZED_RECORDED_AS "recorded_as"
#define NORMALIZED_RECORDED_VERSION "recorded_version"

/* The numbers are also the values of the enumeration `normalized`. */
enum normalized_how {
	NORMALIZED_KEPT,      /* unchanged, without a mark */
	NORMALIZED_CHANGED,   /* in the current layout */
	NORMALIZED_SUPPLIED,  /* added, because the trace implies the event; readers skip it */
	NORMALIZED_INFERRED,  /* a publication; added are the publisher and a timestamp inferred with the take */
	NORMALIZED_UNSTAMPED, /* a publication; added are the publisher and -1, because no event has the timestamp */
	NORMALIZED_BOUND,     /* a publication; added are the publisher and the timestamp of dds_bind_addr_to_stamp */
	NORMALIZED_COMPLETED, /* a subscription's callback; added is the rclcpp object, which Dashing does not record */
	NORMALIZED_AS_INTER_PROCESS, /* added to show an intra-process message; read like any other event */
	NORMALIZED_INFERRED_TAKE, /* added, because a take is inferred that the release does not record; as SUPPLIED */
	NORMALIZED_HOW_COUNT,
};

struct normalized_mark {
	enum normalized_how how;
	const char *recorded_as; /* borrowed; NULL: the name of the event */
};

/* Whether the filter added the event. */
static inline bool normalized_is_supplied(enum normalized_how how)
{
	return how == NORMALIZED_SUPPLIED || how == NORMALIZED_INFERRED_TAKE || how == NORMALIZED_AS_INTER_PROCESS;
}

/* Whether readers skip it, and the filter supplies it again. */
static inline bool normalized_is_skipped(enum normalized_how how)
{
	return how == NORMALIZED_SUPPLIED || how == NORMALIZED_INFERRED_TAKE;
}

/* The label of the enumeration; NULL for NORMALIZED_KEPT. */
const char *normalized_how_label(enum normalized_how how);

/* NORMALIZED_KEPT if the label is NULL or unknown. */
enum normalized_how normalized_how_of_label(const char *label);

/* The mark from the labels of its members, which may be NULL. */
struct normalized_mark normalized_mark_of_labels(const char *how, const char *recorded_as);

/* The member of the payload with the recorded value of a field; NULL: the recorded event did not have the field. */
const char *normalized_mark_member(const struct normalized_mark *mark, enum event_kind kind,
				   const struct event_field *field);

#endif
