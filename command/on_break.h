/* SPDX-License-Identifier: MIT */
/*
 * A command of the user that is run when budgets break, such as `lttng snapshot record`: by /bin/sh, beside us, so that
 * reading goes on. Only one runs at a time; Ctrl+C is not for it; what it prints goes to standard error. Its
 * environment has ROS2_LATENCY_BROKEN, the lines that say what is broken. They hold names from the recording, which
 * anybody may have chosen.
 */
#ifndef ROS2BT_COMMAND_ON_BREAK_H
#define ROS2BT_COMMAND_ON_BREAK_H

#include <glib.h>

struct on_break;

/* Both are borrowed; `name` is that of our command, for messages. NULL without a command, which is allowed below. */
struct on_break *on_break_create(const char *name, const char *command);

/* Starts the command, unless it still runs, which is said. */
void on_break_run(struct on_break *on_break, const char *lines);

/* Gives it ten seconds to end; one that takes longer is told, and goes on without us. */
void on_break_destroy(struct on_break *on_break);

#endif
