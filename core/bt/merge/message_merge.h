/* SPDX-License-Identifier: MIT */
/*
 * The messages of all input ports of a sink in one sequence: as from filter.utils.muxer, but without one.
 *
 * Order: by time; a message without a time is placed at the time of its predecessor; on equal times the order of
 * message_order.h, then that of the ports. With one port the messages pass unchanged.
 *
 * Errors, each with a cause: a time earlier than that of the previous message or beyond 64-bit nanoseconds, unrelated
 * clocks, and errors from upstream. (The muxer of 2.0.4 behaves alike; that of 2.1 accepts times that go backwards.
 * Unlike both, this merge accepts streams without a clock next to streams with one.)
 *
 * Cost: O(log ports) per message, by a heap over the next message of each port. Memory: a batch of messages per port.
 */
#ifndef ROS2BT_MESSAGE_MERGE_H
#define ROS2BT_MESSAGE_MERGE_H

#include <babeltrace2/babeltrace.h>

struct message_merge;

/*
 * Adds the sink's next port: `in`, `in1`, `in2` and so on. Call it when the sink is initialized, and whenever one of
 * its ports is connected: one port is always free.
 */
bt_self_component_add_port_status message_merge_add_port(bt_self_component_sink *self);

/* For the sink's method "graph is configured": starts with the connected ports; it is an error if there is none. */
bt_component_class_sink_graph_is_configured_method_status message_merge_create(bt_self_component_sink *self,
									       struct message_merge **merge);
void message_merge_destroy(struct message_merge *merge);

/*
 * The next message, its reference given away. AGAIN: a port has no message now, and it may be the next one to deliver;
 * all earlier messages have been returned.
 */
bt_message_iterator_next_status message_merge_next(struct message_merge *merge, const bt_message **message);

/*
 * Rewinds all ports, at any time. OK, or the status of the failure: AGAIN if a later call may succeed; ERROR with a
 * cause if a component upstream cannot go back to its beginning.
 */
bt_message_iterator_seek_beginning_status message_merge_go_back(struct message_merge *merge);

#endif
