/* SPDX-License-Identifier: MIT */
/*
 * Finds traces and opens their files. A trace is a directory with a file `metadata`; directories of one UUID are one
 * trace. Files are grouped by stream. Part of the decoder.
 */
#ifndef ROS2BT_CTF_TRACE_H
#define ROS2BT_CTF_TRACE_H

#include "core/ctf/ctf_stream.h"
#include "core/ctf/trace_file.h"

struct ctf_trace {
	struct ctf_trace_class *class; /* owned, as all below */
	char *name;
	GPtrArray *plans;   /* struct ctf_stream_plan *, of class->streams */
	GPtrArray *files;   /* struct trace_file * */
	GPtrArray *streams; /* struct ctf_stream *, by stream class and id */
};

/*
 * The traces below `paths` (struct ctf_trace *, in order of UUID); NULL with the reason in *reason. `left_out` gets a
 * line (char *, to be freed) for each directory below them that cannot be searched. The pool is that of the records.
 */
GPtrArray *ctf_traces_open(const char *const *paths, size_t path_count, const struct event_interest *interest,
			   struct string_pool *pool, GPtrArray *left_out, char **reason);

#endif
