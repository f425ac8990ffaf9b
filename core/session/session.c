/* SPDX-License-Identifier: MIT */
#include "ros2bt/session/session.h"

#include <inttypes.h>

#include "core/analyses/analyses.h"
#include "core/analyses/shared/object_numbers.h"
#include "core/base/compare_texts.h"
#include "core/base/name_filter.h"
#include "core/base/text/hidden_names.h"
#include "core/base/text/human_text.h"
#include "core/session/analysis_set.h"
#include "core/session/record_takers.h"
#include "ros2bt/base/string_pool.h"
#include "ros2bt/events/diagnostics.h"
#include "ros2bt/flow/pipeline.h"
#include "ros2bt/session/first_pass.h"

struct session {
	struct string_pool *pool; /* owned; NULL if the recording is borrowed */
	struct recording *recording;
	struct report *report; /* owned; NULL if the tables are borrowed, or if there are none */
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
	return session;
}

void session_destroy(struct session *session)
{
	if (!session) {
		return;
	}
	report_destroy(session->report);
	/* calls listeners, which are analyses */
	pipeline_destroy(session->pipeline);
	object_numbers_destroy(session->numbers);
	record_takers_destroy(session->takers);
	analysis_set_destroy(session->set);
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
	static GPtrArray *schemas;

	if (!schemas) {
		schemas = g_ptr_array_new();
		for (size_t i = 0; analyses[i]; i++) {
			for (size_t j = 0; analyses[i]->tables[j]; j++) {
				g_ptr_array_add(schemas, (gpointer)analyses[i]->tables[j]);
			}
		}
		g_ptr_array_add(schemas, NULL);
	}
	return (const struct table_schema *const *)schemas->pdata;
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

void session_feed(struct session *session, const struct event_record *records, size_t count)
{
	if (session->takers) {
		record_takers_feed(session->takers, records, count);
	} else {
		pipeline_feed_all(session->pipeline, records, count);
	}
}

/* --- writing --- */

bool session_check(const struct session *session, GError **error)
{
	return !session->report || report_check(session->report, error);
}

static void diagnose(struct session *session)
{
	diagnostics_clear(session->findings);
	diagnostics_add_all(session->findings, session->missing);
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

/* Topics that exist are not misspelt, even if no table has a row for them. */
static void note_topics(const struct session *session)
{
	const struct object_model *model = session->pipeline->model;
	const struct name_filter *topics = session->options.topics;

	if (!topics) {
		return;
	}
	for (size_t i = 0; i < object_model_publisher_count(model); i++) {
		name_filter_note(topics, object_model_publisher_at(model, i)->topic);
	}
	for (size_t i = 0; i < object_model_subscription_count(model); i++) {
		name_filter_note(topics, object_model_subscription_at(model, i)->topic);
	}
	for (size_t i = 0; i < object_model_service_count(model); i++) {
		name_filter_note(topics, object_model_service_at(model, i)->name);
	}
}

static void finish(struct session *session)
{
	session->has_finished = true;
	record_takers_release_polls(session->takers, INT64_MAX);
	pipeline_finish(session->pipeline);
	analysis_set_finish(session->set);
	note_topics(session);
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

/* A name that is not hidden, on a host or on any. */
static void add_name(GHashTable *names, const struct model_object *object, const char *name, uint32_t host)
{
	if (object->is_defined && name && !name_is_hidden(name)) {
		g_hash_table_add(names, g_strdup_printf("%" PRIu32 " %s", host, name));
	}
}

/* Nodes of one name on several hosts are several: of robots with the same software. */
static uint64_t count_nodes(const struct session *session)
{
	const struct object_model *model = session->pipeline->model;
	g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (size_t i = 0; i < object_model_node_count(model); i++) {
		const struct model_node *node = object_model_node_at(model, i);

		add_name(names, object_model_at(model, MODEL_NODE, i), node->name,
			 recording_process(session->recording, node->process)->host);
	}
	return g_hash_table_size(names);
}

static uint64_t count_topics(const struct session *session)
{
	static const enum model_kind kinds[] = { MODEL_PUBLISHER, MODEL_SUBSCRIPTION };
	const struct object_model *model = session->pipeline->model;
	g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (size_t kind = 0; kind < G_N_ELEMENTS(kinds); kind++) {
		for (size_t i = 0; i < object_model_count(model, kinds[kind]); i++) {
			const struct model_object *object = object_model_at(model, kinds[kind], i);

			add_name(names, object, ((const struct model_endpoint *)(const void *)object)->name, 0);
		}
	}
	return g_hash_table_size(names);
}

/* Those of hidden names are not counted, nor those of publishers without definition. */
static uint64_t count_messages(const struct session *session)
{
	const struct object_model *model = session->pipeline->model;
	uint64_t count = 0;

	for (size_t i = 0; session->pipeline->flows && i < object_model_publisher_count(model); i++) {
		const char *topic = object_model_publisher_at(model, i)->topic;

		count += topic && !name_is_hidden(topic)
				 ? flow_linker_publication_count(session->pipeline->flows, (uint32_t)i)
				 : 0;
	}
	return count;
}

/* From the definition of the first node to the first runtime event; unknown if tracing was off in between. */
static int64_t startup_ns(const struct session *session)
{
	const struct object_model *model = session->pipeline->model;
	int64_t first_ns = session->pipeline->begin_ns;

	for (size_t i = 0; i < object_model_node_count(model); i++) {
		const struct model_node *node = object_model_node_at(model, i);

		first_ns = node->is_defined ? MIN(first_ns, node->since_ns) : first_ns;
	}
	return pipeline_has_runtime(session->pipeline) && !session->pipeline->has_begun_late
		       ? session->pipeline->begin_ns - first_ns
		       : 0;
}

struct report_trace session_describe(struct session *session)
{
	struct analysis_span points = record_takers_points(session->takers);
	/* a recording of an application without ROS 2 */
	bool is_of_points = has_points(session) && !pipeline_has_runtime(session->pipeline);

	g_ptr_array_set_size(session->hostnames, 0);
	for (uint32_t i = 0; i < recording_host_count(session->recording); i++) {
		const char *hostname = recording_host(session->recording, i)->hostname;

		if (hostname[0] != '\0' && !g_ptr_array_find(session->hostnames, hostname, NULL)) {
			g_ptr_array_add(session->hostnames, (gpointer)hostname);
		}
	}
	g_ptr_array_sort(session->hostnames, compare_texts);
	return (struct report_trace){
		.hostnames = (const char *const *)session->hostnames->pdata,
		.hostname_count = session->hostnames->len,
		.trace_count = recording_trace_count(session->recording),
		.process_count = recording_process_count(session->recording),
		.node_count = count_nodes(session),
		.topic_count = count_topics(session),
		.message_count = count_messages(session),
		.startup_ns = startup_ns(session),
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

const char *session_advice(const struct session *session)
{
	return session->report ? report_advice(session->report) : NULL;
}

GQuark session_error_quark(void)
{
	return g_quark_from_static_string("ros2bt-session");
}

static char *range_text(const struct time_range *range)
{
	char begin_text[HUMAN_TEXT_SIZE], end_text[HUMAN_TEXT_SIZE];
	const char *begin = human_text_time(begin_text, range->begin_ns);
	const char *end = human_text_time(end_text, range->end_ns);

	if (!range->has_end) {
		return g_strdup_printf("no event at %s UTC or later", begin);
	}
	if (!range->has_begin) {
		return g_strdup_printf("no event up to %s UTC", end);
	}
	return g_strdup_printf("no event from %s UTC to %s UTC", begin, end);
}

static bool check_range(const struct session *session, const struct report_trace *trace, GError **error)
{
	char begin_text[HUMAN_TEXT_SIZE], end_text[HUMAN_TEXT_SIZE];
	g_autofree char *range = NULL;

	if (time_range_needs_start(&trace->range) && !session->pipeline->is_range_started) {
		g_set_error_literal(error, SESSION_ERROR, SESSION_ERROR_NO_START,
				    "the range counts from the first ROS 2 runtime event, and the trace has none: give "
				    "begin and end with a date");
		return false;
	}
	if (!trace->has_runtime_events || trace->is_in_range || trace->missing_count > 0) {
		return true;
	}
	range = range_text(&trace->range);
	g_set_error(error, SESSION_ERROR, SESSION_ERROR_NOTHING_IN_RANGE,
		    "%s; the trace has events from %s UTC to %s UTC", range,
		    human_text_time(begin_text, trace->begin_ns), human_text_time(end_text, trace->end_ns));
	return false;
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

	if (!check_range(session, &trace, error)) {
		return false;
	}
	finish(session);
	session_write(session);
	describe_losses(session, &trace);
	return !session->report || report_finish(session->report, &trace, error);
}
