/* SPDX-License-Identifier: MIT */
#include "command/each.h"

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>

#include "command/run.h"
#include "ros2bt/output/report.h"
#include "ros2bt/reports/recordings.h"
#include "ros2bt/reports/trends.h"
#include "ros2bt/session/session.h"

struct each_run {
	const struct command_options *options;
	struct recordings *recordings;
	struct table_writer *list; /* of the table `recordings` */
	GPtrArray *problems;	   /* char *, owned: a line for each recording that was not reported as a whole */
	size_t reported_count;	   /* recordings that have something to report */
	int64_t begin_ns, end_ns;  /* of all recordings */
	bool has_span;
};

static const struct table_column list_columns[] = {
	{ .name = RECORDING_COLUMN, .format = COLUMN_NAME },
	{ .name = "begin_ns", .label = "begin", .format = COLUMN_TIME },
	{ .name = "span_ns", .label = "span", .format = COLUMN_DURATION },
	{ .name = "processes" },
	{ .name = "executions" },
	{ .name = "messages" },
	{ .name = "lost" },
	{ .name = "traversals" },
	{ .name = "problem", .format = COLUMN_NAME },
};

static const struct table_schema list_schema = {
	.name = "recordings",
	.title = "Recordings",
	.selection = "recordings",
	.columns = list_columns,
	.column_count = G_N_ELEMENTS(list_columns),
};

static void add_to_list(struct each_run *run, const char *path, const struct report_trace *trace, const char *problem)
{
	uint64_t span_ns = (uint64_t)trace->end_ns - (uint64_t)trace->begin_ns;
	bool has_span = trace->has_runtime_events;

	TABLE_ROW(run->list, list_columns,
		  (struct cell[]){
			  cell_text(path),
			  has_span ? cell_integer(trace->begin_ns) : CELL_NONE,
			  has_span ? cell_unsigned(span_ns) : CELL_NONE,
			  has_span ? cell_unsigned(trace->process_count) : CELL_NONE,
			  recordings_sum(run->recordings, SUBJECT_CALLBACKS, MEANS_COUNT),
			  recordings_sum(run->recordings, SUBJECT_MESSAGES, MEANS_SENT),
			  recordings_sum(run->recordings, SUBJECT_MESSAGES, MEANS_LOST),
			  recordings_sum(run->recordings, SUBJECT_PATHS, MEANS_COUNT),
			  cell_text(problem),
		  });
}

static void add_span(struct each_run *run, const struct report_trace *trace)
{
	if (trace->has_runtime_events) {
		run->begin_ns = run->has_span ? MIN(run->begin_ns, trace->begin_ns) : trace->begin_ns;
		run->end_ns = run->has_span ? MAX(run->end_ns, trace->end_ns) : trace->end_ns;
		run->has_span = true;
		run->reported_count++;
	}
}

static int run_one(struct each_run *run, const char *path)
{
	struct command_options options = *run->options;
	struct session *session =
		session_create_for_tables(NULL, &options.params.options, recordings_tables(run->recordings));
	g_autofree char *problem = NULL;
	struct report_trace trace;
	int status;

	options.paths = &path;
	options.path_count = 1;
	status = run_recording(&options, session, &problem);
	if (status != EXIT_SUCCESS) {
		g_ptr_array_add(run->problems, g_strdup_printf("%s: %s", path, problem ? problem : "not reported"));
	}
	trace = session_describe(session);
	add_to_list(run, path, &trace, problem);
	add_span(run, &trace);
	recordings_end(run->recordings, path, trace.begin_ns);
	session_destroy(session);
	return status;
}

/*
 * The status of all: a recording that could not be read is worse than one with nothing to report, unless that is all
 * there is.
 */
static int join_status(int left, int right)
{
	if (left == EXIT_NOT_READ || right == EXIT_NOT_READ) {
		return EXIT_NOT_READ;
	}
	return left == EXIT_SUCCESS ? left : right;
}

static int run_all(struct each_run *run)
{
	int status = EXIT_NOTHING;

	for (size_t i = 0; i < run->options->path_count && !is_interrupted(); i++) {
		status = join_status(status, run_one(run, run->options->paths[i]));
	}
	if (!recordings_write_trends(run->recordings)) {
		fprintf(stderr, "%s: no trends: they need at least two recordings with %d samples of a row each\n",
			run->options->name, TREND_SAMPLES);
	}
	return status;
}

static bool finish(const struct each_run *run, struct report *report, GError **error)
{
	g_autofree char *subject =
		g_strdup_printf("%zu of %zu recordings", run->reported_count, run->options->path_count);
	const struct report_trace trace = {
		.subject = subject,
		.has_runtime_events = run->has_span,
		.begin_ns = run->begin_ns,
		.end_ns = run->end_ns,
		.is_in_range = true,
		.missing = (const char *const *)run->problems->pdata,
		.missing_count = run->problems->len,
	};

	return command_finish_report(report, &trace, error);
}

/* The chosen tables, and the list of recordings. */
static GPtrArray *add_list(const char *const *tables)
{
	GPtrArray *all = g_ptr_array_new();

	for (size_t i = 0; tables[i]; i++) {
		g_ptr_array_add(all, (gpointer)tables[i]);
	}
	g_ptr_array_add(all, (gpointer)list_schema.selection);
	g_ptr_array_add(all, NULL);
	return all;
}

/* Text has room for the rows of every recording only if some tables were chosen. */
static bool has_rows(const struct report_options *options)
{
	return options->tables || !options->format->takes_summary;
}

int report_each(const struct command_options *options, GError **error)
{
	struct report_options report_options = options->params.report;
	g_autoptr(GPtrArray) tables = report_options.tables ? add_list(report_options.tables) : NULL;
	struct each_run run = { .options = options };
	struct report *report;
	int status;

	report_options.tables = tables ? (const char *const *)tables->pdata : NULL;
	report = report_create(&report_options, error);
	if (!report) {
		return EXIT_NOT_READ;
	}
	run.problems = g_ptr_array_new_with_free_func(g_free);
	run.list = report_tables(report)->open(report_tables(report), &list_schema);
	run.recordings = recordings_create(session_tables(), report_tables(report), has_rows(&report_options));
	catch_signals();
	status = run_all(&run);
	if (!finish(&run, report, error)) {
		status = EXIT_NOT_READ;
	}
	report_destroy(report);
	recordings_destroy(run.recordings);
	g_ptr_array_unref(run.problems);
	return status;
}
