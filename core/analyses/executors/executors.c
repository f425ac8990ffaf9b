/* SPDX-License-Identifier: MIT */
/*
 * The table `executors` (a row per thread) and the summary `busy_executors`: what the threads that execute callbacks do
 * all the time (executor_states.h), and how long messages wait in the queues of their executors.
 *
 * - Only what lies within the recording's runtime events and within the options' [begin, end] counts. States that cross
 *   a limit are divided, so that reports of consecutive parts add up to that of the whole.
 * - queue: for each message whose callback ran on the thread, how long the thread executed other callbacks between the
 *   publication and the start of that callback. Where that is not known for the whole time (thread_history.h), the
 *   message is no sample. queue_held_by: the callback that caused most of it.
 * - StaticSingleThreadedExecutor, EventsExecutor and EventsCBGExecutor record no events: only executions and queue of
 *   their threads are known, and the diagnostics name their processes. Without a thread that records events of an
 *   executor there are no rows.
 * - Threads of a trace without vtid cannot be distinguished, and have no row.
 *
 * Cost: O(1) per event. Memory: for each thread that executes callbacks.
 */
#include "core/analyses/executors/executors_state.h"
#include "core/analyses/executors/executor_threads.h"
#include "core/analyses/shared/thread_uses.h"
#include "core/base/arena_parts.h"
#include "core/model/recorded_process.h"

static G_GNUC_NO_INLINE struct executor_thread *add_thread(struct executors *executors, uint32_t index)
{
	struct row_store *threads = &executors->analysis.rows;
	struct executor_thread *thread;

	if (!recording_thread(executors->analysis.context.recording, index)->has_vtid) {
		return NULL;
	}
	thread = row_store_make_at(threads, index);
	thread->thread = index;
	thread->callbacks = arena_array(analysis_arena(&executors->analysis), sizeof(uint64_t));
	executor_states_init(&thread->states, executors->is_written ? threads->arena : NULL);
	duration_statistics_init(&thread->queue, threads->arena);
	return thread;
}

/* NULL in a trace without vtid. */
static struct executor_thread *thread_of(struct executors *executors, uint32_t index)
{
	struct executor_thread *thread = slot_get(executors->analysis.rows.rows, index);

	return thread ? thread : add_thread(executors, index);
}

/* Whether the recording may have been off shortly before a poll, which no runtime event has shown yet. */
static bool is_silent(const struct executors *executors, int64_t time_ns)
{
	const struct pipeline *pipeline = executors->analysis.context.pipeline;

	return pipeline_has_runtime(pipeline) && time_ns - pipeline->end_ns > RECORDED_SILENCE_NS;
}

/* Whether tracing was off since the last event: the coverage knows of a pause once a runtime event follows it. */
static bool was_off(const struct executors *executors, const struct executor_thread *thread, int64_t time_ns)
{
	const struct recording *recording = executors->analysis.context.recording;
	int64_t last_ns = thread->states.last_ns, known_ns = executors->analysis.context.pipeline->end_ns;

	return coverage_was_off(executors->coverage, last_ns, time_ns) ||
	       (is_silent(executors, time_ns) && recording_was_off(recording, MAX(last_ns, known_ns), time_ns));
}

static G_GNUC_NO_INLINE void follow_losses(const struct executors *executors, struct executor_thread *thread,
					   int64_t time_ns)
{
	if (executions_may_miss_events(executors->analysis.context.executions, thread->thread, thread->states.last_ns,
				       time_ns) ||
	    was_off(executors, thread, time_ns)) {
		executor_states_lose(&thread->states, time_ns);
	}
}

static bool is_counted(const struct executors *executors, int64_t time_ns)
{
	return analysis_options_include(executors->analysis.context.options, time_ns);
}

/* The part that counts begins with the first runtime event: polls may come before. */
static G_GNUC_NO_INLINE void limit(const struct executors *executors, struct executor_thread *thread)
{
	const struct time_range *range = &executors->analysis.context.options->range;
	int64_t begin_ns = executors->analysis.context.pipeline->begin_ns, end_ns = INT64_MAX; /* of what counts */

	if (pipeline_has_runtime(executors->analysis.context.pipeline)) {
		time_range_limit(range, &begin_ns, &end_ns);
		executor_states_limit(&thread->states, begin_ns, end_ns);
	}
}

