/* SPDX-License-Identifier: MIT */
/*
 * The messages of all input ports of a sink in one sequence: what filter.utils.muxer would give it, without a muxer.
 *
 * Order: by time; a message without time comes at the time of the message before it; on equal times the order of
 * message_order.h, then that of the ports. A merge of one port gives what the port gives.
 *
 * Errors, each with a cause: a time earlier than what was given already or beyond 64-bit nanoseconds, clocks that have
 * nothing to do with each other, and whatever comes from upstream. (So does the muxer of 2.0.4; that of 2.1 passes on
 * what goes back in time. Unlike them this takes streams without a clock beside others.)
 *
 * Cost: O(log ports) per message, by a heap over the next message of each port. Memory: a batch of messages per port.
 */
#ifndef ROS2BT_MESSAGE_MERGE_H
#define ROS2BT_MESSAGE_MERGE_H

#include <babeltrace2/babeltrace.h>

struct message_merge;

/*
 * Adds the sink's next port: `in`, `in1`, `in2` and so on. Call it when the sink is initialized, and each time when one
 * of its ports is connected: one more is always free.
 */
bt_self_component_add_port_status message_merge_add_port(bt_self_component_sink *self);

/* For the sink's method "graph is configured": begins with the ports that are connected; none is an error. */
bt_component_class_sink_graph_is_configured_method_status message_merge_create(bt_self_component_sink *self,
									       struct message_merge **merge);
void message_merge_destroy(struct message_merge *merge);

/*
 * The next message, its reference given away. AGAIN: a port has nothing now, and the next message may be on it; all
 * that came before it has been given.
 */
bt_message_iterator_next_status message_merge_next(struct message_merge *merge, const bt_message **message);

/* The time of the message given last as message_time() tells it, NULL if it has none or nobody asked for it. */
const int64_t *message_merge_time(const struct message_merge *merge);

#endif
