/* SPDX-License-Identifier: MIT */
/* ros2-latency record: records with LTTng until Ctrl+C, and reports what was recorded. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "command/commands.h"
#include "command/lttng_session.h"
#include "command/run.h"

#define NAME "ros2-latency record"
#define POLL_US 50000
#define LOSSES_EVERY_US G_USEC_PER_SEC

enum {
	OPTION_DURATION = COMMAND_LINE_OWN,
	OPTION_SNAPSHOT,
	OPTION_CARET,
	OPTION_KERNEL,
};

struct record_options {
	struct command_options command;
	struct lttng_plan plan;
	double duration_s; /* 0: until Ctrl+C */
	char *directory;   /* owned; of the plan */
};

static const struct own_option own_options[] = {
	{ .name = "duration",
	  .number = OPTION_DURATION,
	  .value = "SECONDS",
	  .help = "Record for so long. Default: until Ctrl+C." },
	{ .name = "snapshot",
	  .number = OPTION_SNAPSHOT,
	  .help = "Keep the last of what happened in memory, and write it at the end: a flight recorder." },
	{ .name = "caret", .number = OPTION_CARET, .help = "Record the events of CARET, too." },
	{ .name = "kernel",
	  .number = OPTION_KERNEL,
	  .help = "Record the kernel's scheduler, too, for the tables scheduling and threads. This requires LTTng's kernel "
		  "modules and the group tracing." },
};

static volatile sig_atomic_t is_stopping;
static time_t stopped_at;

/*
 * A further signal ends the command, which may wait for LTTng. Not at once: several processes may pass on the same
 * Ctrl+C.
 */
static void stop(int signal_number)
{
	if (!is_stopping) {
		stopped_at = time(NULL);
		is_stopping = 1;
	} else if (time(NULL) - stopped_at > 1) {
		signal(signal_number, SIG_DFL);
		raise(signal_number);
	}
}

static bool is_stopped(void)
{
	return is_stopping;
}

static void stop_at_signals(void)
{
	struct sigaction action = { .sa_handler = stop, .sa_flags = SA_RESTART };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

static bool take_duration(struct record_options *options, const char *value, GError **error)
{
	char *end;

	options->duration_s = g_ascii_strtod(value, &end);
	if (end == value || *end != '\0' || !(options->duration_s > 0 && options->duration_s <= 1e9)) {
		return command_line_refuse(error, "duration", value, "a number of seconds, such as 10");
	}
	return true;
}

static bool take_option(void *data, int number, const char *value, GError **error)
{
	struct record_options *options = data;

	switch (number) {
	case OPTION_DURATION:
		return take_duration(options, value, error);
	case OPTION_SNAPSHOT:
		options->plan.is_snapshot = true;
		break;
	case OPTION_CARET:
		options->plan.has_caret = true;
		break;
	default:
		options->plan.has_kernel = true;
		break;
	}
	return true;
}

static bool is_empty(const char *directory)
{
	g_autoptr(GDir) entries = g_dir_open(directory, 0, NULL);

	return entries && !g_dir_read_name(entries);
}

static bool read_arguments(void *data, const struct arguments *arguments, GError **error)
{
	struct record_options *options = data;

	if (arguments->count != 1) {
		return command_refuse(error, "expected one DIRECTORY, to which the trace is written");
	}
	options->directory = g_canonicalize_filename(arguments->items[0], NULL);
	options->plan.directory = options->directory;
	options->command.paths = (const char *const *)&options->directory;
	options->command.path_count = 1;
	if (g_file_test(options->directory, G_FILE_TEST_EXISTS) && !is_empty(options->directory)) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "%s is not an empty directory: name another one", arguments->items[0]);
		return false;
	}
	return true;
}

/* False if LTTng does not know the session. */
static bool tell_losses(const char *session, uint64_t *told)
{
	uint64_t lost = 0;

	if (!lttng_session_lost(session, &lost)) {
		return false;
	}
	if (lost > *told) {
		fprintf(stderr, NAME ": LTTng lost %" G_GUINT64_FORMAT " events so far\n", lost);
		*told = lost;
	}
	return true;
}

/* Tells losses, with a second try; false if the session has gone. */
static bool look_at_losses(const char *session, uint64_t *told)
{
	bool is_there = tell_losses(session, told);

	return is_there || tell_losses(session, told);
}

