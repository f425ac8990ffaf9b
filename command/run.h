/* SPDX-License-Identifier: MIT */
/*
 * One run over a recording: reads its traces into a session, reports problems on standard error, and finishes the
 * session.
 */
#ifndef ROS2BT_COMMAND_RUN_H
#define ROS2BT_COMMAND_RUN_H

#include <stdbool.h>

#include "command/command.h"
#include "ros2bt/session/session.h"

/* From now on, SIGINT and SIGTERM end reading, and what was read is reported. A second one ends the program. */
void catch_signals(void);
bool is_interrupted(void);
/* The same as SIGINT. */
void stop_reading(void);

/*
 * Returns the exit status. If it is not 0, *problem is the first problem, to be freed; NULL if none was reported.
 * `problem` may be NULL. Afterwards the session can only be described and destroyed.
 */
int run_recording(const struct command_options *options, struct session *session, char **problem);

/* Is called when reading reaches a time, and when it ends. */
struct run_watcher {
	int64_t due_ns; /* the time; INT64_MIN: the first record */
	/* Called before the session is fed with the first record of that time or later. Returns the next time. */
	int64_t (*reached)(void *data, int64_t time_ns);
	void (*ends)(void *data); /* before the session writes its tables for the last time */
	void *data;
};

int run_recording_watched(const struct command_options *options, struct session *session, struct run_watcher *watcher,
			  char **problem);

#endif
