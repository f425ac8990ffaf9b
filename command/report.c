/* SPDX-License-Identifier: MIT */
/* ros2-latency without a subcommand: the report of a recording. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/commands.h"
#include "command/each.h"
#include "command/live.h"
#include "command/run.h"
#include "ros2bt/base/nearest_name.h"
#include "ros2bt/session/unmatched_globs.h"

enum {
	OPTION_EACH = COMMAND_LINE_OWN,
	OPTION_LIVE,
	OPTION_FOLLOW,
};

struct report_command_options {
	struct command_options command;
	bool is_each; /* each path is a recording of its own */
};

static const struct own_option own_options[] = {
	{ .name = "each",
	  .number = OPTION_EACH,
	  .help = "Each TRACE is a separate recording of one system over time: list the recordings, add a column "
		  "recording to the rows of all tables, and report how they change." },
	{ .name = "live",
	  .number = OPTION_LIVE,
	  .value = "URL",
	  .help = "Read a live session of LTTng through its relay daemon, such as net://localhost/host/HOSTNAME/SESSION, "
		  "until it ends or until Ctrl+C. With --period, the report is written while it runs." },
	{ .name = "follow",
	  .number = OPTION_FOLLOW,
	  .value = FOLLOW_VALUE,
	  .help = "Read " FOLLOW_HELP ", until Ctrl+C. With --period, the report is written while it runs." },
	{ .name = "reader",
	  .number = COMMAND_LINE_READER,
	  .value = COMMAND_LINE_READERS,
	  .help = "What reads the traces: fast reads the files of LTTng-UST itself and refuses whatever it does not "
		  "know exactly; babeltrace2 runs babeltrace2's own components; auto is fast, or babeltrace2 for "
		  "traces that fast refuses. Default: auto." },
	{ .name = "verbose",
	  .number = COMMAND_LINE_VERBOSE,
	  .help = "Report on standard error which reader is used and why." },
};

static bool take_option(void *data, int number, const char *value, GError **error)
{
	struct report_command_options *options = data;

	if (number == OPTION_LIVE) {
		options->command.live = value;
	} else if (number == OPTION_FOLLOW) {
		options->command.follow = value;
	} else {
		options->is_each = true;
	}
	return true;
}

static bool check_each(const struct report_options *report, GError **error)
{
	if (!command_shows_several(report->format)) {
		return command_refuse_format(report->format, command_shows_several, "several recordings", error);
	}
	if (report->has_instances || report->has_worst || report->period_ns > 0) {
		return command_refuse(error, "--each cannot be combined with --instances, --worst or --period");
	}
	if (!report->format->file && !report->directory) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
			    "--each with --format=%s writes several tables: name a directory with --output",
			    report->format->name);
		return false;
	}
	return true;
}

#define SUBCOMMAND_NAME(name, text) #name,

static const char *const subcommands[] = { SUBCOMMANDS(SUBCOMMAND_NAME) };

/*
 * An argument that is not there may be the name of a subcommand: misspelt, or after options. False with an error that
 * names it.
 */
static bool check_no_command(const char *argument, GError **error)
{
	const char *command = nearest_name(argument, subcommands, G_N_ELEMENTS(subcommands));

	if (!command || g_file_test(argument, G_FILE_TEST_EXISTS)) {
		return true;
	}
	if (strcmp(command, argument) == 0) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
			    "there is no trace \"%s\", and a command must be the first argument: ros2-latency %s ...",
			    argument, command);
	} else {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
			    "\"%s\" is neither a trace nor a command; did you mean \"%s\"?", argument, command);
	}
	return false;
}

static bool read_arguments(void *data, const struct arguments *arguments, GError **error)
{
	struct report_command_options *options = data;

	if (live_subject(&options->command) && options->is_each) {
		return command_refuse(error, "--live and --follow cannot be combined with --each");
	}
	if (live_subject(&options->command)) {
		return live_check(&options->command, arguments, error);
	}
	if (arguments->count > 0 && !check_no_command(arguments->items[0], error)) {
		return false;
	}
	return command_take_paths(&options->command, arguments, "no TRACE given: name a directory that holds one",
				  error) &&
	       (!options->is_each || check_each(&options->command.params.report, error));
}