static void add_queue(const struct thread_question *question, const struct thread_uses *uses)
{
	struct executor_thread *thread = question->about;

	thread_uses_add(uses, question->from_ns, &thread->queue, &thread->holders);
}

/* A message whose callback starts: which callbacks its thread executed while the message waited. */
static void on_delivered(void *data, const struct flow_delivery *delivery)
{
	struct executors *executors = data;
	struct executor_thread *thread;

	if (!delivery->has_start || !delivery->execution || !is_counted(executors, delivery->callback_start_ns)) {
		return;
	}
	thread = thread_of(executors, delivery->execution->thread);
	if (thread) {
		thread_history_ask(executors->analysis.context.threads,
				   &(struct thread_question){
					   .thread = thread->thread,
					   .from_ns = delivery->publication->first_ns,
					   .to_ns = delivery->callback_start_ns,
					   .answered = add_queue,
					   .about = thread,
				   });
	}
}

/* --- the analysis --- */

/*
 * The thread, if events of it from first_ns to last_ns are as nearly all are: nothing is lost, and no limit is crossed.
 * Else NULL. The limits are set right before an event is taken, so that one with limits is not the first.
 */
static inline struct executor_thread *usual_thread(const struct executors *executors, uint32_t index, int64_t first_ns,
						   int64_t last_ns)
{
	struct executor_thread *thread = slot_get(executors->analysis.rows.rows, index);

	return G_LIKELY(thread && thread->states.has_limits && !coverage_has_any(executors->coverage) &&
			executor_states_are_usual(&thread->states, first_ns, last_ns))
		       ? thread
		       : NULL;
}

/* NULL in a trace without vtid. */
static struct executor_thread *limited_thread(struct executors *executors, uint32_t index)
{
	struct executor_thread *thread = thread_of(executors, index);

	if (thread && !thread->states.has_limits) {
		limit(executors, thread);
	}
	return thread;
}

static G_GNUC_NO_INLINE void take_unusual(struct executors *executors, uint32_t index, enum executor_event event,
					  int64_t time_ns)
{
	struct executor_thread *thread = limited_thread(executors, index);

	if (thread && coverage_has_any(executors->coverage)) {
		follow_losses(executors, thread, time_ns);
	}
	if (thread) {
		executor_states_take(&thread->states, event, time_ns);
	}
}

static inline void take(struct executors *executors, uint32_t index, enum executor_event event, int64_t time_ns)
{
	struct executor_thread *thread = usual_thread(executors, index, time_ns, time_ns);

	if (G_LIKELY(thread != NULL)) {
		executor_states_go_on(&thread->states, event, time_ns);
	} else {
		take_unusual(executors, index, event, time_ns);
	}
}

static inline void note_callback(struct executors *executors, struct executor_thread *thread,
				 const struct execution *execution)
{
	if (is_counted(executors, execution->start_ns)) {
		executor_thread_note_callback(executors, thread, execution->callback);
	}
}

static G_GNUC_NO_INLINE void start_unusual(struct executors *executors, const struct execution *execution)
{
	struct executor_thread *thread = thread_of(executors, execution->thread);

	if (thread) {
		take_unusual(executors, execution->thread, EXECUTOR_STARTS, execution->start_ns);
		note_callback(executors, thread, execution);
	}
}

static void started(void *analysis, struct execution *execution)
{
	struct executors *executors = analysis;
	struct executor_thread *thread =
		usual_thread(executors, execution->thread, execution->start_ns, execution->start_ns);

	if (G_LIKELY(thread != NULL)) {
		executor_states_go_on(&thread->states, EXECUTOR_STARTS, execution->start_ns);
		note_callback(executors, thread, execution);
	} else {
		start_unusual(executors, execution);
	}
}

static void ended(void *analysis, struct execution *execution, enum execution_outcome outcome)
{
	if (outcome != EXECUTION_WITHOUT_END) {
		take(analysis, execution->thread, EXECUTOR_ENDS, execution->end_ns);
	}
}

