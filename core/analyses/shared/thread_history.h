/* SPDX-License-Identifier: MIT */
/*
 * Which callbacks kept a thread busy between two times of the near past, such as while a message waited for the thread
 * to take it.
 *
 * The history keeps the last THREAD_HISTORY_LENGTH outermost executions of each thread; callbacks executed within
 * another one count as part of it. An execution without end counts until its thread left it (executions.h). It answers
 * only with certainty, so there is no answer where the history does not reach back far enough, where an execution is
 * doubtful or has no recorded start, where it has no recorded end and its thread did not leave it, that leaves it in
 * doubt (executions_fate()) or its end may be lost, where events may have been lost, or where the trace records no vtid
 * and so not which thread executed what.
 *
 * One history serves all analyses (analysis_context.threads). Cost: none until somebody listens, then O(1) per
 * execution; an answer takes a walk back over the executions since from_ns, unless it is that of the question before.
 * Memory: THREAD_HISTORY_LENGTH executions for each thread that executed a callback. Times in ns.
 */
#ifndef ROS2BT_THREAD_HISTORY_H
#define ROS2BT_THREAD_HISTORY_H

#include "ros2bt/executions.h"

/* A message may wait for as many executions as the depth of its queue times the callbacks of its executor. */
#define THREAD_HISTORY_LENGTH 256

struct thread_history;

/* An execution; only its time between the two times of the question counts. */
struct thread_use {
	struct model_callback *callback;
	int64_t used_ns;
};

struct thread_uses {
	int64_t total_ns;
	struct model_callback *longest; /* of the longest use, the latest one of several; NULL if there is none */
	size_t count;
	struct thread_use list[THREAD_HISTORY_LENGTH + 1]; /* the latest first, the open one included */
};

/*
 * Both are borrowed and must outlive the history, which must outlive the executions' last call. It has no answers
 * until it listens.
 */
struct thread_history *thread_history_create(const struct recording *recording, struct executions *executions);
void thread_history_listen(struct thread_history *history);  /* further calls have no effect */
void thread_history_destroy(struct thread_history *history); /* NULL is allowed */

/*
 * What the thread executed from from_ns to to_ns, which must not be later than the last record; NULL if that is not
 * known for the whole time. Valid until the next question.
 */
const struct thread_uses *thread_history_find(struct thread_history *history, uint32_t thread, int64_t from_ns,
					      int64_t to_ns);

#endif
