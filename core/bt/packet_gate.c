/* SPDX-License-Identifier: MIT */
#include "core/bt/packet_gate.h"

#include <glib.h>

#include "core/base/u64_map.h"
#include "core/bt/component_log.h"
#include "core/bt/message_queue.h"

/* A stream that has begun a packet. Its packets keep it alive until its end has passed. */
struct gate_stream {
	const bt_message *beginning; /* owned; of the packet that waits for its first event, or was left out last */
	const bt_message *end;	     /* owned; of the packet that was left out last */
	uint64_t waits_since;	     /* gate->passed_count at the time, UINT64_MAX: long ago */
	bool is_waiting;
	bool has_loss; /* the packet to come has a message about lost events before it */
};

struct packet_gate {
	bt_self_message_iterator *self;
	struct message_queue out;
	struct u64_map streams; /* const bt_stream * → struct gate_stream * */
	size_t waiting_count;	/* packets that wait */
	uint64_t passed_count;	/* messages that went by while packets waited */
};

struct packet_gate *packet_gate_create(bt_self_message_iterator *self)
{
	struct packet_gate *gate = g_new0(struct packet_gate, 1);

	gate->self = self;
	message_queue_init(&gate->out);
	u64_map_init(&gate->streams);
	return gate;
}

static void clear_stream(struct gate_stream *stream)
{
	g_clear_pointer(&stream->beginning, bt_message_put_ref);
	g_clear_pointer(&stream->end, bt_message_put_ref);
	stream->is_waiting = false;
}

void packet_gate_rewind(struct packet_gate *gate)
{
	uint64_t key, value;

	for (size_t position = 0; u64_map_next(&gate->streams, &position, &key, &value);) {
		struct gate_stream *stream = (struct gate_stream *)(uintptr_t)value;

		clear_stream(stream);
		g_free(stream);
	}
	u64_map_clear(&gate->streams);
	message_queue_clear(&gate->out);
	gate->waiting_count = 0;
}

void packet_gate_destroy(struct packet_gate *gate)
{
	if (gate) {
		packet_gate_rewind(gate);
		g_free(gate);
	}
}

static struct gate_stream *find_stream(struct packet_gate *gate, const bt_stream *stream)
{
	return u64_map_get_pointer(&gate->streams, (uintptr_t)stream);
}

static void pass(struct packet_gate *gate, const bt_message *message)
{
	gate->passed_count++;
	message_queue_push(&gate->out, message);
}

static bool has_beginning_snapshot(const bt_packet *packet)
{
	return bt_stream_class_packets_have_beginning_default_clock_snapshot(
		bt_stream_borrow_class_const(bt_packet_borrow_stream_const(packet)));
}

/* The beginning of the packet goes out, at a time of the stream's clock if something went by. */
static bool pass_beginning(struct packet_gate *gate, struct gate_stream *stream, uint64_t clock_value)
{
	const bt_message *beginning = g_steal_pointer(&stream->beginning);
	const bt_packet *packet = bt_message_packet_beginning_borrow_packet_const(beginning);

	if (gate->passed_count != stream->waits_since && has_beginning_snapshot(packet)) {
		const bt_message *later =
			bt_message_packet_beginning_create_with_default_clock_snapshot(gate->self, packet, clock_value);

		bt_message_put_ref(beginning);
		beginning = later;
	}
	if (!beginning) {
		iterator_error(gate->self, "cannot make the beginning of a packet: memory is short");
		return false;
	}
	pass(gate, beginning);
	return true;
}

static bool stop_waiting(struct packet_gate *gate, struct gate_stream *stream, uint64_t clock_value)
{
	stream->is_waiting = false;
	gate->waiting_count--;
	return pass_beginning(gate, stream, clock_value);
}

/* Takes over the reference. */
static bool push_beginning(struct packet_gate *gate, const bt_message *message)
{
	const bt_stream *key = bt_packet_borrow_stream_const(bt_message_packet_beginning_borrow_packet_const(message));
	struct gate_stream *stream = find_stream(gate, key);

	if (!stream) {
		stream = g_new0(struct gate_stream, 1);
		u64_map_set_pointer(&gate->streams, (uintptr_t)key, stream);
		pass(gate, message);
		return true;
	}
	clear_stream(stream);
	if (stream->has_loss) {
		stream->has_loss = false;
		pass(gate, message);
		return true;
	}
	stream->beginning = message;
	stream->is_waiting = true;
	stream->waits_since = gate->passed_count;
	gate->waiting_count++;
	return true;
}

