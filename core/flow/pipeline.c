/* SPDX-License-Identifier: MIT */
#include "ros2bt/flow/pipeline.h"

#include "core/base/text/human_text.h"
#include "core/flow/poll_queue.h"
#include "core/flow/state.h"
#include "core/model/callback_ids.h"
#include "core/model/execution_schedules.h"
#include "core/model/recorded_process.h"
#include "core/model/thread_history.h"
#include "ros2bt/events/kernel_call.h"

/* What executions are inferred from (pipeline.infers). */
enum infers {
	INFERS_TAKES = 1, /* there are objects without rclcpp */
	INFERS_ENDS = 2,  /* … and something was taken for them */
};

/* Executions are inferred from takes; what closes them matters once there was one. */
static bool infers_from(const struct pipeline *pipeline, unsigned int kind)
{
	return (pipeline->infers & INFERS_TAKES && inferred_executions_may_open(kind)) ||
	       (pipeline->infers == (INFERS_TAKES | INFERS_ENDS) && inferred_executions_take(kind));
}

/* Until when runtime events need nothing but the calls of their kinds, if they come in order. */
static void note_calm(struct pipeline *pipeline)
{
	pipeline->calm_until_ns =
		pipeline->range || pipeline->is_watched ? INT64_MIN : pipeline->end_ns + RECORDED_SILENCE_NS + 1;
}

/* A runtime event that executions are inferred from leads to infer() first. */
static void set_first_call(struct pipeline *pipeline, unsigned int kind)
{
	struct record_route *route = &pipeline->routes[kind];

	route->first = &route->calls[route->is_runtime && infers_from(pipeline, kind) ? 0 : 1];
}

/* After a definition, or what may infer an execution. */
static void note_inferred(struct pipeline *pipeline)
{
	unsigned int infers = 0;

	if (pipeline->inferred) {
		infers = (*pipeline->inferable_count > 0 ? INFERS_TAKES : 0) |
			 (inferred_executions_has_any(pipeline->inferred) ? INFERS_ENDS : 0);
	}
	if (G_UNLIKELY(infers != pipeline->infers)) {
		pipeline->infers = infers;
		for (unsigned int kind = 0; kind < RECORD_KIND_COUNT; kind++) {
			set_first_call(pipeline, kind);
		}
	}
}

/* Whether each event concerns more than the parts that take its kind. */
static void set_watch(struct pipeline *pipeline)
{
	pipeline->is_watched =
		pipeline->has_losses || (pipeline->defects && recording_defects_counts(pipeline->defects));
	note_calm(pipeline);
}

void pipeline_start_range(struct pipeline *pipeline, int64_t start_ns)
{
	if (!pipeline->range || pipeline->is_range_started) {
		return;
	}
	pipeline->is_range_started = true;
	time_range_start(pipeline->range, start_ns);
	if (pipeline->schedules) {
		execution_schedules_set_range(pipeline->schedules, pipeline->range, true);
	}
}

void pipeline_set_range(struct pipeline *pipeline, struct time_range *range)
{
	pipeline->range = range->has_begin || range->has_end ? range : NULL;
	if (!time_range_needs_start(range) && !time_range_needs_end(range)) {
		pipeline_start_range(pipeline, 0);
	} else if (pipeline->schedules) {
		execution_schedules_set_range(pipeline->schedules, range, false);
	}
}

static void note_range(struct pipeline *pipeline, int64_t time_ns)
{
	pipeline_start_range(pipeline, time_ns);
	pipeline->is_in_range = pipeline->is_in_range || time_range_includes(pipeline->range, time_ns);
}

/* Further pauses are only counted. */
#define PAUSES_NAMED 20

/* When it began, as the option `begin` takes it, and how long it was. */
static void report_pause(struct pipeline *pipeline, const struct apart *pause)
{
	char since_begin[HUMAN_TEXT_SIZE], duration[HUMAN_TEXT_SIZE];
	g_autofree char *detail = NULL;

	if (pipeline->pauses++ < PAUSES_NAMED) {
		detail = g_strdup_printf("at %s, for %s",
					 human_text_moment(since_begin, pause->begin_ns - pipeline->begin_ns),
					 human_text_duration(duration, pause->end_ns - pause->begin_ns));
	}
	diagnostics_add(pipeline->diagnostics, DIAGNOSTIC_PAUSE, detail ? detail : "further ones", 1);
}

/* Notes the pauses between two runtime events. Returns whether there are any. */
static bool note_pauses(struct pipeline *pipeline, int64_t last_ns, int64_t time_ns)
{
	struct apart pause = { .end_ns = last_ns };
	bool has_any = false;

	while (recorded_silence_find_pause(pipeline->recording, pause.end_ns, time_ns, &pause)) {
		report_pause(pipeline, &pause);
		if (pipeline->executions) {
			coverage_add_pause(executions_coverage(pipeline->executions), pause.begin_ns, pause.end_ns);
		}
		has_any = true;
	}
	return has_any;
}

