/* SPDX-License-Identifier: MIT */
#include "ros2bt/session/session.h"

#include <inttypes.h>

#include "core/analyses/analyses.h"
#include "core/analyses/shared/object_numbers.h"
#include "core/session/analysis_set.h"
#include "core/session/noted_topics.h"
#include "core/session/record_takers.h"
#include "core/session/report_period.h"
#include "core/session/report_range.h"
#include "core/session/system_counts.h"
#include "core/tables/window_tables.h"
#include "ros2bt/base/string_pool.h"
#include "ros2bt/events/diagnostics.h"
#include "ros2bt/flow/pipeline.h"
#include "ros2bt/session/first_pass.h"

struct session {
	struct string_pool *pool; /* owned; NULL if the recording is borrowed */
	struct recording *recording;
	struct report *report; /* owned; NULL if the tables are borrowed, or if there are none, or after an error */
	const struct report_options *report_options; /* borrowed; NULL: as above */
	struct report_period *period;		     /* owned; NULL: reports at the end only */
	char *under_way;			     /* owned; of the report that is being written; NULL: none is */
	GError *error;				     /* of such a report */
	struct window_tables *window_tables;	     /* owned; between the analyses and the tables; NULL: no windows */
	struct session_windows windows;		     /* period_ns is 0: of a report, or none */
	int64_t window_end_ns;			     /* of the last window; INT64_MAX: there was none */
	struct analysis_options options;
	struct analysis_span span; /* as of the last session_write() */
	struct analysis_set *set;  /* owned, as all below */
	struct pipeline *pipeline; /* of the parts that some analysis or listener needs */
	struct object_numbers *numbers;
	struct record_takers *takers; /* NULL: no analysis takes records itself */
	struct event_interest interest;
	struct diagnostics *findings; /* made anew by each session_write() */
	GPtrArray *hostnames;	      /* borrowed from the recording */
	struct diagnostics *missing;  /* why the recording was not read to its end */
	GPtrArray *missing_lines;     /* char *: the same for report_trace.missing */
	bool has_finished;
};

/* --- creation --- */

static void create_analyses(struct session *session)
{
	const struct analysis_context context = {
		.recording = session->recording,
		.model = session->pipeline->model,
		.diagnostics = session->pipeline->diagnostics,
		.executions = session->pipeline->executions,
		.inferred = session->pipeline->inferred,
		.flows = session->pipeline->flows,
		.threads = session->pipeline->threads,
		.callback_ids = session->pipeline->callback_ids,
		.numbers = session->numbers,
		.pipeline = session->pipeline,
		.schedules = session->pipeline->schedules,
		.options = &session->options,
		.span = &session->span,
		.begin_ns = &session->pipeline->begin_ns,
		.findings = session->findings,
	};

	analysis_set_create(session->set, &context);
	session->takers = record_takers_create(session->set, &session->options, session->pipeline, &session->interest);
}

/* `recording`: NULL: the session makes its own. `tables`: NULL if there are none; the pipeline has `parts` in addition
 * to those that the tables need. */
static struct session *create(struct recording *recording, const struct analysis_options *options,
			      struct table_output *tables, unsigned int parts)
{
	struct session *session = g_new0(struct session, 1);

	if (!recording) {
		session->pool = string_pool_create();
		recording = recording_create(session->pool);
	}
	session->recording = recording;
	session->options = *options;
	session->findings = diagnostics_create();
	session->hostnames = g_ptr_array_new();
	session->missing = diagnostics_create();
	session->missing_lines = g_ptr_array_new_with_free_func(g_free);
	session->window_end_ns = INT64_MAX;
	session->set = analysis_set_choose(tables);
	parts |= analysis_set_parts(session->set);
	pipeline_add_interest(&session->interest, parts);
	session->pipeline = pipeline_create(recording, parts);
	if (session->pipeline->flows) {
		flow_linker_add_rules(session->pipeline->flows, options->links, options->link_count);
	}
	session->numbers = object_numbers_create(recording, session->pipeline->model);
	pipeline_set_range(session->pipeline, &session->options.range);
	create_analyses(session);
	return session;
}

