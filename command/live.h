/* SPDX-License-Identifier: MIT */
/* The options --live and --follow of commands that read a recording that goes on instead of traces. */
#ifndef ROS2BT_COMMAND_LIVE_H
#define ROS2BT_COMMAND_LIVE_H

#include "command/command.h"

#define LIVE_VALUE "URL"
#define FOLLOW_VALUE "DIRECTORY"
#define FOLLOW_HELP                                                                                                    \
	"the directory of a session that is rotated (lttng rotate, lttng enable-rotation), or one in which snapshots " \
	"appear (lttng snapshot record)"

/* What goes on: its address or directory; NULL if neither was given. */
static inline const char *live_subject(const struct command_options *options)
{
	return options->live ? options->live : options->follow;
}

/* For read(), if one of them was given: what goes on comes once, and alone. False with an error. `traces`: further
 * arguments. */
bool live_check(const struct command_options *options, const struct arguments *traces, GError **error);

#endif
