/* SPDX-License-Identifier: MIT */
#include "core/output/perfetto/perfetto_packets.h"

#include <string.h>

#include "core/base/text/number_text.h"
#include "core/tables/timeline_tables.h"
#include "ros2bt/output/output_stream.h"

/* Fields, by message. */
enum { TRACE_PACKET = 1 };

enum {
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE_ID = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED_DATA = 12,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_DEFAULTS = 59,
	PACKET_TRACK_DESCRIPTOR = 60,
	PACKET_IS_FIRST = 87,
};

enum { DEFAULTS_CLOCK_ID = 58 };

enum { SNAPSHOT_CLOCK = 1, SNAPSHOT_PRIMARY_CLOCK = 2 };

enum { CLOCK_ID = 1, CLOCK_TIMESTAMP = 2 };

enum {
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT_UUID = 5,
	TRACK_COUNTER = 8,
	TRACK_CHILD_ORDERING = 11,
	TRACK_RANK = 12,
};

enum { PROCESS_PID = 1, PROCESS_SORT_INDEX = 3, PROCESS_NAME = 6 };

enum { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };

enum {
	EVENT_CATEGORY_ID = 3,
	EVENT_PROPERTY = 4,
	EVENT_TYPE = 9,
	EVENT_NAME_ID = 10,
	EVENT_TRACK_UUID = 11,
	EVENT_COUNTER_VALUE = 30,
	EVENT_FLOW_ID = 47,
};

enum {
	PROPERTY_NAME_ID = 1,
	PROPERTY_UNSIGNED = 3,
	PROPERTY_INTEGER = 4,
	PROPERTY_ADDRESS = 7,
	PROPERTY_TEXT_ID = 17,
};

enum { INTERNED_ID = 1, INTERNED_TEXT = 2 };

static const unsigned int interned_fields[PERFETTO_STRING_KINDS] = {
	[PERFETTO_CATEGORY] = 1,	[PERFETTO_EVENT_NAME] = 2,     [PERFETTO_PROPERTY_NAME] = 3,
	[PERFETTO_PROPERTY_VALUE] = 29, [PERFETTO_KERNEL_SYMBOL] = 26,
};

/* Values. */
#define SEQUENCE_ID 1
#define STATE_IS_CLEARED 1
#define NEEDS_STATE 2
#define CLOCK_OF_THE_DAY 1
#define CLOCK_SINCE_BOOT 6
#define ORDER_BY_RANK 3

void perfetto_packets_init(struct perfetto_packets *packets, struct output_stream *stream)
{
	*packets = (struct perfetto_packets){ .stream = stream };
	for (int kind = 0; kind < PERFETTO_STRING_KINDS; kind++) {
		packets->interned[kind] = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	}
}

void perfetto_packets_clear(struct perfetto_packets *packets)
{
	for (int kind = 0; kind < PERFETTO_STRING_KINDS; kind++) {
		g_hash_table_unref(packets->interned[kind]);
	}
	protobuf_free(&packets->new_strings);
	protobuf_free(&packets->packet);
	protobuf_free(&packets->inner);
	protobuf_free(&packets->innermost);
	protobuf_free(&packets->head);
}

static void begin_packet(struct perfetto_packets *packets, uint64_t flags)
{
	protobuf_clear(&packets->packet);
	protobuf_varint(&packets->packet, PACKET_SEQUENCE_ID, SEQUENCE_ID);
	protobuf_varint(&packets->packet, PACKET_SEQUENCE_FLAGS, flags);
}

static void write_packet(struct perfetto_packets *packets)
{
	struct protobuf *head = &packets->head;

	protobuf_clear(head);
	protobuf_reserve(head, (size_t)2 * PROTOBUF_VARINT_MAX);
	protobuf_put_tag(head, TRACE_PACKET, PROTOBUF_BYTES);
	protobuf_put_varint(head, packets->packet.size);
	output_stream_bytes(packets->stream, (const char *)head->bytes, head->size);
	output_stream_bytes(packets->stream, (const char *)packets->packet.bytes, packets->packet.size);
}

/* Times before the epoch cannot be written. */
static uint64_t timestamp_of(int64_t time_ns)
{
	return (uint64_t)MAX(time_ns, 0);
}

static void add_clock(struct perfetto_packets *packets, uint64_t id, int64_t begin_ns)
{
	protobuf_clear(&packets->innermost);
	protobuf_varint(&packets->innermost, CLOCK_ID, id);
	protobuf_varint(&packets->innermost, CLOCK_TIMESTAMP, timestamp_of(begin_ns));
	protobuf_message(&packets->inner, SNAPSHOT_CLOCK, &packets->innermost);
}

