/* SPDX-License-Identifier: MIT */
/*
 * What executions.c, execution_fates.c and thread_history.c share: the open frames of all threads, and how earlier
 * executions ended. The first starts and ends frames, the others answer questions about them. Times in ns.
 */
#ifndef ROS2BT_OPEN_EXECUTIONS_H
#define ROS2BT_OPEN_EXECUTIONS_H

#include <glib.h>

#include "core/base/object_pool.h"
#include "core/model/execution.h"
#include "core/model/execution_ends.h"
#include "core/model/execution_listeners.h"
#include "core/model/execution_stack.h"
#include "ros2bt/events/diagnostics.h"
#include "ros2bt/events/recording.h"
#include "ros2bt/model/object_model.h"

struct coverage;

struct executions {
	struct recording *recording;	       /* borrowed */
	struct object_model *model;	       /* borrowed */
	struct diagnostics *diagnostics;       /* borrowed */
	struct executions_listener *listeners; /* owned */
	size_t listener_count;
	struct execution_hearers hearers; /* of the listeners */
	struct object_pool frames;	  /* struct open_execution */
	uint64_t started;		  /* frames so far */
	struct execution_stack *threads;  /* by thread index, in the arena: each in one cache line */
	uint32_t thread_count, thread_room;
	GArray *phases; /* uint32_t by process index, see struct execution */
	struct execution_ends ends;
	struct coverage *coverage;
	struct definition_set *contexts;
	struct agnocast_callables *callables;				      /* NULL: none so far */
	void (*release_polls)(void *data, uint32_t thread, int64_t until_ns); /* NULL: nobody keeps polls */
	void *poll_data;
	bool is_finishing;
	bool is_after_loss; /* other events of the thread may be missing before the record that was followed last */
};

struct execution_stack *execution_stack_add(struct executions *executions, uint32_t thread);

/* The frames of a thread; NULL: it was not seen so far. Valid until a thread is seen first, as the next one. */
static inline struct execution_stack *execution_stack_known(const struct executions *executions, uint32_t thread)
{
	return G_LIKELY(thread < executions->thread_count) ? &executions->threads[thread] : NULL;
}

static inline struct execution_stack *execution_stack_of(struct executions *executions, uint32_t thread)
{
	struct execution_stack *known = execution_stack_known(executions, thread);

	return G_LIKELY(known) ? known : execution_stack_add(executions, thread);
}

static inline bool execution_is_left(const struct execution *execution)
{
	return execution->left_ns != EXECUTION_HAS_NOT_LEFT;
}

/*
 * A thread looks for work, waits for it or executes something else while a frame is open. The frame contains that, or
 * is over. It stays open, since its end may follow.
 */
void execution_leave(struct executions *executions, const struct execution_stack *thread, struct open_execution *frame,
		     int64_t time_ns);

/* The process of a thread, or the recording, ends while a frame is open. */
void execution_note_kept(struct executions *executions, const struct execution_stack *thread,
			 const struct open_execution *frame);

/* What becomes of an execution, as executions_fate(). */
enum execution_fate open_execution_fate(const struct executions *executions, const struct execution *execution,
					int64_t now_ns);

/* The innermost of a frame and those around it that is not over, as far as known; NULL: all are, or frame is NULL. */
struct open_execution *execution_not_over(const struct executions *executions, struct open_execution *frame,
					  int64_t now_ns);

/* A callback starts. If it did on another thread last, both are of one executor. */
static inline void execution_note_thread(struct executions *executions, struct model_callback *callback,
					 uint32_t thread)
{
	if (callback->ran_on != thread + 1) {
		if (callback->ran_on > 0) {
			executions->threads[callback->ran_on - 1].is_shared = executions->threads[thread].is_shared =
				true;
		}
		callback->ran_on = thread + 1;
	}
}

/* Puts a frame on the stack of its thread: a callback starts within `outer`. execution_tell_started() must follow. */
static inline struct open_execution *execution_push(struct executions *executions, struct execution_stack *thread,
						    struct open_execution *outer, const struct event_record *record,
						    struct model_callback *callback)
{
	struct open_execution *frame = object_pool_take_unset(&executions->frames);
	struct execution *execution = &frame->execution;

	thread_trail_note_run(&thread->trail, record);
	frame->number = executions->started++;
	frame->has_loss = frame->has_contradiction = frame->is_ambiguous = false;
	execution->callback = callback;
	execution->thread = record->thread;
	execution->stream = record->stream;
	execution->is_intra_process = record_has(record, CALLBACK_START__is_intra_process) &&
				      record->word[CALLBACK_START__is_intra_process] != 0;
	execution->is_inner = false;
	execution->phase = g_array_index(executions->phases, uint32_t, thread->process);
	execution->start_ns = record->time_ns;
	execution->left_ns = EXECUTION_HAS_NOT_LEFT;
	execution->flow = NULL;
	thread->innermost = frame;
	thread->depth++;
	frame->outer = outer;
	return frame;
}

/* `ends`: those of the callback, whose kinds are known. */
static inline void execution_tell_started(struct executions *executions, struct execution_stack *thread,
					  struct open_execution *frame, struct callback_ends *ends)
{
	bool is_noted;

	execution_note_thread(executions, frame->execution.callback, frame->execution.thread);
	is_noted = !frame->outer && ends->place != PLACE_UNKNOWN && !thread->is_watched && thread->past &&
		   thread_past_start(thread->past, &frame->execution);
	execution_hearers_tell_started(&executions->hearers, ends->kinds | (is_noted ? 0 : EXECUTION_UNUSUAL),
				       &frame->execution);
}

/* Takes the frame at a link off the stack of its thread. */
static inline void execution_end(struct executions *executions, struct execution_stack *thread,
				 struct open_execution **link, const struct callback_ends *ends,
				 enum execution_outcome outcome)
{
	struct open_execution *frame = *link;
	bool is_noted = outcome == EXECUTION_COMPLETE && !thread->is_watched && thread->past &&
			thread_past_end(thread->past, &frame->execution);

	*link = frame->outer;
	thread->depth--;
	execution_hearers_tell_ended(&executions->hearers, ends->kinds | (is_noted ? 0 : EXECUTION_UNUSUAL),
				     &frame->execution, outcome);
	object_pool_give(&executions->frames, frame);
}

/* Ends a frame whose end was not recorded, or is_cut: may have been lost. */
void execution_end_without_end(struct executions *executions, struct execution_stack *thread,
			       struct open_execution **link, bool is_cut);

/*
 * Ends the open frames of the chosen threads, each thread from the innermost frame outwards. Threads are in the order
 * of the starts of those frames: their indexes depend on when each was seen first, which filters upstream may change.
 */
void execution_end_threads(struct executions *executions,
			   bool (*is_chosen)(const struct recording_thread *thread,
					     const struct recording_thread *like),
			   const struct recording_thread *like, bool is_cut);

#endif