/*
 * Where nobody looks for leaks, what a report was made of goes with the process, which ends now: to free the objects of
 * 500 processes one by one took 2 % of the time.
 */
static void leave(struct session *session)
{
#ifdef __SANITIZE_ADDRESS__
	session_destroy(session);
#else
	static struct session *volatile left G_GNUC_UNUSED; /* reachable, which is enough for valgrind */

	left = session;
#endif
}

static int write_report(const struct command_options *options, GError **error)
{
	struct session *session = session_create(&options->params.report, &options->params.options, error);
	int status;

	if (!session) {
		return EXIT_NOT_READ;
	}
	catch_signals();
	status = run_recording(options, session, NULL);
	if (status == EXIT_SUCCESS && session_lacks_names(session)) {
		fprintf(stderr, "%s: the recording lacks a name of a named path: the table named_paths says which\n",
			options->name);
		status = EXIT_NOTHING;
	}
	if (status == EXIT_SUCCESS) {
		leave(session);
	} else {
		session_destroy(session);
	}
	return status;
}

/* Whether there are any. */
static bool warn_of_unmatched_globs(const struct command_options *options)
{
	g_auto(GStrv) texts = unmatched_globs_describe(&options->params);

	for (size_t i = 0; texts[i]; i++) {
		fprintf(stderr, "%s: %s\n", options->name, texts[i]);
	}
	return texts[0] != NULL;
}

static int run(void *data, GError **error)
{
	const struct report_command_options *options = data;
	int status = options->is_each ? report_each(&options->command, error) : write_report(&options->command, error);

	return warn_of_unmatched_globs(&options->command) && status == EXIT_SUCCESS ? EXIT_NOTHING : status;
}

const struct command report_command = {
	.line = {
		.name = "ros2-latency",
		.usage =
			"Usage: ros2-latency [OPTION]... TRACE...\n"
			"       ros2-latency [OPTION]... --live=URL\n"
			"       ros2-latency [OPTION]... --follow=DIRECTORY\n"
			"       ros2-latency COMMAND [OPTION]...\n"
			"\nReports the latencies of callbacks, communications and paths of the ROS 2 systems in LTTng traces.\n"
			"TRACE is a directory with traces somewhere below it, an archive of one (.tar.xz, .zip and others), or a\n"
			"session of ros2 trace by its name; several are read as one recording.\n"
			"\nCommands, each with its own --help:\n" SUBCOMMANDS(SUBCOMMAND_HELP) "\nOptions:\n",
		.closing =
			"\nExit status: 0 everything was read and reported, 1 something could not be read or written, 2 the "
			"command\nline is wrong, 3 there is nothing to report: no ROS 2 events, or none in the range.\n",
		.brief =
			"ros2-latency reports where the time goes in ROS 2 systems: how long callbacks take, how long messages\n"
			"wait, how long it takes from a sensor to an actuator, what was lost. It reads LTTng traces.\n"
			"\n"
			"  ros2-latency [OPTION]... TRACE...        a directory with traces below it, or a session of ros2 trace\n"
			"  ros2-latency COMMAND [OPTION]...       " SUBCOMMANDS(SUBCOMMAND_WORD) "\n"
			"\n"
			"  --format=html --output=DIRECTORY         a page for a browser\n"
			"  --format=perfetto --output=DIRECTORY     a timeline for ui.perfetto.dev\n"
			"  --table=paths                            only this table; --help lists them\n"
			"  --node=/planner  --topic=/scan           only these; * matches any characters\n"
			"  --begin=+10s  --end=+20s                 only this part of the recording\n"
			"  --named-path='brake: /lidar > /scan > /control'\n"
			"                                           the latency of this path\n"
			"  --clocks=align                           of several hosts: align their clocks\n"
			"  --top=0  --hidden                        all rows; also hidden names, such as /rosout\n"
			"\n"
			"ros2-latency --help lists all options and their values, ros2-latency COMMAND -h those of a command.\n"
			"man ros2-latency; guides by question: docs/README.md.\n",
		.options = own_options,
		.option_count = G_N_ELEMENTS(own_options),
		.has_version = true,
	},
	.takes_traces = true,
	.options_size = sizeof(struct report_command_options),
	.take = take_option,
	.read = read_arguments,
	.run = run,
};