/* The trace processor counts in the time since boot, which is the time of day here. */
void perfetto_write_head(struct perfetto_packets *packets, int64_t begin_ns)
{
	begin_packet(packets, STATE_IS_CLEARED);
	protobuf_varint(&packets->packet, PACKET_IS_FIRST, true);
	protobuf_clear(&packets->inner);
	protobuf_varint(&packets->inner, DEFAULTS_CLOCK_ID, CLOCK_OF_THE_DAY);
	protobuf_message(&packets->packet, PACKET_DEFAULTS, &packets->inner);
	protobuf_clear(&packets->inner);
	add_clock(packets, CLOCK_OF_THE_DAY, begin_ns);
	add_clock(packets, CLOCK_SINCE_BOOT, begin_ns);
	protobuf_varint(&packets->inner, SNAPSHOT_PRIMARY_CLOCK, CLOCK_OF_THE_DAY);
	protobuf_message(&packets->packet, PACKET_CLOCK_SNAPSHOT, &packets->inner);
	write_packet(packets);
}

/* --- labels --- */

uint64_t perfetto_string_id(struct perfetto_packets *packets, enum perfetto_string kind, const char *text)
{
	GHashTable *strings = packets->interned[kind];
	uint64_t id = GPOINTER_TO_SIZE(g_hash_table_lookup(strings, text));

	if (id == 0) {
		id = g_hash_table_size(strings) + 1;
		g_hash_table_insert(strings, g_strdup(text), GSIZE_TO_POINTER(id));
		protobuf_clear(&packets->innermost);
		protobuf_varint(&packets->innermost, INTERNED_ID, id);
		protobuf_text(&packets->innermost, INTERNED_TEXT, text);
		protobuf_message(&packets->new_strings, interned_fields[kind], &packets->innermost);
	}
	return id;
}

static void add_property(struct perfetto_packets *packets, struct protobuf *event, const char *key,
			 const struct cell *value)
{
	struct protobuf *property = &packets->inner;
	uint64_t name = perfetto_string_id(packets, PERFETTO_PROPERTY_NAME, key);
	uint64_t text =
		value->type == CELL_TEXT ? perfetto_string_id(packets, PERFETTO_PROPERTY_VALUE, value->text) : 0;

	protobuf_clear(property);
	protobuf_varint(property, PROPERTY_NAME_ID, name);
	switch (value->type) {
	case CELL_INTEGER:
		protobuf_varint(property, PROPERTY_INTEGER, (uint64_t)value->integer);
		break;
	case CELL_UNSIGNED:
		protobuf_varint(property, PROPERTY_UNSIGNED, value->unsigned_integer);
		break;
	case CELL_ADDRESS:
		protobuf_varint(property, PROPERTY_ADDRESS, value->unsigned_integer);
		break;
	case CELL_TEXT:
		protobuf_varint(property, PROPERTY_TEXT_ID, text);
		break;
	default:
		return;
	}
	protobuf_message(event, EVENT_PROPERTY, property);
}

void perfetto_label_add(struct perfetto_packets *packets, struct perfetto_label *label, const char *key,
			const struct cell *value)
{
	bool is_text = value->type == CELL_TEXT;

	if (is_text && strcmp(key, "name") == 0) {
		protobuf_varint(&label->event, EVENT_NAME_ID,
				perfetto_string_id(packets, PERFETTO_EVENT_NAME, value->text));
	} else if (is_text && strcmp(key, "category") == 0) {
		protobuf_varint(&label->event, EVENT_CATEGORY_ID,
				perfetto_string_id(packets, PERFETTO_CATEGORY, value->text));
	} else if (is_text && strcmp(key, TIMELINE_KEY_STATE) == 0) {
		label->state = value->text[0];
	} else if (is_text && strcmp(key, TIMELINE_KEY_CALL) == 0) {
		label->reason = (uint32_t)perfetto_string_id(packets, PERFETTO_KERNEL_SYMBOL, value->text);
	} else if (is_text && strcmp(key, "value") == 0) {
		label->value_name = perfetto_string_id(packets, PERFETTO_PROPERTY_NAME, value->text);
	} else {
		add_property(packets, &label->event, key, value);
	}
}

void perfetto_label_clear(struct perfetto_label *label)
{
	protobuf_free(&label->event);
}

