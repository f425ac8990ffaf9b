/* SPDX-License-Identifier: MIT */
#include "ros2bt/flow/pipeline.h"

#include <glib.h>

#include "core/base/text/human_text.h"
#include "core/model/callback_ids.h"
#include "core/model/execution_schedules.h"
#include "core/model/recorded_process.h"
#include "core/model/thread_history.h"
#include "ros2bt/events/kernel_call.h"

/* What a record of a kind goes through (pipeline.steps). */
enum step {
	STEP_RUNTIME = 1, /* its time is that of an event that is not a definition */
	STEP_APART = 2,	  /* polls and events of the kernel, alone */
	STEP_INFERRED = 4,
	STEP_FLOWS = 8,
	STEP_EXECUTIONS = 16,
	STEP_CALLBACK = 32, /* the start or end of one */
	STEP_WATCHED = 64,  /* pipeline.is_watched, or there are limits of the statistics */
};

/* All that is done with most events: see pipeline_feed_next(). */
#define STEPS_OF_CALLBACK (STEP_RUNTIME | STEP_FLOWS | STEP_EXECUTIONS | STEP_CALLBACK)

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

static uint8_t steps_of(const struct pipeline *pipeline, unsigned int kind)
{
	enum event_class class = kind < EVENT_KIND_COUNT ? event_class_of(kind) : EVENT_CLASS_MARK;

	if (class == EVENT_CLASS_POLL || class == EVENT_CLASS_SYSTEM || kind == RECORD_CALLS) {
		return STEP_APART;
	}
	return (class == EVENT_CLASS_RUNTIME ? STEP_RUNTIME : 0) | (pipeline->flows ? STEP_FLOWS : 0) |
	       (infers_from(pipeline, kind) ? STEP_INFERRED : 0) |
	       (pipeline->executions && executions_take(kind) ? STEP_EXECUTIONS : 0) |
	       (kind == EVENT_CALLBACK_START || kind == EVENT_CALLBACK_END ? STEP_CALLBACK : 0) |
	       (pipeline->is_watched || pipeline->range ? STEP_WATCHED : 0);
}

static void set_steps(struct pipeline *pipeline)
{
	for (unsigned int kind = 0; kind < RECORD_KIND_COUNT; kind++) {
		pipeline->steps[kind] = steps_of(pipeline, kind);
	}
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
		set_steps(pipeline);
	}
}

/* Whether each event concerns more than the parts that take its kind. */
static void set_watch(struct pipeline *pipeline)
{
	bool is_watched = (pipeline->has_losses && pipeline->executions) ||
			  (pipeline->defects && recording_defects_counts(pipeline->defects));

	if (pipeline->is_watched != is_watched) {
		pipeline->is_watched = is_watched;
		set_steps(pipeline);
	}
}

struct pipeline *pipeline_create(struct recording *recording, unsigned int parts)
{
	struct pipeline *pipeline = g_new0(struct pipeline, 1);

	pipeline->recording = recording;
	pipeline->model = object_model_create(recording);
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
	set_steps(pipeline);
	pipeline->begin_ns = INT64_MAX;
	pipeline->end_ns = INT64_MIN;
	pipeline->announced_ns = INT64_MIN;
	pipeline->defined_ns = INT64_MAX;
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
	g_free(pipeline);
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
	set_steps(pipeline);
	if (!time_range_needs_start(range) && !time_range_needs_end(range)) {
		pipeline_start_range(pipeline, 0);
	} else if (pipeline->schedules) {
		execution_schedules_set_range(pipeline->schedules, range, false);
	}
}

