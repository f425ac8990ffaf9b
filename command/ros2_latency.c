/* SPDX-License-Identifier: MIT */
/* ros2-latency: the reports of sink.ros2.latency as a command of its own. */
#include <glib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "progress.h"
#include "core/bt/trace_graph.h"
#include "ros2bt/session.h"
#include "core/ctf/record_reader.h"

enum {
	EXIT_NOT_READ = 1,
	EXIT_USAGE = 2,
};

static volatile sig_atomic_t is_interrupted;

struct run {
	const struct command_options *options;
	struct session *session;
	struct progress progress;
	bool has_report; /* of what was read, which may be nothing */
	uint64_t record_count;
	char *refusal; /* why the fast reader refuses, NULL if it does not; owned */
	GError *error; /* of the output */
};

static void interrupt(int signal_number)
{
	is_interrupted = 1;
}

static void print_message(struct run *run, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void print_message(struct run *run, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	progress_clear(&run->progress);
	fprintf(stderr, "ros2-latency: %s\n", text);
}

/* Whether reading goes on. */
static bool check(struct run *run)
{
	return !is_interrupted && session_check(run->session, &run->error);
}

static bool read_records(struct run *run, struct record_reader *reader)
{
	const struct event_record *records;
	enum record_reader_status status;
	size_t count;

	progress_start(&run->progress, record_reader_bytes_total(reader));
	while ((status = record_reader_next(reader, &records, &count)) == RECORD_READER_OK && check(run)) {
		session_feed(run->session, records, count);
		run->record_count += count;
		if (progress_is_due(&run->progress)) {
			progress_show(&run->progress, record_reader_bytes_read(reader), run->record_count);
		}
	}
	run->has_report = record_reader_is_reliable(reader);
	if (!run->has_report) {
		print_message(run, "%s; no report is written", record_reader_error(reader));
		return false;
	}
	if (status == RECORD_READER_ERROR) {
		print_message(run, "%s; the report covers what was read", record_reader_error(reader));
	}
	return status == RECORD_READER_END;
}

/* *is_refused: this reader cannot read the traces, and nothing has been done. */
static bool run_fast(struct run *run, bool *is_refused)
{
	const struct command_options *options = run->options;
	struct record_reader *reader =
		record_reader_open(options->paths, options->path_count, session_recording(run->session),
				   session_interest(run->session), &run->refusal);
	bool is_read;

	*is_refused = !reader;
	if (!reader) {
		if (options->reader == READER_FAST || options->is_verbose) {
			print_message(run, "the fast reader cannot read this trace: %s", run->refusal);
		}
		return false;
	}
	if (options->is_verbose) {
		print_message(run, "reading with the fast reader");
	}
	is_read = read_records(run, reader);
	record_reader_close(reader);
	return is_read;
}

static bool take_records(const struct event_record *records, size_t count, void *data)
{
	struct run *run = data;

	session_feed(run->session, records, count);
	run->has_report = true;
	run->record_count += count;
	if (progress_is_due(&run->progress)) {
		progress_show(&run->progress, 0, run->record_count);
	}
	return check(run);
}

/* Where both readers refuse, the reason of the fast one is the more precise. */
static void print_refusal(struct run *run, const char *reason)
{
	if (run->refusal && strcmp(run->refusal, reason) != 0) {
		print_message(run, "%s; babeltrace2: %s", run->refusal, reason);
	} else {
		print_message(run, "%s", reason);
	}
}

static bool run_babeltrace2(struct run *run)
{
	const struct command_options *options = run->options;
	g_autofree char *reason = NULL;
	bool is_read;

	if (options->is_verbose) {
		print_message(run, "reading with babeltrace2");
	}
	progress_start(&run->progress, 0);
	is_read = trace_graph_run(options->paths, options->path_count, session_recording(run->session),
				  session_interest(run->session), take_records, run, &reason);
	if (reason && run->has_report) {
		print_message(run, "%s; the report covers what was read", reason);
	} else if (reason) {
		print_refusal(run, reason);
	}
	run->has_report |= is_read;
	return is_read;
}

static bool read_traces(struct run *run)
{
	bool is_refused = true;
	bool is_read = run->options->reader != READER_BABELTRACE2 && run_fast(run, &is_refused);

	return is_refused && run->options->reader != READER_FAST ? run_babeltrace2(run) : is_read;
}

/* Whether the report was written. A reader that has closed the pipe has seen enough: that is no error. */
static bool finish(struct run *run)
{
	if (!run->error && session_finish(run->session, &run->error)) {
		return true;
	}
	if (g_error_matches(run->error, G_FILE_ERROR, G_FILE_ERROR_PIPE)) {
		return true;
	}
	print_message(run, "%s", run->error->message);
	return false;
}

static int run_session(const struct command_options *options, struct session *session)
{
	struct run run = { .options = options, .session = session };
	bool is_read = read_traces(&run);
	bool is_finished;

	progress_clear(&run.progress);
	if (is_interrupted && !is_read && run.has_report) {
		print_message(&run, "interrupted; the report covers what was read");
	}
	is_finished = run.has_report && finish(&run);
	g_clear_error(&run.error);
	g_free(run.refusal);
	return is_read && is_finished ? EXIT_SUCCESS : EXIT_NOT_READ;
}

static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = interrupt, .sa_flags = SA_RESETHAND };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

static int write_report(const struct command_options *options)
{
	g_autoptr(GError) error = NULL;
	struct session *session = session_create(&options->latency.report, &options->latency.options, &error);
	int status;

	if (!session) {
		fprintf(stderr, "ros2-latency: %s\n", error->message);
		return error->domain == G_OPTION_ERROR ? EXIT_USAGE : EXIT_NOT_READ;
	}
	catch_signals();
	status = run_session(options, session);
	session_destroy(session);
	return status;
}

int main(int argc, char **argv)
{
	struct command_options options;
	g_autoptr(GError) error = NULL;
	g_autofree char *help = NULL;
	int status = EXIT_SUCCESS;

	if (!command_options_read(&options, argc, argv, &error)) {
		if (error->message[0] != '\0') {
			fprintf(stderr, "ros2-latency: %s\n", error->message);
		}
		fputs("Try 'ros2-latency --help'.\n", stderr);
		status = EXIT_USAGE;
	} else if (options.is_help) {
		help = command_options_help();
		fputs(help, stdout);
	} else if (options.is_version) {
		puts("ros2-latency " ROS2BT_VERSION);
	} else {
		status = write_report(&options);
	}
	command_options_clear(&options);
	return status;
}
