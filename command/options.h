/* SPDX-License-Identifier: MIT */
/*
 * The command line of ros2-latency. Its options are the parameters of sink.ros2.latency (SESSION_PARAMS), an array as
 * an option that may be given more than once (`tables` → `--table`), and those of the command itself.
 */
#ifndef ROS2BT_COMMAND_OPTIONS_H
#define ROS2BT_COMMAND_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/params/session_params.h"

enum reader_choice {
	READER_AUTO,
	READER_FAST,
	READER_BABELTRACE2,
};

#define READER_CHOICES "auto|fast|babeltrace2"

/* The value of --reader. False with an error. */
bool reader_choice_read(enum reader_choice *reader, const char *value, GError **error);

struct command_options {
	struct session_params latency;
	enum reader_choice reader;
	bool is_each; /* each path is a recording of its own */
	bool is_verbose;
	bool is_help, is_version; /* the rest of the command line is not read then */
	const char *const *paths; /* borrowed from argv */
	size_t path_count;
};

/* False with an error. command_options_clear() in any case. */
bool command_options_read(struct command_options *options, int argc, char **argv, GError **error);
void command_options_clear(struct command_options *options);

/* The text of --help; to be freed. */
char *command_options_help(void);

#endif
