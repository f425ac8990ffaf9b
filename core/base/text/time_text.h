/* SPDX-License-Identifier: MIT */
/*
 * Moments in parameters and options: as the head of a report shows them, as a time of day, or relative to the start or
 * the end of the recording. Without a time zone they are in UTC, like all times in reports. They are exact to 1 ns.
 *
 *   "YYYY-MM-DD[ hh:mm[:ss[.NS]]][ UTC|Z|±hh:mm]", "SECONDS[.NS]"   MOMENT_FROM_EPOCH
 *   "hh:mm[:ss[.NS]][ UTC|Z]"                                        MOMENT_FROM_DAY
 *   "+DURATION", "-DURATION"                                         MOMENT_FROM_START, MOMENT_FROM_END
 */
#ifndef ROS2BT_TIME_TEXT_H
#define ROS2BT_TIME_TEXT_H

#include "core/base/time_range.h"

/* Parses a moment. False if the text is none; *moment is then unchanged. */
bool time_text_parse(const char *text, struct moment *moment);

/* The accepted forms, for error messages. */
#define TIME_TEXT_ALLOWED                                                                                              \
	"\"YYYY-MM-DD hh:mm:ss[.NS]\" (UTC, or with a zone such as +09:00), \"hh:mm:ss\" of the recording's first "    \
	"day, \"+5s\" from its start, \"-5s\" from its end, or \"SECONDS[.NS]\" since the Unix epoch"

#endif
