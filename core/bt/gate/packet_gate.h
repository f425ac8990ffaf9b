/* SPDX-License-Identifier: MIT */
/*
 * The way out of a filter: messages, first in, first out, without the packets that have no events. Trace Compass takes
 * such a packet for the end of its stream, if it is not the stream's first one. LTTng writes some (rotation, snapshots,
 * live), and a filter that takes events away empties others.
 *
 * The beginning of a packet waits for the packet's first event, unless the packet is its stream's first one. If other
 * messages went by meanwhile it gets the time of that event, since the order of time must hold; else it goes out as it
 * is.
 *
 * A message about discarded events or packets begins where the packet before it ends, and ends where the packet behind
 * it does: sink.ctf.fs takes no other. An empty packet of no duration before it goes nevertheless. For one behind it:
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

/* What happens to a packet without events behind a message about discarded events or packets. */
enum packet_gate_losses {
	PACKET_GATE_KEEPS_LOSSES,  /* it stays, so that the message lasts as long as recorded */
	PACKET_GATE_MERGES_LOSSES, /* it is left out, and the message lasts longer */
};

struct packet_gate *packet_gate_create(bt_self_message_iterator *self, enum packet_gate_losses losses);
void packet_gate_destroy(struct packet_gate *gate);

/* Forgets all messages: the iterator goes back to its beginning. */
void packet_gate_rewind(struct packet_gate *gate);

/* Takes over the reference. False with an error cause if memory is short. */
bool packet_gate_push(struct packet_gate *gate, const bt_message *message);

/* Whether nothing can be taken out now. */
bool packet_gate_is_empty(struct packet_gate *gate);

/* Moves what is ready, at most `capacity` messages, into `messages`; returns how many. */
uint64_t packet_gate_pop(struct packet_gate *gate, bt_message_array_const messages, uint64_t capacity);

#endif
