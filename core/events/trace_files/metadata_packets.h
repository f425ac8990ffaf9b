/* SPDX-License-Identifier: MIT */
/* Metadata in packets, as LTTng writes it (CTF 1.8, section 7.1). */
#ifndef ROS2BT_METADATA_PACKETS_H
#define ROS2BT_METADATA_PACKETS_H

#include <stdbool.h>

#define METADATA_CUT "cut in the middle of a packet; if the trace was copied, copy it again"

/*
 * Whether the file ends in the middle of a packet. source.ctf.fs never returns from such a file (seen with 2.0.4, 2.0.5
 * and 2.1.0-rc1). False as well if the file cannot be read, or is not in packets.
 */
bool metadata_is_cut(const char *path);

#endif
