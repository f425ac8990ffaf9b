/* SPDX-License-Identifier: MIT */
/*
 * The takes of each thread → callbacks. A thread has one pending message at a time (order of the events in
 * Executor::execute_any_executable() of rclcpp). It belongs to the next callback_start of the thread if that callback
 * is one of the subscription (without definitions: may be, guessed_takes.h) and the executor has not looked for other
 * work meanwhile, otherwise to no callback. take_links.h finds its publication. What was taken by hand
 * (polled_takes.h) is kept for indirect links, as if a callback had handled it.
 *
 * A subscription that receives a message through a ring buffer discards the other copy (rclcpp,
 * SubscriptionBase::matches_any_intra_process_publishers()).
 *
 * Cost: O(1) for a take, apart from the lookup in take_links.h.
 */
#ifndef ROS2BT_FLOW_TAKE_H
#define ROS2BT_FLOW_TAKE_H

#include "core/flow/linked_executions.h"
#include "core/flow/waiting_takes.h"

/* Takes the take events of messages. */
void flow_take_feed(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record);

/* A take of any kind is recorded. */
void flow_take_recorded(struct flow_linker *linker);

/* An execution starts on the thread: the pending message is its cause, or has reached no callback. */
void flow_take_dispatch(struct flow_linker *linker, struct flow_thread *thread, struct linked_execution *execution,
			const struct model_callback_info *info, bool is_intra_process);
/* The same for an inferred execution, whose start is not recorded. */
void flow_take_infer(struct flow_linker *linker, struct flow_thread *thread, struct linked_execution *execution,
		     const struct model_callback_info *info);
/* The pending message, if any, reaches no callback: taken by hand, or discarded by rclcpp. */
void flow_take_drop_pending(struct flow_linker *linker, struct flow_thread *thread);

static inline void flow_take_drop(struct flow_linker *linker, struct flow_thread *thread)
{
	if (thread->pending.is_set) {
		flow_take_drop_pending(linker, thread);
	}
}

/* The thread takes a message: what it has taken before reaches no callback. Fill it in, for flow_take_begin(). */
static inline struct flow_take *flow_take_next(struct flow_linker *linker, struct flow_thread *thread)
{
	flow_take_drop(linker, thread);
	thread->pending.take = (struct flow_take){ .delivery.has_take = true };
	return &thread->pending.take;
}

/* The take is the pending one of the thread; links it now, or when its publication is known. */
void flow_take_begin(struct flow_linker *linker, struct flow_thread *thread);

/*
 * The thread publishes: what its process has taken by hand until now may be used (kept_messages.h). O(threads); call it
 * only if there are indirect links.
 */
void flow_take_end_polls(struct flow_linker *linker, struct flow_thread *thread);

#endif
