/* SPDX-License-Identifier: MIT */
/*
 * The output of a filter: messages, first in, first out, without packets that have no events. Trace Compass takes such
 * a packet for the end of its stream unless it is the stream's first. LTTng writes some (rotation, snapshots, live),
 * and a filter that removes events leaves others empty.
 *
 * The beginning of a packet waits for the packet's first event, unless the packet is its stream's first one. If other
 * messages passed in the meantime, it gets the time of that event to keep the order of time; otherwise it passes
 * unchanged.
 *
 * A message about discarded events or packets begins where the packet before it ends, and ends where the packet after
 * it ends: sink.ctf.fs accepts no other. An empty packet without duration before it is left out nevertheless. One after
 * it:
 *
 *   PACKET_GATE_KEEPS_LOSSES   it stays.
 *   PACKET_GATE_MERGES_LOSSES  All messages are held until the first event of the stream's next packet. If that packet
 *       has none they are held until the end of the stream's next packet with events, and the messages about losses
 *       become one that lasts until there (packet_gap.h). If none follows, the stream's last packet stays, as it holds
 *       the count. If it takes more than 65536 messages all stays as it is.
 *
 * In both cases a packet before a loss stays if it lasted, and messages went by since the packet before it ended.
 *
 * O(1) a message; an event costs nothing while no packet waits. Memory: one message a stream, and what is held.
 */
#ifndef ROS2BT_PACKET_GATE_H
#define ROS2BT_PACKET_GATE_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>
#include <stddef.h>

struct packet_gate;

/* What happens to a packet without events after a message about discarded events or packets. */
enum packet_gate_losses {
	PACKET_GATE_KEEPS_LOSSES,  /* it stays, so that the message lasts as long as recorded */
	PACKET_GATE_MERGES_LOSSES, /* it is left out, and the message lasts longer */
};

struct packet_gate *packet_gate_create(bt_self_message_iterator *self, enum packet_gate_losses losses);
void packet_gate_destroy(struct packet_gate *gate);

/* Discards all messages: the iterator goes back to its beginning. */
void packet_gate_rewind(struct packet_gate *gate);

/* Takes over the reference. False with an error cause if memory is short. */
bool packet_gate_push(struct packet_gate *gate, const bt_message *message);

/* Whether nothing can be taken out now. */
bool packet_gate_is_empty(struct packet_gate *gate);

/* Moves what is ready, at most `capacity` messages, into `messages`; returns how many. */
uint64_t packet_gate_pop(struct packet_gate *gate, bt_message_array_const messages, uint64_t capacity);

#endif
