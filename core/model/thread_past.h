/* SPDX-License-Identifier: MIT */
/*
 * What a thread executes and has executed. An execution that starts while no other is open on its thread, and whose end
 * is recorded, is noted here by the executions themselves, as nearly all; thread_history.c, which keeps the rest,
 * hears of all others only (executions_listener.only_unusual), and would do the same with these.
 */
#ifndef ROS2BT_THREAD_PAST_H
#define ROS2BT_THREAD_PAST_H

#include <glib.h>

#include "core/model/execution.h"
#include "core/model/thread_periods.h"

struct thread_past {
	const struct execution *outermost; /* open; borrowed until it ends, NULL if there is none */
	bool has_inner;			   /* others were executed within the outermost one, or after it */
	uint32_t number; /* among the threads that executed something, from 0, in order of the first time */
	struct model_callback *shown; /* the last one that showed that an execution is over, or NULL */
	GArray *questions;	      /* struct thread_question, undecided; NULL: none */
	int64_t ended_ns;	      /* the last execution; INT64_MIN: none */
	struct thread_periods periods;
};

/* An execution starts, and no other is open. False: what was executed before is not known. */
static inline bool thread_past_start(struct thread_past *past, const struct execution *execution)
{
	if (G_UNLIKELY(past->periods.is_open)) {
		return false;
	}
	past->outermost = execution;
	past->has_inner = false;
	__builtin_prefetch(&past->periods.list[past->periods.end]); /* asked soon, and added to */
	return true;
}

/*
 * An execution is complete. False: it was not the outermost one, or its thread had left it, so that its end decides
 * questions; or there is no room. It must not matter to those who hear of it before thread_history.c whether somebody
 * has asked one.
 */
static inline bool thread_past_end(struct thread_past *past, const struct execution *execution)
{
	if (G_UNLIKELY(past->outermost != execution || execution->left_ns != EXECUTION_HAS_NOT_LEFT ||
		       thread_periods_are_full(&past->periods))) {
		return false;
	}
	past->outermost = NULL;
	past->ended_ns = execution->end_ns;
	thread_periods_add(&past->periods, execution->callback, execution->start_ns, execution->end_ns);
	return true;
}

#endif