/* Tracing may have been off since the last event; then no thread continues what it had begun. */
static void note_silence(struct pipeline *pipeline, int64_t time_ns)
{
	poll_queue_settle(pipeline->polls, time_ns);
	if (!pipeline_has_runtime(pipeline)) {
		pipeline->has_begun_late = pipeline->defined_ns < time_ns &&
					   recording_was_off(pipeline->recording, pipeline->defined_ns, time_ns);
		if (pipeline->flows && pipeline->has_begun_late) {
			flow_linker_start_late(pipeline->flows, time_ns);
		}
		return;
	}
	if (!note_pauses(pipeline, pipeline->end_ns, time_ns)) {
		return;
	}
	if (pipeline->executions) {
		executions_pause(pipeline->executions);
	}
	if (pipeline->flows) {
		flow_linker_pause(pipeline->flows);
	}
}

/* An event that is not a definition. */
static void note_time(struct pipeline *pipeline, int64_t time_ns)
{
	if (G_UNLIKELY(pipeline->range)) {
		note_range(pipeline, time_ns);
	}
	if (time_ns > pipeline->end_ns + RECORDED_SILENCE_NS) {
		note_silence(pipeline, time_ns);
	}
	pipeline->begin_ns = MIN(pipeline->begin_ns, time_ns);
	pipeline->end_ns = MAX(pipeline->end_ns, time_ns);
}

/* Events may be missing before the record; polls that are too many by then are told first. */
static void follow(struct pipeline *pipeline, const struct event_record *record)
{
	if (G_UNLIKELY(pipeline->has_losses)) {
		poll_queue_settle(pipeline->polls, record->time_ns);
		executions_follow(pipeline->executions, record);
	}
}

/* Each event counts, or may be missing others before it. */
static void watch(struct pipeline *pipeline, const struct event_record *record)
{
	if (pipeline->is_watched && pipeline->defects && record->kind < EVENT_KIND_COUNT) {
		recording_defects_count(pipeline->defects, record->thread);
	}
	follow(pipeline, record);
	if (pipeline->flows && executions_is_after_loss(pipeline->executions)) {
		flow_linker_wake(pipeline->flows, INT64_MIN);
	}
}

static void infer(void *data, const struct event_record *record)
{
	struct pipeline *pipeline = data;

	inferred_executions_feed(pipeline->inferred, record);
	note_inferred(pipeline);
}

/* A runtime event that may need more than the calls of its kind. */
static G_GNUC_NO_INLINE void begin_event(struct pipeline *pipeline, const struct event_record *record)
{
	note_time(pipeline, record->time_ns);
	note_calm(pipeline);
	watch(pipeline, record);
}

/* --- the first call for records of other kinds --- */

static void mark(void *data, const struct event_record *record)
{
	struct pipeline *pipeline = data;

	watch(pipeline, record);
	if (infers_from(pipeline, record->kind)) {
		infer(pipeline, record);
	}
}

static void define(void *data, const struct event_record *record)
{
	struct pipeline *pipeline = data;

	object_model_feed(pipeline->model, record);
	note_inferred(pipeline);
	pipeline->defined_ns = MIN(pipeline->defined_ns, record->time_ns);
	mark(pipeline, record);
}

static void lose(void *data, const struct event_record *record)
{
	struct pipeline *pipeline = data;

	pipeline->has_losses |= pipeline->executions && record->kind != RECORD_STREAM_END;
	set_watch(pipeline);
	if (pipeline->schedules) {
		execution_schedules_feed(pipeline->schedules, record);
	}
	if (pipeline->defects) {
		recording_defects_lose(pipeline->defects, record);
	}
	mark(pipeline, record);
}

/* As the events of class SYSTEM that they were. */
static G_GNUC_NO_INLINE void follow_calls(struct pipeline *pipeline, const struct event_record *record)
{
	for (size_t i = 0; i < record->word[RECORD__count]; i++) {
		struct event_record call = record_call(record, &record_calls(record)[i]);

		follow(pipeline, &call);
	}
}

static void schedule(void *data, const struct event_record *record)
{
	struct pipeline *pipeline = data;

	if (G_UNLIKELY(pipeline->has_losses)) {
		(record->kind == RECORD_CALLS ? follow_calls : follow)(pipeline, record);
	}
	if (pipeline->schedules) {
		execution_schedules_feed(pipeline->schedules, record);
	}
}