static G_GNUC_NO_INLINE void note_range(struct pipeline *pipeline, int64_t time_ns)
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
static G_GNUC_NO_INLINE void note_silence(struct pipeline *pipeline, int64_t time_ns)
{
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

static inline bool is_soon(const struct pipeline *pipeline, int64_t time_ns)
{
	return (uint64_t)time_ns - (uint64_t)pipeline->end_ns <= (uint64_t)RECORDED_SILENCE_NS;
}

/* An event that is not a definition. Almost all come in order and soon after the one before. */
static inline void note_time(struct pipeline *pipeline, int64_t time_ns)
{
	if (G_UNLIKELY(pipeline->range)) {
		note_range(pipeline, time_ns);
	}
	if (G_LIKELY(is_soon(pipeline, time_ns))) {
		pipeline->end_ns = time_ns;
		return;
	}
	if (time_ns > pipeline->end_ns + RECORDED_SILENCE_NS) {
		note_silence(pipeline, time_ns);
	}
	pipeline->begin_ns = MIN(pipeline->begin_ns, time_ns);
	pipeline->end_ns = MAX(pipeline->end_ns, time_ns);
}

/* As the events of class SYSTEM that they were. */
static G_GNUC_NO_INLINE void feed_calls(struct pipeline *pipeline, const struct event_record *record)
{
	if (G_UNLIKELY(pipeline->has_losses) && pipeline->executions) {
		for (size_t i = 0; i < record->word[RECORD__count]; i++) {
			struct event_record call = record_call(record, &record_calls(record)[i]);

			executions_follow(pipeline->executions, &call);
		}
	}
	if (pipeline->schedules) {
		execution_schedules_feed(pipeline->schedules, record);
	}
}

/* What does not go the way of all others. */
static G_GNUC_NO_INLINE void feed_apart(struct pipeline *pipeline, const struct event_record *record)
{
	if (record->kind == RECORD_CALLS) {
		feed_calls(pipeline, record);
	} else if (event_class_of(record->kind) == EVENT_CLASS_POLL) {
		pipeline_feed_poll(pipeline, record->thread, record->time_ns);
	} else {
		if (G_UNLIKELY(pipeline->has_losses) && pipeline->executions) {
			executions_follow(pipeline->executions, record);
		}
		if (pipeline->schedules) {
			execution_schedules_feed(pipeline->schedules, record);
		}
	}
}

/* A definition, or a record of what happened to the recording: before the parts. */
static G_GNUC_NO_INLINE void begin_other(struct pipeline *pipeline, const struct event_record *record)
{
	if (record->kind >= EVENT_KIND_COUNT) {
		pipeline->has_losses |= record->kind != RECORD_STREAM_END;
		set_watch(pipeline);
		if (pipeline->schedules) {
			execution_schedules_feed(pipeline->schedules, record);
		}
		if (pipeline->defects) {
			recording_defects_lose(pipeline->defects, record);
		}
	} else if (event_class_of(record->kind) == EVENT_CLASS_INIT) {
		object_model_feed(pipeline->model, record);
		note_inferred(pipeline);
		pipeline->defined_ns = MIN(pipeline->defined_ns, record->time_ns);
	}
}

/* Each event counts, or may be missing others before it. */
static G_GNUC_NO_INLINE void watch(struct pipeline *pipeline, const struct event_record *record)
{
	if (pipeline->defects && record->kind < EVENT_KIND_COUNT) {
		recording_defects_count(pipeline->defects, record->thread);
	}
	if (pipeline->has_losses && pipeline->executions) {
		executions_follow(pipeline->executions, record);
	}
}

static G_GNUC_NO_INLINE void infer(struct pipeline *pipeline, const struct event_record *record)
{
	inferred_executions_feed(pipeline->inferred, record);
	note_inferred(pipeline);
}

static G_GNUC_NO_INLINE void feed_any(struct pipeline *pipeline, const struct event_record *record)
{
	unsigned int steps = pipeline->steps[record->kind];

	if (G_LIKELY(steps & STEP_RUNTIME)) {
		note_time(pipeline, record->time_ns);
	} else if (G_UNLIKELY(steps & STEP_APART)) {
		feed_apart(pipeline, record);
		return;
	} else {
		begin_other(pipeline, record);
	}
	if (G_UNLIKELY(pipeline->is_watched)) {
		watch(pipeline, record);
	}
	if (steps & STEP_INFERRED) {
		infer(pipeline, record);
	}
	if (steps & STEP_FLOWS) {
		flow_linker_feed(pipeline->flows, record);
	}
	if (steps & STEP_EXECUTIONS) {
		executions_feed(pipeline->executions, record);
	}
}

/* Most events are starts and ends of callbacks, soon after the event before: the same as feed_any(), without calls. */
void pipeline_feed_next(struct pipeline *pipeline, const struct event_record *record)
{
	if (pipeline->steps[record->kind] == STEPS_OF_CALLBACK && is_soon(pipeline, record->time_ns) &&
	    flow_linker_feed_callback(pipeline->flows, record)) {
		pipeline->end_ns = record->time_ns;
		executions_feed(pipeline->executions, record);
	} else {
		feed_any(pipeline, record);
	}
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

void pipeline_prepare(struct pipeline *pipeline)
{
	if (G_UNLIKELY(!pipeline->has_begun)) {
		begin(pipeline);
	}
	/* known before the first record, but not before the reader has begun */
	pipeline->has_losses |= *recording_late_streams(pipeline->recording) > 0;
	set_watch(pipeline);
}

void pipeline_feed_all(struct pipeline *pipeline, const struct event_record *records, size_t count)
{
	pipeline_prepare(pipeline);
	for (size_t i = 0; i < count; i++) {
		pipeline_feed_next(pipeline, &records[i]);
	}
}

void pipeline_feed_poll(struct pipeline *pipeline, uint32_t thread, int64_t time_ns)
{
	if (pipeline->executions) {
		executions_look(pipeline->executions, thread, time_ns);
	}
}

static bool is_wanted(enum event_kind kind)
{
	switch (kind) {
	case EVENT_RCL_TAKE:
	case EVENT_RCLCPP_TAKE:
		/* rmw_take has recorded all that these could add. */
	case EVENT_RCL_LIFECYCLE_TRANSITION:
	case EVENT_ON_DATA_AVAILABLE:
	case EVENT_SIM_TIME:
		return false;
	default:
		return event_kind_is_of_ros(kind) && event_class_of(kind) != EVENT_CLASS_POLL;
	}
}

void pipeline_add_interest(struct event_interest *interest, unsigned int parts)
{
	if ((parts & PIPELINE_SCHEDULES) == PIPELINE_SCHEDULES) {
		execution_schedules_add_interest(interest);
	}
	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		interest->wants[kind] |= is_wanted(kind);
	}
}

void pipeline_add_polls(struct event_interest *interest)
{
	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		interest->wants[kind] |= event_class_of(kind) == EVENT_CLASS_POLL;
	}
}

void pipeline_finish(struct pipeline *pipeline)
{
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
