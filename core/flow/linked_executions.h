/* SPDX-License-Identifier: MIT */
/*
 * Executions as the linker keeps them: the part that listeners see, and what resolving and finishing need.
 *
 * `public` is the first member, so a pointer to one is a pointer to the other. References are counted: whoever keeps a
 * pointer beyond a call holds one. The last release makes the listeners hear `released`. Memory: a pool.
 */
#ifndef ROS2BT_FLOW_LINKED_EXECUTIONS_H
#define ROS2BT_FLOW_LINKED_EXECUTIONS_H

#include "core/flow/state.h"

struct linked_execution {
	struct flow_execution public; /* first */
	unsigned int references;
	/* How many it has to await before it is finished: its cause, its end, publications, who keeps it (resolve.h).
	 */
	unsigned int awaited;
	bool is_ended, is_finished;
	bool is_continued;
	bool has_doubtful;		     /* publications may come from it: doubtful_origins.h */
	bool may_lack_take;		     /* a take of it may be missing on its thread: untaken_messages.h */
	struct linked_publication *cause;    /* reference, while the execution waits to be resolved */
	struct linked_execution *dependents; /* references: executions that wait for this one to be resolved */
	struct linked_execution *next_dependent;
	uint64_t serial;			 /* 1, 2, … in order of start */
	struct model_subscription *subscription; /* whose callback it is; NULL: none or unknown */
	struct flow_note *note;
};

_Static_assert(sizeof(struct linked_execution) <= 128, "two cache lines");

/* A started execution with one reference, the caller's. */
static inline struct linked_execution *linked_execution_create(struct flow_linker *linker,
							       struct model_callback *callback,
							       const struct model_callback_info *info, uint32_t thread,
							       int64_t start_ns)
{
	struct linked_execution *execution = OBJECT_POOL_TAKE(&linker->executions_pool, struct linked_execution);

	linker->counts.live_executions++;
	execution->references = 1;
	execution->awaited = 2; /* cause and end */
	execution->serial = ++linker->next_serial;
	execution->subscription = info->subscription;
	execution->public.callback = callback;
	execution->public.thread = thread;
	execution->public.start_ns = start_ns;
	execution->public.kind = info->kind;
	return execution;
}

static inline struct linked_execution *linked_execution_reference(struct linked_execution *execution)
{
	execution->references++;
	return execution;
}

_Static_assert(FLOW_DATA_MAX == 2, "the first and the last are all that an execution carries");

/* Whether someone is to hear of its end: most carry nothing by then. */
static inline bool linked_execution_is_followed(const struct flow_linker *linker,
						const struct linked_execution *execution)
{
	return execution->public.data[0] || execution->public.data[FLOW_DATA_MAX - 1] || linker->hearers.hear_all_ends;
}

/* For linked_execution_release(): no reference is left. */
void linked_execution_tell_released(struct flow_linker *linker, struct linked_execution *execution);

static inline void linked_execution_release(struct flow_linker *linker, struct linked_execution *execution)
{
	if (--execution->references > 0) {
		return;
	}
	if (linked_execution_is_followed(linker, execution)) {
		linked_execution_tell_released(linker, execution);
	}
	linker->counts.live_executions--;
	object_pool_give(&linker->executions_pool, execution);
}

#endif
