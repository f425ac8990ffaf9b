/* SPDX-License-Identifier: MIT */
/*
 * Valid UTF-8 from names in traces, which may hold any bytes. Outputs write U+FFFD for each byte that is not part of a
 * valid character.
 */
#ifndef ROS2BT_UTF8_H
#define ROS2BT_UTF8_H

#include <stddef.h>

#define UTF8_REPLACEMENT "\xEF\xBF\xBD"

/*
 * Sets *piece to the next piece of a text in valid UTF-8, moves *text past it, and returns its length, which is 0 at
 * the end of the text. An invalid byte is a piece for itself, UTF8_REPLACEMENT. O(length) for a whole text.
 */
size_t utf8_next_piece(const char **text, const char **piece);

#endif
