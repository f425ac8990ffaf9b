/* SPDX-License-Identifier: MIT */
#include "support/message_rules.h"

#include <glib.h>
#include <stdbool.h>

struct stream_state {
	const bt_packet *packet; /* open, or NULL */
	bool is_ended;
};

struct message_rules {
	GHashTable *streams; /* const bt_stream * → struct stream_state */
	int64_t last_ns;
};

static void put_stream(gpointer stream)
{
	bt_stream_put_ref(stream);
}

struct message_rules *message_rules_create(void)
{
	struct message_rules *rules = g_new0(struct message_rules, 1);

	rules->streams = g_hash_table_new_full(NULL, NULL, put_stream, g_free);
	rules->last_ns = INT64_MIN;
	return rules;
}

void message_rules_destroy(struct message_rules *rules)
{
	g_hash_table_destroy(rules->streams);
	g_free(rules);
}

static const char *check_time(struct message_rules *rules, const bt_clock_snapshot *snapshot)
{
	int64_t time_ns;

	if (!snapshot) {
		return NULL;
	}
	if (bt_clock_snapshot_get_ns_from_origin(snapshot, &time_ns) !=
	    BT_CLOCK_SNAPSHOT_GET_NS_FROM_ORIGIN_STATUS_OK) {
		bt_current_thread_clear_error();
		return NULL;
	}
	if (time_ns < rules->last_ns) {
		return "time goes back";
	}
	rules->last_ns = time_ns;
	return NULL;
}

static const char *find_stream(struct message_rules *rules, const bt_stream *stream, struct stream_state **state)
{
	*state = g_hash_table_lookup(rules->streams, stream);
	if (!*state) {
		return "the stream has not begun";
	}
	return (*state)->is_ended ? "the stream has ended" : NULL;
}

static const char *check_stream_beginning(struct message_rules *rules, const bt_message *message)
{
	const bt_stream *stream = bt_message_stream_beginning_borrow_stream_const(message);
	const bt_clock_snapshot *snapshot = NULL;

	if (g_hash_table_contains(rules->streams, stream)) {
		return "the stream begins twice";
	}
	bt_stream_get_ref(stream);
	g_hash_table_insert(rules->streams, (gpointer)stream, g_new0(struct stream_state, 1));
	if (!bt_stream_class_borrow_default_clock_class_const(bt_stream_borrow_class_const(stream)) ||
	    bt_message_stream_beginning_borrow_default_clock_snapshot_const(message, &snapshot) !=
		    BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN) {
		return NULL;
	}
	return check_time(rules, snapshot);
}

static const char *check_stream_end(struct message_rules *rules, const bt_message *message)
{
	const bt_stream *stream = bt_message_stream_end_borrow_stream_const(message);
	const bt_clock_snapshot *snapshot = NULL;
	struct stream_state *state;
	const char *problem = find_stream(rules, stream, &state);

	if (problem) {
		return problem;
	}
	if (state->packet) {
		return "the stream ends in a packet";
	}
	state->is_ended = true;
	if (!bt_stream_class_borrow_default_clock_class_const(bt_stream_borrow_class_const(stream)) ||
	    bt_message_stream_end_borrow_default_clock_snapshot_const(message, &snapshot) !=
		    BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN) {
		return NULL;
	}
	return check_time(rules, snapshot);
}

static const char *check_packet_beginning(struct message_rules *rules, const bt_message *message)
{
	const bt_packet *packet = bt_message_packet_beginning_borrow_packet_const(message);
	const bt_stream *stream = bt_packet_borrow_stream_const(packet);
	const bt_stream_class *stream_class = bt_stream_borrow_class_const(stream);
	struct stream_state *state;
	const char *problem = find_stream(rules, stream, &state);

	if (problem) {
		return problem;
	}
	if (!bt_stream_class_supports_packets(stream_class)) {
		return "the stream has no packets";
	}
	if (state->packet) {
		return "packets overlap";
	}
	state->packet = packet;
	if (!bt_stream_class_packets_have_beginning_default_clock_snapshot(stream_class)) {
		return NULL;
	}
	return check_time(rules, bt_message_packet_beginning_borrow_default_clock_snapshot_const(message));
}

