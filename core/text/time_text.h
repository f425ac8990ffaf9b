/* SPDX-License-Identifier: MIT */
/*
 * Absolute times as people write them in parameters: the forms of filter.utils.trimmer that name a day. Exact to 1 ns.
 */
#ifndef ROS2BT_TIME_TEXT_H
#define ROS2BT_TIME_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the text is a time; *time_ns (since the Unix epoch) is unchanged if not. */
bool time_text_parse(const char *text, int64_t *time_ns);

/* The accepted forms, for error messages. */
#define TIME_TEXT_ALLOWED                                                                                              \
	"\"SECONDS[.NANOSECONDS]\" since the Unix epoch, or \"YYYY-MM-DD[ hh:mm[:ss[.NANOSECONDS]]]\" in local time, " \
	"or in UTC with a Z at its end"

#endif
