/* SPDX-License-Identifier: MIT */
/*
 * When the causes of an execution are known: an execution is resolved once its own message is known, or known to be
 * unknown, and all executions that the message comes from are resolved. Listeners hear `resolved` in that order, so an
 * analysis can pass data from a cause to its effect in one pass.
 *
 * Invariants: `resolved` is reported once for each execution, before `finished`. Executions that wait for one another
 * in a circle, which only wrong clocks cause, are resolved nevertheless.
 *
 * Cost: O(1) for an execution; one that waits is visited once more. Iterative, since a chain may be as long as the
 * trace.
 */
#ifndef ROS2BT_FLOW_RESOLVE_H
#define ROS2BT_FLOW_RESOLVE_H

#include "core/flow/linked_executions.h"
#include "core/flow/linked_publications.h"

/*
 * The cause is known: resolves the execution now, or once those that it waits for are. The caller holds references to
 * both.
 */
void flow_resolve_set_cause(struct flow_linker *linker, struct linked_execution *execution,
			    struct linked_publication *publication, struct flow_delivery *delivery);

/* It is decided which publications come from the execution: resolves those that waited for that. */
void flow_resolve_dependents(struct flow_linker *linker, struct linked_execution *execution);

/* Reports `finished`, once. Call through flow_resolve_await_less(). */
void flow_resolve_finish(struct flow_linker *linker, struct linked_execution *execution);

/*
 * The execution has ended, is resolved, is kept by one subscription less (kept_messages.h), or one of its publications
 * is concluded: reports `finished` after all of these.
 */
static inline void flow_resolve_await_less(struct flow_linker *linker, struct linked_execution *execution)
{
	if (--execution->awaited > 0) {
		return;
	}
	if (linked_execution_is_followed(linker, execution)) {
		flow_resolve_finish(linker, execution);
	}
	execution->is_finished = true;
}

/* Reports `resolved`, once. */
static inline void flow_resolve_mark(struct flow_linker *linker, struct linked_execution *execution)
{
	execution->public.is_resolved = true;
	FLOW_TELL(&linker->hearers, resolved, &execution->public);
	execution->public.cause = NULL;
}

/* It is known that the execution has no cause, or that its cause awaits none. The caller holds a reference. */
static inline void flow_resolve_now(struct flow_linker *linker, struct linked_execution *execution)
{
	flow_resolve_mark(linker, execution);
	flow_resolve_await_less(linker, execution);
	if (G_UNLIKELY(execution->dependents != NULL)) {
		flow_resolve_dependents(linker, execution);
	}
}

#endif
