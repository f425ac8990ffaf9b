/* SPDX-License-Identifier: MIT */
/*
 * When the causes of an execution are known: an execution is resolved once its own message is known (or known to be
 * unknown) and all executions that the message comes from are resolved. Listeners hear `resolved` in that order, so
 * that an analysis may pass data from a cause to its effect in one pass.
 *
 * Invariants: `resolved` comes once for each execution, before `finished`. Executions that wait for one another in a
 * circle, as only wrong clocks make it, are resolved nevertheless.
 * Cost: O(1) for an execution; one that waits is visited once more. Iterative: a chain may be as long as the trace.
 */
#ifndef ROS2BT_FLOW_RESOLVE_H
#define ROS2BT_FLOW_RESOLVE_H

#include "core/flow/linked_executions.h"
#include "core/flow/linked_publications.h"

/* The cause is known (NULL: there is none): resolves now, or when the executions before it are resolved. */
void flow_resolve_set_cause(struct flow_linker *linker, struct linked_execution *execution,
			    struct linked_publication *publication, struct linked_delivery *delivery);

/* Reports `finished`. */
void flow_resolve_finish(struct flow_linker *linker, struct linked_execution *execution);

/* Finishes the execution if it has ended, is resolved, and all that it published is settled. */
static inline void flow_resolve_check_finished(struct flow_linker *linker, struct linked_execution *execution)
{
	if (execution->is_ended && execution->is_resolved && !execution->is_finished &&
	    execution->unsettled_publications == 0 && execution->keepers == 0) {
		flow_resolve_finish(linker, execution);
	}
}

#endif
