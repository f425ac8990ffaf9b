/* SPDX-License-Identifier: MIT */
/*
 * The table of events (event_table.h) in C: kinds, record slots, and the rows that readers consult when they first see
 * an event class of a trace. Apart from event_class_of(), nothing here is for use at every event.
 */
#ifndef ROS2BT_EVENT_SCHEMA_H
#define ROS2BT_EVENT_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* EVENT_CALLBACK_START, … A ros2 and a ros2_caret event of the same name share one kind. */
enum event_kind {
#define EVENT(kind, ...) EVENT_##kind,
#define FIELD(...)
#include "core/events/event_table.h"
	EVENT_KIND_COUNT,
};

/* Words of a record: CALLBACK_START__callback, … SKIP: the record does not hold the field. */
#define SKIP 255
enum event_slot {
#define EVENT(...)
#define FIELD(kind, name, slot, ...) kind##__##name = slot,
#include "core/events/event_table.h"
};

enum event_class {
	EVENT_CLASS_INIT, /* defines an object */
	EVENT_CLASS_MARK, /* caret_init: neither a definition nor a runtime event */
	EVENT_CLASS_RUNTIME,
	EVENT_CLASS_POLL,   /* a runtime event of the executor's idle loop */
	EVENT_CLASS_SYSTEM, /* an event of the kernel, of a CPU */
};

/* What records an event: a row of providers[] in event_schema.c each. Bits, because an event can have several. */
enum event_provider {
	EVENT_PROVIDER_NONE = 0, /* not in the table of events */
	EVENT_PROVIDER_ROS2 = 1,
	EVENT_PROVIDER_CARET = 2,
	EVENT_PROVIDER_R2R = 4,	      /* the client library for Rust */
	EVENT_PROVIDER_LIBC = 8,      /* liblttng-ust-libc-wrapper.so: malloc(), free(), … */
	EVENT_PROVIDER_KERNEL = 16,   /* Linux, by LTTng-modules */
	EVENT_PROVIDER_AGNOCAST = 32, /* a middleware of shared memory, for which CARET has events, too */
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
	FIELD_TYPE_NAME,      /* a STRING from the end of the event's name; not a field of the payload */
};

/*
 * Releases of ROS 2 in order of time; RELEASE_FORK is the CARET fork of rclcpp (Galactic and Humble). They are followed
 * by the releases of LTTng-modules that changed an event of the table.
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

#define GID_SIZE 16	    /* significant bytes of a gid; up to Jazzy 24 are recorded, the rest is garbage */
#define EVENT_FIELDS_MAX 12 /* fields of one event in all releases together */
#define EVENT_SLOTS 6	    /* words of a record */

struct event_field {
	const char *name;
	enum field_type type;
	uint8_t slot; /* SKIP: none */
	enum release first, last;
};

struct event_schema {
	const char *name; /* without the provider; a name that ends in `_` matches all names that begin with it */
	const char *text; /* what the event means, for documentation */
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

/* The kinds of events that analyses want. Readers make no records of the others. */
struct event_interest {
	bool wants[EVENT_KIND_COUNT];
	bool joins_polls; /* events of class POLL may be joined into RECORD_POLLS (event_record.h) */
	bool joins_calls; /* system calls of a kernel may be joined into RECORD_CALLS */
	bool wants_counters[EVENT_KIND_COUNT]; /* RECORD_COUNTERs before each event of a wanted kind */
	/* Events of any provider to be read as RECORD_POINT (point_events.h). Borrowed; NULL: none. */
	const struct point_events *points;
	/* Hears of all event classes, wanted or not: with the fast reader when a trace is opened, otherwise at the
	 * first event of each class. Borrowed; may be NULL. */
	const struct point_class_listener *classes;
};

/* NULL wants every kind. */
static inline bool event_interest_wants(const struct event_interest *interest, enum event_kind kind)
{
	return !interest || interest->wants[kind];
}

/* Whether ROS 2 itself records the event: ros2_tracing or CARET. */
bool event_kind_is_of_ros(enum event_kind kind);

/* The class of each kind, for use at every event. */
extern const uint8_t event_classes[]; /* enum event_class by kind */

static inline enum event_class event_class_of(enum event_kind kind)
{
	return (enum event_class)event_classes[kind];
}

/*
 * The row for the full name of an event, such as "ros2:callback_start"; NULL if there is none. *provider is the
 * provider in that name, EVENT_PROVIDER_NONE if the table does not have it. O(rows); to be called once per event class.
 */
const struct event_schema *event_schema_find(const char *full_name, enum event_provider *provider);

/*
 * The part of a full name that the row's name, which ends in `_`, does not spell out: "futex" of "syscall_entry_futex".
 * The name must be one for which event_schema_find() gave this row. "" if the row has the whole name. Borrowed.
 */
const char *event_schema_name_rest(const struct event_schema *schema, const char *full_name);

/*
 * Whether the table lists every event of a provider. Readers then report an event without a row as unknown, since it
 * must be of a newer release. They skip events without a row of all other providers.
 */
bool event_provider_is_complete(enum event_provider provider);

/* The name of a provider, such as "ros2" or "ros2_caret". */
const char *event_provider_name(enum event_provider provider);

/* The full name of an event of one of its providers, such as "ros2:callback_start" or "sched_switch"; to be freed. */
char *event_schema_full_name(const struct event_schema *schema, enum event_provider provider);

const char *release_name(enum release release);
/* The release of ROS 2 whose packages have this version of tracetools; NULL: none has. Who builds it may have another.
 */
const char *release_of_tracetools(const char *version);
const char *event_class_name(enum event_class class);
const char *field_type_name(enum field_type type);

/* Whether a release has the event, or the field. */
bool event_schema_in_release(const struct event_schema *schema, enum release release);
bool event_field_in_release(const struct event_field *field, enum release release);

/*
 * Whether an event class has a known layout, that is, it has all fields with a slot of some release. `has` holds, by
 * index into schema->fields, whether a field is present with a readable type. Fields that CARET's events lack and their
 * ros2 twins have (rcl_init.version) are not required.
 */
bool event_schema_match(const struct event_schema *schema, enum event_provider provider, const bool *has);

/*
 * Why the layout is not known: the first field of the newest layout that has a slot and is missing, or whose type is
 * not readable. `is_named` holds, by index, whether a field of that name is present. To be freed with g_free().
 */
char *event_schema_explain_mismatch(const struct event_schema *schema, const bool *has, const bool *is_named);

#endif
