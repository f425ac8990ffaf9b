/* SPDX-License-Identifier: MIT */
/*
 * Text output in pure ASCII, for users whose locale has a charset other than UTF-8 (LANG=C). A replacement takes as
 * many terminal columns as the character, so that tables stay aligned: "µ" becomes u, "─" -, "×" x, and "…" ~, which no
 * resolved name of ROS 2 contains. Other characters, which only names in the trace can have, become a "?" per column.
 */
#ifndef ROS2BT_ASCII_TEXT_H
#define ROS2BT_ASCII_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether the environment (LC_ALL, LC_CTYPE, LANG) specifies a charset other than UTF-8. The locale of the process is
 * ignored, because a plugin cannot rely on the program having set it. For a locale that is not installed, the name
 * counts.
 */
bool ascii_text_is_needed(void);

/*
 * Converts UTF-8 in place and sets *size to the size of the result, which is never larger. Returns the number of bytes
 * at the end that begin an incomplete character; they follow the result, and are input for the next call. O(size).
 */
size_t ascii_text_convert(char *text, size_t *size);

#endif
