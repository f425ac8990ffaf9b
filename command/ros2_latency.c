/* SPDX-License-Identifier: MIT */
/* ros2-latency: the reports of sink.ros2.latency as a command of its own. */
#include <glib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "progress.h"
#include "subcommands.h"
#include "core/bt/trace_graph.h"
#include "ros2bt/session.h"
#include "core/base/string_pool.h"
#include "core/ctf/record_reader.h"

static volatile sig_atomic_t interrupting_signal; /* 0: none */

struct run {
	const struct command_options *options;
	struct session *session;
	bool is_measuring; /* only to know where the recording ends; nothing is said of it */
	struct recording *recording;
	int64_t end_ns; /* of the last runtime event, if it is measured; INT64_MIN: none */
	struct progress progress;
	bool has_report; /* of what was read, which may be nothing */
	uint64_t record_count;
	char *refusal; /* why the fast reader refuses, NULL if it does not; owned */
	GError *error; /* of the output */
};

static void interrupt(int signal_number)
{
	interrupting_signal = signal_number;
}

static void print_message(struct run *run, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void print_message(struct run *run, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	if (run->is_measuring) {
		return;
	}
	progress_clear(&run->progress);
	fprintf(stderr, "ros2-latency: %s\n", text);
}

/* Whether reading goes on. */
static bool check(struct run *run)
{
	return !interrupting_signal && (run->is_measuring || session_check(run->session, &run->error));
}

static void feed(struct run *run, const struct event_record *records, size_t count)
{
	run->record_count += count;
	if (!run->is_measuring) {
		session_feed(run->session, records, count);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		if (session_is_runtime(run->session, &records[i])) {
			run->end_ns = MAX(run->end_ns, records[i].time_ns);
		}
	}
}

static void add_missing(struct run *run, enum diagnostic what, const char *detail)
{
	if (!run->is_measuring) {
		session_add_missing(run->session, what, detail);
	}
}

/*
 * Where babeltrace2 does not say why it cannot read a trace, the fast reader did, if it has refused for that trace: it
 * stops at the first one that it cannot read.
 */
static const char *reason_of(const struct run *run, const char *line)
{
	const char *path_end = g_strrstr(line, ": " TRACE_GRAPH_NO_REASON);

	return path_end && run->refusal && strncmp(line, run->refusal, (size_t)(path_end - line)) == 0 ? run->refusal
												       : line;
}

/* Whether nothing was left out. */
static bool report_left_out(struct run *run, const GPtrArray *left_out)
{
	for (guint i = 0; i < left_out->len; i++) {
		const char *line = reason_of(run, g_ptr_array_index(left_out, i));

		add_missing(run, DIAGNOSTIC_NOT_READ, line);
		print_message(run, "%s; the report covers the rest", line);
	}
	return left_out->len == 0;
}

static bool read_records(struct run *run, struct record_reader *reader)
{
	const struct event_record *records;
	enum record_reader_status status;
	size_t count;

	progress_start(&run->progress, record_reader_bytes_total(reader));
	while ((status = record_reader_next(reader, &records, &count)) == RECORD_READER_OK && check(run)) {
		feed(run, records, count);
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
		add_missing(run, DIAGNOSTIC_NOT_READ, record_reader_error(reader));
		print_message(run, "%s; the report covers what was read", record_reader_error(reader));
	}
	return status == RECORD_READER_END;
}

/* *is_refused: this reader cannot read the traces, and nothing has been done. */
static bool run_fast(struct run *run, bool *is_refused)
{
	const struct command_options *options = run->options;
	struct record_reader *reader = record_reader_open(options->paths, options->path_count, run->recording,
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
	is_read = (!run->has_report || report_left_out(run, record_reader_left_out(reader))) && is_read;
	record_reader_close(reader);
	return is_read;
}

static bool take_records(const struct event_record *records, size_t count, void *data)
{
	struct run *run = data;

	feed(run, records, count);
	run->has_report = true;
	if (progress_is_due(&run->progress)) {
		progress_show(&run->progress, 0, run->record_count);
	}
	return check(run);
}

/* Where both readers refuse, the reason of the fast one is the more precise. */
static void print_refusal(struct run *run, const char *reason)
{
	reason = reason_of(run, reason);
	if (run->refusal && strcmp(run->refusal, reason) != 0) {
		print_message(run, "%s; babeltrace2 cannot read it either: %s", run->refusal, reason);
	} else {
		print_message(run, "%s", reason);
	}
}

static bool run_babeltrace2(struct run *run)
{
	const struct command_options *options = run->options;
	g_autoptr(GPtrArray) left_out = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *reason = NULL;
	bool is_read;

	if (options->is_verbose) {
		print_message(run, "reading with babeltrace2");
	}
	progress_start(&run->progress, 0);
	is_read = trace_graph_run(options->paths, options->path_count, run->recording, session_interest(run->session),
				  take_records, run, left_out, &reason);
	if (reason && run->has_report) {
		add_missing(run, DIAGNOSTIC_NOT_READ, reason);
		print_message(run, "%s; the report covers what was read", reason);
	} else if (reason) {
		print_refusal(run, reason);
	}
	run->has_report |= is_read;
	return (!run->has_report || report_left_out(run, left_out)) && is_read;
}

static bool read_traces(struct run *run)
{
	bool is_refused = true;
	bool is_read = run->options->reader != READER_BABELTRACE2 && run_fast(run, &is_refused);

	return is_refused && run->options->reader != READER_FAST ? run_babeltrace2(run) : is_read;
}

/* Writes the report; the exit status. A reader that has closed the pipe has seen enough: that is no error. */
static int finish(struct run *run, bool is_read)
{
	bool is_written = !run->error && session_finish(run->session, &run->error);

	if (!is_written && !g_error_matches(run->error, G_FILE_ERROR, G_FILE_ERROR_PIPE)) {
		print_message(run, "%s", run->error->message);
		return run->error->domain == SESSION_ERROR ? EXIT_NOTHING : EXIT_NOT_READ;
	}
	if (is_read && is_written && !session_has_events(run->session)) {
		print_message(run, "the trace has no ROS 2 runtime events; was it recorded with `ros2 trace` or with "
				   "ros2:* enabled, while the system was running?");
		return EXIT_NOTHING;
	}
	return is_read ? EXIT_SUCCESS : EXIT_NOT_READ;
}

static int run_session(const struct command_options *options, struct session *session)
{
	struct run run = {
		.options = options,
		.session = session,
		.recording = session_recording(session),
	};
	bool is_read = read_traces(&run);
	int status;

	progress_clear(&run.progress);
	if (interrupting_signal && !is_read && run.has_report) {
		session_add_missing(session, DIAGNOSTIC_INTERRUPTED,
				    interrupting_signal == SIGINT ? "SIGINT (Ctrl+C)" : "SIGTERM");
		print_message(&run, "interrupted; the report covers what was read");
	}
	status = run.has_report ? finish(&run, is_read) : EXIT_NOT_READ;
	g_clear_error(&run.error);
	g_free(run.refusal);
	return status;
}

/*
 * Where the recording ends, by reading it beforehand; what is wrong with it is reported when it is read again. False:
 * interrupted.
 */
static bool measure_end(const struct command_options *options, struct session *session)
{
	struct string_pool *pool = string_pool_create();
	struct run run = {
		.options = options,
		.session = session,
		.is_measuring = true,
		.recording = recording_create(pool),
		.end_ns = INT64_MIN,
	};

	(void)read_traces(&run);
	progress_clear(&run.progress);
	session_set_recording_end(session, run.end_ns);
	g_free(run.refusal);
	recording_destroy(run.recording);
	string_pool_destroy(pool);
	return !interrupting_signal;
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
	int status = EXIT_NOT_READ;

	if (!session) {
		fprintf(stderr, "ros2-latency: %s\n", error->message);
		return error->domain == G_OPTION_ERROR ? EXIT_USAGE : EXIT_NOT_READ;
	}
	catch_signals();
	if (time_range_needs_end(&options->latency.options.range) && !measure_end(options, session)) {
		fputs("ros2-latency: interrupted before the end of the trace was known; no report is written\n",
		      stderr);
	} else {
		status = run_session(options, session);
	}
	session_destroy(session);
	return status;
}

#define SUBCOMMAND_ROW(name, text) { #name, "ros2-latency " #name, name##_main },

/* -1: the first argument names none. */
static int run_subcommand(int argc, char **argv)
{
	static const struct {
		const char *name, *title;
		int (*main)(int argc, char **argv);
	} subcommands[] = { SUBCOMMANDS(SUBCOMMAND_ROW) };

	for (size_t i = 0; argc > 1 && i < G_N_ELEMENTS(subcommands); i++) {
		if (strcmp(argv[1], subcommands[i].name) == 0) {
			argv[1] = (char *)subcommands[i].title;
			return subcommands[i].main(argc - 1, argv + 1);
		}
	}
	return -1;
}

int main(int argc, char **argv)
{
	int subcommand_status = run_subcommand(argc, argv);
	struct command_options options;
	g_autoptr(GError) error = NULL;
	g_autofree char *help = NULL;
	int status = EXIT_SUCCESS;

	if (subcommand_status >= 0) {
		return subcommand_status;
	}
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
