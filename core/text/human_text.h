/* SPDX-License-Identifier: MIT */
/* Values as text for people. Durations and times are formatted digit by digit, because a report with instances has
 * millions.
 */
#ifndef ROS2BT_HUMAN_TEXT_H
#define ROS2BT_HUMAN_TEXT_H

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

#define HUMAN_TEXT_SIZE 64

/* "812 ns", "1.23 µs", "45.6 ms", "123 s": three significant digits. Returns the text, which may begin anywhere in
 * `buffer`. */
const char *human_text_duration(char buffer[HUMAN_TEXT_SIZE], int64_t duration_ns);

/* "812 B", "1.23 kB", "45.6 MB": the same of an amount of memory, in powers of 1000. */
const char *human_text_bytes(char buffer[HUMAN_TEXT_SIZE], int64_t bytes);

/* A duration from 0 to this takes at most that many columns. */
#define HUMAN_TEXT_SHORT_DURATION_NS INT64_C(999000000000)
#define HUMAN_TEXT_SHORT_DURATION_WIDTH 7

/* "2024-05-01 12:34:56.123456789", UTC, in the same way. */
const char *human_text_time(char buffer[HUMAN_TEXT_SIZE], int64_t time_ns);

/* Valid UTF-8 without control characters: other bytes become U+FFFD, so that no name can send control sequences to the
 * terminal. */
char *human_text_clean(const char *text);

/* The number of terminal columns of valid text. */
size_t human_text_width(const char *text);

/* Text of at most `width` (1 or more) columns: "…" replaces the middle part that does not fit. */
char *human_text_shorten(const char *text, size_t width);

#endif
