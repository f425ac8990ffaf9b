/* SPDX-License-Identifier: MIT */
#include "ros2bt/bt/packet_gate.h"

#include <glib.h>

#include "core/bt/gate/message_queue.h"
#include "core/bt/gate/packet_gap.h"
#include "ros2bt/base/u64_map.h"
#include "ros2bt/bt/component_log.h"

/* Messages held for one gap, each about 1.2 kB. */
#define GAP_LIMIT 65536

/* A stream that has begun a packet. Its packets keep it alive until its end has passed. */
struct gate_stream {
	const bt_message *beginning; /* owned; of the packet that waits for its first event, or was left out last */
	const bt_message *end;	     /* owned; of the packet that was left out last */
	uint64_t waits_since;	     /* end of the queue at the time, UINT64_MAX: long ago */
	struct packet_gap *gap;	     /* owned; what was lost before the packet to come, else NULL */
	uint64_t ended_at;	     /* end of the queue behind the end of the last packet that passed */
	uint64_t end_value;	     /* clock value there, 0 without times */
	bool is_waiting;
	bool is_open;	 /* a packet is open, passed or not */
	bool has_events; /* the open packet, if it is in a gap */
	bool has_loss;	 /* the packet to come stays, as a loss before it must end where it ends */
};

struct packet_gate {
	bt_self_message_iterator *self;
	enum packet_gate_losses losses;
	struct message_queue out;
	struct u64_map streams; /* const bt_stream * → struct gate_stream * */
	size_t waiting_count;	/* packets that wait */
	size_t gap_count;
	uint64_t held_from; /* position in `out` of the first gap, UINT64_MAX without */
};

struct packet_gate *packet_gate_create(bt_self_message_iterator *self, enum packet_gate_losses losses)
{
	struct packet_gate *gate = g_new0(struct packet_gate, 1);

	gate->self = self;
	gate->losses = losses;
	gate->held_from = UINT64_MAX;
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
		packet_gap_destroy(stream->gap);
		g_free(stream);
	}
	u64_map_clear(&gate->streams);
	message_queue_clear(&gate->out);
	gate->waiting_count = 0;
	gate->gap_count = 0;
	gate->held_from = UINT64_MAX;
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
	message_queue_push(&gate->out, message);
}

/* The first gap that is left decides what may go out. */
static void update_held(struct packet_gate *gate)
{
	uint64_t key, value;

	gate->held_from = UINT64_MAX;
	for (size_t position = 0; u64_map_next(&gate->streams, &position, &key, &value);) {
		const struct gate_stream *stream = (const struct gate_stream *)(uintptr_t)value;

		if (stream->gap) {
			gate->held_from = MIN(gate->held_from, packet_gap_position(stream->gap));
		}
	}
}

static void open_gap(struct packet_gate *gate, struct gate_stream *stream)
{
	stream->gap = packet_gap_create(&gate->out, stream->end_value);
	gate->gap_count++;
	gate->held_from = MIN(gate->held_from, packet_gap_position(stream->gap));
}

/* Everything stays as it is in the queue. */
static void leave_gap(struct packet_gate *gate, struct gate_stream *stream)
{
	g_clear_pointer(&stream->gap, packet_gap_destroy);
	gate->gap_count--;
	update_held(gate);
}

static bool close_gap(struct packet_gate *gate, struct gate_stream *stream)
{
	bool is_done = packet_gap_close(stream->gap, gate->self);

	leave_gap(gate, stream);
	return is_done;
}

static void leave_long_gaps(struct packet_gate *gate)
{
	uint64_t key, value;

	if (message_queue_end(&gate->out) - gate->held_from <= GAP_LIMIT) {
		return;
	}
	for (size_t position = 0; u64_map_next(&gate->streams, &position, &key, &value);) {
		struct gate_stream *stream = (struct gate_stream *)(uintptr_t)value;

		if (stream->gap && packet_gap_position(stream->gap) == gate->held_from) {
			leave_gap(gate, stream);
			return;
		}
	}
}

static bool has_beginning_snapshot(const bt_packet *packet)
{
	return bt_stream_class_packets_have_beginning_default_clock_snapshot(
		bt_stream_borrow_class_const(bt_packet_borrow_stream_const(packet)));
}

