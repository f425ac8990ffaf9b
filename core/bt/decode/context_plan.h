/* SPDX-License-Identifier: MIT */
/*
 * How to read the event common context of a stream class: which of the contexts that LTTng can add it has. Decided
 * once, applied by index. Part of the decoder.
 */
#ifndef ROS2BT_CONTEXT_PLAN_H
#define ROS2BT_CONTEXT_PLAN_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>

#include "core/bt/decode/field_plan.h"
#include "ros2bt/events/recording.h"

/* A context that is a counter. */
struct counter_plan {
	const char *name; /* in the pool */
	struct field_plan field;
};

struct context_plan {
	bool has_context;
	bool has_ids_only; /* vpid and vtid, signed, no pid_ns: what `ros2 trace` records */
	struct field_plan vpid, vtid, pid_ns, procname;
	GArray *counters; /* struct counter_plan, owned */
};

void context_plan_init(struct context_plan *plan, const bt_stream_class *stream_class, struct string_pool *pool);
void context_plan_clear(struct context_plan *plan);

/* Of a plan that has_ids_only: whether the fields are those of the context. As context_plan_read() and a comparison. */
static inline bool context_plan_is_same(const struct context_plan *plan, const bt_field *fields,
					const struct recording_context *context)
{
	return bt_field_integer_signed_get_value(field_plan_member(&plan->vtid, fields)) == context->vtid &&
	       bt_field_integer_signed_get_value(field_plan_member(&plan->vpid, fields)) == context->vpid;
}

/* `fields` may be NULL if !plan->has_context. Missing fields read as 0. */
void context_plan_read(const struct context_plan *plan, const bt_field *fields, struct recording_context *context);

uint64_t context_plan_counter(const struct counter_plan *plan, const bt_field *fields);

/* NULL if the context has none; valid as long as the event. */
const char *context_plan_procname(const struct context_plan *plan, const bt_field *fields);

#endif
