/* SPDX-License-Identifier: MIT */
/*
 * The origin of an event: the process (index of a recording, see recording.h) that recorded it, the same one in every
 * trace of a host. Contexts are read by name: for the few initialization events, not for the hot path.
 */
#ifndef ROS2BT_ORIGINS_H
#define ROS2BT_ORIGINS_H

#include <babeltrace2/babeltrace.h>

#include "ros2bt/events/recording.h"

struct origins;

/* The pool is borrowed and must outlive it. `mip_version`: bt_self_component_get_graph_mip_version(). */
struct origins *origins_create(struct string_pool *pool, uint64_t mip_version);
void origins_destroy(struct origins *origins);

/* The process of an event. */
uint32_t origins_process(struct origins *origins, const bt_event *event);

/*
 * The identity of a trace: borrowed strings of the trace and, if the clock has an identity, 16 bytes of it in
 * `identity`, to which info->clock_uuid then points. `clock_class` may be NULL.
 */
void origins_describe_trace(const bt_trace *trace, const bt_clock_class *clock_class, uint64_t mip_version,
			    struct recording_trace_info *info, uint8_t identity[16]);

#endif
