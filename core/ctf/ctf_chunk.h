/* SPDX-License-Identifier: MIT */
/*
 * Directories with metadata, before it is known which trace they belong to: whole traces, and the chunks into which a
 * session is rotated. Part of the decoder.
 */
#ifndef ROS2BT_CTF_CHUNK_H
#define ROS2BT_CTF_CHUNK_H

#include "core/ctf/ctf_type.h"

struct ctf_chunk {
	char *path;
	char *relative_path;	       /* relative to the path that the user gave; "" for that path itself */
	struct ctf_trace_class *class; /* owned; NULL: not loaded, or somebody has taken it */
};

/* GPtrArray of struct ctf_chunk, owned. */
GPtrArray *ctf_chunks_create(void);

/*
 * Adds the directories below a path that have metadata. `left_out` gets a line (char *, to be freed) for each directory
 * that cannot be searched. False with the reason.
 */
bool ctf_chunks_find(GPtrArray *chunks, const char *path, GPtrArray *left_out, char **reason);

/* Loads their metadata, and sorts them: by UUID; of a trace, the longest metadata first, then by path. */
bool ctf_chunks_load(GPtrArray *chunks, char **reason);

/* How much its metadata declares. */
guint ctf_chunk_class_count(const struct ctf_trace_class *class);

#endif
