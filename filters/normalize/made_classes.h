/* SPDX-License-Identifier: MIT */
/*
 * The event classes that event_maker.h makes, beside the copies of a mirror: the fields of the newest release in the
 * table of events, then those that only the recorded event has (normalized_mark.h); in the specific context the mark,
 * after the members of the original's. Each is created when it is first needed; afterwards one look-up of a word.
 */
#ifndef ROS2BT_MADE_CLASSES_H
#define ROS2BT_MADE_CLASSES_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>

#include "ros2bt/bt/mirror.h"
#include "ros2bt/normalize/normalizer.h"

struct made_classes;

/* The mirror is borrowed. */
struct made_classes *made_classes_create(bt_self_message_iterator *self, struct mirror *mirror);
void made_classes_destroy(struct made_classes *all);

struct made_class {
	bool is_normalized;		   /* the original's events are normalized already: copy them unchanged */
	const bt_event_class *event_class; /* borrowed; NULL if is_normalized */
	const GArray *kept; /* uint64_t, borrowed: indexes of the original's members that follow the layout; NULL of
			       a supplied event */
};

/* The class of a made event; not for events that are kept. False with an error cause appended if memory is short. */
bool made_classes_find(struct made_classes *all, const struct normalized_event *normalized,
		       const bt_event_class *original, struct made_class *found);

/* Whether the payload of a made class has a field of its row: one of the newest release that a record holds. */
bool made_class_has_field(const struct event_field *field);

#endif
