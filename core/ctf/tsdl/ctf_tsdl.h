/* SPDX-License-Identifier: MIT */
/*
 * Reads TSDL, the metadata language of CTF 1.8, as the tracers of the LTTng project write it (LTTng-UST 2.10 and
 * newer).
 *
 * Strict on purpose: an unknown construct is refused with a reason, and the caller falls back to babeltrace2. Nothing
 * is guessed. Memory is bounded by the size of the text, recursion by a limit of its own.
 */
#ifndef ROS2BT_CTF_TSDL_H
#define ROS2BT_CTF_TSDL_H

#include <stddef.h>

#include "core/ctf/ctf_type.h"

/* The trace class (to be destroyed), or NULL with the reason in *reason (to be freed). */
struct ctf_trace_class *tsdl_parse(const char *text, size_t length, char **reason);

#endif
