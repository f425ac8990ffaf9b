/* SPDX-License-Identifier: MIT */
#include "core/bt/gate/packet_gap.h"

#include <glib.h>

#include "core/bt/gate/message_queue.h"
#include "ros2bt/bt/component_log.h"

enum { DISCARDED_EVENTS, DISCARDED_PACKETS, LOSS_KIND_COUNT };

struct loss {
	const bt_stream *stream; /* NULL: no message of this kind; of a message in the queue */
	uint64_t count;		 /* a message without a count is counted as one, as sink.ctf.fs does */
	bool has_count;
};

struct packet_gap {
	struct message_queue *queue;
	uint64_t position; /* of the first of LOSS_KIND_COUNT places for the merged messages, empty until then */
	uint64_t begin;	   /* clock value */
	struct loss losses[LOSS_KIND_COUNT];
	GArray *loss_positions;	  /* uint64_t */
	GArray *packet_positions; /* uint64_t: beginning, end, beginning, end… */
};

struct packet_gap *packet_gap_create(struct message_queue *queue, uint64_t clock_value)
{
	struct packet_gap *gap = g_new0(struct packet_gap, 1);

	gap->queue = queue;
	gap->begin = clock_value;
	gap->position = message_queue_end(queue);
	for (size_t kind = 0; kind < LOSS_KIND_COUNT; kind++) {
		message_queue_push(queue, NULL);
	}
	gap->loss_positions = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	gap->packet_positions = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	return gap;
}

void packet_gap_destroy(struct packet_gap *gap)
{
	if (gap) {
		g_array_free(gap->loss_positions, TRUE);
		g_array_free(gap->packet_positions, TRUE);
		g_free(gap);
	}
}

uint64_t packet_gap_position(const struct packet_gap *gap)
{
	return gap->position;
}

static void push(struct packet_gap *gap, GArray *positions, const bt_message *message)
{
	uint64_t position = message_queue_end(gap->queue);

	g_array_append_val(positions, position);
	message_queue_push(gap->queue, message);
}

static void add_count(struct loss *loss, bt_property_availability availability, uint64_t count)
{
	loss->has_count |= availability == BT_PROPERTY_AVAILABILITY_AVAILABLE;
	loss->count += availability == BT_PROPERTY_AVAILABILITY_AVAILABLE ? count : 1;
}

static bool have_times(const struct loss *loss, size_t kind)
{
	const bt_stream_class *class = bt_stream_borrow_class_const(loss->stream);

	return kind == DISCARDED_EVENTS ? bt_stream_class_discarded_events_have_default_clock_snapshots(class)
					: bt_stream_class_discarded_packets_have_default_clock_snapshots(class);
}

void packet_gap_push_loss(struct packet_gap *gap, const bt_message *message)
{
	bt_property_availability availability;
	uint64_t count = 0;

	if (bt_message_get_type(message) == BT_MESSAGE_TYPE_DISCARDED_EVENTS) {
		struct loss *loss = &gap->losses[DISCARDED_EVENTS];

		loss->stream = bt_message_discarded_events_borrow_stream_const(message);
		availability = bt_message_discarded_events_get_count(message, &count);
		add_count(loss, availability, count);
	} else {
		struct loss *loss = &gap->losses[DISCARDED_PACKETS];

		loss->stream = bt_message_discarded_packets_borrow_stream_const(message);
		availability = bt_message_discarded_packets_get_count(message, &count);
		add_count(loss, availability, count);
	}
	push(gap, gap->loss_positions, message);
}

void packet_gap_push_beginning(struct packet_gap *gap, const bt_message *message)
{
	push(gap, gap->packet_positions, message);
}

void packet_gap_push_end(struct packet_gap *gap, const bt_message *message)
{
	push(gap, gap->packet_positions, message);
}

bool packet_gap_has_empty_packet(const struct packet_gap *gap)
{
	return gap->packet_positions->len >= 2;
}

static const bt_message **message_at(const struct packet_gap *gap, const GArray *positions, size_t index)
{
	return message_queue_at(gap->queue, g_array_index(positions, uint64_t, index));
}

/* Where a loss ends next to the packet that closes the gap. */
static uint64_t end_of(const struct packet_gap *gap, size_t kind)
{
	const GArray *packets = gap->packet_positions;

	return bt_clock_snapshot_get_value(kind == DISCARDED_EVENTS
						   ? bt_message_packet_end_borrow_default_clock_snapshot_const(
							     *message_at(gap, packets, packets->len - 1))
						   : bt_message_packet_beginning_borrow_default_clock_snapshot_const(
							     *message_at(gap, packets, packets->len - 2)));
}

static bt_message *create(const struct packet_gap *gap, bt_self_message_iterator *self, size_t kind)
{
	const struct loss *loss = &gap->losses[kind];

	if (kind == DISCARDED_EVENTS) {
		return have_times(loss, kind) ? bt_message_discarded_events_create_with_default_clock_snapshots(
							self, loss->stream, gap->begin, end_of(gap, kind))
					      : bt_message_discarded_events_create(self, loss->stream);
	}
	return have_times(loss, kind) ? bt_message_discarded_packets_create_with_default_clock_snapshots(
						self, loss->stream, gap->begin, end_of(gap, kind))
				      : bt_message_discarded_packets_create(self, loss->stream);
}

static bool merge(struct packet_gap *gap, bt_self_message_iterator *self, size_t kind)
{
	const struct loss *loss = &gap->losses[kind];
	bt_message *message = create(gap, self, kind);

	if (!message) {
		iterator_error(self, "cannot create a message about a loss: out of memory");
		return false;
	}
	if (loss->has_count && kind == DISCARDED_EVENTS) {
		bt_message_discarded_events_set_count(message, loss->count);
	} else if (loss->has_count) {
		bt_message_discarded_packets_set_count(message, loss->count);
	}
	*message_queue_at(gap->queue, gap->position + kind) = message;
	return true;
}

static void take_out(struct packet_gap *gap, const GArray *positions, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		g_clear_pointer(message_at(gap, positions, i), bt_message_put_ref);
	}
}

bool packet_gap_close(struct packet_gap *gap, bt_self_message_iterator *self)
{
	for (size_t kind = 0; kind < LOSS_KIND_COUNT; kind++) {
		if (gap->losses[kind].stream && !merge(gap, self, kind)) {
			return false;
		}
	}
	take_out(gap, gap->loss_positions, gap->loss_positions->len);
	take_out(gap, gap->packet_positions, gap->packet_positions->len - 2);
	return true;
}