static const char *check_packet_end(struct message_rules *rules, const bt_message *message)
{
	const bt_packet *packet = bt_message_packet_end_borrow_packet_const(message);
	const bt_stream *stream = bt_packet_borrow_stream_const(packet);
	struct stream_state *state;
	const char *problem = find_stream(rules, stream, &state);

	if (problem) {
		return problem;
	}
	if (state->packet != packet) {
		return "another packet is open, or none";
	}
	state->packet = NULL;
	if (!bt_stream_class_packets_have_end_default_clock_snapshot(bt_stream_borrow_class_const(stream))) {
		return NULL;
	}
	return check_time(rules, bt_message_packet_end_borrow_default_clock_snapshot_const(message));
}

static const char *check_event(struct message_rules *rules, const bt_message *message)
{
	const bt_event *event = bt_message_event_borrow_event_const(message);
	const bt_stream *stream = bt_event_borrow_stream_const(event);
	const bt_stream_class *stream_class = bt_stream_borrow_class_const(stream);
	struct stream_state *state;
	const char *problem = find_stream(rules, stream, &state);

	if (problem) {
		return problem;
	}
	if (bt_event_class_borrow_stream_class_const(bt_event_borrow_class_const(event)) != stream_class) {
		return "the event's class is of another stream class";
	}
	if (bt_stream_class_supports_packets(stream_class) &&
	    (!state->packet || bt_event_borrow_packet_const(event) != state->packet)) {
		return "the event is not in the open packet";
	}
	if (!bt_stream_class_borrow_default_clock_class_const(stream_class)) {
		return NULL;
	}
	return check_time(rules, bt_message_event_borrow_default_clock_snapshot_const(message));
}

static const char *check_discarded_events(struct message_rules *rules, const bt_message *message)
{
	const bt_stream *stream = bt_message_discarded_events_borrow_stream_const(message);
	const bt_stream_class *stream_class = bt_stream_borrow_class_const(stream);
	struct stream_state *state;
	const char *problem = find_stream(rules, stream, &state);

	if (problem) {
		return problem;
	}
	if (!bt_stream_class_supports_discarded_events(stream_class)) {
		return "the stream cannot have discarded events";
	}
	if (!bt_stream_class_discarded_events_have_default_clock_snapshots(stream_class)) {
		return NULL;
	}
	return check_time(rules, bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(message));
}

static const char *check_discarded_packets(struct message_rules *rules, const bt_message *message)
{
	const bt_stream *stream = bt_message_discarded_packets_borrow_stream_const(message);
	const bt_stream_class *stream_class = bt_stream_borrow_class_const(stream);
	struct stream_state *state;
	const char *problem = find_stream(rules, stream, &state);

	if (problem) {
		return problem;
	}
	if (!bt_stream_class_supports_discarded_packets(stream_class)) {
		return "the stream cannot have discarded packets";
	}
	if (!bt_stream_class_discarded_packets_have_default_clock_snapshots(stream_class)) {
		return NULL;
	}
	return check_time(rules, bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(message));
}

const char *message_rules_check(struct message_rules *rules, const bt_message *message)
{
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		return check_stream_beginning(rules, message);
	case BT_MESSAGE_TYPE_STREAM_END:
		return check_stream_end(rules, message);
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		return check_packet_beginning(rules, message);
	case BT_MESSAGE_TYPE_PACKET_END:
		return check_packet_end(rules, message);
	case BT_MESSAGE_TYPE_EVENT:
		return check_event(rules, message);
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		return check_discarded_events(rules, message);
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		return check_discarded_packets(rules, message);
	case BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY:
		return check_time(rules, bt_message_message_iterator_inactivity_borrow_clock_snapshot_const(message));
	}
	return "a message of an unknown type";
}

const char *message_rules_check_end(struct message_rules *rules)
{
	GHashTableIter iterator;
	gpointer value;

	g_hash_table_iter_init(&iterator, rules->streams);
	while (g_hash_table_iter_next(&iterator, NULL, &value)) {
		if (!((struct stream_state *)value)->is_ended) {
			return "a stream has not ended";
		}
	}
	return NULL;
}