/* Emits the beginning of the packet, at a time of the stream's clock if other messages passed. */
static bool pass_beginning(struct packet_gate *gate, struct gate_stream *stream, uint64_t clock_value)
{
	const bt_message *beginning = g_steal_pointer(&stream->beginning);
	const bt_packet *packet = bt_message_packet_beginning_borrow_packet_const(beginning);

	if (message_queue_end(&gate->out) != stream->waits_since && has_beginning_snapshot(packet)) {
		const bt_message *later =
			bt_message_packet_beginning_create_with_default_clock_snapshot(gate->self, packet, clock_value);

		bt_message_put_ref(beginning);
		beginning = later;
	}
	if (!beginning) {
		iterator_error(gate->self, "cannot create the message that begins a packet: out of memory");
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
		stream->is_open = true;
		pass(gate, message);
		return true;
	}
	clear_stream(stream);
	stream->is_open = true;
	if (stream->has_loss) {
		stream->has_loss = false;
		pass(gate, message);
		return true;
	}
	if (stream->gap) {
		stream->has_events = false;
		packet_gap_push_beginning(stream->gap, message);
		return true;
	}
	stream->beginning = message;
	stream->is_waiting = true;
	stream->waits_since = message_queue_end(&gate->out);
	gate->waiting_count++;
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

static bool pass_end(struct packet_gate *gate, struct gate_stream *stream, const bt_message *message)
{
	bool is_done = true;

	stream->is_open = false;
	stream->end_value = end_value(message);
	if (stream->gap) {
		packet_gap_push_end(stream->gap, message);
		is_done = !stream->has_events || close_gap(gate, stream);
	} else {
		pass(gate, message);
	}
	stream->ended_at = message_queue_end(&gate->out);
	return is_done;
}

static bool push_end(struct packet_gate *gate, const bt_message *message)
{
	struct gate_stream *stream =
		find_stream(gate, bt_packet_borrow_stream_const(bt_message_packet_end_borrow_packet_const(message)));

	if (stream && stream->is_waiting) {
		stream->is_waiting = false;
		gate->waiting_count--;
		stream->is_open = false;
		stream->end = message;
		return true;
	}
	if (!stream) {
		pass(gate, message);
		return true;
	}
	return pass_end(gate, stream, message);
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
	} else if (stream && stream->gap) {
		stream->has_events = true;
		if (!packet_gap_has_empty_packet(stream->gap)) {
			leave_gap(gate, stream);
		}
	}
	pass(gate, message);
	return true;
}

/* The packet left out last goes out after all, since a loss begins where it ends. */
static bool pass_empty_packet(struct packet_gate *gate, struct gate_stream *stream, const bt_message *end)
{
	stream->waits_since = UINT64_MAX;
	if (!pass_beginning(gate, stream, end_value(end))) {
		bt_message_put_ref(end);
		return false;
	}
	return pass_end(gate, stream, end);
}

static bool begin_kept_loss(struct packet_gate *gate, struct gate_stream *stream, uint64_t clock_value)
{
	bool is_done = true;

	stream->has_loss = true;
	if (stream->end && clock_value != stream->end_value) {
		is_done = pass_empty_packet(gate, stream, g_steal_pointer(&stream->end));
	}
	clear_stream(stream);
	return is_done;
}

/*
 * A gap begins where the last packet that passed ended. If that is now, the packet left out since belongs to the gap;
 * otherwise it has to pass, empty.
 */
static bool begin_gap(struct packet_gate *gate, struct gate_stream *stream, uint64_t clock_value)
{
	const bt_message *end = g_steal_pointer(&stream->end);
	bool is_now = clock_value == stream->end_value || stream->ended_at == message_queue_end(&gate->out);
	bool is_done = !end || is_now || pass_empty_packet(gate, stream, end);

	open_gap(gate, stream);
	if (end && is_now) {
		packet_gap_push_beginning(stream->gap, g_steal_pointer(&stream->beginning));
		packet_gap_push_end(stream->gap, end);
	}
	return is_done;
}

/* A loss with times is tied to those of packets, if they have any. */
static bool can_have_gap(const bt_stream *stream, bool loss_has_times)
{
	const bt_stream_class *class = bt_stream_borrow_class_const(stream);

	return !loss_has_times || (bt_stream_class_packets_have_beginning_default_clock_snapshot(class) &&
				   bt_stream_class_packets_have_end_default_clock_snapshot(class));
}

