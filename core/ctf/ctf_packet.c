/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf_packet.h"

#define STREAM_MAGIC UINT32_C(0xC1FC1FC1)

static bool refuse(const char **reason, const char *what)
{
	*reason = what;
	return false;
}

static bool read_uuid(const struct ctf_trace_class *trace_class, struct ctf_cursor *cursor, const char **reason)
{
	if (!ctf_cursor_align(cursor, 8) || cursor->end - cursor->at < 128) {
		return refuse(reason, "the packet is cut");
	}
	if (memcmp(cursor->packet + cursor->at / 8, trace_class->uuid, 16) != 0) {
		return refuse(reason, "the packet header holds the UUID of another trace");
	}
	cursor->at += 128;
	return true;
}

/* Its form has been checked with the metadata. */
static bool read_header(const struct ctf_trace_class *trace_class, struct ctf_cursor *cursor, struct ctf_packet *packet,
			const char **reason)
{
	const struct ctf_type *type = trace_class->packet_header;

	if (!ctf_cursor_align(cursor, type->alignment)) {
		return refuse(reason, "the packet is cut");
	}
	for (guint i = 0; i < type->fields->len; i++) {
		const struct ctf_field *field = ctf_type_field(type, i);
		uint64_t value;

		if (field->type->kind == CTF_ARRAY) {
			if (!read_uuid(trace_class, cursor, reason)) {
				return false;
			}
			continue;
		}
		if (!ctf_cursor_read_integer(cursor, field->type, &value)) {
			return refuse(reason, "the packet is cut");
		}
		if (i == 0 && value != STREAM_MAGIC) {
			return refuse(reason, "no packet begins here: the magic number is missing");
		}
		if (strcmp(field->name, "stream_id") == 0) {
			packet->stream_id = value;
		} else if (strcmp(field->name, "stream_instance_id") == 0) {
			packet->instance_id = value;
		}
	}
	return packet->instance_id <= INT64_MAX || refuse(reason, "the packet header holds an impossible stream id");
}

static bool read_context(const struct ctf_stream_plan *plan, struct ctf_cursor *cursor, struct ctf_packet *packet,
			 const char **reason)
{
	const struct ctf_type *type = plan->class->packet_context;

	if (!ctf_cursor_align(cursor, type->alignment)) {
		return refuse(reason, "the packet is cut");
	}
	for (guint i = 0; i < type->fields->len; i++) {
		const struct ctf_field *field = ctf_type_field(type, i);
		uint64_t value;

		if (!ctf_cursor_read_integer(cursor, field->type, &value)) {
			return refuse(reason, "the packet is cut");
		}
		if (field == plan->timestamp_begin) {
			packet->begin = value;
		} else if (field == plan->timestamp_end) {
			packet->end = value;
		} else if (field == plan->content_size) {
			packet->content = value;
		} else if (field == plan->packet_size) {
			packet->size = value;
		} else if (field == plan->packet_seq_num) {
			packet->sequence_number = value;
		} else if (field == plan->events_discarded) {
			packet->discarded = value;
		} else if (field == plan->cpu_id) {
			packet->cpu = value;
		}
	}
	packet->events = cursor->at;
	return true;
}

bool ctf_packet_read(const struct ctf_trace_class *trace_class, const GPtrArray *plans, const uint8_t *bytes,
		     size_t size, uint64_t left, struct ctf_packet *packet, const struct ctf_stream_plan **plan,
		     const char **reason)
{
	struct ctf_cursor cursor = { .packet = bytes, .end = 8 * (uint64_t)size };

	*packet = (struct ctf_packet){
		.sequence_number = CTF_COUNTER_NONE,
		.discarded = CTF_COUNTER_NONE,
		.cpu = UINT64_MAX,
	};
	if (!read_header(trace_class, &cursor, packet, reason)) {
		return false;
	}
	*plan = ctf_stream_plan_of(plans, packet->stream_id);
	if (!*plan) {
		return refuse(reason, "the packet belongs to a stream that the metadata does not declare");
	}
	if (!read_context(*plan, &cursor, packet, reason)) {
		return false;
	}
	if (packet->size == 0 || packet->size % 8 != 0 || packet->content > packet->size ||
	    packet->events > packet->content) {
		return refuse(reason, "the packet header holds an impossible size");
	}
	packet->is_cut = packet->size / 8 > left;
	packet->content = MIN(packet->content, 8 * left);
	/* The value that babeltrace2 takes for "not recorded", and fails on. */
	if ((*plan)->events_discarded && packet->discarded == CTF_COUNTER_NONE) {
		return refuse(reason, "the packet context holds an impossible count of discarded events");
	}
	if ((*plan)->packet_seq_num && packet->sequence_number == CTF_COUNTER_NONE) {
		return refuse(reason, "the packet context holds an impossible sequence number");
	}
	if (packet->begin == UINT64_MAX || packet->end == UINT64_MAX) {
		return refuse(reason, "the packet context holds no begin or end time");
	}
	return true;
}
