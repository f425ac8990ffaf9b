/* SPDX-License-Identifier: MIT */
/*
 * The component class filter.ros2.flow, which links messages from publish to callback (flow_linker.h)
 * and adds the links to the trace: `annotate` adds an event-specific context to the events of a flow (all messages are
 * copies, mirror.h), `events` leaves everything as it is and adds events ros2_flow:link in a trace of its own. For
 * users: docs/filter.ros2.flow.md.
 *
 * In `annotate` an event whose link may still become known is held back, with what follows it, for at most the window
 * or FLOW_HELD_MAX messages. Memory: the held messages, and that of the flow linker.
 */
#ifndef ROS2BT_FLOW_H
#define ROS2BT_FLOW_H

#include "ros2bt/base/params.h"
#include "ros2bt/bt/filter.h"

#define FLOW_HELD_MAX 100000

#define FLOW_PARAMS(PARAM)                                                                                             \
	PARAM(mode, STRING, "annotate", "annotate|events",                                                             \
	      "How to add the links:" PARAM_CHOICE(annotate, "as a context of the events of a flow")                   \
		      PARAM_CHOICE(events, "as separate events ros2_flow:link"))                                       \
	PARAM(window, DURATION, "100ms", "DURATION",                                                                   \
	      "In mode annotate: how much trace time is held back to wait for a timestamp that is recorded after the " \
	      "take.")                                                                                                 \
	PARAM(links, STRINGS, "none", "LINK",                                                                          \
	      "Indirect links that the trace does not record, \"NODE: SUBSCRIBED_TOPIC -> PUBLISHED_TOPIC: KIND\" "    \
	      "with KIND periodic_async or partial_sync.")

#define FLOW_HELP                                                                                                      \
	"Links messages from publish to callback, between processes and within them, and marks the events of\n"        \
	"each flow: by an event-specific context (flow_id, flow_parent_id, flow_latency_ns), or by separate\n"         \
	"events (ros2_flow:link).\n\nParameters:\n\n" FLOW_PARAMS(PARAM_HELP) "Queries: parameters."

extern const struct filter_class flow_class;

#endif
