/* SPDX-License-Identifier: MIT */
#include "command/run.h"

#include <glib.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "command/progress.h"
#include "command/trace_inputs.h"
#include "ros2bt/bt/live_interruption.h"
#include "ros2bt/bt/trace_graph.h"
#include "ros2bt/clocks/record_alignment.h"
#include "ros2bt/ctf/record_reader.h"
#include "ros2bt/events/directory_walk.h"
#include "ros2bt/session/first_pass.h"

#define FOLLOW_EVERY_US (G_USEC_PER_SEC / 5)
#define FEW_STREAMS 128
#define HUGE_PAGE ((size_t)2 * 1024 * 1024)
#define HEAP_SIZE_MAX ((size_t)32 * 1024 * 1024) /* the largest that M_MMAP_THRESHOLD allows */

static volatile sig_atomic_t interrupting_signal; /* 0: none */

struct run {
	const struct command_options *options;
	const struct trace_inputs *inputs;
	struct session *session;
	struct first_pass *pass; /* NULL: reading for the session; else nothing is reported about the recording */
	struct recording *recording;
	struct progress progress;
	bool has_report; /* there is a report on what was read, which may be nothing */
	uint64_t record_count;
	struct record_alignment *alignment; /* aligns babeltrace2's records; NULL: their times are as recorded */
	char *refusal;			    /* why the fast reader refuses, NULL if it does not; owned */
	GError *error;			    /* an error of the output */
	char *problem;			    /* the first message; owned */
	struct run_watcher *watcher;	    /* NULL: nobody watches */
};

static void interrupt(int signal_number)
{
	if (!interrupting_signal) {
		interrupting_signal = signal_number;
	}
	live_interruption_ask();
}

bool is_interrupted(void)
{
	return interrupting_signal != 0;
}

