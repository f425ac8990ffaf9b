/* SPDX-License-Identifier: MIT */
/*
 * A command: ros2-latency itself (report.c), or a subcommand of it. It is one constant of struct command in one file,
 * and a subcommand also one row of the list in commands.h; docs/adding.md shows how to write one.
 *
 *   initialize → options: take → arguments: read → run → clear
 *
 * A command declares its options once (command_line.h). Parsing, --help, the messages about a wrong command line, and
 * the exit status for them are the same for all commands and are defined in command.c.
 */
#ifndef ROS2BT_COMMAND_H
#define ROS2BT_COMMAND_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "command/command_line.h"
#include "ros2bt/output/output_stream.h"
#include "ros2bt/output/report.h"
#include "ros2bt/session/session_params.h"

/* The exit status of every command. */
enum {
	EXIT_NOT_READ = 1, /* or not written */
	EXIT_USAGE = 2,
	EXIT_NOTHING = 3,   /* nothing to report: not a recording of ROS 2, nothing in the range, or of a name */
	EXIT_BROKEN = 4,    /* a budget */
	EXIT_UNDECIDED = 5, /* a budget, and none is broken */
};

enum reader_choice {
	READER_AUTO,
	READER_FAST,
	READER_BABELTRACE2,
};

/* What every command has; the options of a command begin with it. */
struct command_options {
	const char *name;	      /* of the command, as messages give it */
	struct session_params params; /* from the options that are parameters; zero before read() */
	enum reader_choice reader;
	bool is_verbose;
	bool is_help, is_brief, is_version; /* the rest of the command line is not read then */
	const char *const *paths;	    /* borrowed from argv: what the command reads */
	size_t path_count;
	/* borrowed from argv; at most one is not NULL, and is read instead: */
	const char *live;   /* the address of a live session */
	const char *follow; /* a directory in which chunks of a session or snapshots appear */
};

/* The arguments of the command line that are not options, borrowed from argv; sessions are replaced by their paths. */
struct arguments {
	const char *const *items;
	size_t count;
	const char *const *items_after; /* after "--", if the command `has_two_sides`; else these are items, too */
	size_t count_after;
};

struct command {
	struct command_line line;
	size_t options_size; /* of a struct that begins with struct command_options */
	bool has_two_sides;  /* arguments before "--" and after it differ */
	bool takes_traces;   /* arguments may be names of sessions (command/trace_sessions.h) */

	/* Sets defaults other than 0. May be NULL. */
	void (*initialize)(void *options);
	/* Takes an option of its own. False with an error. May be NULL if it has none. */
	bool (*take)(void *options, int number, const char *value, GError **error);
	/* Takes the arguments and checks that everything fits together; the parameters have been read. */
	bool (*read)(void *options, const struct arguments *arguments, GError **error);
	/*
	 * Returns the exit status. An error is printed, and one of the domain G_OPTION_ERROR is treated as a wrong
	 * command line.
	 */
	int (*run)(void *options, GError **error);
	/* Frees what initialize() and take() allocated. May be NULL. */
	void (*clear)(void *options);
};

/* Runs a command with the arguments of main(); returns the exit status. */
int command_main(const struct command *command, int argc, char **argv);

/*
 * The part of command_main() before run(), on options of `options_size` zero bytes. False with an error.
 * command_clear() in any case.
 */
bool command_read(const struct command *command, struct command_options *options, int argc, char **argv,
		  GError **error);
void command_clear(const struct command *command, struct command_options *options);

/* For read(): takes all arguments as paths. False with an error, the text, if there are none. */
bool command_take_paths(struct command_options *options, const struct arguments *arguments, const char *if_none,
			GError **error);

/* Adds an error about the command line. False, for the caller to return. */
bool command_refuse(GError **error, const char *text);

/* Whether a format can show tables of several recordings. */
bool command_shows_several(const struct output_class *format);

/*
 * Adds the error for a --format that cannot show `what` the command writes, which names those that can. False, for the
 * caller to return.
 */
bool command_refuse_format(const struct output_class *format, bool (*can_show)(const struct output_class *format),
			   const char *what, GError **error);

/*
 * Ends a report. True if everything was written, or the reader has closed the pipe because it has seen enough.
 */
bool command_finish_report(struct report *report, const struct report_trace *trace, GError **error);

/*
 * A page that is no output of tables, report.html in the directory of --output, else on standard output, which may not
 * be a terminal: whether it can be written, before the work begins; and writing it. False with an error.
 */
bool command_check_page(const struct report_options *options, GError **error);
bool command_write_page(const struct report_options *options,
			bool (*write)(struct output_stream *stream, const void *data, GError **error), const void *data,
			GError **error);

/*
 * Standard output, for what a command prints. Closing destroys the stream; it returns true if everything was written,
 * or the reader has closed the pipe because it has seen enough.
 */
struct output_stream *command_open_output(void);
bool command_close_output(struct output_stream *stream, GError **error);

#endif
