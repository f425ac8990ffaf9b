/* SPDX-License-Identifier: MIT */
#include "ros2bt/session.h"

#include "core/analyses/analyses.h"
#include "core/analyses/shared/thread_history.h"
#include "core/base/compare_texts.h"
#include "core/base/string_pool.h"
#include "core/points/point_file.h"
#include "core/session/first_pass.h"
#include "core/session/poll_queue.h"
#include "core/text/human_text.h"
#include "ros2bt/diagnostics.h"
#include "ros2bt/pipeline.h"

/* An analysis that was asked for, itself or by another one. */
struct running {
	const struct analysis_class *class;
	struct table_writer **writers; /* owned, by index of class->tables; NULL: nobody asked for the table */
	void *analysis;		       /* owned */
};

struct session {
	struct string_pool *pool; /* owned; NULL if the recording is somebody else's */
	struct recording *recording;
	struct report *report; /* owned; NULL if the tables are somebody else's */
	struct analysis_options options;
	struct analysis_span span;
	struct pipeline *pipeline; /* owned, as all below; of the parts that somebody needs */
	struct thread_history *threads;
	struct diagnostics *findings; /* made anew by each session_write() */
	GArray *running;	      /* struct running, in the order of the list */
	struct event_interest interest;
	struct event_interest base_interest; /* without what only analyses take */
	GArray *takers[EVENT_KIND_COUNT];    /* struct running: whose feed() takes the kind; NULL: none */
	bool has_takers;
	GArray *loss_takers;	     /* struct running: that have feed_losses() */
	GArray *counter_takers;	     /* struct running: that have feed_counter() */
	GArray *poll_takers;	     /* struct running: that have feed_polls() */
	struct poll_queue *polls;    /* NULL: nobody takes them */
	GArray *point_takers;	     /* struct running: that have feed_point(), if there are points */
	struct analysis_span points; /* of those that came; begin_ns is the later one if none did */
	GPtrArray *hostnames;	     /* borrowed from the pool */
	struct diagnostics *missing; /* why the recording was not read to its end */
	GPtrArray *missing_lines;    /* char *: the same for report_trace.missing */
	bool has_finished;
};

/* --- what is made --- */

static bool is_asked_for(const struct running *running)
{
	for (size_t i = 0; running->class->tables[i]; i++) {
		if (running->writers[i]) {
			return true;
		}
	}
	return false;
}

static struct running open_tables(const struct analysis_class *class, struct table_output *tables)
{
	struct running running = { .class = class };
	size_t count = 0;

	while (class->tables[count]) {
		count++;
	}
	running.writers = g_new0(struct table_writer *, count);
	for (size_t i = 0; i < count; i++) {
		running.writers[i] = tables->open(tables, class->tables[i]);
	}
	return running;
}

static void running_clear(gpointer data)
{
	struct running *running = data;

	if (running->analysis) {
		running->class->destroy(running->analysis);
	}
	g_free(running->writers);
}

static struct running *running_at(const struct session *session, guint index)
{
	return &g_array_index(session->running, struct running, index);
}

/* What every recording is read for: the table of diagnostics is about these whether they were asked for or not. */
static bool is_for_all_recordings(const struct running *running)
{
	const struct table_schema *main = running->class->tables[0];

	return !main->is_optional && main->timeline == TIMELINE_NONE;
}

/*
 * Leaves those that were asked for, and those that one of these is about; gives what they need together. Without
 * tables there is none.
 */
static unsigned int choose_analyses(struct session *session, struct table_output *tables)
{
	unsigned int needs = 0;

	for (size_t i = 0; tables && analyses[i]; i++) {
		struct running running = open_tables(analyses[i], tables);

		needs |= is_asked_for(&running) ? analyses[i]->needs : 0;
		g_array_append_val(session->running, running);
	}
	for (guint i = session->running->len; i-- > 0;) {
		const struct running *running = running_at(session, i);
		bool is_needed = (needs & ANALYSIS_NEEDS_ANALYSES) && is_for_all_recordings(running);

		if (!is_needed && !is_asked_for(running)) {
			g_array_remove_index(session->running, i);
		}
	}
	for (guint i = 0; i < session->running->len; i++) {
		needs |= running_at(session, i)->class->needs;
	}
	return needs;
}