static void print_message(struct run *run, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void print_message(struct run *run, const char *format, ...)
{
	g_autofree char *of_reader = NULL;
	g_autofree char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	of_reader = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	if (run->pass) {
		return;
	}
	text = trace_inputs_text(run->inputs, of_reader);
	progress_clear(&run->progress);
	fprintf(stderr, "%s: %s\n", run->options->name, text);
	if (!run->problem) {
		run->problem = g_steal_pointer(&text);
	}
}

/* Reports that cannot be written for now are no problem of the recording. */
static void tell_news(struct run *run)
{
	char *news;

	while (run->session && (news = session_take_news(run->session))) {
		progress_clear(&run->progress);
		fprintf(stderr, "%s: %s\n", run->options->name, news);
		g_free(news);
	}
}

/* Whether reading continues. */
static bool check(struct run *run)
{
	tell_news(run);
	return !interrupting_signal &&
	       (run->pass ? !first_pass_is_done(run->pass) : session_check(run->session, &run->error));
}

/* Feeds the records up to the time that the watcher waits for, calls it, and continues. */
static void feed_session(struct run *run, const struct event_record *records, size_t count)
{
	size_t first = 0;

	for (size_t i = 0; run->watcher && i < count; i++) {
		if (records[i].time_ns >= run->watcher->due_ns) {
			session_feed(run->session, records + first, i - first);
			first = i;
			run->watcher->due_ns = run->watcher->reached(run->watcher->data, records[i].time_ns);
		}
	}
	session_feed(run->session, records + first, count - first);
}

static void feed(struct run *run, const struct event_record *records, size_t count)
{
	run->record_count += count;
	if (run->pass) {
		first_pass_feed(run->pass, records, count);
	} else {
		feed_session(run, records, count);
	}
}

/* NULL: times are as recorded. */
static const struct clock_alignment *clocks(const struct run *run)
{
	return run->session ? session_clocks(run->session) : NULL;
}

static const struct event_interest *interest_of(const struct run *run)
{
	return run->pass ? first_pass_interest(run->pass) : session_interest(run->session);
}

static void add_missing(struct run *run, enum diagnostic what, const char *detail)
{
	g_autofree char *text = trace_inputs_text(run->inputs, detail);

	if (!run->pass) {
		session_add_missing(run->session, what, text);
	}
}

/*
 * If babeltrace2 gives no reason why it cannot read a trace, the reason of the fast reader is used if it refused that
 * trace: it stops at the first trace that it cannot read.
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

/*
 * Where there are many streams, there are many processes, whose objects take thousands of ordinary pages of the heap,
 * and the first touch of each takes more than a microsecond: it grows in huge pages then, as arenas do (arena.h). Of a
 * small system, it hardly fills one.
 */
static void have_heap_for(size_t streams)
{
	char *heap = NULL;

	if (streams > FEW_STREAMS && mallopt(M_MMAP_THRESHOLD, HEAP_SIZE_MAX) != 0) {
		(void)mallopt(M_TRIM_THRESHOLD, 2 * HEAP_SIZE_MAX);
		heap = malloc(HEAP_SIZE_MAX - HUGE_PAGE);
	}
	if (heap) {
		char *first = heap + (HUGE_PAGE - (uintptr_t)heap % HUGE_PAGE);

		(void)madvise(first, HEAP_SIZE_MAX - 2 * HUGE_PAGE, MADV_HUGEPAGE);
		free(heap); /* it stays at the heap's end, for what is allocated later */
	}
}

/* *is_refused: this reader cannot read the traces, and nothing has been done. */
static bool run_fast(struct run *run, bool *is_refused)
{
	const struct command_options *options = run->options;
	struct record_reader *reader = record_reader_open(trace_inputs_paths(run->inputs), options->path_count,
							  run->recording, interest_of(run), &run->refusal);
	bool is_read;

	*is_refused = !reader;
	have_heap_for(recording_stream_count(run->recording));
	if (reader && clocks(run)) {
		record_reader_align(reader, clocks(run));
	}
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

static bool take_aligned(const struct event_record *records, size_t count, void *data)
{
	struct run *run = data;

	feed(run, records, count);
	run->has_report = true;
	if (progress_is_due(&run->progress)) {
		progress_show(&run->progress, 0, run->record_count);
	}
	return check(run);
}

static bool take_records(const struct event_record *records, size_t count, void *data)
{
	struct run *run = data;

	return run->alignment ? record_alignment_feed(run->alignment, records, count) && check(run)
			      : take_aligned(records, count, data);
}

/* If both readers refuse, the reason of the fast one is the more precise. */
static void print_refusal(struct run *run, const char *reason)
{
	reason = reason_of(run, reason);
	if (run->refusal && strcmp(run->refusal, reason) != 0) {
		print_message(run, "%s; babeltrace2 cannot read it either: %s", run->refusal, reason);
	} else {
		print_message(run, "%s", reason);
	}
}

/* `reason`: why babeltrace2 could not read on; NULL: it could. */
static void tell_problem(struct run *run, const char *reason)
{
	if (reason && run->has_report) {
		add_missing(run, DIAGNOSTIC_NOT_READ, reason);
		print_message(run, "%s; the report covers what was read", reason);
	} else if (reason) {
		print_refusal(run, reason);
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
	if (clocks(run)) {
		run->alignment = record_alignment_create(run->recording, clocks(run), take_aligned, run);
	}
	is_read = trace_graph_run(trace_inputs_paths(run->inputs), options->path_count, run->recording,
				  interest_of(run), take_records, run, left_out, &reason);
	if (run->alignment) {
		record_alignment_finish(run->alignment);
		record_alignment_destroy(run->alignment);
	}
	tell_problem(run, reason);
	run->has_report |= is_read;
	return (!run->has_report || report_left_out(run, left_out)) && is_read;
}

static void reached(int64_t time_ns, void *data)
{
	session_reach(((struct run *)data)->session, time_ns);
}

static bool wait_for_more(void *data)
{
	struct run *run = data;

	session_wait(run->session);
	return check(run);
}

static bool run_live(struct run *run)
{
	static const struct trace_graph_follower follower = { reached, wait_for_more };
	g_autofree char *reason = NULL;
	bool is_read = trace_graph_run_live(run->options->live, run->recording, interest_of(run), take_records,
					    &follower, run, &reason);

	run->has_report |= !reason;
	tell_problem(run, reason);
	return is_read;
}

/* What there is to read of a directory that is followed. Whether more may come. */
static bool read_grown(struct run *run, struct record_reader *reader)
{
	enum record_reader_status status = RECORD_READER_OK;
	const struct event_record *records;
	size_t count;

	while (session_check(run->session, &run->error) &&
	       (status = record_reader_next(reader, &records, &count)) == RECORD_READER_OK) {
		feed(run, records, count);
		tell_news(run);
	}
	if (status == RECORD_READER_ERROR) {
		add_missing(run, DIAGNOSTIC_NOT_READ, record_reader_error(reader));
		print_message(run, "%s; the report covers what was read", record_reader_error(reader));
	}
	return status == RECORD_READER_WAIT;
}

static void wait_for_growth(struct run *run, const struct record_reader *reader)
{
	gint64 until_us = g_get_monotonic_time() + FOLLOW_EVERY_US;

	session_reach(run->session, record_reader_reached(reader));
	session_wait(run->session);
	tell_news(run);
	while (!interrupting_signal && g_get_monotonic_time() < until_us) {
		g_usleep(FOLLOW_EVERY_US / 10);
	}
}

/* Until a signal, which is how to end it: then everything is read that is there. */
static bool run_follow(struct run *run)
{
	struct record_reader *reader = record_reader_follow(run->options->follow, run->recording, interest_of(run));
	bool is_last = false, is_whole = true, goes_on = true;

	while (goes_on && !is_last) {
		is_last = interrupting_signal != 0;
		record_reader_look(reader, is_last);
		is_whole = report_left_out(run, record_reader_left_out(reader)) && is_whole;
		goes_on = read_grown(run, reader);
		if (goes_on) {
			wait_for_growth(run, reader);
		}
	}
	run->has_report = record_reader_is_reliable(reader);
	if (!run->has_report) {
		print_message(run, "%s; no report is written", record_reader_error(reader));
	}
	record_reader_close(reader);
	return run->has_report && is_last && is_whole && !run->problem;
}

static bool read_files(struct run *run)
{
	bool is_refused = true, is_read;

	directory_walk_watch(is_interrupted);
	is_read = run->options->reader != READER_BABELTRACE2 && run_fast(run, &is_refused);
	is_read = is_refused && run->options->reader != READER_FAST ? run_babeltrace2(run) : is_read;
	return (!run->has_report || report_left_out(run, trace_inputs_left_out(run->inputs))) && is_read;
}

static bool read_traces(struct run *run)
{
	return run->options->live ? run_live(run) : run->options->follow ? run_follow(run) : read_files(run);
}

/* Writes the report; returns the exit status. A reader that has closed the pipe has seen enough: that is no error. */
static int finish(struct run *run, bool is_read)
{
	bool is_written = !run->error && session_finish(run->session, &run->error);

	if (!is_written && !g_error_matches(run->error, G_FILE_ERROR, G_FILE_ERROR_PIPE)) {
		print_message(run, "%s", run->error->message);
		return run->error->domain == SESSION_ERROR ? EXIT_NOTHING : EXIT_NOT_READ;
	}
	if (is_read && is_written && !session_has_events(run->session)) {
		print_message(run, "the trace has no ROS 2 runtime events%s",
			      recording_stream_count(run->recording) == 0
				      ? ": its stream files are missing or empty; was the whole directory copied?"
				      : "; was it recorded with `ros2 trace` or with ros2:* enabled, while the system "
					"was running?");
		return EXIT_NOTHING;
	}
	return is_read ? EXIT_SUCCESS : EXIT_NOT_READ;
}

static int run_session(const struct command_options *options, const struct trace_inputs *inputs,
		       struct session *session, struct run_watcher *watcher, char **problem)
{
	struct run run = {
		.options = options,
		.inputs = inputs,
		.session = session,
		.watcher = watcher,
		.recording = session_recording(session),
	};
	bool is_read = read_traces(&run);
	int status;

	progress_clear(&run.progress);
	if (interrupting_signal && !is_read && run.has_report && !options->follow) {
		session_add_missing(session, DIAGNOSTIC_INTERRUPTED,
				    interrupting_signal == SIGINT ? "SIGINT (Ctrl+C)" : "SIGTERM");
		print_message(&run, "interrupted; the report covers what was read");
		is_read = options->live != NULL; /* that is how to end it */
	}
	if (watcher) {
		watcher->ends(watcher->data);
	}
	status = run.has_report ? finish(&run, is_read) : EXIT_NOT_READ;
	if (problem && status != EXIT_SUCCESS) {
		*problem = g_steal_pointer(&run.problem);
	}
	g_clear_error(&run.error);
	g_free(run.refusal);
	g_free(run.problem);
	return status;
}

/* Reads the recording for the first pass. False if interrupted. */
static bool run_first_pass(const struct command_options *options, const struct trace_inputs *inputs,
			   struct first_pass *pass)
{
	struct run run = {
		.options = options,
		.inputs = inputs,
		.pass = pass,
		.recording = first_pass_recording(pass),
	};

	(void)read_traces(&run);
	progress_clear(&run.progress);
	g_free(run.refusal);
	first_pass_finish(pass);
	return !interrupting_signal;
}

/* Returns the exit status. `pass`: NULL if no first pass is needed. */
static int run_passes(const struct command_options *options, const struct trace_inputs *inputs, struct first_pass *pass,
		      struct session *session, struct run_watcher *watcher, char **problem)
{
	if (pass && !run_first_pass(options, inputs, pass)) {
		fprintf(stderr, "%s: interrupted in the first of two passes over the trace; no report is written\n",
			options->name);
		return EXIT_NOT_READ;
	}
	if (pass) {
		session_take_first_pass(session, pass);
	}
	return run_session(options, inputs, session, watcher, problem);
}

void catch_signals(void)
{
	struct sigaction action = { .sa_handler = interrupt, .sa_flags = SA_RESETHAND };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

void stop_reading(void)
{
	interrupt(SIGINT);
}

static int run_inputs(const struct command_options *options, const struct trace_inputs *inputs, struct session *session,
		      struct run_watcher *watcher, char **problem)
{
	const struct analysis_options *analysis_options = &options->params.options;
	struct first_pass *pass = first_pass_is_needed(analysis_options)
					  ? first_pass_create(analysis_options, session_interest(session))
					  : NULL;
	int status = run_passes(options, inputs, pass, session, watcher, problem);

	first_pass_destroy(pass);
	return status;
}

int run_recording_watched(const struct command_options *options, struct session *session, struct run_watcher *watcher,
			  char **problem)
{
	g_autoptr(GError) error = NULL;
	struct trace_inputs *inputs = trace_inputs_open(options->paths, options->path_count, is_interrupted, &error);
	int status;

	if (!inputs) {
		fprintf(stderr, "%s: %s; no report is written\n", options->name, error->message);
		if (problem) {
			*problem = g_strdup(error->message);
		}
		return EXIT_NOT_READ;
	}
	status = run_inputs(options, inputs, session, watcher, problem);
	trace_inputs_close(inputs);
	return status;
}

int run_recording(const struct command_options *options, struct session *session, char **problem)
{
	return run_recording_watched(options, session, NULL, problem);
}
