/* SPDX-License-Identifier: MIT */
/*
 * What threads executed lately: which callbacks kept a thread busy between two times of the near past, such as while a
 * message waited for the thread to take it.
 *
 * Of each thread the last THREAD_HISTORY_LENGTH outermost executions are kept; callbacks executed within another one
 * count as part of that. Only what is certain is an answer: no time is attributed where the history does not reach
 * back far enough, where an execution has no recorded start or end or is doubtful (executions.h), where events may
 * have been lost, or where the trace records no vtid, so that it is not known which thread executed what.
 *
 * One history serves all analyses (analysis_context.threads). Cost: none until somebody listens; then O(1) per
 * execution; a question walks back over the executions since from_ns, unless it is the last one again. Memory: for each
 * thread that executed a callback, THREAD_HISTORY_LENGTH executions.
 */
#ifndef ROS2BT_THREAD_HISTORY_H
#define ROS2BT_THREAD_HISTORY_H

#include "ros2bt/executions.h"

/* A message may wait for as many executions as a queue is deep times the callbacks of its executor. */
#define THREAD_HISTORY_LENGTH 256

struct thread_history;

/* An execution, as far as it lies between the two times. */
struct thread_use {
	struct model_callback *callback;
	int64_t used_ns;
};

struct thread_uses {
	int64_t total_ns;
	struct model_callback *longest; /* of the longest use, the latest of equal ones; NULL if there is none */
	size_t count;
	struct thread_use list[THREAD_HISTORY_LENGTH + 1]; /* the latest first; the one that is still open, too */
};

/* Both are borrowed and must outlive it, and it the executions' last call. It knows nothing until it listens to them.
 */
struct thread_history *thread_history_create(const struct recording *recording, struct executions *executions);
void thread_history_listen(struct thread_history *history);  /* again and again, if need be */
void thread_history_destroy(struct thread_history *history); /* NULL is allowed */

/*
 * What the thread executed from from_ns to to_ns, which is not in the future; valid until the next question. NULL if
 * that is not known for all of the time.
 */
const struct thread_uses *thread_history_find(struct thread_history *history, uint32_t thread, int64_t from_ns,
					      int64_t to_ns);

#endif
