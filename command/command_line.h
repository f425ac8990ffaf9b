/* SPDX-License-Identifier: MIT */
/*
 * A command line: the parameters of sink.ros2.latency (SESSION_PARAMS) that a command takes, as options, and the
 * command's own options. A parameter that is an array is an option that may be given more than once (`tables` →
 * `--table`). All are declared once; parsing and help derive from that.
 */
#ifndef ROS2BT_COMMAND_LINE_H
#define ROS2BT_COMMAND_LINE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "ros2bt/base/param_values.h"

/* Numbers of options. Options with a letter have its code. */
enum {
	COMMAND_LINE_BRIEF = 'h', /* every command has it and --help; they end reading, as --version does */
	COMMAND_LINE_VERSION = 'V',
	COMMAND_LINE_VERBOSE = 'v',
	COMMAND_LINE_READER = 256,
	COMMAND_LINE_HELP,
	COMMAND_LINE_OWN,	    /* a command numbers its own options from here */
	COMMAND_LINE_NUMBERS = 512, /* and up to here */
};

#define COMMAND_LINE_READERS "auto|fast|babeltrace2"

struct own_option {
	const char *name; /* NULL: it has only a letter */
	int number;
	const char *value;	/* its name, or its choices, in help; NULL: the option takes no value */
	const char *help;	/* one or more sentences */
	char *(*choices)(void); /* the values it can have, separated by `|`, to be freed; NULL: see `value` */
};

struct command_line {
	const char *name;		  /* of the command, as messages give it: "ros2-latency merge" */
	const char *usage;		  /* of help: the text before the options */
	const char *closing;		  /* the text after them */
	const char *brief;		  /* the text of -h; NULL: the usage, and the names of all options */
	const char *const *params;	  /* keys of the parameters it takes, ended by NULL; NULL: all */
	const struct own_option *options; /* except --help */
	size_t option_count;
	bool has_version; /* --version */
};

/* Takes an option that is not a parameter. False with an error. */
typedef bool (*command_line_taker)(void *data, int number, const char *value, GError **error);

/*
 * Reads options; parameters go to `values`, for session_params_read(). Returns the index of the first argument
 * that is not an option, or -1 with an error. Moves arguments within argv.
 */
int command_line_read(const struct command_line *line, int argc, char **argv, struct param_values *values,
		      command_line_taker take, void *data, GError **error);

/*
 * Adds the error for a value that is not allowed. `allowed` may be choices separated by `|`; the error then suggests
 * one that is similar. False, for the caller to return.
 */
bool command_line_refuse(GError **error, const char *option, const char *value, const char *allowed);

/* The text of --help, and that of -h; to be freed. */
char *command_line_help(const struct command_line *line);
char *command_line_brief(const struct command_line *line);

#endif
