/* SPDX-License-Identifier: MIT */
/*
 * Finds traces and opens their files. A trace is a directory with a file `metadata`; directories of one UUID are one
 * trace. Files are grouped by stream. Part of the decoder.
 */
#ifndef ROS2BT_CTF_TRACE_H
#define ROS2BT_CTF_TRACE_H

#include "core/ctf/ctf_places.h"

struct ctf_chunk;

/*
 * The traces below `paths` (struct ctf_trace *, in order of UUID); NULL with the reason in *reason. `left_out` gets a
 * line (char *, to be freed) for each directory below them that cannot be searched. The pool is that of the records.
 */
GPtrArray *ctf_traces_open(const char *const *paths, size_t path_count, const struct event_interest *interest,
			   struct string_pool *pool, GPtrArray *left_out, char **reason);

/* --- traces that grow (core/ctf/ctf_follower.h) --- */

/* Of struct ctf_trace *, which it owns. */
GPtrArray *ctf_traces_create(void);

size_t ctf_traces_stream_count(const GPtrArray *traces);

/* The trace of a chunk whose metadata is loaded, and which it takes over; nothing of its streams yet. NULL with the
 * reason. */
struct ctf_trace *ctf_trace_create(struct ctf_chunk *chunk, const struct event_interest *interest,
				   struct string_pool *pool, char **reason);

/*
 * Adds the packets of a chunk that come after those that were read; *end_ns becomes the end of the last one, if it is
 * later. Metadata that declares more than that of the chunks before replaces it, except for the clock. False with the
 * reason, also if packets are left out as they are older than all that were read, or have another clock by their
 * metadata.
 */
bool ctf_trace_grow(struct ctf_trace *trace, struct ctf_chunk *chunk, const struct event_interest *interest,
		    struct string_pool *pool, int64_t *end_ns, char **reason);

/* Forgets what was read, and closes its files. False: one of them had changed meanwhile; *path is it, to be freed. */
bool ctf_trace_forget(struct ctf_trace *trace, char **path);

#endif
