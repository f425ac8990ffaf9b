/* SPDX-License-Identifier: MIT */
/* Values as text for people. */
#ifndef ROS2BT_HUMAN_TEXT_H
#define ROS2BT_HUMAN_TEXT_H

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

/* "812 ns", "1.23 µs", "45.6 ms", "123 s": three significant digits. Free by g_free. */
char *human_text_duration(int64_t duration_ns);

/* "2024-05-01 12:34:56.123456789", UTC. */
char *human_text_time(int64_t time_ns);

/* Valid UTF-8 without control characters: what is neither is U+FFFD, so that no name plays with the terminal. */
char *human_text_clean(const char *text);

/* How many columns of a terminal valid text takes. */
size_t human_text_width(const char *text);

/* Text of at most `width` (1 or more) columns: "…" stands for what is left out in the middle. */
char *human_text_shorten(const char *text, size_t width);

#endif
