/* SPDX-License-Identifier: MIT */
/*
 * A source component whose events have a payload with every type of field (typed_fields.h), and whose classes have all
 * properties that they can. The first event has the first value in all members, each further one the second value in
 * one member more; then the same events come again. One stream, one packet, 1 ms from event to event.
 */
#ifndef ROS2BT_TESTS_TYPED_SOURCE_H
#define ROS2BT_TESTS_TYPED_SOURCE_H

#include <babeltrace2/babeltrace.h>

/* Adds the source to the graph; its one port is "out". */
const bt_component_source *typed_source_add(bt_graph *graph, const char *name, const void *event_name);

#endif
