/* SPDX-License-Identifier: MIT */
#include "filters/init_timestamp/moved_streams.h"

#include <glib.h>

#include "ros2bt/bt/own.h"
#include "ros2bt/bt/component_log.h"

struct moved_stream {
	const bt_trace *trace;	      /* of the originals, kept alive by the mirror */
	const bt_stream_class *class; /* the same */
	bt_stream *stream;	      /* owned by the mirror */
	bool is_open;
};

struct moved_streams {
	bt_self_message_iterator *self;
	struct mirror *mirror;
	struct packet_gate *out;
	GArray *streams; /* struct moved_stream */
	/* the open packet, if any: owned; the original whose context it has; the time of its last event */
	bt_packet *packet;
	const bt_packet *original_packet; /* a reference */
	uint64_t last_clock_value;
};

struct moved_streams *moved_streams_create(bt_self_message_iterator *self, struct mirror *mirror,
					   struct packet_gate *out)
{
	struct moved_streams *streams = g_new0(struct moved_streams, 1);

	streams->self = self;
	streams->mirror = mirror;
	streams->out = out;
	streams->streams = g_array_new(FALSE, FALSE, sizeof(struct moved_stream));
	return streams;
}

static void forget_packet(struct moved_streams *streams)
{
	g_clear_pointer(&streams->packet, bt_packet_put_ref);
	g_clear_pointer(&streams->original_packet, bt_packet_put_ref);
}

void moved_streams_destroy(struct moved_streams *streams)
{
	if (streams) {
		forget_packet(streams);
		g_array_free(streams->streams, TRUE);
		g_free(streams);
	}
}

/* Takes over the reference. */
static bool push(struct moved_streams *streams, const bt_message *message)
{
	if (!message) {
		iterator_error(streams->self, "cannot make a message around a moved initialization event");
		return false;
	}
	return packet_gate_push(streams->out, message);
}

static bt_stream *add_stream(struct moved_streams *streams, const bt_stream *original)
{
	const char *name = bt_stream_get_name(original);
	g_autofree char *moved_name = g_strconcat(name ? name : "ros2", "_init", NULL);
	struct moved_stream moved = {
		.trace = bt_stream_borrow_trace_const(original),
		.class = bt_stream_borrow_class_const(original),
		.stream = mirror_add_stream(streams->mirror, original, moved_name),
	};

	if (moved.stream) {
		g_array_append_val(streams->streams, moved);
	}
	return moved.stream;
}

/* NULL: failed. */
static struct moved_stream *find_stream(struct moved_streams *streams, const bt_stream *original)
{
	for (guint i = 0; i < streams->streams->len; i++) {
		struct moved_stream *moved = &g_array_index(streams->streams, struct moved_stream, i);

		if (moved->class == bt_stream_borrow_class_const(original) &&
		    moved->trace == bt_stream_borrow_trace_const(original)) {
			return moved;
		}
	}
	return add_stream(streams, original)
		       ? &g_array_index(streams->streams, struct moved_stream, streams->streams->len - 1)
		       : NULL;
}

static bt_stream *stream_for(struct moved_streams *streams, const bt_stream *original)
{
	struct moved_stream *moved = find_stream(streams, original);

	if (moved && !moved->is_open) {
		moved->is_open = true;
		if (!push(streams, bt_message_stream_beginning_create(streams->self, moved->stream))) {
			return NULL;
		}
	}
	return moved ? moved->stream : NULL;
}

bool moved_streams_pause(struct moved_streams *streams)
{
	const bt_stream_class *class;
	bt_message *message;

	if (!streams->packet) {
		return true;
	}
	class = bt_stream_borrow_class_const(bt_packet_borrow_stream_const(streams->packet));
	if (bt_stream_class_packets_have_end_default_clock_snapshot(class)) {
		message = bt_message_packet_end_create_with_default_clock_snapshot(streams->self, streams->packet,
										   streams->last_clock_value);
	} else {
		message = bt_message_packet_end_create(streams->self, streams->packet);
	}
	forget_packet(streams);
	return push(streams, message);
}

static bool open_packet(struct moved_streams *streams, bt_stream *stream, const bt_packet *original,
			uint64_t clock_value)
{
	streams->packet = mirror_add_packet(streams->mirror, stream, original);
	if (!streams->packet) {
		return false;
	}
	bt_packet_get_ref(original);
	streams->original_packet = original;
	if (bt_stream_class_packets_have_beginning_default_clock_snapshot(bt_stream_borrow_class_const(stream))) {
		return push(streams, bt_message_packet_beginning_create_with_default_clock_snapshot(
					     streams->self, streams->packet, clock_value));
	}
	return push(streams, bt_message_packet_beginning_create(streams->self, streams->packet));
}

bool moved_streams_emit(struct moved_streams *streams, const bt_message *original, uint64_t clock_value)
{
	const bt_event *event = bt_message_event_borrow_event_const(original);
	const bt_stream *original_stream = bt_event_borrow_stream_const(event);
	bool has_packets = bt_stream_class_supports_packets(bt_stream_borrow_class_const(original_stream));
	const bt_packet *original_packet = has_packets ? bt_event_borrow_packet_const(event) : NULL;
	bt_stream *stream;

	if (streams->original_packet != original_packet && !moved_streams_pause(streams)) {
		return false;
	}
	stream = stream_for(streams, original_stream);
	if (!stream ||
	    (has_packets && !streams->packet && !open_packet(streams, stream, original_packet, clock_value))) {
		return false;
	}
	streams->last_clock_value = clock_value;
	return push(streams, mirror_event_at(streams->mirror, original, stream, streams->packet, clock_value));
}

bool moved_streams_end(struct moved_streams *streams)
{
	if (!moved_streams_pause(streams)) {
		return false;
	}
	for (guint i = 0; i < streams->streams->len; i++) {
		struct moved_stream *moved = &g_array_index(streams->streams, struct moved_stream, i);

		if (moved->is_open && !push(streams, bt_message_stream_end_create(streams->self, moved->stream))) {
			return false;
		}
		moved->is_open = false;
	}
	return true;
}

void moved_streams_rewind(struct moved_streams *streams)
{
	forget_packet(streams);
	for (guint i = 0; i < streams->streams->len; i++) {
		g_array_index(streams->streams, struct moved_stream, i).is_open = false;
	}
}
