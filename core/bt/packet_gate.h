/* SPDX-License-Identifier: MIT */
/*
 * The way out of a filter: messages, first in, first out, without the packets that have no events. Trace Compass takes
 * such a packet for the end of its stream, if it is not the stream's first one. LTTng writes some (rotation, snapshots,
 * live), and a filter that takes events away empties others.
 *
 * The beginning of a packet waits for the packet's first event. If other messages went by meanwhile it gets the time of
 * that event, since the order of time must hold; else it goes out as it is. It does not wait
 *
 *   - if the packet is its stream's first one: a stream needs one;
 *   - behind a message about discarded events or packets, which ends where the packet begins or ends.
 *
 * A packet left out that such a message follows goes out after all, empty, as that message begins where it ends.
 *
 * O(1) a message; an event costs nothing while no packet waits. Memory: one message a stream.
 */
#ifndef ROS2BT_PACKET_GATE_H
#define ROS2BT_PACKET_GATE_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>
#include <stddef.h>

struct packet_gate;

struct packet_gate *packet_gate_create(bt_self_message_iterator *self);
void packet_gate_destroy(struct packet_gate *gate);

/* Forgets all messages: the iterator goes back to its beginning. */
void packet_gate_rewind(struct packet_gate *gate);

/* Takes over the reference. False with an error cause if memory is short. */
bool packet_gate_push(struct packet_gate *gate, const bt_message *message);

/* Whether nothing can be taken out now. */
bool packet_gate_is_empty(const struct packet_gate *gate);

/* Moves what is ready, at most `capacity` messages, into `messages`; returns how many. */
uint64_t packet_gate_pop(struct packet_gate *gate, bt_message_array_const messages, uint64_t capacity);

#endif
