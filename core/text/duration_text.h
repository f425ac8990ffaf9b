/* SPDX-License-Identifier: MIT */
/*
 * Durations as people write them in parameters: a decimal number and a unit, "1ms", "2s", "0.5 us", "100ns", "1min",
 * "1h". Exact: the number is read as a decimal fraction, never through a double; fractions of 1 ns are refused.
 */
#ifndef ROS2BT_DURATION_TEXT_H
#define ROS2BT_DURATION_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the text is a duration (0 or more, at most INT64_MAX ns); *duration_ns is unchanged if not. */
bool duration_text_parse(const char *text, int64_t *duration_ns);

/* The accepted forms, for error messages. */
#define DURATION_TEXT_ALLOWED "a number and a unit of ns, us, ms, s, min or h, such as \"1ms\""

#endif
