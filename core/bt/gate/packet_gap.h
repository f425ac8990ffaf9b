/* SPDX-License-Identifier: MIT */
/*
 * The losses of a stream between two packets, as long as it is unknown whether the following packets have events.
 *
 * sink.ctf.fs takes a message about discarded events only if it lasts from the end of the packet before it to the end
 * of the packet behind it, one about discarded packets from that end to the next beginning, and one of each at most.
 * Leaving out a packet next to them therefore requires merging them: into one message of each kind, with the sum of the
 * counts, from where the gap begins to the packet that closes it.
 *
 * From the first message about a loss on, the messages of all streams stay in the queue in their order. If nothing has
 * to be left out, or if the gap is abandoned as too long, the queue is emitted unchanged. Closing the gap removes its
 * empty packets and replaces its messages about losses.
 */
#ifndef ROS2BT_PACKET_GAP_H
#define ROS2BT_PACKET_GAP_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>
#include <stdint.h>

struct message_queue;
struct packet_gap;

/*
 * Opens a gap at the end of the queue, behind a packet that ended at `clock_value` (0 if packets have no times).
 * Nothing behind packet_gap_position() may leave the queue before the gap is destroyed.
 */
struct packet_gap *packet_gap_create(struct message_queue *queue, uint64_t clock_value);
void packet_gap_destroy(struct packet_gap *gap); /* also NULL */

uint64_t packet_gap_position(const struct packet_gap *gap);

/* The messages of the gap's stream, each taken over into the queue. */
void packet_gap_push_loss(struct packet_gap *gap, const bt_message *message);
void packet_gap_push_beginning(struct packet_gap *gap, const bt_message *message);
void packet_gap_push_end(struct packet_gap *gap, const bt_message *message);

/* Whether a packet was left empty in the gap. */
bool packet_gap_has_empty_packet(const struct packet_gap *gap);

/*
 * The packet that ended last closes the gap: it stays, all packets before it in the gap go, and the losses last up to
 * it. False with an error cause if memory is short.
 */
bool packet_gap_close(struct packet_gap *gap, bt_self_message_iterator *self);

#endif