void perfetto_write_strings(struct perfetto_packets *packets)
{
	begin_packet(packets, NEEDS_STATE);
	protobuf_message(&packets->packet, PACKET_INTERNED_DATA, &packets->new_strings);
	protobuf_clear(&packets->new_strings);
	write_packet(packets);
}

void perfetto_write_message(struct perfetto_packets *packets, unsigned int field, const struct protobuf *message)
{
	begin_packet(packets, NEEDS_STATE);
	protobuf_message(&packets->packet, field, message);
	write_packet(packets);
}

/* --- tracks --- */

static void add_process(struct perfetto_packets *packets, const struct perfetto_track *track)
{
	struct protobuf *process = &packets->innermost;

	protobuf_clear(process);
	protobuf_varint(process, PROCESS_PID, (uint64_t)track->pid);
	protobuf_varint(process, PROCESS_SORT_INDEX, track->rank);
	protobuf_text(process, PROCESS_NAME, track->name);
	protobuf_message(&packets->inner, TRACK_PROCESS, process);
}

static void add_thread(struct perfetto_packets *packets, const struct perfetto_track *track)
{
	struct protobuf *thread = &packets->innermost;

	protobuf_clear(thread);
	if (track->pid) {
		protobuf_varint(thread, THREAD_PID, (uint64_t)track->pid);
	}
	protobuf_varint(thread, THREAD_TID, (uint64_t)track->tid);
	protobuf_text(thread, THREAD_NAME, track->name);
	protobuf_message(&packets->inner, TRACK_THREAD, thread);
}

void perfetto_write_track(struct perfetto_packets *packets, const struct perfetto_track *track)
{
	struct protobuf *descriptor = &packets->inner;

	protobuf_clear(descriptor);
	protobuf_varint(descriptor, TRACK_UUID, track->uuid);
	if (track->parent_uuid) {
		protobuf_varint(descriptor, TRACK_PARENT_UUID, track->parent_uuid);
	}
	if (strcmp(track->kind, "process") == 0) {
		add_process(packets, track);
	} else if (strcmp(track->kind, "thread") == 0) {
		add_thread(packets, track);
	} else {
		protobuf_text(descriptor, TRACK_NAME, track->name);
	}
	if (strcmp(track->kind, "counter") == 0) {
		protobuf_bytes(descriptor, TRACK_COUNTER, "", 0);
	}
	protobuf_varint(descriptor, TRACK_CHILD_ORDERING, ORDER_BY_RANK);
	protobuf_varint(descriptor, TRACK_RANK, track->rank);
	begin_packet(packets, NEEDS_STATE);
	protobuf_message(&packets->packet, PACKET_TRACK_DESCRIPTOR, descriptor);
	write_packet(packets);
}

/* --- events --- */

void perfetto_begin_event(struct perfetto_packets *packets, enum perfetto_event_type type, uint64_t track,
			  const struct perfetto_label *label)
{
	struct protobuf *event = &packets->inner;

	protobuf_clear(event);
	protobuf_varint(event, EVENT_TYPE, type);
	protobuf_varint(event, EVENT_TRACK_UUID, track);
	if (label) {
		protobuf_reserve(event, label->event.size);
		protobuf_put_bytes(event, label->event.bytes, label->event.size);
	}
}

void perfetto_add_value(struct perfetto_packets *packets, const struct perfetto_label *label, int64_t value)
{
	struct protobuf *property = &packets->innermost;

	if (label->value_name) {
		protobuf_clear(property);
		protobuf_varint(property, PROPERTY_NAME_ID, label->value_name);
		protobuf_varint(property, PROPERTY_INTEGER, (uint64_t)value);
		protobuf_message(&packets->inner, EVENT_PROPERTY, property);
	}
}

void perfetto_add_counter_value(struct perfetto_packets *packets, int64_t value)
{
	protobuf_varint(&packets->inner, EVENT_COUNTER_VALUE, (uint64_t)value);
}

void perfetto_add_arrow(struct perfetto_packets *packets, uint64_t id)
{
	protobuf_fixed64(&packets->inner, EVENT_FLOW_ID, id);
}

void perfetto_write_event(struct perfetto_packets *packets, int64_t time_ns)
{
	begin_packet(packets, NEEDS_STATE);
	protobuf_varint(&packets->packet, PACKET_TIMESTAMP, timestamp_of(time_ns));
	protobuf_message(&packets->packet, PACKET_TRACK_EVENT, &packets->inner);
	write_packet(packets);
}
