/* SPDX-License-Identifier: MIT */
/*
 * The table of events (event_table.h) as C: kinds, record slots, and rows that readers consult when they first meet an
 * event class of a trace. Except for the class of an event, nothing here is used per event.
 */
#ifndef ROS2BT_EVENT_SCHEMA_H
#define ROS2BT_EVENT_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Names of events: EVENT_CALLBACK_START, … A ros2 and a ros2_caret event of one name share one kind. */
enum event_kind {
#define EVENT(kind, ...) EVENT_##kind,
#define FIELD(...)
#include "ros2bt/event_table.h"
	EVENT_KIND_COUNT,
};

/* Words of a record: CALLBACK_START__callback, … (SKIP: the record does not hold the field) */
#define SKIP 255
enum event_slot {
#define EVENT(...)
#define FIELD(kind, name, slot, ...) kind##__##name = slot,
#include "ros2bt/event_table.h"
};

enum event_class {
	EVENT_CLASS_INIT, /* defines an object */
	EVENT_CLASS_MARK, /* caret_init: stands for itself */
	EVENT_CLASS_RUNTIME,
	EVENT_CLASS_POLL,   /* runtime, of the executor's idle loop */
	EVENT_CLASS_SYSTEM, /* of the kernel, of a CPU */
};

/* Who records an event; a row of providers[] in event_schema.c each. Bits, so that an event can have several. */
enum event_provider {
	EVENT_PROVIDER_NONE = 0, /* none that the table of events knows */
	EVENT_PROVIDER_ROS2 = 1,
	EVENT_PROVIDER_CARET = 2,
	EVENT_PROVIDER_R2R = 4,	    /* the client library for Rust */
	EVENT_PROVIDER_LIBC = 8,    /* liblttng-ust-libc-wrapper.so: malloc() and its like */
	EVENT_PROVIDER_KERNEL = 16, /* Linux, by LTTng-modules */
	EVENT_PROVIDER_BOTH = EVENT_PROVIDER_ROS2 | EVENT_PROVIDER_CARET,
};

enum field_type {
	FIELD_TYPE_ADDRESS,
	FIELD_TYPE_U64,
	FIELD_TYPE_I64,
	FIELD_TYPE_I32,
	FIELD_TYPE_STRING,
	FIELD_TYPE_GID,	      /* array of 16 or 24 bytes, of which 16 count */
	FIELD_TYPE_ADDRESSES, /* sequence */
	FIELD_TYPE_NAME,      /* STRING, the rest of the event's name: no field of the payload */
};

/*
 * Releases of ROS 2 in order of time; RELEASE_FORK is the CARET fork of rclcpp (galactic and humble). Behind them the
 * releases of LTTng-modules that changed an event of the table.
 */
enum release {
	RELEASE_DASHING,  /* tracetools up to 0.2.9 */
	RELEASE_ELOQUENT, /* 0.2.10 to 0.2.12, also late Dashing */
	RELEASE_FOXY,
	RELEASE_GALACTIC,
	RELEASE_HUMBLE,
	RELEASE_IRON,
	RELEASE_EARLY_JAZZY, /* tracetools 8.0.0 */
	RELEASE_JAZZY,
	RELEASE_ROLLING, /* tracetools 8.4 */
	RELEASE_KILTED,	 /* tracetools 8.5 and newer */
	RELEASE_NEWEST = RELEASE_KILTED,
	RELEASE_FORK,
	RELEASE_LTTNG_2_0,
	RELEASE_LTTNG_2_2,
	RELEASE_LTTNG_2_6,
	RELEASE_LTTNG_2_7,
	RELEASE_LTTNG_2_12,
	RELEASE_LTTNG_NEWEST = RELEASE_LTTNG_2_12,
	RELEASE_COUNT,
};

#define GID_SIZE 16	    /* bytes of a gid that count (24 are recorded up to jazzy, the rest is garbage) */
#define EVENT_FIELDS_MAX 12 /* fields of one event, all releases together */
#define EVENT_SLOTS 6	    /* words of a record */

