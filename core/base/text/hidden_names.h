/* SPDX-License-Identifier: MIT */
/* The names of nodes, topics and services that the tools of ROS 2 do not list unless they are asked to, and those of
 * CARET's own nodes and topics. */
#ifndef ROS2BT_HIDDEN_NAMES_H
#define ROS2BT_HIDDEN_NAMES_H

#include <stdbool.h>

/*
 * Whether one of the names in a text, which are separated by spaces, is hidden: /rosout, /parameter_events, a name
 * with a part that begins with `_`, /caret_trace_…, or a topic by which CARET is controlled.
 */
bool name_is_hidden(const char *text);

#endif