/* A message about lost events or packets, `clock_value` where it begins (0 if it has no time). */
static bool push_loss(struct packet_gate *gate, const bt_message *message, const bt_stream *key, bool has_times,
		      uint64_t clock_value)
{
	struct gate_stream *stream = find_stream(gate, key);
	bool is_done = true;

	if (stream && stream->is_waiting) {
		is_done = stop_waiting(gate, stream, clock_value);
	} else if (stream && !stream->gap && !stream->is_open && can_have_gap(key, has_times)) {
		is_done = gate->losses == PACKET_GATE_MERGES_LOSSES ? begin_gap(gate, stream, clock_value)
								    : begin_kept_loss(gate, stream, clock_value);
	}
	if (stream && stream->gap) {
		packet_gap_push_loss(stream->gap, message);
	} else {
		pass(gate, message);
	}
	return is_done;
}

static bool push_discarded_events(struct packet_gate *gate, const bt_message *message)
{
	const bt_stream *stream = bt_message_discarded_events_borrow_stream_const(message);
	bool has_times =
		bt_stream_class_discarded_events_have_default_clock_snapshots(bt_stream_borrow_class_const(stream));
	uint64_t clock_value = 0;

	if (has_times) {
		clock_value = bt_clock_snapshot_get_value(
			bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(message));
	}
	return push_loss(gate, message, stream, has_times, clock_value);
}

static bool push_discarded_packets(struct packet_gate *gate, const bt_message *message)
{
	const bt_stream *stream = bt_message_discarded_packets_borrow_stream_const(message);
	bool has_times =
		bt_stream_class_discarded_packets_have_default_clock_snapshots(bt_stream_borrow_class_const(stream));
	uint64_t clock_value = 0;

	if (has_times) {
		clock_value = bt_clock_snapshot_get_value(
			bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(message));
	}
	return push_loss(gate, message, stream, has_times, clock_value);
}

/* Without a packet to come, the last one of a gap has to stay: it holds the count of what was lost. */
static bool push_stream_end(struct packet_gate *gate, const bt_message *message)
{
	const bt_stream *key = bt_message_stream_end_borrow_stream_const(message);
	struct gate_stream *stream = find_stream(gate, key);
	bool is_done = true;

	if (stream) {
		if (stream->gap && packet_gap_has_empty_packet(stream->gap)) {
			is_done = close_gap(gate, stream);
		} else if (stream->gap) {
			leave_gap(gate, stream);
		}
		gate->waiting_count -= stream->is_waiting;
		clear_stream(stream);
		g_free(stream);
		(void)u64_map_remove(&gate->streams, (uintptr_t)key);
	}
	pass(gate, message);
	return is_done;
}

static bool push(struct packet_gate *gate, const bt_message *message)
{
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		return push_event(gate, message);
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		return push_beginning(gate, message);
	case BT_MESSAGE_TYPE_PACKET_END:
		return push_end(gate, message);
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		return push_discarded_events(gate, message);
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		return push_discarded_packets(gate, message);
	case BT_MESSAGE_TYPE_STREAM_END:
		return push_stream_end(gate, message);
	default:
		pass(gate, message);
		return true;
	}
}

bool packet_gate_push(struct packet_gate *gate, const bt_message *message)
{
	bool is_done = true;

	if (G_LIKELY(bt_message_get_type(message) == BT_MESSAGE_TYPE_EVENT && gate->waiting_count == 0 &&
		     gate->gap_count == 0)) {
		message_queue_push(&gate->out, message);
		return true;
	}
	is_done = push(gate, message);
	if (gate->gap_count > 0) {
		leave_long_gaps(gate);
	}
	return is_done;
}

/* Messages that may go out, the first of them not NULL. */
static uint64_t count_ready(struct packet_gate *gate)
{
	const bt_message *nothing;

	while (gate->out.count > 0 && gate->out.popped < gate->held_from &&
	       !*message_queue_at(&gate->out, gate->out.popped)) {
		message_queue_pop(&gate->out, &nothing, 1);
	}
	return MIN(gate->out.count, gate->held_from - gate->out.popped);
}

bool packet_gate_is_empty(struct packet_gate *gate)
{
	return count_ready(gate) == 0;
}

uint64_t packet_gate_pop(struct packet_gate *gate, bt_message_array_const messages, uint64_t capacity)
{
	uint64_t popped_count = message_queue_pop(&gate->out, messages, MIN(capacity, count_ready(gate)));
	uint64_t count = 0;

	for (uint64_t i = 0; i < popped_count; i++) {
		if (messages[i]) {
			messages[count++] = messages[i];
		}
	}
	return count;
}
