/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf_packet.h"

#define STREAM_MAGIC UINT32_C(0xC1FC1FC1)

static bool refuse(const char **reason, const char *what)
{
	*reason = what;
	return false;
}

static uint64_t value_of(const struct ctf_packet_member *member, const uint8_t *bytes)
{
	return member->type ? ctf_read_unsigned(bytes, member->at, member->type) : CTF_COUNTER_NONE;
}

static bool read_header(const struct ctf_packet_plan *plan, const uint8_t *uuid, const uint8_t *bytes, uint64_t bits,
			struct ctf_packet *packet, const char **reason)
{
	if (bits < plan->magic.type->size) {
		return refuse(reason, "the packet is cut");
	}
	if (value_of(&plan->magic, bytes) != STREAM_MAGIC) {
		return refuse(reason, "no packet begins here: the magic number is missing");
	}
	if (bits < plan->header_size) {
		return refuse(reason, "the packet is cut");
	}
	if (plan->uuid.type && memcmp(bytes + plan->uuid.at / 8, uuid, 16) != 0) {
		return refuse(reason, "the packet header holds the UUID of another trace");
	}
	packet->stream_id = value_of(&plan->stream_id, bytes);
	packet->instance_id = value_of(&plan->instance_id, bytes);
	return packet->instance_id <= INT64_MAX || refuse(reason, "the packet header holds an impossible stream id");
}

static void read_context(const struct ctf_packet_plan *plan, const uint8_t *bytes, struct ctf_packet *packet)
{
	packet->begin = value_of(&plan->timestamp_begin, bytes);
	packet->end = value_of(&plan->timestamp_end, bytes);
	packet->content = value_of(&plan->content_size, bytes);
	packet->size = value_of(&plan->packet_size, bytes);
	packet->sequence_number = value_of(&plan->packet_seq_num, bytes);
	packet->discarded = value_of(&plan->events_discarded, bytes);
	packet->cpu = value_of(&plan->cpu_id, bytes);
	packet->events = plan->size;
}

bool ctf_packet_read(const struct ctf_trace_class *trace_class, const GPtrArray *plans, const uint8_t *bytes,
		     size_t size, uint64_t left, struct ctf_packet *packet, const struct ctf_stream_plan **plan,
		     const char **reason)
{
	const struct ctf_stream_plan *first = plans->len > 0 ? g_ptr_array_index(plans, 0) : NULL;
	uint64_t bits = 8 * (uint64_t)size;

	*plan = NULL;
	if (first && !read_header(&first->packet, trace_class->uuid, bytes, bits, packet, reason)) {
		return false;
	}
	*plan = first ? ctf_stream_plan_of(plans, packet->stream_id) : NULL;
	if (!*plan) {
		return refuse(reason, "the packet belongs to a stream that the metadata does not declare");
	}
	if (bits < (*plan)->packet.size) {
		return refuse(reason, "the packet is cut");
	}
	read_context(&(*plan)->packet, bytes, packet);
	if (packet->size == 0 || packet->size % 8 != 0 || packet->content > packet->size ||
	    packet->events > packet->content) {
		return refuse(reason, "the packet header holds an impossible size");
	}
	packet->is_cut = packet->size / 8 > left;
	packet->content = MIN(packet->content, 8 * left);
	/* The value that babeltrace2 takes for "not recorded", and fails on. */
	if ((*plan)->packet.events_discarded.type && packet->discarded == CTF_COUNTER_NONE) {
		return refuse(reason, "the packet context holds an impossible count of discarded events");
	}
	if ((*plan)->packet.packet_seq_num.type && packet->sequence_number == CTF_COUNTER_NONE) {
		return refuse(reason, "the packet context holds an impossible sequence number");
	}
	if (packet->begin == UINT64_MAX || packet->end == UINT64_MAX) {
		return refuse(reason, "the packet context holds no begin or end time");
	}
	return true;
}
