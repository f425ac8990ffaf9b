/* SPDX-License-Identifier: MIT */
/*
 * How to read the fields of an event that the user chose (point_events.h), decided once for its class. Part of the
 * decoder.
 */
#ifndef ROS2BT_CTF_POINT_H
#define ROS2BT_CTF_POINT_H

#include "core/ctf/ctf_cursor.h"
#include "core/events/points/point_builder.h"

struct ctf_point_plan;

/* NULL: the user did not choose the event. All is borrowed; `payload` may be NULL. is_system: it is an event of a
 * kernel. */
struct ctf_point_plan *ctf_point_plan_create(const struct point_events *points, const char *name, bool is_system,
					     const struct ctf_type *payload);
/* Reports to the listener which fields a class has. */
void ctf_point_describe(const struct point_class_listener *listener, const char *name, const struct ctf_type *payload);

void ctf_point_plan_destroy(struct ctf_point_plan *plan); /* NULL is allowed */

/* Reads the payload, which the cursor is in front of; `record` becomes a RECORD_POINT. False: beyond the end. */
bool ctf_point_read(const struct ctf_point_plan *plan, struct ctf_cursor *cursor, struct point_builder *builder,
		    struct event_record *record);

#endif
