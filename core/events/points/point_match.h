/* SPDX-License-Identifier: MIT */
/*
 * Which records of an event have a meaning: those whose fields have certain values (`when` in a file of points). Values
 * are indices into the record's values (point_events.h).
 *
 * A field equals a text if its text or its label is that text, or if it is a number and the text denotes that number;
 * a list equals nothing, and neither does a field that the record lacks. Cost: O(conditions × allowed values) for an
 * event.
 */
#ifndef ROS2BT_POINT_MATCH_H
#define ROS2BT_POINT_MATCH_H

#include <glib.h>

#include "core/events/points/point_events.h"

#define POINT_KEYS_MAX 4
#define POINT_NO_VALUE SIZE_MAX

/* A field has one of these values: a number, a label or a text. */
struct point_condition {
	size_t value;
	GPtrArray *allowed; /* char * */
};

/* An event, and which of its values are the key and the name of a stage. */
struct point_match {
	size_t event; /* index in the file's events */
	size_t keys[POINT_KEYS_MAX];
	size_t key_count;
	size_t name;	    /* POINT_NO_VALUE: the stage has a constant name */
	GArray *conditions; /* struct point_condition; all must hold */
};

void point_match_init(struct point_match *match);
void point_match_clear(struct point_match *match);

/* Copies the allowed values (char *). */
void point_match_add_condition(struct point_match *match, size_t value, const GPtrArray *allowed);

/* Whether all conditions hold. */
bool point_match_holds(const struct point_match *match, const struct point_values *values);

#endif
