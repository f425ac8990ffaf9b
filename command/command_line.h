/* SPDX-License-Identifier: MIT */
/*
 * A command line: parameters of sink.ros2.latency (SESSION_PARAMS) as options, an array as an option that may be given
 * more than once (`tables` → `--table`), and options of the command's own. Declared once; parsing and help derive from
 * it.
 */
#ifndef ROS2BT_COMMAND_LINE_H
#define ROS2BT_COMMAND_LINE_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* Numbers of options: those with a letter have its code. */
enum {
	COMMAND_LINE_HELP = 'h',    /* ends reading, as does */
	COMMAND_LINE_VERSION = 'V', /* this one */
	COMMAND_LINE_SHORT = 256,   /* own options without a letter are numbered from here */
	COMMAND_LINE_NUMBERS = 512, /* and up to here */
};

struct own_option {
	const char *name;
	int number;
	const char *value; /* NULL: takes none */
	const char *help;
};

struct command_line {
	const char *usage;	   /* of help: what stands before the options */
	const char *closing;	   /* and behind */
	const char *const *params; /* keys of the parameters it takes, ended by NULL; NULL: all */
	const struct own_option *options;
	size_t option_count;
	/* Takes an own option. False with an error. */
	bool (*take)(int number, const char *value, void *data, GError **error);
};

/*
 * Reads options; parameters go to the map `values`, for session_params_read(). Gives the index of the first argument
 * that is none, -1 with an error, whose message is empty if it has been printed.
 */
int command_line_read(const struct command_line *line, int argc, char **argv, bt_value *values, void *data,
		      GError **error);

/* Adds the error for a value that is not allowed. False, for the caller to return. */
bool command_line_refuse(GError **error, const char *option, const char *value, const char *allowed);

/* The text of --help; to be freed. */
char *command_line_help(const struct command_line *line);

#endif
