/* SPDX-License-Identifier: MIT */
/*
 * Reads the metadata of CTF 2 (CTF2-SPEC-2.0): JSON texts, each behind a record separator, as LTTng 2.15 and later and
 * sink.ctf.fs of babeltrace2 2.1 write them. The data files are laid out as in CTF 1.8, so everything behind this
 * reader is the same.
 *
 * Strict on purpose, as tsdl_parse(): an unknown construct is refused with a reason, and nothing is guessed. Memory is
 * bounded by the size of the text, recursion by limits of its own.
 */
#ifndef ROS2BT_CTF2_METADATA_H
#define ROS2BT_CTF2_METADATA_H

#include <stddef.h>

#include "core/ctf/ctf2/json_text.h"
#include "core/ctf/ctf_type.h"

/* The trace class (to be destroyed), or NULL with the reason in *reason (to be freed). */
struct ctf_trace_class *ctf2_parse(const char *text, size_t length, char **reason);

/*
 * Gives the JSON texts behind the record separators, one after the other, until `take` returns false. What is longer
 * than a text goes to the chunk. False if it did, or if there is something else than JSON, with the reason in *reason.
 */
bool ctf2_read_texts(const char *text, size_t length, GStringChunk *strings,
		     bool (*take)(void *data, const struct json_value *object), void *data, char **reason);

#endif
