/* SPDX-License-Identifier: MIT */
#include "core/model/executions.h"

#include <glib.h>

#include "core/base/slots.h"
#include "core/model/agnocast_callables.h"
#include "core/model/coverage.h"
#include "core/model/object_store.h"
#include "core/model/open_executions.h"
#include "ros2bt/base/definition_set.h"

struct executions *executions_create(struct recording *recording, struct object_model *model,
				     struct diagnostics *diagnostics)
{
	struct executions *executions = g_new0(struct executions, 1);

	executions->recording = recording;
	executions->model = model;
	executions->diagnostics = diagnostics;
	object_pool_init(&executions->frames, sizeof(struct open_execution));
	executions->coverage = coverage_create(recording);
	executions->phases = g_array_new(FALSE, TRUE, sizeof(uint32_t));
	execution_ends_init(&executions->ends);
	executions->contexts = definition_set_create();
	execution_hearers_set(&executions->hearers, NULL, 0);
	return executions;
}

void executions_destroy(struct executions *executions)
{
	if (!executions) {
		return;
	}
	object_pool_clear(&executions->frames);
	coverage_destroy(executions->coverage);
	g_array_free(executions->phases, TRUE);
	execution_ends_clear(&executions->ends);
	definition_set_destroy(executions->contexts);
	agnocast_callables_destroy(executions->callables);
	execution_hearers_clear(&executions->hearers);
	g_free(executions->listeners);
	g_free(executions);
}

void executions_add_listener(struct executions *executions, const struct executions_listener *listener)
{
	executions->listeners =
		g_renew(struct executions_listener, executions->listeners, executions->listener_count + 1);
	executions->listeners[executions->listener_count++] = *listener;
	execution_hearers_set(&executions->hearers, executions->listeners, executions->listener_count);
}

void executions_watch(struct executions *executions, uint32_t thread, bool is_watched)
{
	execution_stack_of(executions, thread)->is_watched = is_watched;
}

void executions_begin(struct executions *executions)
{
	executions->listener_count =
		execution_listeners_choose(executions->listeners, executions->listener_count, executions->recording);
	execution_hearers_set(&executions->hearers, executions->listeners, executions->listener_count);
}

static G_GNUC_NO_INLINE void renew_kinds(struct executions *executions, struct callback_ends *ends,
					 struct model_callback *callback, uint32_t version)
{
	if (ends->kinds == 0) {
		execution_listeners_tell_began(executions->listeners, executions->listener_count, callback);
	}
	ends->kinds |= (uint8_t)(1U << object_model_callback_info(executions->model, callback)->kind);
	ends->version = version;
}

/* Of what kinds the callback was known so far, for callback_info_at_start() too; an execution of it starts, or ends. */
static inline struct callback_ends *note_kind(struct executions *executions, const struct execution_stack *thread,
					      struct model_callback *callback)
{
	struct callback_ends *ends = execution_ends_of(callback);
	uint32_t version = (uint32_t)*thread->version;

	if (G_UNLIKELY(ends->version != version)) {
		renew_kinds(executions, ends, callback, version);
	}
	return ends;
}

static bool is_of_process(const struct recording_thread *thread, const struct recording_thread *like)
{
	return thread->process == like->process;
}

/* Whether both are the same kernel thread, in whichever traces. */
static bool is_same(const struct recording_thread *thread, const struct recording_thread *like)
{
	return thread->process == like->process && thread->has_vtid && like->has_vtid && thread->vtid == like->vtid;
}

static bool is_any(const struct recording_thread *thread, const struct recording_thread *like)
{
	return true;
}

/* Whether the same context of the same process was initialized just before (a copy of the event). */
static bool is_copy(struct executions *executions, const struct event_record *record)
{
	const uint64_t context[] = {
		recording_thread(executions->recording, record->thread)->process,
		record_has(record, RCL_INIT__context_handle) ? record->word[RCL_INIT__context_handle] : 0,
		record_has(record, RCL_INIT__version) ? record->word[RCL_INIT__version] : 0,
	};

	return !definition_set_add(executions->contexts, context, sizeof(context), record->time_ns,
				   DEFINITION_COPY_DISTANCE_NS);
}

/*
 * A context is initialized, which does not happen within a callback: if one is open, the thread is of a new process
 * with the ids of one that was killed. CARET records this event late and on any thread; it has CARET_INIT.
 */
