/* SPDX-License-Identifier: MIT */
/*
 * The metadata of CTF 2 in the language of CTF 1.8 (TSDL), for programs that do not read CTF 2. It describes the very
 * same data files: LTTng lays them out alike in both.
 *
 * Names are what LTTng makes of them in CTF 1.8: with an underscore in front, and one for each character that TSDL does
 * not allow. Blobs become arrays of bytes. Not written, as no reader of ours asks for it: media types, and attributes
 * other than log levels.
 */
#ifndef ROS2BT_CTF2_TSDL_H
#define ROS2BT_CTF2_TSDL_H

#include <stddef.h>

/*
 * To be freed. NULL with the reason in *reason (to be freed): ctf2_parse() or tsdl_parse() refuses the metadata before
 * or after, or TSDL cannot express it.
 */
char *ctf2_to_tsdl(const char *text, size_t length, char **reason);

#endif