static void feed(void *analysis, const struct event_record *record)
{
	take(analysis, record->thread, EXECUTOR_EXECUTES, record->time_ns);
}

static G_GNUC_NO_INLINE void feed_unusual_polls(struct executors *executors, uint32_t index, const struct poll *polls,
						size_t count)
{
	struct executor_thread *thread = limited_thread(executors, index);
	int64_t last_ns = polls[count - 1].time_ns;
	bool may_miss_events = coverage_has_any(executors->coverage) || is_silent(executors, last_ns);

	if (!thread) {
		return;
	}
	executor_thread_follow_end(executors, thread, last_ns);
	for (size_t i = 0; i < count; i++) {
		if (may_miss_events) {
			follow_losses(executors, thread, polls[i].time_ns);
		}
		executor_states_poll(&thread->states, &polls[i]);
	}
}

/* Usual polls lie before the end of the recording as known so far, after no silence, and only their sums count. */
static void feed_polls(void *analysis, uint32_t index, const struct poll *polls, size_t count)
{
	struct executors *executors = analysis;
	const struct pipeline *pipeline = executors->analysis.context.pipeline;
	int64_t last_ns = polls[count - 1].time_ns;
	struct executor_thread *thread = usual_thread(executors, index, polls[0].time_ns, last_ns);

	if (G_LIKELY(thread && last_ns < pipeline->calm_until_ns && last_ns <= pipeline_known_end_ns(pipeline) &&
		     !executor_states_are_behind(&thread->states) && !executors->is_written)) {
		executor_states_spin(&thread->states, polls, count);
	} else {
		feed_unusual_polls(executors, index, polls, count);
	}
}

static void diagnose(const void *analysis, struct diagnostics *findings)
{
	const struct executors *executors = analysis;
	struct arena *arena;
	const GPtrArray *all;

	if (executor_threads_sum_up(executors)) {
		return;
	}
	arena = arena_create();
	all = executors_find(executors, arena);
	for (guint i = 0; i < all->len; i++) {
		const struct executor *executor = all->pdata[i];

		/* CARET records what an executor is */
		if (!executor->has_events && !executor->type) {
			g_autofree char *name =
				recording_process_text(executors->analysis.context.recording, executor->process);

			diagnostics_add(findings, DIAGNOSTIC_EXECUTOR_WITHOUT_EVENTS, name, 1);
		}
	}
	arena_destroy(arena);
}

static const enum event_kind kinds[] = { EVENT_RCLCPP_EXECUTOR_EXECUTE, EVENT_KIND_COUNT };

/* Without these, no thread has a row. */
static const enum event_kind executor_kinds[] = {
	EVENT_RCLCPP_EXECUTOR_EXECUTE,
	EVENT_RCLCPP_EXECUTOR_GET_NEXT_READY,
	EVENT_RCLCPP_EXECUTOR_WAIT_FOR_WORK,
	EVENT_KIND_COUNT,
};

static void begin(void *analysis)
{
	struct executors *executors = analysis;
	struct flow_listener queues = { .data = executors, .only_with = executor_kinds, .delivered = on_delivered };

	executors->coverage = executions_coverage(executors->analysis.context.executions);
	executors->last_threads = arena_pointers(analysis_arena(&executors->analysis));
	executors->is_written = executors->analysis.writers[TABLE_EXECUTORS] != NULL;
	if (executors->is_written) {
		thread_history_listen(executors->analysis.context.threads);
		flow_linker_add_listener(executors->analysis.context.flows, &queues);
	}
}

const struct analysis_class executors_analysis = {
	.name = "executors",
	.tables = executor_tables,
	.kinds = kinds,
	.needs = ANALYSIS_NEEDS_FLOWS,
	.executions = { .only_with = executor_kinds, .started = started, .ended = ended },
	.size = sizeof(struct executors),
	.row_size = sizeof(struct executor_thread),
	.begin = begin,
	.feed = feed,
	.feed_polls = feed_polls,
	.diagnose = diagnose,
	.write = executor_tables_write,
};
