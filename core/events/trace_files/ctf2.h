/* SPDX-License-Identifier: MIT */
/*
 * Recognizes a trace in CTF 2, and holds the text that refuses it where nothing reads it. Its metadata is a sequence of
 * JSON texts, each behind a record separator (CTF2-SPEC-2.0; RFC 7464), a byte that no metadata of CTF 1.8 begins with.
 */
#ifndef ROS2BT_CTF2_H
#define ROS2BT_CTF2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In front of each text of the metadata. */
#define CTF2_RECORD_SEPARATOR 0x1e

/* Follows the path of the trace. */
#define CTF2_REFUSAL                                                                                                   \
	"the trace is in CTF 2 (Common Trace Format 2, the default of LTTng 2.15 and later), which babeltrace2 2.1 "   \
	"or later reads"

bool ctf2_is_metadata(const uint8_t *bytes, size_t size);

/* False as well if the file cannot be read. */
bool ctf2_is_metadata_file(const char *path);

#endif
