/* SPDX-License-Identifier: MIT */
/*
 * Durations in parameters and options: a decimal number and a unit, "1ms", "2s", "0.5 us", "100ns", "1min", "1h". They
 * are exact: the number is parsed as a decimal fraction, never as a double, and fractions of 1 ns are refused.
 */
#ifndef ROS2BT_DURATION_TEXT_H
#define ROS2BT_DURATION_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* Parses a duration (0 to INT64_MAX ns). False if the text is none; *duration_ns is then unchanged. */
bool duration_text_parse(const char *text, int64_t *duration_ns);

/* The exact text of a duration (0 to INT64_MAX ns) in the largest unit up to s: "66.666667 ms". To be freed. */
char *duration_text(int64_t duration_ns);

/* The accepted forms, for error messages. */
#define DURATION_TEXT_ALLOWED "a number and a unit of ns, us, ms, s, min or h, such as \"1ms\""

#endif
