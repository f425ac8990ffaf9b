/* SPDX-License-Identifier: MIT */
/*
 * Which threads are of one executor. No event records that: they are threads of a process that run an executor and have
 * executed callbacks of the same node, unless they have waited for work at the same time: rclcpp's
 * MultiThreadedExecutor has one lock for that (wait_mutex_), so its threads together wait for no longer than the
 * recording lasts. Those of executors with a thread for each callback group of a node (CallbackIsolatedExecutor) do, if
 * they are idle enough. A thread whose executor records no events is alone.
 *
 * Cost at the end: O(callbacks that each thread executed), and for each thread a bit for each callback, which is set
 * where the callback did not run last: those of many threads do not stay in the cache.
 */
#ifndef ROS2BT_EXECUTOR_THREADS_H
#define ROS2BT_EXECUTOR_THREADS_H

#include "core/analyses/executors/executors_state.h"
#include "core/analyses/shared/row_process.h"

/* The slow part of executor_thread_note_callback(). */
void executor_thread_note_new(struct executors *executors, struct executor_thread *thread,
			      const struct model_callback *callback);

/* The thread executes the callback. O(1). */
static inline void executor_thread_note_callback(struct executors *executors, struct executor_thread *thread,
						 const struct model_callback *callback)
{
	if (slot_get(executors->last_threads, callback->index) != thread) {
		executor_thread_note_new(executors, thread, callback);
	}
}

/* Limits the states to the end of the recording as known so far: the last polls may turn out to be behind it. */
static inline void executor_thread_end(const struct executors *executors, struct executor_thread *thread)
{
	executor_states_end_at(&thread->states, pipeline_known_end_ns(executors->analysis.context.pipeline));
}

/*
 * The same before polls up to time_ns that may be behind the end. As long as none are, and once they turn out not to
 * be, the states have no end: all other events lie within the recording, and move it on.
 */
static inline void executor_thread_follow_end(const struct executors *executors, struct executor_thread *thread,
					      int64_t time_ns)
{
	if (G_UNLIKELY(time_ns > pipeline_known_end_ns(executors->analysis.context.pipeline))) {
		executor_thread_end(executors, thread);
	} else if (G_UNLIKELY(executor_states_are_behind(&thread->states))) {
		executor_states_end_at(&thread->states, INT64_MAX);
	}
}

struct executor {
	uint32_t process;
	struct row_process of;		     /* the same, with its names */
	const struct executor_thread *first; /* of the threads */
	bool has_events;
	int64_t wait_ns;       /* of all its threads */
	GPtrArray *threads;    /* struct executor_thread *, by vtid */
	GPtrArray *nodes;      /* const char *, in the pool, by name */
	const char *type;      /* as CARET names it; NULL if unknown */
	struct executor *into; /* while they are being found: the one that it is joined with; NULL: none */
};

/* Sets the totals of all threads. Returns whether all that executed something recorded events of an executor. */
bool executor_threads_sum_up(const struct executors *executors);

/*
 * The executors of the recording as known now: an array of struct executor * in the arena, sorted by host, name of the
 * process, vpid and first thread. It is empty where no thread recorded events of an executor.
 */
GPtrArray *executors_find(const struct executors *executors, struct arena *arena);

#endif
