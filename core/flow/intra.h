/* SPDX-License-Identifier: MIT */
/*
 * Messages within a process: ring buffer slot → publication, and, where a release records no ring buffers (CARET's fork
 * of rclcpp), the address of the message through its copies.
 *
 * Rules (rclcpp, IntraProcessManager and its ring buffer): rclcpp_ring_buffer_enqueue follows rclcpp_intra_publish on
 * the same thread; a slot that is written again unread has lost its message; a dequeue takes the slot's message to the
 * next callback of the thread. An address belongs to the last message published or copied there, and a subscription
 * gets a message once: a second time the address was reused.
 *
 * Cost: one or two hashes of one word for an event. Memory: the filled slots, and 4096 addresses a process.
 */
#ifndef ROS2BT_FLOW_INTRA_H
#define ROS2BT_FLOW_INTRA_H

#include "core/flow/linked_publications.h"

void flow_intra_feed(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record);
/* A message was published within the process: its address is followed. */
void flow_intra_publish(struct flow_linker *linker, struct flow_process *process,
			struct linked_publication *publication);
/* Whatever the ring buffers hold, nobody knows what became of it. */
void flow_intra_forget(struct flow_linker *linker, struct flow_process *process);
void flow_intra_clear_process(struct flow_linker *linker, struct flow_process *process);

#endif