/* False if the session has gone. */
static bool wait_for_end(const struct record_options *options, const char *session)
{
	gint64 begin_us = g_get_monotonic_time(), looked_us = begin_us;
	uint64_t told = 0;

	while (!is_stopping) {
		gint64 now_us = g_get_monotonic_time();

		if (options->duration_s > 0 && (double)(now_us - begin_us) >= options->duration_s * G_USEC_PER_SEC) {
			return true;
		}
		if (now_us - looked_us >= LOSSES_EVERY_US) {
			if (!look_at_losses(session, &told)) {
				return is_stopping;
			}
			looked_us = g_get_monotonic_time();
		}
		g_usleep(POLL_US);
	}
	return true;
}

/*
 * False with an error, or without one if it was interrupted before it began. *is_gone: it did not end as it should, but
 * there may be something to report.
 */
static bool record(const struct record_options *options, bool *is_gone, GError **error)
{
	bool was_there = g_file_test(options->directory, G_FILE_TEST_EXISTS);
	g_autofree char *session = NULL;

	stop_at_signals();
	session = lttng_session_start(&options->plan, is_stopped, error);
	if (!session) {
		if (!was_there) {
			(void)rmdir(options->directory); /* if LTTng made it */
		}
		return false;
	}
	fprintf(stderr, NAME ": records to %s%s\n", options->directory,
		options->duration_s > 0 ? "" : "; Ctrl+C ends the recording and reports");
	*is_gone = !wait_for_end(options, session);
	if (*is_gone) {
		fputs(NAME
		      ": LTTng does not know the recording session any more: its session daemon has ended, or someone "
		      "else has destroyed it; what was written by then is reported\n",
		      stderr);
		return true;
	}
	return lttng_session_finish(&options->plan, session, error);
}

/* LTTng makes a directory for the first process that it traces. */
static bool is_nothing_recorded(const struct record_options *options)
{
	g_autofree char *path = g_build_filename(options->directory, "ust", NULL);
	g_autoptr(GDir) directory = g_dir_open(path, 0, NULL);

	return directory && !g_dir_read_name(directory) && !options->plan.has_kernel;
}

static int report(const struct record_options *options, struct session *session, GError **error)
{
	bool is_gone = false;
	int status;

	if (!record(options, &is_gone, error)) {
		if (!*error) {
			fputs(NAME ": interrupted before the recording began\n", stderr);
		}
		return EXIT_NOT_READ;
	}
	if (is_nothing_recorded(options)) {
		fputs(NAME
		      ": nothing was recorded: LTTng saw no program that has tracepoints; were the nodes started, and "
		      "by the same user?\n",
		      stderr);
		return EXIT_NOT_READ;
	}
	catch_signals();
	status = run_recording(&options->command, session, NULL);
	return is_gone ? EXIT_NOT_READ : status;
}

/* What the report cannot be is told before anything is recorded. */
static int run(void *data, GError **error)
{
	const struct record_options *options = data;
	struct session *session =
		session_create(&options->command.params.report, &options->command.params.options, error);
	int status = session ? report(options, session, error) : EXIT_NOT_READ;

	session_destroy(session);
	return status;
}

static void clear(void *data)
{
	struct record_options *options = data;

	g_free(options->directory);
}

static const char *const params[] = { "format", "output", "tables", "instances", "nodes", "topics",
				      "paths",	"top",	  "hidden", "links",	 NULL };

const struct command record_command = {
	.line = {
		.name = NAME,
		.usage = "Usage: ros2-latency record [OPTION]... DIRECTORY\n"
			 "\nRecords the events of ROS 2 with LTTng to a directory until Ctrl+C, and reports what was recorded. "
			 "Start it\nbefore the nodes: of nodes that run already, the names of callbacks and topics are not "
			 "recorded.\n\nOptions:\n",
		.closing = "\nExit status: that of ros2-latency; 1 if nothing could be recorded.\n",
		.params = params,
		.options = own_options,
		.option_count = G_N_ELEMENTS(own_options),
	},
	.options_size = sizeof(struct record_options),
	.take = take_option,
	.read = read_arguments,
	.run = run,
	.clear = clear,
};
