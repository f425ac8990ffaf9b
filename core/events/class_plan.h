/* SPDX-License-Identifier: MIT */
/*
 * What a reader does with the events of a class, as far as the class's name, its mark of filter.ros2.normalize and the
 * reader's interest decide it. Both readers embed it in their plans, and therefore decode, skip and refuse the same
 * events with the same reasons; how a member is read is theirs.
 *
 *   class_plan_init() → class_plan_set_mark(), where a row was found → class_plan_choose()
 *
 * Once an event class; O(rows of the table).
 */
#ifndef ROS2BT_CLASS_PLAN_H
#define ROS2BT_CLASS_PLAN_H

#include "core/events/normalized_mark.h"
#include "ros2bt/base/string_pool.h"
#include "ros2bt/events/event_schema.h"

enum class_action {
	CLASS_IGNORE,
	CLASS_UNKNOWN, /* count each event in the recording, with the reason */
	CLASS_DECODE,
};

struct class_plan {
	enum class_action action;
	enum event_kind kind;
	bool has_kind;		 /* else nobody wants the kind: the event is decoded for its point (point_events.h) */
	bool is_system;		 /* an event of a kernel */
	bool wants_counters;	 /* RECORD_COUNTERs, of a class that has_kind */
	bool may_have_init_time; /* CARET's init_timestamp, if the class has this member as an integer */
	uint8_t flags;		 /* of the record */
	uint8_t text_slot;
	const char *text; /* in the pool: a word that all events of the class share (FIELD_TYPE_NAME); NULL: none */
	const char *name; /* that the events were recorded under, borrowed; NULL: none */
	char *reason;	  /* owned; why CLASS_UNKNOWN */
	const struct event_schema *schema; /* NULL: not in the table of events */
	enum event_provider provider;
	struct normalized_mark mark;
};

/* How a reader looks up the payload of a class; `plan` is its own. */
struct class_members {
	/* Plans to read the member `name` as a field of the table. False: no such member, or of a type that does not
	 * fit. */
	bool (*plan)(void *plan, const char *name, const struct event_field *field);
	/* Whether there is a member of this name, of whatever type. */
	bool (*has)(const void *plan, const char *name);
};

/* Looks the name up, which is borrowed; NULL has no row. */
void class_plan_init(struct class_plan *class, const char *name);
/* Only for a class with a row. Afterwards name and row are those of the recorded event. */
void class_plan_set_mark(struct class_plan *class, struct normalized_mark mark);
/* Whether the events are not in the recording (normalized_is_skipped()): they stay CLASS_IGNORE. */
static inline bool class_plan_is_supplied(const struct class_plan *class)
{
	return normalized_is_skipped(class->mark.how);
}

/* Sets the action and what it implies, and calls members->plan() for the fields in the order of the table. has_point:
 * the user chose the event. The pool is that of the records. */
void class_plan_choose(struct class_plan *class, const struct event_interest *interest, bool has_point,
		       const struct class_members *members, void *plan, struct string_pool *pool);

void class_plan_clear(struct class_plan *class);

#endif