/* --- routes --- */

void pipeline_add_taker(struct pipeline *pipeline, unsigned int kind, record_taker take, void *data)
{
	struct record_route *route = &pipeline->routes[kind];

	route->calls = g_renew(struct record_call, route->calls, ++route->count + 1);
	route->calls[route->count - 1] = (struct record_call){ take, data };
	route->calls[route->count] = (struct record_call){ NULL, NULL };
	set_first_call(pipeline, kind);
}

/* Polls and events of a kernel tell the linker nothing. */
static void add_parts(struct pipeline *pipeline, unsigned int kind, enum event_class class)
{
	bool is_linked = class != EVENT_CLASS_POLL && class != EVENT_CLASS_SYSTEM;

	if (pipeline->flows && is_linked && flow_linker_taker(kind)) {
		pipeline_add_taker(pipeline, kind, flow_linker_taker(kind), pipeline->flows);
	}
	if (pipeline->executions && executions_taker(kind)) {
		pipeline_add_taker(pipeline, kind, executions_taker(kind), pipeline->executions);
	}
}

static enum event_class class_of(unsigned int kind)
{
	return kind < EVENT_KIND_COUNT ? event_class_of((enum event_kind)kind)
	       : kind == RECORD_POLLS  ? EVENT_CLASS_POLL
	       : kind == RECORD_CALLS  ? EVENT_CLASS_SYSTEM
				       : EVENT_CLASS_MARK;
}

static void add_calls(struct pipeline *pipeline, unsigned int kind)
{
	static const record_taker first_of[] = {
		[EVENT_CLASS_INIT] = define,
		[EVENT_CLASS_MARK] = mark,
		[EVENT_CLASS_SYSTEM] = schedule,
	};
	enum event_class class = class_of(kind);

	pipeline->routes[kind].is_runtime = class == EVENT_CLASS_RUNTIME;
	pipeline->routes[kind].is_in_turn =
		class != EVENT_CLASS_POLL && class != EVENT_CLASS_SYSTEM && kind != RECORD_COUNTER;
	pipeline_add_taker(pipeline, kind, infer, pipeline);
	if (kind >= RECORD_DISCARDED_EVENTS && kind <= RECORD_STREAM_END) {
		pipeline_add_taker(pipeline, kind, lose, pipeline);
	} else if (first_of[class] && (kind < EVENT_KIND_COUNT || class == EVENT_CLASS_SYSTEM)) {
		pipeline_add_taker(pipeline, kind, first_of[class], pipeline);
	}
	add_parts(pipeline, kind, class);
}

static void clear_calls(struct pipeline *pipeline, unsigned int kind)
{
	pipeline->routes[kind].count = 1;
	pipeline->routes[kind].calls[1] = (struct record_call){ NULL, NULL };
	pipeline->routes[kind].is_runtime = false;
}

void pipeline_set_interest(struct pipeline *pipeline, const struct event_interest *interest)
{
	for (unsigned int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		if (!interest->wants[kind]) {
			clear_calls(pipeline, kind);
		}
	}
}

static void release_polls(void *data, uint32_t thread, int64_t until_ns)
{
	poll_queue_release(data, thread, until_ns);
}

static void take_polls(void *data, uint32_t thread, const struct poll *polls, size_t count)
{
	executions_look(data, thread, polls[0].time_ns);
}

void pipeline_queue_polls(struct pipeline *pipeline)
{
	for (unsigned int kind = 0; kind < RECORD_KIND_COUNT; kind++) {
		if (class_of(kind) == EVENT_CLASS_POLL) {
			clear_calls(pipeline, kind);
			pipeline_add_taker(pipeline, kind, poll_queue_feed, pipeline->polls);
		}
	}
	if (pipeline->executions) {
		poll_queue_add_taker(pipeline->polls, take_polls, pipeline->executions);
		executions_set_polls(pipeline->executions, release_polls, pipeline->polls);
	}
}

struct pipeline *pipeline_create(struct recording *recording, unsigned int parts)
{
	struct pipeline *pipeline = g_new0(struct pipeline, 1);

