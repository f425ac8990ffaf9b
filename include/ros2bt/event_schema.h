/* SPDX-License-Identifier: MIT */
/*
 * The table of events (event_table.h) as C: kinds, record slots, and rows to look at when an event class of a
 * trace is met for the first time. Nothing here is used per event.
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
	EVENT_CLASS_POLL, /* runtime, of the executor's idle loop */
};

enum event_provider {
	EVENT_PROVIDER_ROS2 = 1,
	EVENT_PROVIDER_CARET = 2,
	EVENT_PROVIDER_BOTH = 3,
};

enum field_type {
	FIELD_TYPE_ADDRESS,
	FIELD_TYPE_U64,
	FIELD_TYPE_I64,
	FIELD_TYPE_I32,
	FIELD_TYPE_STRING,
	FIELD_TYPE_GID,	      /* array of 16 or 24 bytes, of which 16 count */
	FIELD_TYPE_ADDRESSES, /* sequence */
};

/* Releases in order of time; RELEASE_FORK is the CARET fork of rclcpp (galactic and humble). */
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
	const char *name; /* without the provider */
	const char *text; /* what the event says, for people */
	enum event_kind kind;
	enum event_class class;
	enum event_provider providers;
	enum release first, last;
	const struct event_field *fields;
	size_t field_count;
};

/* The row of a kind. O(1). */
const struct event_schema *event_schema_of(enum event_kind kind);

/* The class alone, for what asks at each event. */
extern const uint8_t event_classes[]; /* enum event_class by kind */

static inline enum event_class event_class_of(enum event_kind kind)
{
	return (enum event_class)event_classes[kind];
}

/*
 * The row for a full event name such as "ros2:callback_start", NULL if there is none. *provider tells whose it is.
 * O(rows); call once per event class.
 */
const struct event_schema *event_schema_find(const char *full_name, enum event_provider *provider);

/* The name of a provider ("ros2" or "ros2_caret"). */
const char *event_provider_name(enum event_provider provider);

const char *release_name(enum release release);
const char *event_class_name(enum event_class class);
const char *field_type_name(enum field_type type);

/* Whether the event / the field belongs to the release. */
bool event_schema_in_release(const struct event_schema *schema, enum release release);
bool event_field_in_release(const struct event_field *field, enum release release);

/*
 * Whether an event class with the given fields has a layout that the table knows: in at least one release, each
 * field of that release which has a slot is there. `has` tells by field index (of schema->fields) what is there,
 * with a type that can be read. CARET's events lack fields of their ros2 twins (rcl_init.version): those are
 * not asked for.
 */
bool event_schema_match(const struct event_schema *schema, enum event_provider provider, const bool *has);

/*
 * Why it does not, to be freed by the caller: the first field of the newest layout that has a slot and is not there, or
 * not with a type that can be read (`is_named` tells by field index which names are there).
 */
char *event_schema_explain_mismatch(const struct event_schema *schema, const bool *has, const bool *is_named);

#endif
