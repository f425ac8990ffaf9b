/* SPDX-License-Identifier: MIT */
/*
 * How to read the events of one event class, and the contexts of one stream class: decided once from the field classes,
 * applied by index. Part of the decoder.
 */
#ifndef ROS2BT_EVENT_PLAN_H
#define ROS2BT_EVENT_PLAN_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>

#include "core/bt/decode/point_plan.h"
#include "core/events/normalized_mark.h"
#include "ros2bt/event_record.h"
#include "ros2bt/event_schema.h"
#include "ros2bt/recording.h"

enum field_reader {
	FIELD_READER_NONE, /* not there, or of a type that cannot be read */
	FIELD_READER_UNSIGNED,
	FIELD_READER_SIGNED,
	FIELD_READER_BOOL,
	FIELD_READER_BITS,
	FIELD_READER_STRING,
	FIELD_READER_GID,
	FIELD_READER_ADDRESSES,
	FIELD_READER_NAME, /* no field: the text of the plan */
};

struct field_plan {
	enum field_reader reader;
	enum field_reader element; /* of GID and ADDRESSES */
	uint64_t index;		   /* in its structure */
	uint64_t mask;		   /* of integers: takes the sign extension off an address */
	uint8_t slot;
	const char *text; /* in the pool; of NAME */
};

enum event_action {
	EVENT_PLAN_IGNORE,
	EVENT_PLAN_UNKNOWN,
	EVENT_PLAN_DECODE,
};

struct event_plan {
	const bt_event_class *event_class; /* a reference */
	const char *name;		   /* that it was recorded under; of the class, may be NULL */
	enum event_action action;
	enum normalized_how how; /* what filter.ros2.normalize did */
	char *reason;		 /* owned; why UNKNOWN */
	enum event_kind kind;
	bool has_kind;		  /* else nobody wants the kind: the event is read for its `point` */
	bool has_counters;	  /* those of its context are wanted, if there are any */
	bool is_system;		  /* of a kernel: of the class SYSTEM, or chosen by the user */
	struct point_plan *point; /* owned; NULL: nobody chose the event (point_events.h) */
	uint8_t flags;		  /* of the record */
	bool has_init_time;
	struct field_plan init_time;
	size_t field_count;
	struct field_plan fields[EVENT_FIELDS_MAX];
};

/* The pool is that of the records. */
struct event_plan *event_plan_create(const bt_event_class *event_class, const struct event_interest *interest,
				     struct string_pool *pool);
void event_plan_destroy(struct event_plan *plan);

/* Fills the words of the record. The scratch is for gids and lists. */
void event_plan_read(const struct event_plan *plan, const bt_field *payload, struct string_pool *pool,
		     GByteArray *scratch, struct event_record *record);

/* The value of init_timestamp, 0 if it cannot be a time. */
uint64_t event_plan_init_ticks(const struct event_plan *plan, const bt_field *payload);

/* A context that is a counter. */
struct counter_plan {
	const char *name; /* in the pool */
	struct field_plan field;
};

/* The event common context: which of the contexts that LTTng can add are there. */
struct context_plan {
	bool is_there;
	struct field_plan vpid, vtid, pid_ns, procname;
	GArray *counters; /* struct counter_plan, owned */
};

void context_plan_init(struct context_plan *plan, const bt_stream_class *stream_class, struct string_pool *pool);
void context_plan_clear(struct context_plan *plan);

/* `fields` may be NULL if !plan->is_there. Missing fields read as 0. */
void context_plan_read(const struct context_plan *plan, const bt_field *fields, struct recording_context *context);

/* The value of a counter. */
uint64_t context_plan_counter(const struct counter_plan *plan, const bt_field *fields);

/* NULL if there is none; valid as long as the event. */
const char *context_plan_procname(const struct context_plan *plan, const bt_field *fields);

#endif
