/* SPDX-License-Identifier: MIT */
/* The header and the context of a packet of a stream file. Part of the decoder. */
#ifndef ROS2BT_CTF_PACKET_H
#define ROS2BT_CTF_PACKET_H

#include "core/ctf/ctf_plan.h"

#define CTF_COUNTER_NONE UINT64_MAX

struct ctf_packet {
	uint64_t stream_id, instance_id;
	uint64_t size;			     /* bits, a multiple of 8, never 0 */
	uint64_t content;		     /* bits, where the events end; at most size, and within the file */
	uint64_t events;		     /* bits, where they begin; at most content */
	uint64_t begin, end;		     /* ticks of the clock */
	uint64_t sequence_number, discarded; /* CTF_COUNTER_NONE: not recorded */
	uint64_t cpu;			     /* UINT64_MAX: not recorded */
	bool is_cut;			     /* the file ends before the packet does */
};

/* The header and the context of a packet must lie within this many bytes; those that LTTng writes take about 100. */
#define CTF_PACKET_HEAD_MAX 4096

/*
 * Reads the header of the packet that begins at `bytes`: `size` bytes are given, `left` remain in the file. `plans` are
 * the plans of the trace class's streams, in their order. False: the packet cannot be read, *reason says why.
 */
bool ctf_packet_read(const struct ctf_trace_class *trace_class, const GPtrArray *plans, const uint8_t *bytes,
		     size_t size, uint64_t left, struct ctf_packet *packet, const struct ctf_stream_plan **plan,
		     const char **reason);

#endif
