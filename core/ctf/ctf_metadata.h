/* SPDX-License-Identifier: MIT */
/*
 * The metadata file of a trace: in CTF 1.8 plain text, or packets of either byte order; in CTF 2 JSON texts. Part of
 * the decoder.
 */
#ifndef ROS2BT_CTF_METADATA_H
#define ROS2BT_CTF_METADATA_H

#include "core/ctf/ctf_type.h"

/* The trace class of a file; NULL with the reason in *reason. */
struct ctf_trace_class *ctf_metadata_load(const char *path, char **reason);

#endif
