/* SPDX-License-Identifier: MIT */
#include "core/bt/mirror/mirror_state.h"

#include "ros2bt/bt/field_copy.h"

static bt_message *create_event(struct mirror *mirror, const bt_event_class *event_class, const bt_stream *stream,
				const bt_packet *packet, bool has_clock, uint64_t clock_value)
{
	if (packet) {
		return has_clock ? bt_message_event_create_with_packet_and_default_clock_snapshot(
					   mirror->self, event_class, packet, clock_value)
				 : bt_message_event_create_with_packet(mirror->self, event_class, packet);
	}
	return has_clock ? bt_message_event_create_with_default_clock_snapshot(mirror->self, event_class, stream,
									       clock_value)
			 : bt_message_event_create(mirror->self, event_class, stream);
}

static bool copy_field(const bt_field *from, bt_field *to)
{
	return !from || field_copy(from, to);
}

static bt_message *fill_event(struct mirror *mirror, const bt_event *from, bt_message *message)
{
	bt_event *to = message ? bt_message_event_borrow_event(message) : NULL;

	if (!to ||
	    !copy_field(bt_event_borrow_common_context_field_const(from), bt_event_borrow_common_context_field(to)) ||
	    !copy_field(bt_event_borrow_specific_context_field_const(from),
			bt_event_borrow_specific_context_field(to)) ||
	    !copy_field(bt_event_borrow_payload_field_const(from), bt_event_borrow_payload_field(to))) {
		bt_message_put_ref(message);
		return mirror_failed(mirror, "event", bt_event_class_get_name(bt_event_borrow_class_const(from)));
	}
	return message;
}

bt_message *mirror_event(struct mirror *mirror, const bt_message *original)
{
	const bt_event *event = bt_message_event_borrow_event_const(original);
	const struct mirrored_event_class *class = mirror_event_class_copy(mirror, bt_event_borrow_class_const(event));
	const bt_stream *stream = NULL;
	const bt_packet *packet = NULL;
	uint64_t clock_value = 0;

	if (!class) {
		return NULL;
	}
	if (class->has_packets) {
		packet = mirror_packet(mirror, bt_event_borrow_packet_const(event));
	} else {
		stream = mirror_stream(mirror, bt_event_borrow_stream_const(event));
	}
	if (!packet && !stream) {
		return NULL;
	}
	if (class->has_clock) {
		clock_value =
			bt_clock_snapshot_get_value(bt_message_event_borrow_default_clock_snapshot_const(original));
	}
	return fill_event(mirror, event,
			  create_event(mirror, class->copy, stream, packet, class->has_clock, clock_value));
}

bt_message *mirror_event_at(struct mirror *mirror, const bt_message *original, const bt_stream *stream,
			    const bt_packet *packet, uint64_t clock_value)
{
	const bt_event *event = bt_message_event_borrow_event_const(original);
	const struct mirrored_event_class *class = mirror_event_class_copy(mirror, bt_event_borrow_class_const(event));

	return class ? fill_event(mirror, event,
				  create_event(mirror, class->copy, stream, packet, class->has_clock, clock_value))
		     : NULL;
}

static bt_message *mirror_stream_beginning(struct mirror *mirror, const bt_message *original)
{
	const bt_stream *stream = mirror_stream(mirror, bt_message_stream_beginning_borrow_stream_const(original));
	bt_message *message = stream ? bt_message_stream_beginning_create(mirror->self, stream) : NULL;
	const bt_clock_snapshot *snapshot;

	if (message && bt_message_stream_beginning_borrow_stream_class_default_clock_class_const(original) &&
	    bt_message_stream_beginning_borrow_default_clock_snapshot_const(original, &snapshot) ==
		    BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN) {
		bt_message_stream_beginning_set_default_clock_snapshot(message, bt_clock_snapshot_get_value(snapshot));
	}
	return message;
}

static bt_message *mirror_stream_end(struct mirror *mirror, const bt_message *original)
{
	const bt_stream *stream = mirror_stream(mirror, bt_message_stream_end_borrow_stream_const(original));
	bt_message *message = stream ? bt_message_stream_end_create(mirror->self, stream) : NULL;
	const bt_clock_snapshot *snapshot;

	if (message && bt_message_stream_end_borrow_stream_class_default_clock_class_const(original) &&
	    bt_message_stream_end_borrow_default_clock_snapshot_const(original, &snapshot) ==
		    BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN) {
		bt_message_stream_end_set_default_clock_snapshot(message, bt_clock_snapshot_get_value(snapshot));
	}
	return message;
}

