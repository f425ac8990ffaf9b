/* SPDX-License-Identifier: MIT */
/*
 * The metadata file of a trace: plain text, or packets of either byte order. That of CTF 2 is recognized (ctf2.h), not
 * read. Part of the decoder.
 */
#ifndef ROS2BT_CTF_METADATA_H
#define ROS2BT_CTF_METADATA_H

#include "core/ctf/ctf_type.h"

/* The text; NULL with the reason in *reason. `uuid` is checked against that of the packets by ctf_metadata_load(). */
GString *ctf_metadata_text(const uint8_t *bytes, size_t size, bool *has_uuid, uint8_t uuid[16], char **reason);

/* The trace class of a file; NULL with the reason in *reason. */
struct ctf_trace_class *ctf_metadata_load(const char *path, char **reason);

#endif
