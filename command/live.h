/* SPDX-License-Identifier: MIT */
/* The option --live of commands that read a live session instead of traces. */
#ifndef ROS2BT_COMMAND_LIVE_H
#define ROS2BT_COMMAND_LIVE_H

#include "command/command.h"

/* For read(), if --live was given: a live session comes once, and alone. False with an error. `traces`: further
 * arguments. */
bool live_check(const struct command_options *options, const struct arguments *traces, GError **error);

#endif