struct session *session_create_for_windows(const struct analysis_options *options, struct table_output *tables,
					   const struct session_windows *windows)
{
	struct window_tables *window_tables = window_tables_create();
	struct session *session = create(NULL, options, window_tables_open(window_tables, tables), 0);

	session->window_tables = window_tables;
	session->windows = *windows;
	session->period = report_period_create(windows->period_ns);
	return session;
}

struct session *session_create_for_tables(struct recording *recording, const struct analysis_options *options,
					  struct table_output *tables)
{
	return create(recording, options, tables, 0);
}

struct session *session_create_for_listeners(struct recording *recording, const struct analysis_options *options,
					     unsigned int parts)
{
	return create(recording, options, NULL, parts);
}

struct pipeline *session_pipeline(struct session *session)
{
	return session->pipeline;
}

struct session *session_create(const struct report_options *report_options, const struct analysis_options *options,
			       GError **error)
{
	struct report *report = report_create(report_options, error);
	struct session *session;

	if (!report) {
		return NULL;
	}
	session = create(NULL, options, report_tables(report), 0);
	session->report = report;
	session->report_options = report_options;
	if (report_options->period_ns > 0) {
		session->period = report_period_create(report_options->period_ns);
	}
	if (!report_check(report, error)) {
		session_destroy(session);
		return NULL;
	}
	return session;
}

void session_destroy(struct session *session)
{
	if (!session) {
		return;
	}
	report_destroy(session->report);
	g_free(session->period);
	g_clear_error(&session->error);
	/* calls listeners, which are analyses */
	pipeline_destroy(session->pipeline);
	object_numbers_destroy(session->numbers);
	record_takers_destroy(session->takers);
	analysis_set_destroy(session->set);
	window_tables_destroy(session->window_tables);
	diagnostics_destroy(session->findings);
	g_ptr_array_free(session->hostnames, TRUE);
	diagnostics_destroy(session->missing);
	g_ptr_array_unref(session->missing_lines);
	if (session->pool) {
		recording_destroy(session->recording);
		string_pool_destroy(session->pool);
	}
	g_free(session);
}

struct recording *session_recording(struct session *session)
{
	return session->recording;
}

const struct table_schema *const *session_tables(void)
{
	return analyses_tables();
}

bool session_may_lack(const struct session *session, const char *hostname, int64_t vpid)
{
	const struct recording_defects *defects = session->pipeline->defects;

	return defects && recording_defects_may_lack(defects, hostname, vpid);
}

const struct event_interest *session_interest(const struct session *session)
{
	return &session->interest;
}

/* --- feeding --- */

static void feed(struct session *session, const struct event_record *records, size_t count)
{
	if (session->takers) {
		record_takers_feed(session->takers, records, count);
	} else {
		pipeline_feed_all(session->pipeline, records, count);
	}
}

/* --- writing --- */

static bool check_error(const struct session *session, GError **error)
{
	if (session->error) {
		g_propagate_error(error, g_error_copy(session->error));
	}
	return !session->error;
}

bool session_check(const struct session *session, GError **error)
{
	return check_error(session, error) && (!session->report || report_check(session->report, error));
}

static void diagnose(struct session *session)
{
	diagnostics_clear(session->findings);
	diagnostics_add_all(session->findings, session->missing);
	if (session->under_way) {
		diagnostics_add(session->findings, DIAGNOSTIC_UNDER_WAY, session->under_way, 1);
	}
	pipeline_diagnose(session->pipeline, session->findings);
	analysis_set_diagnose(session->set, session->findings);
}

static struct analysis_span span_of(const struct session *session)
{
	struct analysis_span span = { session->pipeline->begin_ns, session->pipeline->end_ns };

	if (pipeline_has_runtime(session->pipeline)) {
		time_range_limit(&session->options.range, &span.begin_ns, &span.end_ns);
	}
	return span;
}

void session_write(struct session *session)
{
	record_takers_release_polls(session->takers, session->pipeline->end_ns);
	session->span = span_of(session);
	diagnose(session);
	analysis_set_write(session->set);
}