static void add_taker(struct session *session, const struct running *running, enum event_kind kind)
{
	if (!session->takers[kind]) {
		session->takers[kind] = g_array_new(FALSE, FALSE, sizeof(struct running));
	}
	g_array_append_val(session->takers[kind], *running);
	session->interest.wants[kind] = true;
	session->has_takers = true;
}

static void feed_polls(void *data, uint32_t thread, const struct poll *polls, size_t count)
{
	const struct session *session = data;

	for (guint i = 0; i < session->poll_takers->len; i++) {
		const struct running *taker = &g_array_index(session->poll_takers, struct running, i);

		taker->class->feed_polls(taker->analysis, thread, polls, count);
	}
}

static void add_poll_taker(struct session *session, const struct running *running)
{
	g_array_append_val(session->poll_takers, *running);
	if (!session->polls) {
		session->polls = poll_queue_create(feed_polls, session);
	}
	session->has_takers = true;
	session->interest.joins_polls = true;
	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		session->interest.wants[kind] |= event_class_of(kind) == EVENT_CLASS_POLL;
	}
}

static void add_point_taker(struct session *session, const struct running *running)
{
	if (session->options.points) {
		g_array_append_val(session->point_takers, *running);
		session->interest.points = &session->options.points->events;
		session->has_takers = true;
	}
}

static void feed_points(struct session *session, const struct event_record *record)
{
	session->points.begin_ns = MIN(session->points.begin_ns, record->time_ns);
	session->points.end_ns = MAX(session->points.end_ns, record->time_ns);
	for (guint i = 0; i < session->point_takers->len; i++) {
		const struct running *taker = &g_array_index(session->point_takers, struct running, i);

		taker->class->feed_point(taker->analysis, record);
	}
}

static void add_counter_taker(struct session *session, const struct running *running)
{
	const enum event_kind *kinds = running->class->counter_kinds;

	g_array_append_val(session->counter_takers, *running);
	session->has_takers = true;
	for (size_t i = 0; kinds[i] != EVENT_KIND_COUNT; i++) {
		session->interest.wants_counters[kinds[i]] = true;
	}
}

static void create_analyses(struct session *session)
{
	const struct analysis_context context = {
		.recording = session->recording,
		.model = session->pipeline->model,
		.diagnostics = session->pipeline->diagnostics,
		.executions = session->pipeline->executions,
		.inferred = session->pipeline->inferred,
		.flows = session->pipeline->flows,
		.threads = session->threads,
		.schedules = session->pipeline->schedules,
		.options = &session->options,
		.span = &session->span,
		.findings = session->findings,
	};

	for (guint i = 0; i < session->running->len; i++) {
		struct running *running = running_at(session, i);
		const struct analysis_class *class = running->class;
		const enum event_kind *kinds = class->kinds_for ? class->kinds_for(&session->options) : class->kinds;

		running->analysis = running->class->create(&context, running->writers);
		for (size_t j = 0; kinds && kinds[j] != EVENT_KIND_COUNT; j++) {
			g_assert(event_class_of(kinds[j]) != EVENT_CLASS_POLL); /* feed_polls() takes these */
			add_taker(session, running, kinds[j]);
		}
		if (running->class->feed_losses) {
			g_array_append_val(session->loss_takers, *running);
			session->has_takers = true;
		}
		if (running->class->feed_polls) {
			add_poll_taker(session, running);
		}
		if (running->class->feed_point) {
			add_point_taker(session, running);
		}
		if (running->class->feed_counter) {
			add_counter_taker(session, running);
		}
	}
}

static unsigned int parts_for(unsigned int needs)
{
	return (needs & ANALYSIS_NEEDS_EXECUTIONS ? PIPELINE_EXECUTIONS | PIPELINE_INFERRED : 0) |
	       (needs & ANALYSIS_NEEDS_SCHEDULES ? PIPELINE_SCHEDULES | PIPELINE_INFERRED : 0) |
	       (needs & ANALYSIS_NEEDS_FLOWS ? PIPELINE_FLOWS | PIPELINE_INFERRED : 0) |
	       (needs & ANALYSIS_NEEDS_ANALYSES ? PIPELINE_DEFECTS : 0);
}

