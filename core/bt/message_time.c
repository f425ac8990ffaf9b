/* SPDX-License-Identifier: MIT */
#include "ros2bt/bt/message_time.h"

#include <glib.h>

static const bt_clock_snapshot *stream_beginning_snapshot(const bt_message *message)
{
	const bt_clock_snapshot *snapshot;

	return bt_message_stream_beginning_borrow_stream_class_default_clock_class_const(message) &&
			       bt_message_stream_beginning_borrow_default_clock_snapshot_const(message, &snapshot) ==
				       BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN
		       ? snapshot
		       : NULL;
}

static const bt_clock_snapshot *stream_end_snapshot(const bt_message *message)
{
	const bt_clock_snapshot *snapshot;

	return bt_message_stream_end_borrow_stream_class_default_clock_class_const(message) &&
			       bt_message_stream_end_borrow_default_clock_snapshot_const(message, &snapshot) ==
				       BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN
		       ? snapshot
		       : NULL;
}

static const bt_stream_class *class_of_packet(const bt_packet *packet)
{
	return bt_stream_borrow_class_const(bt_packet_borrow_stream_const(packet));
}

static const bt_clock_snapshot *packet_beginning_snapshot(const bt_message *message)
{
	const bt_stream_class *class = class_of_packet(bt_message_packet_beginning_borrow_packet_const(message));

	return bt_stream_class_packets_have_beginning_default_clock_snapshot(class)
		       ? bt_message_packet_beginning_borrow_default_clock_snapshot_const(message)
		       : NULL;
}

static const bt_clock_snapshot *packet_end_snapshot(const bt_message *message)
{
	const bt_stream_class *class = class_of_packet(bt_message_packet_end_borrow_packet_const(message));

	return bt_stream_class_packets_have_end_default_clock_snapshot(class)
		       ? bt_message_packet_end_borrow_default_clock_snapshot_const(message)
		       : NULL;
}

static const bt_clock_snapshot *discarded_events_snapshot(const bt_message *message)
{
	const bt_stream_class *class =
		bt_stream_borrow_class_const(bt_message_discarded_events_borrow_stream_const(message));

	return bt_stream_class_discarded_events_have_default_clock_snapshots(class)
		       ? bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(message)
		       : NULL;
}

static const bt_clock_snapshot *discarded_packets_snapshot(const bt_message *message)
{
	const bt_stream_class *class =
		bt_stream_borrow_class_const(bt_message_discarded_packets_borrow_stream_const(message));

	return bt_stream_class_discarded_packets_have_default_clock_snapshots(class)
		       ? bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(message)
		       : NULL;
}

static const bt_clock_snapshot *snapshot_of(const bt_message *message)
{
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		return bt_message_event_borrow_stream_class_default_clock_class_const(message)
			       ? bt_message_event_borrow_default_clock_snapshot_const(message)
			       : NULL;
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		return stream_beginning_snapshot(message);
	case BT_MESSAGE_TYPE_STREAM_END:
		return stream_end_snapshot(message);
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		return packet_beginning_snapshot(message);
	case BT_MESSAGE_TYPE_PACKET_END:
		return packet_end_snapshot(message);
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		return discarded_events_snapshot(message);
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		return discarded_packets_snapshot(message);
	case BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY:
		return bt_message_message_iterator_inactivity_borrow_clock_snapshot_const(message);
	}
	return NULL;
}

/* The clock has no time for the snapshot, or had none for the one before: a property of the trace. */
static G_GNUC_NO_INLINE bool convert_anew(const bt_clock_snapshot *snapshot, int64_t *time_ns)
{
	bt_current_thread_clear_error();
	if (bt_clock_class_cycles_to_ns_from_origin(bt_clock_snapshot_borrow_clock_class_const(snapshot),
						    bt_clock_snapshot_get_value(snapshot),
						    time_ns) == BT_CLOCK_CLASS_CYCLES_TO_NS_FROM_ORIGIN_STATUS_OK) {
		return true;
	}
	bt_current_thread_clear_error();
	return false;
}

bool snapshot_time(const bt_clock_snapshot *snapshot, int64_t *time_ns)
{
	return bt_clock_snapshot_get_ns_from_origin(snapshot, time_ns) ==
		       BT_CLOCK_SNAPSHOT_GET_NS_FROM_ORIGIN_STATUS_OK ||
	       convert_anew(snapshot, time_ns);
}

enum message_time message_time(const bt_message *message, int64_t *time_ns)
{
	const bt_clock_snapshot *snapshot = snapshot_of(message);

	if (!snapshot) {
		return MESSAGE_TIME_NONE;
	}
	return snapshot_time(snapshot, time_ns) ? MESSAGE_TIME_KNOWN : MESSAGE_TIME_BEYOND;
}
