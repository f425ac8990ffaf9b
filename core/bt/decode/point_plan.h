/* SPDX-License-Identifier: MIT */
/*
 * How to read the fields of an event that the user chose (point_events.h), decided once for its class. Part of the
 * decoder; the rules are those of core/ctf/ctf_point.h.
 */
#ifndef ROS2BT_POINT_PLAN_H
#define ROS2BT_POINT_PLAN_H

#include <babeltrace2/babeltrace.h>

#include "core/events/points/point_builder.h"

struct point_plan;

/* NULL: the user did not choose the event, by the name it was recorded under. The class outlives the plan.
 * is_system: it is an event of a kernel. */
struct point_plan *point_plan_create(const struct point_events *points, const char *name, bool is_system,
				     const bt_event_class *event_class);
/* Reports to the listener which fields a class has, by the name it was recorded under. */
void point_plan_describe(const struct point_class_listener *listener, const char *name,
			 const bt_event_class *event_class);

void point_plan_destroy(struct point_plan *plan); /* NULL is allowed */

/* `payload` may be NULL; `record` becomes a RECORD_POINT. */
void point_plan_read(const struct point_plan *plan, const bt_field *payload, struct point_builder *builder,
		     struct event_record *record);

#endif