static void finish(struct session *session)
{
	session->has_finished = true;
	record_takers_release_polls(session->takers, INT64_MAX);
	pipeline_finish(session->pipeline);
	analysis_set_finish(session->set);
	noted_topics_note(session->pipeline->model, session->options.names.topics);
}

static bool has_points(const struct session *session)
{
	struct analysis_span points = record_takers_points(session->takers);

	return points.begin_ns <= points.end_ns;
}

static bool are_points_in_range(const struct session *session)
{
	const struct time_range *range = &session->options.range;
	struct analysis_span points = record_takers_points(session->takers);

	return (!range->has_begin || range->begin_ns <= points.end_ns) &&
	       (!range->has_end || range->end_ns >= points.begin_ns);
}

struct report_trace session_describe(struct session *session)
{
	struct analysis_span points = record_takers_points(session->takers);
	/* a recording of an application without ROS 2 */
	bool is_of_points = has_points(session) && !pipeline_has_runtime(session->pipeline);

	system_hostnames(session->recording, session->hostnames);
	return (struct report_trace){
		.hostnames = (const char *const *)session->hostnames->pdata,
		.hostname_count = session->hostnames->len,
		.trace_count = recording_trace_count(session->recording),
		.process_count = recording_process_count(session->recording),
		.node_count = system_node_count(session->pipeline),
		.topic_count = system_topic_count(session->pipeline),
		.message_count = system_message_count(session->pipeline),
		.startup_ns = system_startup_ns(session->pipeline),
		.range = session->options.range,
		.is_in_range =
			is_of_points ? are_points_in_range(session) : pipeline_has_runtime_in_range(session->pipeline),
		.missing = (const char *const *)session->missing_lines->pdata,
		.missing_count = session->missing_lines->len,
		.has_runtime_events = session_has_events(session),
		.begin_ns = is_of_points ? points.begin_ns : session->pipeline->begin_ns,
		.end_ns = is_of_points ? points.end_ns : session->pipeline->end_ns,
	};
}

/* --- the part of the recording --- */

void session_take_first_pass(struct session *session, const struct first_pass *pass)
{
	struct analysis_span span = first_pass_span(pass);

	time_range_set_recording_end(&session->options.range, span.end_ns);
	if (span.begin_ns <= span.end_ns) {
		pipeline_start_range(session->pipeline, span.begin_ns);
	}
	session->options.clocks = first_pass_clocks(pass);
}

const struct clock_alignment *session_clocks(const struct session *session)
{
	return session->options.clocks;
}

void session_add_missing(struct session *session, enum diagnostic what, const char *detail)
{
	diagnostics_add(session->missing, what, detail, 1);
	g_ptr_array_add(session->missing_lines, g_strdup_printf("%s: %s", diagnostic_name(what), detail));
}

bool session_has_finished(const struct session *session)
{
	return session->has_finished;
}

bool session_has_events(const struct session *session)
{
	return has_points(session) || pipeline_has_runtime(session->pipeline);
}

bool session_lacks_names(const struct session *session)
{
	return diagnostics_count(session->findings, DIAGNOSTIC_NAMED_PATH_NAME, NULL) > 0;
}

const char *session_advice(const struct session *session)
{
	return session->report ? report_advice(session->report) : NULL;
}

static void describe_losses(const struct session *session, struct report_trace *trace)
{
	trace->knows_discarded = session->pipeline->defects != NULL;
	trace->discarded_event_count = diagnostics_count(session->findings, DIAGNOSTIC_DISCARDED_EVENTS, NULL) +
				       diagnostics_count(session->findings, DIAGNOSTIC_DISCARDED_KERNEL_EVENTS, NULL);
}

bool session_finish(struct session *session, GError **error)
{
	struct report_trace trace = session_describe(session);

	if (!check_error(session, error) || !report_range_check(session->pipeline, &trace, error)) {
		return false;
	}
	finish(session);
	session_write(session);
	describe_losses(session, &trace);
	return !session->report || report_finish(session->report, &trace, error);
}

/* --- reports while the recording goes on --- */

