/* SPDX-License-Identifier: MIT */
/*
 * Events of any provider that the user chose to measure by (docs/points.md), in addition to the table of events. A
 * reader takes their names and the fields to decode from struct event_interest, plans each event class of such a name
 * once, and makes a RECORD_POINT of each event. If the event is also in the table of events and wanted there, its own
 * record comes first.
 *
 * The values of an event are one block without pointers, valid as long as the batch of records. To keep a record
 * longer, copy the block (point_values_copy()).
 */
#ifndef ROS2BT_POINT_EVENTS_H
#define ROS2BT_POINT_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An event class by its full name, such as "my_app:frame_start". Everything is borrowed. */
struct point_event {
	const char *name;
	const char *const *fields; /* of the payload; each once */
	size_t field_count;
};

/* Each name once. */
struct point_events {
	const struct point_event *events;
	size_t count;
};

/* Elements of longer lists are not decoded, only counted. */
#define POINT_LIST_MAX 65536

enum point_value_type {
	POINT_VALUE_NONE,     /* the event class has no such field, or one of a type that cannot be read */
	POINT_VALUE_UNSIGNED, /* .number, and the label if it is of an enumeration; likewise the next */
	POINT_VALUE_SIGNED,
	POINT_VALUE_REAL, /* .real */
	POINT_VALUE_TEXT, /* point_value_text() */
	POINT_VALUE_LIST, /* an array or sequence: .count elements, point_value_element() */
};

struct point_value {
	uint8_t type;	 /* enum point_value_type */
	uint8_t element; /* of POINT_VALUE_LIST: UNSIGNED, SIGNED or REAL; NONE: only the count is known */
	uint32_t offset; /* bytes into the block: of the text, the label or the elements; 0: none */
	union {
		uint64_t number; /* signed ones are sign-extended */
		double real;
		uint64_t count;
	};
};

/* A block: the values of the fields in the order of struct point_event, then the bytes that their offsets refer to. */
struct point_values {
	uint32_t size; /* bytes of the block */
	uint32_t count;
	struct point_value at[];
};

/* The text of POINT_VALUE_TEXT, or the label of an enumeration; NULL: none. Valid as long as the block. */
static inline const char *point_value_text(const struct point_values *values, const struct point_value *value)
{
	return value->offset > 0 ? (const char *)values + value->offset : NULL;
}

/* Whether a value is an integer. */
static inline bool point_value_is_integer(const struct point_value *value)
{
	return value->type == POINT_VALUE_UNSIGNED || value->type == POINT_VALUE_SIGNED;
}

/* A number as a real; 0 if the value is not a number. */
double point_value_real(const struct point_value *value);

/* Element `index` of a list, a value without label. */
struct point_value point_value_element(const struct point_values *values, const struct point_value *list, size_t index);

/* To be freed with g_free(). */
struct point_values *point_values_copy(const struct point_values *values);

/* A field of the payload of an event class. */
struct point_field {
	const char *name;
	enum point_value_type type; /* of its values */
	bool is_enumeration;	    /* of a number: it has labels */
};

/* Hears of each event class that a reader plans, for proposals of points. Arguments are borrowed during the call. */
struct point_class_listener {
	void *data;
	void (*found)(void *data, const char *name, const struct point_field *fields, size_t count);
};

/* The index of the event class of a name, -1 if there is none; `events` may be NULL. O(events), per event class. */
int point_events_find(const struct point_events *events, const char *full_name);

#endif
