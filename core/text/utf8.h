/* SPDX-License-Identifier: MIT */
/* Names in traces may hold any bytes; what is written is always valid UTF-8, with U+FFFD for each byte that is not part
 * of any. */
#ifndef ROS2BT_UTF8_H
#define ROS2BT_UTF8_H

#include <stddef.h>

#define UTF8_REPLACEMENT "\xEF\xBF\xBD"

/*
 * The next piece of text that is valid UTF-8: *piece and its length, which is not 0; a byte that is not valid is a
 * piece of its own, UTF8_REPLACEMENT. Moves *text behind it. 0 at the end of the text. O(length) for a whole text.
 */
size_t utf8_next_piece(const char **text, const char **piece);

#endif
