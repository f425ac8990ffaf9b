/* SPDX-License-Identifier: MIT */
/* A trace, the packets in its files, and which streams they belong to. Part of the decoder. */
#ifndef ROS2BT_CTF_PLACES_H
#define ROS2BT_CTF_PLACES_H

#include "core/ctf/ctf_stream.h"
#include "core/ctf/trace_file.h"

struct ctf_trace {
	struct ctf_trace_class *class; /* owned, as all below */
	char *name;
	GPtrArray *plans;   /* struct ctf_stream_plan *, of class->streams */
	GPtrArray *files;   /* struct trace_file * */
	GPtrArray *streams; /* struct ctf_stream *, by stream class and id */
	/* struct ctf_trace *, without streams: what events that are being read may still refer to */
	GPtrArray *outgrown;
	int64_t clock_set_ns; /* by how much later metadata has set the clock, as was told; 0: it was not */
};

/* The stream (of `streams`) of a plan and an id, which is made if there is none. */
struct ctf_stream *ctf_places_stream(const struct ctf_trace *trace, GPtrArray *streams,
				     const struct ctf_stream_plan *plan, uint64_t instance_id);

/*
 * Inserts before the first packet that begins at the same time or later, as babeltrace2 does. A duplicate packet is not
 * read twice.
 */
void ctf_places_insert(GArray *places, const struct ctf_packet_place *place);

/* Whether it is no packet, but bytes behind the last one of a file. */
bool ctf_places_is_broken(const struct ctf_packet_place *place);

/* Adds the packets of all files of a directory. False with the reason. */
bool ctf_places_add(struct ctf_trace *trace, GPtrArray *streams, const char *directory, char **reason);

#endif
