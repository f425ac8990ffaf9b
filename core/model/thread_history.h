/* SPDX-License-Identifier: MIT */
/*
 * Which callbacks kept a thread busy between two times of the near past, such as while a message waited for the thread
 * to take it.
 *
 * The history keeps the last THREAD_HISTORY_LENGTH outermost executions of each thread; callbacks executed within
 * another one count as part of it. An execution without end counts until its thread left it (executions.h). It answers
 * only with certainty, so there is no answer where the history does not reach back far enough, where an execution is
 * doubtful or has no recorded start, where it has no recorded end and its thread did not leave it, executed others
 * after that, or may have lost its end, where events may have been lost, or where the trace records no vtid and so not
 * which thread executed what. Nor is there one about a time in which a context was initialized: what was executed
 * before may be of another process and its thread, which had the same ids.
 *
 * While an execution is open that its thread has left, it may go on or have thrown: a question about the time since
 * then is undecided until it ends. It counts as over
 *   - if those before it were (executions_fate()),
 *   - when its thread starts a callback that has been executed outside others, before its process lost events: then its
 *     executor is the one that executed the open one. rclcpp allows no executor within itself. If the open one ends
 *     nevertheless, the last callback that showed it shows nothing any more. After a loss, one that seems to be outside
 *     may be within one whose start is lost.
 *
 * One history serves all analyses (analysis_context.threads); there is no other one of the same executions. Cost: none
 * until somebody listens, then O(1) per execution, which the executions note themselves if it is usual (thread_past.h);
 * an answer takes a walk back over the executions since from_ns, unless it is that of the question before. Memory: for
 * each thread that executed a callback, twice THREAD_HISTORY_LENGTH executions and at most
 * THREAD_QUESTIONS_MAX undecided questions. Times in ns.
 */
#ifndef ROS2BT_THREAD_HISTORY_H
#define ROS2BT_THREAD_HISTORY_H

#include "core/model/executions.h"
#include "core/model/thread_periods.h"

#define THREAD_QUESTIONS_MAX 4096

struct thread_history;

/* An execution; only its time between the two times of the question counts. */
struct thread_use {
	struct model_callback *callback;
	int64_t used_ns;
};

struct thread_uses {
	int64_t from_ns, to_ns; /* of the question */
	int64_t total_ns;
	struct model_callback *longest; /* of the longest use, the latest one of several; NULL if there is none */
	bool goes_on;			/* the latest one went on after the time */
	const struct thread_period *oldest, *after; /* those of the history: from the oldest to before `after` */
};

/* How much of one of these was between the two times. Most who ask need no more than the sum and the longest. */
static inline int64_t thread_uses_ns(const struct thread_uses *uses, const struct thread_period *use)
{
	return MIN(use->end_ns, uses->to_ns) - MAX(use->start_ns, uses->from_ns);
}

/*
 * Both are borrowed and must outlive the history, which must outlive the executions' last call. It has no answers
 * until it listens.
 */
struct thread_history *thread_history_create(struct recording *recording, struct executions *executions);
void thread_history_listen(struct thread_history *history);  /* further calls have no effect */
void thread_history_destroy(struct thread_history *history); /* NULL is allowed */

/*
 * What the thread executed from from_ns to to_ns, which must not be later than the last record; NULL if that is not
 * known for the whole time, or undecided. Valid until the next question or execution.
 */
const struct thread_uses *thread_history_find(struct thread_history *history, uint32_t thread, int64_t from_ns,
					      int64_t to_ns);

/*
 * Whether the thread of an execution that has just started certainly executed nothing since from_ns, as usual: then
 * thread_history_find() would find no uses until its start, since all periods before the last one have ended earlier.
 */
bool thread_history_is_idle_since(struct thread_history *history, const struct execution *starting, int64_t from_ns);

/* When the last execution of a thread ended that has an end; INT64_MIN: none has. O(1). */
int64_t thread_history_ended_ns(const struct thread_history *history, uint32_t thread);

/*
 * Since when thread_history_find() has no uses of a thread in which nothing is open: the end of the last period, or any
 * time if it is not known what that was, and so no answer is. O(1).
 */
int64_t thread_history_reaches_ns(const struct thread_history *history, uint32_t thread);

/*
 * Whether a callback has been executed outside others, and not within one as far as known: when it starts, others that
 * are open on its thread are over.
 */
bool thread_history_is_outside(struct model_callback *callback);

/* A question whose answer may take time. */
struct thread_question {
	uint32_t thread;
	int64_t from_ns, to_ns; /* as thread_history_find() */
	/* The uses are NULL if they are not known, and valid until the next question. It may call
	 * thread_history_find(). */
	void (*answered)(const struct thread_question *question, const struct thread_uses *uses);
	void *asker, *about; /* for answered(); must outlive the executions' last call */
};

/* A question that thread_history_find() has just not answered: keeps it if that is undecided. */
void thread_history_keep(struct thread_history *history, const struct thread_question *question);

/* Answers before it returns or, if that is undecided, later: executions_finish() decides all that is left. */
static inline void thread_history_ask(struct thread_history *history, const struct thread_question *question)
{
	const struct thread_uses *uses =
		thread_history_find(history, question->thread, question->from_ns, question->to_ns);

	if (G_LIKELY(uses)) {
		question->answered(question, uses);
	} else {
		thread_history_keep(history, question);
	}
}

#endif
