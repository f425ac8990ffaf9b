/* SPDX-License-Identifier: MIT */
/*
 * The streams in which moved events live. An event may belong to a time before its packet, even before its stream, and
 * the packets of a stream must stay as they are (a count of discarded events belongs to the space between two of them).
 * Each trace and stream class with moved events therefore gets one more stream, "NAME_init", of the same class. Moved
 * events that follow one another and come from one packet share a packet there, which has the original's context (its
 * CPU).
 *
 * Messages go into a packet gate, in the order of the calls. Functions return false after appending an error cause.
 */
#ifndef ROS2BT_MOVED_STREAMS_H
#define ROS2BT_MOVED_STREAMS_H

#include <stdbool.h>

#include "ros2bt/bt/mirror.h"
#include "ros2bt/bt/packet_gate.h"

struct moved_streams;

/* All are borrowed and must outlive it. */
struct moved_streams *moved_streams_create(bt_self_message_iterator *self, struct mirror *mirror,
					   struct packet_gate *out);
void moved_streams_destroy(struct moved_streams *streams);

/* Emits the copy of an event at another time, preceded by the stream and packet messages it needs. */
bool moved_streams_emit(struct moved_streams *streams, const bt_message *original, uint64_t clock_value);

/* To be called before anything else is emitted: closes the open packet. */
bool moved_streams_pause(struct moved_streams *streams);

/* Ends all streams. */
bool moved_streams_end(struct moved_streams *streams);

/* Starts over: the same streams begin again when they are needed. */
void moved_streams_rewind(struct moved_streams *streams);

#endif