static void begin_thread(void *data, const struct event_record *record)
{
	struct executions *executions = data;
	const struct recording_thread *thread = recording_thread(executions->recording, record->thread);

	if (!(record->flags & RECORD_FROM_CARET) && !is_copy(executions, record)) {
		execution_end_threads(executions, is_same, thread, false);
		for (uint32_t i = 0; i < executions->thread_count; i++) {
			executions->threads[i].is_shared &= executions->threads[i].process != thread->process;
		}
		execution_listeners_tell_may_be_new(executions->listeners, executions->listener_count, thread->process,
						    record->time_ns);
	}
}

/* A callback starts while it is open on its thread: how the older execution ended is not known. True: ambiguous. */
static bool leave_older(struct executions *executions, struct execution_stack *thread, const struct event_record *start)
{
	struct open_execution **older = execution_stack_find(thread, start->word[CALLBACK_START__callback]);

	if (!*older) {
		return false;
	}
	if (!thread->has_vtid) {
		(*older)->is_ambiguous = true;
		return true;
	}
	execution_leave(executions, thread, *older, start->time_ns);
	execution_end_without_end(executions, thread, older, false);
	return false;
}

/*
 * A thread does what it only does outside callbacks, or within callbacks that execute others. Of frames since whose
 * start events may be missing, the end was lost.
 */
static G_GNUC_NO_INLINE void contradict(struct executions *executions, struct execution_stack *thread)
{
	struct open_execution **link = &thread->innermost;

	while (*link) {
		if ((*link)->has_loss) {
			execution_end_without_end(executions, thread, link, true);
		} else {
			(*link)->has_contradiction = true;
			link = &(*link)->outer;
		}
	}
}

/* An event in a trace with losses: notes whether other events of its thread may be missing before it. */
static void follow_thread(struct executions *executions, const struct event_record *record)
{
	struct execution_stack *thread = execution_stack_of(executions, record->thread);

	if (!thread->has_vtid || !coverage_trace_has_any(executions->coverage, thread->trace)) {
		return;
	}
	if (thread_trail_follow(&thread->trail, executions->coverage, thread->trace, record)) {
		execution_stack_note_loss(thread);
		executions->is_after_loss = true;
	}
	if (record->kind == EVENT_RCLCPP_EXECUTOR_EXECUTE) {
		contradict(executions, thread);
	}
}

void executions_pause(struct executions *executions)
{
	for (uint32_t i = 0; i < executions->thread_count; i++) {
		executions->threads[i].trail.is_uncertain = true;
		execution_stack_note_loss(&executions->threads[i]);
	}
	for (guint i = 0; i < executions->phases->len; i++) {
		g_array_index(executions->phases, uint32_t, i)++;
	}
}

/* A callback starts within those that are still open on its thread. True: ambiguous. */
static G_GNUC_NO_INLINE bool make_room(struct executions *executions, struct execution_stack *thread,
				       const struct event_record *record)
{
	bool is_ambiguous = leave_older(executions, thread, record);

	thread_trail_note_run(&thread->trail, record);
	if (thread->has_vtid && coverage_trace_has_any(executions->coverage, thread->trace)) {
		contradict(executions, thread);
	}
	if (thread->depth >= EXECUTION_DEPTH_MAX) {
		execution_ends_of_process(&executions->ends, thread->process)->too_deep++;
		execution_end_without_end(executions, thread, execution_stack_outermost(thread), false);
	}
	return is_ambiguous;
}

static G_GNUC_NO_INLINE void leave_outer(struct executions *executions, const struct execution_stack *thread,
					 struct open_execution *frame)
{
	execution_leave(executions, thread, frame->outer, frame->execution.start_ns);
	frame->execution.is_inner = execution_not_over(executions, frame->outer, frame->execution.start_ns) != NULL;
}

static G_GNUC_NO_INLINE void start_any(struct executions *executions, const struct event_record *record)
{
	struct execution_stack *thread = execution_stack_of(executions, record->thread);
	bool is_ambiguous = thread->innermost && make_room(executions, thread, record);
	struct model_callback *callback = object_model_callback(
		executions->model, thread->process, record->word[CALLBACK_START__callback], record->time_ns);
	struct open_execution *frame = execution_push(executions, thread, thread->innermost, record, callback);

	frame->is_ambiguous = is_ambiguous;
	if (frame->outer) {
		leave_outer(executions, thread, frame);
	}
	execution_tell_started(executions, thread, frame, note_kind(executions, thread, callback));
}