static bool push_end(struct packet_gate *gate, const bt_message *message)
{
	struct gate_stream *stream =
		find_stream(gate, bt_packet_borrow_stream_const(bt_message_packet_end_borrow_packet_const(message)));

	if (stream && stream->is_waiting) {
		stream->is_waiting = false;
		gate->waiting_count--;
		stream->end = message;
		return true;
	}
	pass(gate, message);
	return true;
}

static bool push_event(struct packet_gate *gate, const bt_message *message)
{
	struct gate_stream *stream =
		find_stream(gate, bt_event_borrow_stream_const(bt_message_event_borrow_event_const(message)));

	if (stream && stream->is_waiting) {
		uint64_t clock_value = 0;

		if (bt_message_event_borrow_stream_class_default_clock_class_const(message)) {
			clock_value = bt_clock_snapshot_get_value(
				bt_message_event_borrow_default_clock_snapshot_const(message));
		}
		if (!stop_waiting(gate, stream, clock_value)) {
			bt_message_put_ref(message);
			return false;
		}
	}
	pass(gate, message);
	return true;
}

static uint64_t end_value(const bt_message *end)
{
	const bt_stream_class *class = bt_stream_borrow_class_const(
		bt_packet_borrow_stream_const(bt_message_packet_end_borrow_packet_const(end)));

	return bt_stream_class_packets_have_end_default_clock_snapshot(class)
		       ? bt_clock_snapshot_get_value(bt_message_packet_end_borrow_default_clock_snapshot_const(end))
		       : 0;
}

/* A message about lost events, `clock_value` where it begins (0 if it has no time). */
static bool push_loss(struct packet_gate *gate, const bt_message *message, const bt_stream *key, uint64_t clock_value)
{
	struct gate_stream *stream = find_stream(gate, key);
	bool is_done = true;

	if (stream && stream->is_waiting) {
		is_done = stop_waiting(gate, stream, clock_value);
	} else if (stream && stream->end) {
		const bt_message *end = g_steal_pointer(&stream->end);

		stream->waits_since = UINT64_MAX;
		is_done = pass_beginning(gate, stream, end_value(end));
		pass(gate, end);
	}
	if (stream) {
		stream->has_loss = true;
	}
	pass(gate, message);
	return is_done;
}

static bool push_discarded_events(struct packet_gate *gate, const bt_message *message)
{
	const bt_stream *stream = bt_message_discarded_events_borrow_stream_const(message);
	uint64_t clock_value = 0;

	if (bt_stream_class_discarded_events_have_default_clock_snapshots(bt_stream_borrow_class_const(stream))) {
		clock_value = bt_clock_snapshot_get_value(
			bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(message));
	}
	return push_loss(gate, message, stream, clock_value);
}

static bool push_discarded_packets(struct packet_gate *gate, const bt_message *message)
{
	const bt_stream *stream = bt_message_discarded_packets_borrow_stream_const(message);
	uint64_t clock_value = 0;

	if (bt_stream_class_discarded_packets_have_default_clock_snapshots(bt_stream_borrow_class_const(stream))) {
		clock_value = bt_clock_snapshot_get_value(
			bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(message));
	}
	return push_loss(gate, message, stream, clock_value);
}

static void push_stream_end(struct packet_gate *gate, const bt_message *message)
{
	const bt_stream *key = bt_message_stream_end_borrow_stream_const(message);
	struct gate_stream *stream = find_stream(gate, key);

	if (stream) {
		gate->waiting_count -= stream->is_waiting;
		clear_stream(stream);
		g_free(stream);
		(void)u64_map_remove(&gate->streams, (uintptr_t)key);
	}
	pass(gate, message);
}

bool packet_gate_push(struct packet_gate *gate, const bt_message *message)
{
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		if (G_UNLIKELY(gate->waiting_count > 0)) {
			return push_event(gate, message);
		}
		message_queue_push(&gate->out, message);
		return true;
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		return push_beginning(gate, message);
	case BT_MESSAGE_TYPE_PACKET_END:
		return push_end(gate, message);
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		return push_discarded_events(gate, message);
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		return push_discarded_packets(gate, message);
	case BT_MESSAGE_TYPE_STREAM_END:
		push_stream_end(gate, message);
		return true;
	default:
		pass(gate, message);
		return true;
	}
}

bool packet_gate_is_empty(const struct packet_gate *gate)
{
	return gate->out.count == 0;
}

uint64_t packet_gate_pop(struct packet_gate *gate, bt_message_array_const messages, uint64_t capacity)
{
	return message_queue_pop(&gate->out, messages, capacity);
}
