/* SPDX-License-Identifier: MIT */
/*
 * The events ros2_flow:link of mode `events`: one for each message that reached a callback (or was taken without one),
 * in a trace, a stream and with a clock (ns since the Unix epoch) of their own. Functions append an error cause when
 * they fail.
 */
#ifndef ROS2BT_FLOW_LINK_EVENTS_H
#define ROS2BT_FLOW_LINK_EVENTS_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

#include "ros2bt/bt/packet_gate.h"
#include "ros2bt/flow/flow_linker.h"
#include "ros2bt/model/object_model.h"

struct flow_link_events;

/* All are borrowed. The trace's name and hostname are not set: links may lie between hosts. */
struct flow_link_events *flow_link_events_create(bt_self_message_iterator *self, struct recording *recording,
						 struct object_model *model, struct packet_gate *out);
void flow_link_events_destroy(struct flow_link_events *events);

/* Emits the event of a delivery at time_ns (never before the previous one); the first one begins the stream. */
bool flow_link_events_add(struct flow_link_events *events, const struct flow_delivery *delivery, int64_t time_ns);

/* Ends the stream, if it began; time_ns is the latest time of all messages. */
bool flow_link_events_end(struct flow_link_events *events, int64_t time_ns);

#endif
