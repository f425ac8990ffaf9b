/* SPDX-License-Identifier: MIT */
/*
 * The open executions of a thread (frames), innermost first, and what the rules of executions.h know of each. Frames
 * come from the pool of the caller.
 *
 * Functions give the link to a frame, the pointer through which it is reached, so that the caller can take the frame
 * off the stack; a link to NULL means that there is no such frame. Cost: O(frames of the thread).
 */
#ifndef ROS2BT_EXECUTION_STACK_H
#define ROS2BT_EXECUTION_STACK_H

#include "core/base/memory_layout.h"
#include "core/model/execution.h"
#include "core/model/thread_past.h"
#include "core/model/thread_trail.h"

struct open_execution {
	struct execution execution; /* first: listeners and executions_current() see this part */
	struct open_execution *outer;
	uint64_t number;	/* in order of start */
	bool has_loss;		/* events of its thread may have been lost since its start */
	bool has_contradiction; /* its thread began something else, in a trace that lost events */
	bool is_ambiguous;	/* without vtid: was open together with another one of the same callback */
};

struct execution_stack {
	struct open_execution *innermost;
	uint32_t depth;
	uint32_t trace, process;
	bool has_vtid;
	bool has_polled;	 /* the executor of the thread records when it looks for work */
	bool is_shared;		 /* executions_is_shared() */
	bool is_watched;	 /* executions_watch() */
	const uint64_t *version; /* model_process_version() of the process, borrowed */
	struct thread_trail trail;
	struct thread_past *past; /* borrowed; NULL: nobody keeps it, or the thread has executed nothing */
	int64_t looked_ns;	  /* when its executor last looked, or executed something; INT64_MIN: never */
};

_Static_assert(sizeof(struct execution_stack) <= CACHE_LINE, "each event of a callback needs that of its thread");

/* The link to the innermost frame of a callback. */
static inline struct open_execution **execution_stack_find(struct execution_stack *stack, uint64_t callback)
{
	struct open_execution **link = &stack->innermost;

	while (*link && (*link)->execution.callback->address != callback) {
		link = &(*link)->outer;
	}
	return link;
}

/* The link to the outermost frame of a stack that is not empty. */
struct open_execution **execution_stack_outermost(struct execution_stack *stack);

/*
 * The link to the oldest ambiguous frame of a callback; NULL if none is. Without vtid the frames of a process are no
 * stack: of several that cannot be distinguished, the oldest is matched with the first end.
 */
struct open_execution **execution_stack_find_ambiguous(struct execution_stack *stack, uint64_t callback);

/* Events of the thread may have been lost since each of its frames started. */
void execution_stack_note_loss(struct execution_stack *stack);

#endif