/* `tables`: NULL if there are none; `parts` of the pipeline are made besides those that the tables need. */
static struct session *create(struct recording *recording, const struct analysis_options *options,
			      struct table_output *tables, unsigned int parts)
{
	struct session *session = g_new0(struct session, 1);

	session->recording = recording;
	session->options = *options;
	session->findings = diagnostics_create();
	session->hostnames = g_ptr_array_new();
	session->running = g_array_new(FALSE, FALSE, sizeof(struct running));
	session->loss_takers = g_array_new(FALSE, FALSE, sizeof(struct running));
	session->poll_takers = g_array_new(FALSE, FALSE, sizeof(struct running));
	session->point_takers = g_array_new(FALSE, FALSE, sizeof(struct running));
	session->points = (struct analysis_span){ INT64_MAX, INT64_MIN };
	session->counter_takers = g_array_new(FALSE, FALSE, sizeof(struct running));
	g_array_set_clear_func(session->running, running_clear);
	parts |= parts_for(choose_analyses(session, tables));
	pipeline_add_interest(&session->base_interest, parts);
	session->interest = session->base_interest;
	session->pipeline = pipeline_create(recording, parts);
	if (session->pipeline->executions) {
		session->threads = thread_history_create(recording, session->pipeline->executions);
	}
	if (session->pipeline->flows) {
		flow_linker_add_rules(session->pipeline->flows, options->links, options->link_count);
	}
	pipeline_set_range(session->pipeline, &session->options.range);
	session->missing = diagnostics_create();
	session->missing_lines = g_ptr_array_new_with_free_func(g_free);
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
	struct string_pool *pool;
	struct session *session;