/* Nearly all start outside others and call nothing before their hearers, so that few registers are saved. */
static void start(void *data, const struct event_record *record)
{
	struct executions *executions = data;
	struct execution_stack *thread = execution_stack_known(executions, record->thread);
	struct model_callback *callback =
		!thread || thread->innermost
			? NULL
			: model_recent_callback(executions->model, thread->process,
						record->word[CALLBACK_START__callback], record->time_ns);

	if (G_LIKELY(callback && !object_pool_is_empty(&executions->frames) &&
		     execution_ends_of(callback)->version == (uint32_t)*thread->version)) {
		execution_tell_started(executions, thread, execution_push(executions, thread, NULL, record, callback),
				       execution_ends_of(callback));
	} else {
		start_any(executions, record);
	}
}

static G_GNUC_NO_INLINE void end_without_start(struct executions *executions, const struct execution_stack *thread,
					       const struct event_record *record)
{
	struct execution execution = {
		.callback = object_model_callback(executions->model, thread->process,
						  record->word[CALLBACK_END__callback], record->time_ns),
		.thread = record->thread,
		.stream = record->stream,
		.end_stream = record->stream,
		.end_ns = record->time_ns,
		.left_ns = EXECUTION_HAS_NOT_LEFT,
	};

	execution_ends_of(execution.callback)->has_end = true;
	execution_ends_of_process(&executions->ends, thread->process)->without_start++;
	execution_hearers_tell_ended(&executions->hearers,
				     note_kind(executions, thread, execution.callback)->kinds | EXECUTION_UNUSUAL,
				     &execution, EXECUTION_WITHOUT_START);
}

/* Whether the start and the end may belong to two executions. */
static bool is_doubtful(const struct executions *executions, const struct execution_stack *thread,
			const struct open_execution *frame)
{
	if (frame->has_loss || frame->has_contradiction) {
		return true;
	}
	/* it may have thrown, and the start of the next one may be lost from the packet that has its end */
	if (execution_is_left(&frame->execution) &&
	    !coverage_process_misses_nothing(executions->coverage, thread->process, frame->execution.left_ns,
					     frame->execution.end_ns)) {
		return true;
	}
	/* without vtid, the events of the thread are not known */
	return !thread->has_vtid && !coverage_trace_is_whole(executions->coverage, thread->trace,
							     frame->execution.start_ns, frame->execution.end_ns);
}

static enum execution_outcome decide(struct executions *executions, const struct execution_stack *thread,
				     const struct open_execution *frame, struct callback_ends *ends)
{
	if (is_doubtful(executions, thread, frame)) {
		execution_ends_of_process(&executions->ends, thread->process)->doubtful++;
		return EXECUTION_DOUBTFUL;
	}
	ends->goes_on |= execution_is_left(&frame->execution);
	return EXECUTION_COMPLETE;
}

static inline void end_at(struct executions *executions, struct execution_stack *thread, struct open_execution **link,
			  const struct event_record *record, bool is_certain)
{
	struct execution *execution = &(*link)->execution;
	struct callback_ends *ends = execution_ends_of(execution->callback);

	execution->end_ns = record->time_ns;
	execution->end_stream = record->stream;
	ends->has_end = true;
	execution_end(executions, thread, link, ends,
		      is_certain ? EXECUTION_COMPLETE : decide(executions, thread, *link, ends));
}

/* Ends the frame that an end is paired with, if there is one. Frames above it end without end. */
static G_GNUC_NO_INLINE void find_and_end(struct executions *executions, const struct event_record *record)
{
	struct execution_stack *thread = execution_stack_of(executions, record->thread);
	uint64_t callback = record->word[CALLBACK_END__callback];
	struct open_execution **link = execution_stack_find(thread, callback);
	struct open_execution **ambiguous = thread->has_vtid ? NULL : execution_stack_find_ambiguous(thread, callback);

	thread_trail_note_run(&thread->trail, record);
	if (ambiguous) {
		execution_end_without_end(executions, thread, ambiguous, false);
	}
	if (ambiguous || !*link) {
		end_without_start(executions, thread, record);
		return;
	}
	if (thread->has_vtid) {
		const struct open_execution *frame = *link;

		link = &thread->innermost;
		while (*link != frame) {
			execution_end_without_end(executions, thread, link, false);
		}
	}
	if (record->time_ns < (*link)->execution.start_ns) {
		execution_end_without_end(executions, thread, link, false);
		end_without_start(executions, thread, record);
		return;
	}
	end_at(executions, thread, link, record, false);
}

/* Whether an end is that of the innermost frame, beyond doubt: nearly all are, and find_and_end() would find so. */
static inline bool is_usual_end(const struct execution_stack *thread, const struct event_record *record)
{
	const struct open_execution *frame = thread->innermost;

	return frame && frame->execution.callback->address == record->word[CALLBACK_END__callback] &&
	       thread->has_vtid && record->time_ns >= frame->execution.start_ns && !frame->has_loss &&
	       !frame->has_contradiction && !execution_is_left(&frame->execution);
}

