/* SPDX-License-Identifier: MIT */
/*
 * Text for people where the user's locale has another charset than UTF-8 (LANG=C): in ASCII alone. Whatever replaces a
 * character takes as many terminal columns as the character, so that tables stay aligned: "µ" is u, "─" is -, "×" is x,
 * "…" is ~, which no resolved name of ROS 2 has in it; of others, which only names in the trace can have, each column
 * is a "?".
 */
#ifndef ROS2BT_ASCII_TEXT_H
#define ROS2BT_ASCII_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether the environment (LC_ALL, LC_CTYPE, LANG) asks for UTF-8. The locale of the process plays no part: a plugin
 * cannot rely on its program having set it. A locale that is not installed is known by its name.
 */
bool ascii_text_is_needed(void);

/*
 * Converts UTF-8 in place; it becomes no longer: *size is that of the result. Returns how many bytes at the
 * end are the beginning of a character whose rest is missing; they follow the result, for the next call.
 */
size_t ascii_text_convert(char *text, size_t *size);

#endif
