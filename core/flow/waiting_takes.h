/* SPDX-License-Identifier: MIT */
/*
 * The takes that wait for their publication: a queue in the order in which they came, which is also that of their
 * deadlines, and an index by key. Who waits for what, and what ends a wait, is known to take.h.
 *
 * A take whose wait has ended leaves the index at once, the queue only when it is its first: `is_done` in between.
 *
 * Cost: O(1), and O(takes that wait for the same key). Memory: a pool, the takes of the last FLOW_BIND_WAIT_NS.
 */
#ifndef ROS2BT_FLOW_WAITING_TAKES_H
#define ROS2BT_FLOW_WAITING_TAKES_H

#include "core/flow/linked_executions.h"

/* A take whose publication is not known yet. */
struct waiting_take {
	uint64_t key; /* stamp or request key */
	struct model_subscription *subscription;
	struct model_service *service; /* of a request */
	struct model_client *client;   /* of a response */
	const char *client_gid;
	int64_t sequence_number;
	int64_t take_ns;
	int64_t deadline_ns;
	int64_t callback_start_ns;
	bool has_start, is_response;
	bool is_done;			    /* linked: the queue forgets it */
	struct linked_execution *execution; /* reference, NULL if none (yet) */
	struct waiting_take *next;	    /* in time */
	struct waiting_take *next_with_key;
	struct flow_thread *thread; /* that still may dispatch it, NULL */
	struct flow_note *note;
};

/* A copy of the take waits from now on, up to FLOW_BIND_WAIT_NS. */
struct waiting_take *waiting_take_add(struct flow_linker *linker, const struct waiting_take *take);

/* The wait is over: no publication finds the take by its key any more. */
void waiting_take_end(struct flow_linker *linker, struct waiting_take *take);

/* Frees the first of the queue, whose wait is over. */
void waiting_take_remove_first(struct flow_linker *linker);

#endif
