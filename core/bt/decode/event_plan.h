/* SPDX-License-Identifier: MIT */
/*
 * How to read the events of one event class: decided once from its field classes, applied by index. Part of the
 * decoder.
 */
#ifndef ROS2BT_EVENT_PLAN_H
#define ROS2BT_EVENT_PLAN_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>

#include "core/bt/decode/field_plan.h"
#include "core/bt/decode/point_plan.h"
#include "core/events/class_plan.h"
#include "ros2bt/events/event_record.h"

/* What each event reads comes first: with few fields, two cache lines. */
struct event_plan {
	struct field_plan *others, *end; /* in the fields: those behind the integers */
	uint64_t record_head;		 /* event_record_head() of a record of the class, as far as the integers go */
	bool joins_polls;		 /* successive events become RECORD_POLLS */
	bool has_more;			 /* a record needs more than its integers, or others are with it */
	bool has_init_time;
	struct class_plan class;
	struct field_plan fields[EVENT_FIELDS_MAX]; /* integers and booleans first */
	struct field_plan init_time;
	const bt_event_class *event_class; /* a reference */
	struct point_plan *point;	   /* owned; NULL: the user did not choose the event (point_events.h) */
};

/* The pool is that of the records. */
struct event_plan *event_plan_create(const bt_event_class *event_class, const struct event_interest *interest,
				     struct string_pool *pool);
void event_plan_destroy(struct event_plan *plan);

/* Fills the words that are integers or booleans. */
static inline void event_plan_read_integers(const struct event_plan *plan, const bt_field *payload,
					    struct event_record *record)
{
	for (const struct field_plan *field = plan->fields; field < plan->others; field++) {
		record->word[field->slot] = field_plan_integer(field, payload);
	}
}

/* The others: of the events that define something, and of few more. The scratch is for gids and lists. */
void event_plan_read_others(const struct event_plan *plan, const bt_field *payload, struct string_pool *pool,
			    GByteArray *scratch, struct event_record *record);

/* The value of init_timestamp, of a plan that has_init_time; 0 if it cannot be a time. */
uint64_t event_plan_init_ticks(const struct event_plan *plan, const bt_field *payload);

#endif
