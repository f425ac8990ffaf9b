/* SPDX-License-Identifier: MIT */
#include "ros2bt/session/session.h"

#include "core/analyses/analyses.h"
#include "core/model/object_numbers.h"
#include "core/session/record_takers.h"
#include "core/session/session_parts.h"
#include "core/session/system_counts.h"
#include "ros2bt/base/string_pool.h"
#include "ros2bt/events/diagnostics.h"
#include "ros2bt/session/first_pass.h"

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
	record_takers_add(session->set, &session->options, session->pipeline, &session->interest, &session->points);
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
	session->versions = g_array_new(FALSE, FALSE, sizeof(struct report_version));
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

/* Tables are written again and again, as long as the recording goes on. */
static void set_period(struct session *session, int64_t period_ns)
{
	session->period = report_period_create(period_ns);
	arena_set_lasting(recording_arena(session->recording));
}

struct session *session_create_for_windows(const struct analysis_options *options, struct table_output *tables,
					   const struct session_windows *windows)
{
	struct window_tables *window_tables = window_tables_create();
	struct session *session = create(NULL, options, window_tables_open(window_tables, tables), 0);

	session->window_tables = window_tables;
	session->window_ended = windows->ended;
	session->window_data = windows->data;
	set_period(session, windows->period_ns);
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
	if (!report_check(report, error)) {
		session_destroy(session);
		return NULL;
	}
	if (report_options->period_ns > 0) {
		/* nothing is written to it: it has shown that reports can be made */
		g_clear_pointer(&session->report, report_destroy);
		session->series = report_series_create(report_options);
		set_period(session, report_options->period_ns);
	}
	return session;
}

void session_destroy(struct session *session)
{
	if (!session) {
		return;
	}
	report_destroy(session->report);
	report_series_destroy(session->series);
	g_free(session->period);
	/* calls listeners, which are analyses */
	pipeline_destroy(session->pipeline);
	analysis_set_destroy(session->set);
	window_tables_destroy(session->window_tables);
	diagnostics_destroy(session->findings);
	g_ptr_array_free(session->hostnames, TRUE);
	g_array_free(session->versions, TRUE);
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

/* --- writing --- */

bool session_check(const struct session *session, GError **error)
{
	return session->series ? report_series_check(session->series, false, error)
			       : !session->report || report_check(session->report, error);
}

char *session_take_news(struct session *session)
{
	return session->series ? report_series_take_news(session->series) : NULL;
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
	session->span = span_of(session);
	diagnose(session);
	analysis_set_write(session->set);
}

static bool has_points(const struct session *session)
{
	return session->points.begin_ns <= session->points.end_ns;
}

static bool are_points_in_range(const struct session *session)
{
	const struct time_range *range = &session->options.range;
	struct analysis_span points = session->points;

	return (!range->has_begin || range->begin_ns <= points.end_ns) &&
	       (!range->has_end || range->end_ns >= points.begin_ns);
}

struct report_trace session_describe(struct session *session)
{
	struct analysis_span points = session->points;
	/* a recording of an application without ROS 2 */
	bool is_of_points = has_points(session) && !pipeline_has_runtime(session->pipeline);

	system_hostnames(session->recording, session->hostnames);
	system_versions(session->pipeline, session->versions);
	return (struct report_trace){
		.hostnames = (const char *const *)session->hostnames->pdata,
		.hostname_count = session->hostnames->len,
		.versions = (const struct report_version *)(const void *)session->versions->data,
		.version_count = session->versions->len,
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
	if (session->options.clocks) {
		/* times of joined polls and calls are as recorded */
		session->interest.joins_polls = session->interest.joins_calls = false;
	}
	first_pass_follow_links(pass, session->pipeline->flows, &session->options);
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
