/* SPDX-License-Identifier: MIT */
/*
 * Takes → publications → callbacks. A take has the key of its publication: the source timestamp, with the topic, or the
 * client's gid with the sequence number of a request. It is linked at once if the key is known, else it waits for it,
 * up to FLOW_BIND_WAIT_NS: CARET records the stamp of a publication after the write, often later than the take.
 *
 * Rules: two publications with the same key make the take ambiguous, it is not linked. A thread has one pending message
 * (rmw_take, rclcpp's order in Executor::execute_any_executable()): it belongs to the next callback_start of the thread
 * if that is a callback of the subscription, else to nobody. A subscription that gets a message through a ring buffer
 * throws the other copy away (rclcpp, SubscriptionBase::matches_any_intra_process_publishers()).
 *
 * Cost: one hash of one word for a take. Memory: the takes that wait.
 */
#ifndef ROS2BT_FLOW_TAKE_H
#define ROS2BT_FLOW_TAKE_H

#include "core/flow/linked_executions.h"
#include "core/flow/waiting_takes.h"

void flow_take_feed(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record);

/* Starts to wait, or links at once. */
void flow_take_begin(struct flow_linker *linker, struct flow_thread *thread, const struct waiting_take *take);
/* The pending take goes to the execution that starts, or to none. */
void flow_take_dispatch(struct flow_linker *linker, struct flow_thread *thread, struct linked_execution *execution,
			const struct model_callback_info *info, bool is_intra_process);
/* The same for an inferred execution, whose start is not recorded. */
void flow_take_infer(struct flow_linker *linker, struct flow_thread *thread, struct linked_execution *execution,
		     const struct model_callback_info *info);
/* The message went to nobody: taken by hand, or thrown away by rclcpp. */
void flow_take_drop(struct flow_linker *linker, struct flow_thread *thread);

#endif
