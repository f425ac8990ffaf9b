/* SPDX-License-Identifier: MIT */
/*
 * Values as text for people. Durations and times are formatted digit by digit, because a report with instances has
 * millions of them.
 */
#ifndef ROS2BT_HUMAN_TEXT_H
#define ROS2BT_HUMAN_TEXT_H

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

#define HUMAN_TEXT_SIZE 64

/* "812 ns", "1.23 µs", "45.6 ms", "123 s": three significant digits. The returned text is within `buffer`. */
const char *human_text_duration(char buffer[HUMAN_TEXT_SIZE], int64_t duration_ns);

/* The same of a mean, rounded once: 1154.636 is "1.15 µs", while 1155 is "1.16 µs". Beyond 64 bits, the nearest. */
const char *human_text_real_duration(char buffer[HUMAN_TEXT_SIZE], double duration_ns);

/* "812 B", "1.23 kB", "45.6 MB": an amount of memory likewise, in powers of 1000. */
const char *human_text_bytes(char buffer[HUMAN_TEXT_SIZE], int64_t bytes);

/* A duration from 0 to this one takes at most this many columns. */
#define HUMAN_TEXT_SHORT_DURATION_NS INT64_C(999000000000)
#define HUMAN_TEXT_SHORT_DURATION_WIDTH 7

/* "+4.941 s": a moment, as the time since the beginning, in the unit and form that the options --begin and --end take.
 */
const char *human_text_moment(char buffer[HUMAN_TEXT_SIZE], int64_t since_begin_ns);

/* "2024-05-01 12:34:56.123456789", in UTC, likewise. */
const char *human_text_time(char buffer[HUMAN_TEXT_SIZE], int64_t time_ns);

/*
 * A copy in valid UTF-8 without control characters: all others become U+FFFD, so that no name can send control
 * sequences to the terminal. To be freed with g_free().
 */
char *human_text_clean(const char *text);

/* The number of terminal columns of valid UTF-8. */
size_t human_text_width(const char *text);
size_t human_text_width_to(const char *text, const char *end); /* of its part before `end` */

/* The end of the longest part from the start of valid UTF-8 that takes at most `width` columns. */
const char *human_text_fitting(const char *text, size_t width);

/* A copy of at most `width` (1 or more) columns: "…" replaces the middle if it is longer. To be freed with g_free(). */
char *human_text_shorten(const char *text, size_t width);

#endif