	pipeline->recording = recording;
	pipeline->model = object_model_create(recording);
	pipeline->polls = poll_queue_create();
	pipeline->diagnostics = diagnostics_create();
	if (parts & PIPELINE_DEFECTS) {
		pipeline->defects = recording_defects_create(recording);
	}
	if (parts & PIPELINE_EXECUTIONS) {
		pipeline->executions = executions_create(recording, pipeline->model, pipeline->diagnostics);
	}
	if ((parts & PIPELINE_SCHEDULES) == PIPELINE_SCHEDULES) {
		pipeline->schedules = execution_schedules_create(recording, pipeline->executions);
	}
	if (parts & PIPELINE_INFERRED) {
		pipeline->inferred = inferred_executions_create(recording, pipeline->model);
	}
	pipeline->inferable_count = object_model_inferable_count(pipeline->model);
	if ((parts & PIPELINE_FLOWS) == PIPELINE_FLOWS) {
		pipeline->flows =
			flow_linker_create(recording, pipeline->model, pipeline->executions, pipeline->diagnostics);
		if (pipeline->inferred) {
			flow_linker_infer(pipeline->flows, pipeline->inferred);
		}
	}
	if (pipeline->executions) {
		pipeline->threads = thread_history_create(recording, pipeline->executions);
		pipeline->callback_ids = callback_ids_create(pipeline->executions, pipeline->inferred);
	}
	for (unsigned int kind = 0; kind < RECORD_KIND_COUNT; kind++) {
		add_calls(pipeline, kind);
	}
	pipeline->begin_ns = pipeline->defined_ns = INT64_MAX;
	pipeline->end_ns = pipeline->announced_ns = pipeline->calm_until_ns = INT64_MIN;
	return pipeline;
}

void pipeline_destroy(struct pipeline *pipeline)
{
	if (!pipeline) {
		return;
	}
	flow_linker_destroy(pipeline->flows);
	inferred_executions_destroy(pipeline->inferred);
	executions_destroy(pipeline->executions);
	thread_history_destroy(pipeline->threads);
	callback_ids_destroy(pipeline->callback_ids);
	execution_schedules_destroy(pipeline->schedules);
	recording_defects_destroy(pipeline->defects);
	diagnostics_destroy(pipeline->diagnostics);
	object_model_destroy(pipeline->model);
	poll_queue_destroy(pipeline->polls);
	for (unsigned int kind = 0; kind < RECORD_KIND_COUNT; kind++) {
		g_free(pipeline->routes[kind].calls);
	}
	g_free(pipeline);
}

static G_GNUC_NO_INLINE void begin(struct pipeline *pipeline)
{
	pipeline->has_begun = true;
	if (pipeline->executions) {
		executions_begin(pipeline->executions);
	}
	if (pipeline->flows) {
		flow_linker_begin(pipeline->flows);
	}
}

static void prepare(struct pipeline *pipeline)
{
	if (G_UNLIKELY(!pipeline->has_begun)) {
		begin(pipeline);
	}
	pipeline->has_losses |=
		pipeline->executions && coverage_see_late_streams(executions_coverage(pipeline->executions));
	set_watch(pipeline);
}

/* Before the calls for a record that is in turn. */
static inline void prepare_for(struct pipeline *pipeline, const struct event_record *record, bool is_runtime)
{
	struct waiting_polls *due = poll_queue_due(pipeline->polls, record->thread, record->time_ns);

	if (due) {
		/* the recording is then known to go on until the record, if that is a runtime event */
		pipeline->announced_ns = is_runtime ? record->time_ns : pipeline->announced_ns;
		poll_queue_pass_on(pipeline->polls, record->thread, due, record->time_ns);
	}
	if (!is_runtime) {
		return;
	}
	if (G_LIKELY(record->time_ns >= pipeline->end_ns && record->time_ns < pipeline->calm_until_ns)) {
		pipeline->end_ns = record->time_ns;
	} else {
		begin_event(pipeline, record);
	}
}

void pipeline_feed_all(struct pipeline *pipeline, const struct event_record *records, size_t count)
{
	const struct event_record *end = records + count;

	prepare(pipeline);
	for (const struct event_record *record = records; record < end; record++) {
		const struct record_route *route = &pipeline->routes[record->kind];
		const struct record_call *call = route->first;

		if (G_LIKELY(route->is_runtime)) {
			prepare_for(pipeline, record, true);
		} else if (route->is_in_turn) {
			prepare_for(pipeline, record, false);
		}
		for (; call->take; call++) {
			call->take(call->data, record);
		}
	}
}

void pipeline_finish(struct pipeline *pipeline)
{
	prepare(pipeline);
	poll_queue_release_all(pipeline->polls, INT64_MAX);
	if (pipeline->executions) {
		executions_finish(pipeline->executions);
	}
	if (pipeline->inferred) {
		inferred_executions_finish(pipeline->inferred);
	}
	if (pipeline->flows) {
		flow_linker_finish(pipeline->flows);
	}
}

void pipeline_diagnose(const struct pipeline *pipeline, struct diagnostics *findings)
{
	if (pipeline->defects) {
		recording_defects_diagnose(pipeline->defects, findings);
	}
	if (pipeline->schedules) {
		execution_schedules_diagnose(pipeline->schedules, findings);
	}
}