struct event_field {
	const char *name;
	enum field_type type;
	uint8_t slot; /* SKIP: none */
	enum release first, last;
};

struct event_schema {
	const char *name; /* without the provider; one that ends in `_` stands for all that begin with it */
	const char *text; /* what it means that the event occurs, for people */
	enum event_kind kind;
	enum event_class class;
	enum event_provider providers;
	enum release first, last;
	const struct event_field *fields;
	size_t field_count;
};

/* The row of a kind. O(1). */
const struct event_schema *event_schema_of(enum event_kind kind);

struct point_events; /* point_events.h, as the next */
struct point_class_listener;

/* Which kinds of events somebody wants: readers make no records of the others. */
struct event_interest {
	bool wants[EVENT_KIND_COUNT];
	bool joins_polls;		       /* events of the class POLL may come as RECORD_POLLS (event_record.h) */
	bool wants_counters[EVENT_KIND_COUNT]; /* RECORD_COUNTERs before the event, of kinds that it wants */
	/* Events of any provider that come as RECORD_POINT (point_events.h); borrowed, NULL: none. */
	const struct point_events *points;
	/* Hears of all event classes, wanted or not: from the fast reader when a trace is opened, else when the first
	 * event of each is read. Borrowed; NULL: nobody does. */
	const struct point_class_listener *classes;
};

/* NULL wants every kind. */
static inline bool event_interest_wants(const struct event_interest *interest, enum event_kind kind)
{
	return !interest || interest->wants[kind];
}

/* Whether ROS 2 itself records the event: ros2_tracing or CARET. */
bool event_kind_is_of_ros(enum event_kind kind);

/* The class alone, for use at each event. */
extern const uint8_t event_classes[]; /* enum event_class by kind */

static inline enum event_class event_class_of(enum event_kind kind)
{
	return (enum event_class)event_classes[kind];
}

/*
 * The row for the full name of an event, such as "ros2:callback_start"; NULL if there is none. *provider is the
 * provider by that name, EVENT_PROVIDER_NONE if the table does not know it. O(rows); call once per event class.
 */
const struct event_schema *event_schema_find(const char *full_name, enum event_provider *provider);

/*
 * What follows the `_` of the row's name (or of another name of the event) in a full name that event_schema_find() has
 * found in this row, such as "futex" of "syscall_entry_futex"; "" if the row has the whole name. Borrowed.
 */
const char *event_schema_name_rest(const struct event_schema *schema, const char *full_name);

/*
 * Whether the table lists every event of a provider. One that it lacks then comes from a newer release, and readers
 * report it as unknown; other events without a row are none of our business, and readers skip them.
 */
bool event_provider_is_complete(enum event_provider provider);

/* The name of a provider, as "ros2" or "ros2_caret", for people. */
const char *event_provider_name(enum event_provider provider);

/* The full name of an event of one of its providers, such as "ros2:callback_start" or "sched_switch"; to be freed. */
char *event_schema_full_name(const struct event_schema *schema, enum event_provider provider);

const char *release_name(enum release release);
const char *event_class_name(enum event_class class);
const char *field_type_name(enum field_type type);

/* Whether the event / the field belongs to the release. */
bool event_schema_in_release(const struct event_schema *schema, enum release release);
bool event_field_in_release(const struct event_field *field, enum release release);

/*
 * Whether an event class has a layout that the table knows: there is a release all of whose fields with a slot are
 * present. `has` holds, by index into schema->fields, whether a field is present with a readable type. Fields that
 * CARET's events lack and their ros2 twins have (rcl_init.version) are not required.
 */
bool event_schema_match(const struct event_schema *schema, enum event_provider provider, const bool *has);

/*
 * Why it has none, to be freed by the caller: the first field of the newest layout that has a slot and is missing, or
 * whose type is not readable. `is_named` holds, by index, whether a field of that name is present.
 */
char *event_schema_explain_mismatch(const struct event_schema *schema, const bool *has, const bool *is_named);

#endif