static const bt_stream_class *class_of_packet(const bt_packet *packet)
{
	return bt_stream_borrow_class_const(bt_packet_borrow_stream_const(packet));
}

static bt_message *mirror_packet_beginning(struct mirror *mirror, const bt_message *original)
{
	const bt_packet *packet = bt_message_packet_beginning_borrow_packet_const(original);
	const bt_packet *copy = mirror_packet(mirror, packet);

	if (!copy) {
		return NULL;
	}
	if (!bt_stream_class_packets_have_beginning_default_clock_snapshot(class_of_packet(packet))) {
		return bt_message_packet_beginning_create(mirror->self, copy);
	}
	return bt_message_packet_beginning_create_with_default_clock_snapshot(
		mirror->self, copy,
		bt_clock_snapshot_get_value(bt_message_packet_beginning_borrow_default_clock_snapshot_const(original)));
}

static bt_message *mirror_packet_end(struct mirror *mirror, const bt_message *original)
{
	const bt_packet *packet = bt_message_packet_end_borrow_packet_const(original);
	const bt_packet *copy = mirror_packet(mirror, packet);
	bt_message *message;

	if (!copy) {
		return NULL;
	}
	if (bt_stream_class_packets_have_end_default_clock_snapshot(class_of_packet(packet))) {
		message = bt_message_packet_end_create_with_default_clock_snapshot(
			mirror->self, copy,
			bt_clock_snapshot_get_value(
				bt_message_packet_end_borrow_default_clock_snapshot_const(original)));
	} else {
		message = bt_message_packet_end_create(mirror->self, copy);
	}
	mirror_forget_packet(mirror, packet);
	return message;
}

static bt_message *mirror_discarded_events(struct mirror *mirror, const bt_message *original)
{
	const bt_stream *stream = bt_message_discarded_events_borrow_stream_const(original);
	const bt_stream *copy = mirror_stream(mirror, stream);
	bt_message *message;
	uint64_t count;

	if (!copy) {
		return NULL;
	}
	if (bt_stream_class_discarded_events_have_default_clock_snapshots(bt_stream_borrow_class_const(stream))) {
		message = bt_message_discarded_events_create_with_default_clock_snapshots(
			mirror->self, copy,
			bt_clock_snapshot_get_value(
				bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(original)),
			bt_clock_snapshot_get_value(
				bt_message_discarded_events_borrow_end_default_clock_snapshot_const(original)));
	} else {
		message = bt_message_discarded_events_create(mirror->self, copy);
	}
	if (message && bt_message_discarded_events_get_count(original, &count) == BT_PROPERTY_AVAILABILITY_AVAILABLE) {
		bt_message_discarded_events_set_count(message, count);
	}
	return message;
}

static bt_message *mirror_discarded_packets(struct mirror *mirror, const bt_message *original)
{
	const bt_stream *stream = bt_message_discarded_packets_borrow_stream_const(original);
	const bt_stream *copy = mirror_stream(mirror, stream);
	bt_message *message;
	uint64_t count;

	if (!copy) {
		return NULL;
	}
	if (bt_stream_class_discarded_packets_have_default_clock_snapshots(bt_stream_borrow_class_const(stream))) {
		message = bt_message_discarded_packets_create_with_default_clock_snapshots(
			mirror->self, copy,
			bt_clock_snapshot_get_value(
				bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(original)),
			bt_clock_snapshot_get_value(
				bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(original)));
	} else {
		message = bt_message_discarded_packets_create(mirror->self, copy);
	}
	if (message && bt_message_discarded_packets_get_count(original, &count) == BT_PROPERTY_AVAILABILITY_AVAILABLE) {
		bt_message_discarded_packets_set_count(message, count);
	}
	return message;
}

const bt_message *mirror_message(struct mirror *mirror, const bt_message *original)
{
	switch (bt_message_get_type(original)) {
	case BT_MESSAGE_TYPE_EVENT:
		return mirror_event(mirror, original);
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		return mirror_stream_beginning(mirror, original);
	case BT_MESSAGE_TYPE_STREAM_END:
		return mirror_stream_end(mirror, original);
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		return mirror_packet_beginning(mirror, original);
	case BT_MESSAGE_TYPE_PACKET_END:
		return mirror_packet_end(mirror, original);
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		return mirror_discarded_events(mirror, original);
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		return mirror_discarded_packets(mirror, original);
	case BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY:
		bt_message_get_ref(original);
		return original;
	}
	return mirror_failed(mirror, "message", "of unknown type");
}