/* The analyses write to the next report from now on. */
static void open_next_report(struct session *session)
{
	g_clear_pointer(&session->report, report_destroy);
	if (!session->error) {
		session->report = report_create(session->report_options, &session->error);
	}
	if (session->report) {
		analysis_set_open(session->set, report_tables(session->report));
	}
}

/* The tables of what happened since the window before; since the beginning if there are no windows. */
static int64_t write_window(struct session *session, int64_t as_of_ns)
{
	int64_t begin_ns = session->window_end_ns == INT64_MAX ? session->period->begin_ns : session->window_end_ns;
	int64_t length_ns = MAX(as_of_ns - begin_ns, 1);

	session->window_end_ns = as_of_ns;
	if (session->window_tables) {
		window_tables_begin(session->window_tables, length_ns);
	}
	session_write(session);
	if (session->window_tables) {
		window_tables_end(session->window_tables);
		window_tables_begin(session->window_tables, 0);
	}
	return length_ns;
}

static int64_t lag_of(int64_t as_of_ns)
{
	return g_get_real_time() * 1000 - as_of_ns;
}

static void write_so_far(struct session *session, int64_t as_of_ns)
{
	bool has_lag = session->period->is_live;
	int64_t lag_ns = lag_of(as_of_ns);
	guint line = session->missing_lines->len;
	struct report_trace trace;

	session->under_way = report_period_text(as_of_ns, has_lag, lag_ns);
	(void)write_window(session, as_of_ns);
	g_ptr_array_add(session->missing_lines,
			g_strdup_printf("%s: %s", diagnostic_name(DIAGNOSTIC_UNDER_WAY), session->under_way));
	trace = session_describe(session);
	describe_losses(session, &trace);
	trace.has_lag = has_lag;
	trace.lag_ns = lag_ns;
	(void)report_finish(session->report, &trace, &session->error);
	g_ptr_array_set_size(session->missing_lines, (gint)line);
	g_clear_pointer(&session->under_way, g_free);
	open_next_report(session);
}

static void end_window(struct session *session, int64_t as_of_ns, bool is_over)
{
	struct session_window window = { .as_of_ns = as_of_ns, .has_lag = session->period->is_live };

	if (is_over) {
		window.length_ns = write_window(session, as_of_ns);
	}
	window.lag_ns = lag_of(as_of_ns);
	session->windows.ended(session->windows.data, &window);
}

/* Nothing is written before there is anything to report. `is_over`: a period is, else nothing arrives. */
static void report_so_far(struct session *session, int64_t as_of_ns, bool is_over)
{
	bool has_any = !session->error && session_has_events(session);

	if (has_any && session->windows.period_ns > 0) {
		end_window(session, as_of_ns, is_over);
	} else if (has_any) {
		write_so_far(session, as_of_ns);
	}
	report_period_next(session->period);
}

static void feed_in_periods(struct session *session, const struct event_record *records, size_t count)
{
	struct report_period *period = session->period;
	size_t first = 0;

	for (size_t i = 0; i < count; i++) {
		if (report_period_is_over(period, records[i].time_ns)) {
			feed(session, records + first, i - first);
			first = i;
			report_period_reach(period, records[i].time_ns);
			report_so_far(session, report_period_last_end(period), true);
		}
		report_period_reach(period, records[i].time_ns);
	}
	feed(session, records + first, count - first);
}

void session_feed(struct session *session, const struct event_record *records, size_t count)
{
	if (G_UNLIKELY(session->period)) {
		feed_in_periods(session, records, count);
	} else {
		feed(session, records, count);
	}
}

void session_reach(struct session *session, int64_t time_ns)
{
	struct report_period *period = session->period;

	if (!period || period->begin_ns == INT64_MAX) {
		return;
	}
	report_period_reach(period, time_ns);
	if (report_period_is_over(period, time_ns)) {
		report_so_far(session, report_period_last_end(period), true);
	}
}

void session_wait(struct session *session)
{
	struct report_period *period = session->period;

	if (period && report_period_wait(period, g_get_monotonic_time())) {
		report_so_far(session, period->reached_ns, false);
	}
}
