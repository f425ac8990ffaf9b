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

#include "core/flow/state.h"

/* A copy of the take waits from now on, up to FLOW_BIND_WAIT_NS. */
struct waiting_take *waiting_take_add(struct flow_linker *linker, const struct waiting_take *take);

/* The wait is over: no publication finds the take by its key any more. */
void waiting_take_end(struct flow_linker *linker, struct waiting_take *take);

/* Frees the first of the queue, whose wait is over. */
void waiting_take_remove_first(struct flow_linker *linker);

#endif
