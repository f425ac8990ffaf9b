/* SPDX-License-Identifier: MIT */
/*
 * Which publication a callback of a subscription handles, where the release records no takes (Galactic): inferred from
 * the order of the publications on the topic and of the callbacks of the subscription.
 *
 * Callbacks are looked at together from one rest of their executor to the next. A thread rests when no callback of it
 * runs for UNTAKEN_REST_NS. An executor does not rest while a message waits (rclcpp, Executor::wait_for_work()), so by
 * then each message that has arrived was handled, or will never be. Candidates are the publications on the topic since
 * those that were handled before, of all publishers. Rules:
 *
 *  - As many candidates as callbacks, each published before its callback: first in, first out.
 *  - A candidate that a resting thread left waiting, though it took a later one on at once, was not delivered: it is
 *    none. At once: within a quarter of the time that the other had waited.
 *  - More candidates than callbacks: one callback of a subscription that keeps one message had the last one. Otherwise
 *    unknown: any of them may have been lost.
 *  - Fewer: another publisher is not recorded, such as of another host; which callbacks are whose is unknown.
 *
 * Unknown, too: messages of two threads within UNTAKEN_TIE_NS, since the middleware may have written them in either
 * order; several callbacks of which two threads ran some at once (a reentrant group), since the order of their starts
 * is not that of their takes; publications of another host, whose clock differs; and what happened while events of one
 * of the processes may be missing (breaks.h). The first take, or CARET's record of one, ends all inference.
 *
 * Invariant: a callback is linked to at most one publication, a publication to one callback of a subscription, and
 * never to one that had started before it.
 *
 * Times are in ns. Cost: nothing once a take was recorded; else O(1) for a publication and a callback. Memory: the last
 * UNTAKEN_KEPT publications of each topic, and UNTAKEN_KEPT undecided callbacks of each subscription, each for up to
 * FLOW_BIND_WAIT_NS.
 */
#ifndef ROS2BT_FLOW_UNTAKEN_MESSAGES_H
#define ROS2BT_FLOW_UNTAKEN_MESSAGES_H

#include "core/flow/linked_executions.h"
#include "core/flow/linked_publications.h"
#include "core/flow/untaken_choice.h"

struct untaken_messages *untaken_messages_create(void);
void untaken_messages_destroy(struct flow_linker *linker);

/* The publisher of the publication is known. */
void untaken_messages_published(struct flow_linker *linker, struct linked_publication *publication);

/*
 * A callback of any kind starts on the thread. Returns whether the cause of the execution will be decided here; else it
 * is none of a message between processes.
 */
bool untaken_messages_started(struct flow_linker *linker, struct flow_thread *thread,
			      struct linked_execution *execution, const struct model_callback_info *info,
			      bool is_intra_process);
/* A callback has ended on the thread. */
void untaken_messages_ended(struct flow_linker *linker, struct flow_thread *thread);

/* Decides what has waited long enough; when there is more to decide: INT64_MAX: nothing waits. */
void untaken_messages_expire(struct flow_linker *linker);
int64_t untaken_messages_due_ns(const struct flow_linker *linker);
/* Events may be missing: what has no decision yet stays unknown. */
void untaken_messages_forget(struct flow_linker *linker);
/* The end of the recording. */
void untaken_messages_finish(struct flow_linker *linker);

#endif