	if (!report) {
		return NULL;
	}
	pool = string_pool_create();
	session = create(recording_create(pool), options, report_tables(report), 0);
	session->pool = pool;
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
	thread_history_destroy(session->threads);
	for (size_t kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		g_clear_pointer(&session->takers[kind], g_array_unref);
	}
	g_array_unref(session->loss_takers);
	g_array_unref(session->poll_takers);
	g_array_unref(session->point_takers);
	g_array_unref(session->counter_takers);
	poll_queue_destroy(session->polls);
	g_array_unref(session->running);
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

const struct event_interest *session_interest(const struct session *session)
{
	return &session->interest;
}

/* --- feeding --- */

static void feed_loss(struct session *session, const struct event_record *record)
{
	for (guint i = 0; i < session->loss_takers->len; i++) {
		const struct running *taker = &g_array_index(session->loss_takers, struct running, i);

		taker->class->feed_losses(taker->analysis, record);
	}
}

static void feed_takers(struct session *session, const struct event_record *record)
{
	const GArray *takers = record->kind < EVENT_KIND_COUNT ? session->takers[record->kind] : NULL;

	if (record->kind == RECORD_DISCARDED_EVENTS || record->kind == RECORD_DISCARDED_PACKETS ||
	    record->kind == RECORD_GAP) {
		feed_loss(session, record);
	}
	for (guint i = 0; takers && i < takers->len; i++) {
		const struct running *taker = &g_array_index(takers, struct running, i);

		taker->class->feed(taker->analysis, record);
	}
}

/* Whether the record was polls. They wait for their place; those that are earlier than another record come before it.
 */
static bool queue_polls(struct session *session, const struct event_record *record)
{
	if (record->kind == RECORD_POLLS) {
		poll_queue_add(session->polls, record->thread, record_polls(record), record->word[RECORD__count]);
		return true;
	}
	if (record->kind < EVENT_KIND_COUNT && event_class_of(record->kind) == EVENT_CLASS_POLL) {
		struct poll poll = poll_of(record);

		poll_queue_add(session->polls, record->thread, &poll, 1);
		return true;
	}
	poll_queue_release(session->polls, record->thread, record->time_ns);
	return false;
}

static void feed_counter_takers(const struct session *session, const struct event_record *record)
{
	for (guint i = 0; i < session->counter_takers->len; i++) {
		const struct running *taker = &g_array_index(session->counter_takers, struct running, i);

		taker->class->feed_counter(taker->analysis, record);
	}
}

/* Where analyses take records themselves: whether the pipeline gets it, which is not for kinds that only these want. */
static bool is_for_pipeline(struct session *session, const struct event_record *record)
{
	if (record->kind == RECORD_COUNTER) {
		feed_counter_takers(session, record);
		return false;
	}
	if (session->polls && queue_polls(session, record)) {
		return false;
	}
	if (record->kind == RECORD_POINT) {
		feed_points(session, record);
		return false;
	}
	if (record->kind >= EVENT_KIND_COUNT || session->base_interest.wants[record->kind]) {
		return true;
	}
	feed_takers(session, record);
	return false;
}

void session_feed(struct session *session, const struct event_record *records, size_t count)
{
	if (!session->has_takers) {
		pipeline_feed_all(session->pipeline, records, count);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		if (is_for_pipeline(session, &records[i])) {
			pipeline_feed(session->pipeline, &records[i]);
			feed_takers(session, &records[i]);
		}
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
	for (guint i = 0; i < session->running->len; i++) {
		const struct running *running = running_at(session, i);

		if (running->class->diagnose) {
			running->class->diagnose(running->analysis, session->findings);
		}
	}
}

static bool has_points(const struct session *session)
{
	return session->points.begin_ns <= session->points.end_ns;
}

static struct analysis_span span_of(const struct session *session)
{
	const struct time_range *range = &session->options.range;
	struct analysis_span span = { session->pipeline->begin_ns, session->pipeline->end_ns };

	if (range->has_begin && pipeline_has_runtime(session->pipeline)) {
		span.begin_ns = MAX(span.begin_ns, range->begin_ns);
	}
	if (range->has_end && pipeline_has_runtime(session->pipeline)) {
		span.end_ns = MIN(span.end_ns, range->end_ns);
	}
	return span;
}

void session_write(struct session *session)
{
	if (session->polls) {
		poll_queue_release_all(session->polls, session->pipeline->end_ns);
	}
	session->span = span_of(session);
	diagnose(session);
	for (guint i = 0; i < session->running->len; i++) {
		const struct running *running = running_at(session, i);

		if (is_asked_for(running)) {
			running->class->write(running->analysis, running->writers);
		}
	}
}

static void finish(struct session *session)
{
	session->has_finished = true;
	if (session->polls) {
		poll_queue_release_all(session->polls, INT64_MAX);
	}
	pipeline_finish(session->pipeline);
	for (guint i = 0; i < session->running->len; i++) {
		const struct running *running = running_at(session, i);

		if (running->class->finish) {
			running->class->finish(running->analysis);
		}
	}
}

struct report_trace session_describe(struct session *session)
{
	/* a recording of an application alone */
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
		.range = session->options.range,
		.is_in_range = is_of_points || pipeline_has_runtime_in_range(session->pipeline),
		.missing = (const char *const *)session->missing_lines->pdata,
		.missing_count = session->missing_lines->len,
		.has_runtime_events = session_has_events(session),
		.begin_ns = is_of_points ? session->points.begin_ns : session->pipeline->begin_ns,
		.end_ns = is_of_points ? session->points.end_ns : session->pipeline->end_ns,
	};
}

/* --- the part of the recording --- */

void session_take_first_pass(struct session *session, const struct first_pass *pass)
{
	time_range_set_recording_end(&session->options.range, first_pass_end_ns(pass));
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

static bool check_range(const struct report_trace *trace, GError **error)
{
	char begin_text[HUMAN_TEXT_SIZE], end_text[HUMAN_TEXT_SIZE];
	g_autofree char *range = NULL;

	if (!trace->has_runtime_events || trace->is_in_range || trace->missing_count > 0) {
		return true;
	}
	range = range_text(&trace->range);
	g_set_error(error, SESSION_ERROR, SESSION_ERROR_NOTHING_IN_RANGE,
		    "%s; the trace has events from %s UTC to %s UTC", range,
		    human_text_time(begin_text, trace->begin_ns), human_text_time(end_text, trace->end_ns));
	return false;
}

bool session_finish(struct session *session, GError **error)
{
	struct report_trace trace = session_describe(session);

	if (!check_range(&trace, error)) {
		return false;
	}
	finish(session);
	session_write(session);
	return !session->report || report_finish(session->report, &trace, error);
}
