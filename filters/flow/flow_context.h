/* SPDX-License-Identifier: MIT */
/*
 * The event-specific context that `annotate` adds: which event classes get it, and its values in an event.
 *
 *   flow_id          unsigned 64 bit, one per publication, 0: none
 *   flow_parent_id   unsigned 64 bit, the flow whose callback made this publication, 0: none
 *   flow_latency_ns  signed 64 bit, time since that publication's first publish event, -1: unknown
 */
#ifndef ROS2BT_FLOW_CONTEXT_H
#define ROS2BT_FLOW_CONTEXT_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

#include "ros2bt/base/u64_map.h"

struct flow_context {
	struct u64_map first_members; /* original event class → index of flow_id in the context of its copy */
};

struct flow_values {
	uint64_t flow_id, flow_parent_id;
	int64_t flow_latency_ns;
};

#define FLOW_VALUES_NONE ((struct flow_values){ 0, 0, -1 })

void flow_context_init(struct flow_context *context);
void flow_context_clear(struct flow_context *context);

/* The hook of the mirror (mirror.h); data is the flow_context. */
bool flow_context_extend(void *data, const bt_event_class *original, bt_trace_class *copy, bt_field_class *structure);

/* Whether copies of events of this class have the context. One look-up of a word. */
bool flow_context_is_extended(const struct flow_context *context, const bt_event_class *original);

/* Sets the values in a copy of an event of the class, which has the context. */
void flow_context_set(const struct flow_context *context, const bt_event_class *original, bt_event *copy,
		      const struct flow_values *values);

#endif
