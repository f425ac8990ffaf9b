/* SPDX-License-Identifier: MIT */
/*
 * The takes that wait for their publication: a queue in order of arrival, which is also the order of their deadlines,
 * and an index by key. take_links.h defines which takes wait, and what ends a wait.
 *
 * Invariant: a take whose wait has ended leaves the index at once, but the queue only when it is the first; until then
 * `is_done` is set.
 *
 * Cost: O(1), and O(takes that wait for the same key). Memory: a pool, the takes of the last FLOW_BIND_WAIT_NS.
 */
#ifndef ROS2BT_FLOW_WAITING_TAKES_H
#define ROS2BT_FLOW_WAITING_TAKES_H

#include "core/flow/linked_executions.h"

struct waiting_take {
	struct flow_take take; /* its execution, if it has one: a reference */
	uint64_t bytes;	       /* its size; 0: unknown */
	int64_t deadline_ns;
	bool is_done;		   /* its wait has ended */
	struct waiting_take *next; /* in the queue */
	struct waiting_take *next_with_key;
	struct flow_thread *thread; /* whose pending take it is; NULL: no longer */
	struct flow_note *note;
};

/* Adds a copy of the take, to wait up to FLOW_BIND_WAIT_NS. */
struct waiting_take *waiting_take_add(struct flow_linker *linker, const struct flow_take *take);

/* Ends the wait: no publication finds the take by its key any more. */
void waiting_take_end(struct flow_linker *linker, struct waiting_take *take);

/* Frees the first take of the queue, whose wait has ended. */
void waiting_take_remove_first(struct flow_linker *linker);

#endif
