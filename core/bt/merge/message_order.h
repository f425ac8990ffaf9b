/* SPDX-License-Identifier: MIT */
/*
 * The order of two messages of the same time: the order of filter.utils.muxer, so that a merge of streams gives
 * the same sequence with it and without it.
 *
 * By identity of the trace (UUID, under message interchange protocol 1 UID), name of the trace, id of the stream class,
 * id of the stream; messages without one come after those with one, inactivity messages last. Then by type: stream
 * beginning, packet beginning, event, discarded events, packet end, inactivity, discarded packets, stream end; at last
 * by id of the event class. (plugins/common/muxing/muxing.c of babeltrace2 2.0.4, the same in 2.1. It goes on to
 * compare properties of the classes, which takes two traces without UUID and name, or twice the same one.)
 */
#ifndef ROS2BT_MESSAGE_ORDER_H
#define ROS2BT_MESSAGE_ORDER_H

#include <babeltrace2/babeltrace.h>

/* The stream that a message is of; NULL: of none. */
const bt_stream *message_order_stream(const bt_message *message);

/* Less than 0: `one` comes first; more: `other`; 0: it does not matter. `mip_version` is that of the graph. */
int message_order(const bt_message *one, const bt_message *other, uint64_t mip_version);

#endif
