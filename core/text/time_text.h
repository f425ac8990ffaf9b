/* SPDX-License-Identifier: MIT */
/*
 * Moments as people write them in parameters and options: as the head of a report prints them, as the time of day
 * alone, or by their distance from the start or the end of the recording. Without a time zone they are UTC, as
 * everything that reports print. Exact to 1 ns.
 *
 *   "YYYY-MM-DD[ hh:mm[:ss[.NS]]][ UTC|Z|±hh:mm]", "SECONDS[.NS]"   MOMENT_FROM_EPOCH
 *   "hh:mm[:ss[.NS]][ UTC|Z]"                                        MOMENT_FROM_DAY
 *   "+DURATION", "-DURATION"                                         MOMENT_FROM_START, MOMENT_FROM_END
 */
#ifndef ROS2BT_TIME_TEXT_H
#define ROS2BT_TIME_TEXT_H

#include "ros2bt/time_range.h"

/* Whether the text is a moment; *moment is unchanged if not. */
bool time_text_parse(const char *text, struct moment *moment);

/* The accepted forms, for error messages. */
#define TIME_TEXT_ALLOWED                                                                                              \
	"\"YYYY-MM-DD hh:mm:ss[.NS]\" (UTC, or with a zone such as +09:00), \"hh:mm:ss\" of the recording's first "    \
	"day, \"+5s\" from its start, \"-5s\" from its end, or \"SECONDS[.NS]\" since the Unix epoch"

#endif
