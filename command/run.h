/* SPDX-License-Identifier: MIT */
/* One run over a recording: reads its traces into a session, says on standard error what is wrong, ends the session. */
#ifndef ROS2BT_COMMAND_RUN_H
#define ROS2BT_COMMAND_RUN_H

#include <stdbool.h>

#include "options.h"
#include "ros2bt/session.h"

/* From now on SIGINT and SIGTERM end reading: what was read is reported. A second one ends the program. */
void catch_signals(void);
bool is_interrupted(void);

/*
 * Gives the exit status. If it is not 0, *problem is the first thing that went wrong, to be freed; NULL if nothing was
 * said. `problem` may be NULL. The session can only be described and destroyed then.
 */
int run_recording(const struct command_options *options, struct session *session, char **problem);

#endif