static void end(void *data, const struct event_record *record)
{
	struct executions *executions = data;
	struct execution_stack *thread = execution_stack_known(executions, record->thread);

	if (G_LIKELY(thread && is_usual_end(thread, record))) {
		thread_trail_note_run(&thread->trail, record);
		end_at(executions, thread, &thread->innermost, record, true);
	} else {
		find_and_end(executions, record);
	}
}

void executions_follow(struct executions *executions, const struct event_record *record)
{
	executions->is_after_loss = false;
	if (coverage_has_any(executions->coverage) && coverage_is_sign_of_life(record)) {
		coverage_follow(executions->coverage, record);
		if (event_class_of(record->kind) != EVENT_CLASS_SYSTEM) {
			follow_thread(executions, record);
		}
	}
}

/* --- Agnocast --- */

const struct agnocast_callable *executions_callable(struct executions *executions, uint32_t process, uint64_t address,
						    int64_t now_ns)
{
	const struct agnocast_callable *callable = agnocast_callables_find(
		executions->callables, process, address, *array_at(executions->phases, uint32_t, process));

	return callable && !executions_may_miss_events(executions, callable->thread, callable->created_ns, now_ns)
		       ? callable
		       : NULL;
}

static void feed_callable(void *data, const struct event_record *record)
{
	struct executions *executions = data;
	uint32_t process = execution_stack_of(executions, record->thread)->process;
	struct event_record translated;
	bool is_known;

	if (!executions->callables) {
		executions->callables = agnocast_callables_create(executions->recording, executions->model);
	}
	if (record->kind != EVENT_AGNOCAST_CALLABLE_START && record->kind != EVENT_AGNOCAST_CALLABLE_END) {
		agnocast_callables_add(executions->callables, record,
				       g_array_index(executions->phases, uint32_t, process));
		return;
	}
	is_known = record->kind == EVENT_AGNOCAST_CALLABLE_START &&
		   executions_callable(executions, process, record->word[AGNOCAST_CALLABLE_START__callable],
				       record->time_ns);
	translated = agnocast_callables_translate(executions->callables, record, is_known);
	executions_feed(executions, &translated);
}

/* --- records --- */

static void look(void *data, const struct event_record *record)
{
	executions_look(data, record->thread, record->time_ns);
}

/* CARET begins to record the process anew. */
static void begin_process(void *data, const struct event_record *record)
{
	struct executions *executions = data;
	uint32_t process = execution_stack_of(executions, record->thread)->process;

	execution_end_threads(executions, is_of_process, &(struct recording_thread){ .process = process }, true);
	g_array_index(executions->phases, uint32_t, process)++;
}

static void lose(void *data, const struct event_record *record)
{
	coverage_feed(((struct executions *)data)->coverage, record);
}

record_taker executions_taker(unsigned int kind)
{
	switch (kind) {
	case EVENT_CALLBACK_START:
		return start;
	case EVENT_CALLBACK_END:
		return end;
	case EVENT_RCLCPP_EXECUTOR_EXECUTE:
	case EVENT_RCLCPP_EXECUTOR_GET_NEXT_READY:
	case EVENT_RCLCPP_EXECUTOR_WAIT_FOR_WORK:
		return look;
	case EVENT_RCL_INIT:
		return begin_thread;
	case EVENT_AGNOCAST_CREATE_CALLABLE:
	case EVENT_AGNOCAST_CREATE_TIMER_CALLABLE:
	case EVENT_AGNOCAST_CALLABLE_START:
	case EVENT_AGNOCAST_CALLABLE_END:
		return feed_callable;
	case EVENT_CARET_INIT:
		return begin_process;
	case RECORD_DISCARDED_EVENTS:
	case RECORD_DISCARDED_PACKETS:
	case RECORD_GAP:
	case RECORD_STREAM_END:
		return lose;
	default:
		return NULL;
	}
}

void executions_feed(struct executions *executions, const struct event_record *record)
{
	record_taker take = executions_taker(record->kind);

	if (take) {
		take(executions, record);
	}
}

void executions_finish(struct executions *executions)
{
	executions->is_finishing = true;
	execution_end_threads(executions, is_any, NULL, false);
	execution_ends_diagnose(&executions->ends, executions->recording, executions->model, executions->diagnostics);
}

struct coverage *executions_coverage(const struct executions *executions)
{
	return executions->coverage;
}
