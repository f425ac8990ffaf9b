/* SPDX-License-Identifier: MIT */
/*
 * Messages within a process: slot of a ring buffer → publication, and, for a release that records no ring buffers
 * (CARET's fork of rclcpp), the address of the message through its copies.
 *
 * Rules (rclcpp, IntraProcessManager and its ring buffer): rclcpp_ring_buffer_enqueue follows rclcpp_intra_publish on
 * the same thread; a slot that is overwritten unread has lost its message; a dequeue takes the slot's message to the
 * next callback of the thread. A slot that is filled outside of a publication has an earlier message: a publisher with
 * QoS durability transient local keeps its last ones, for itself and for subscriptions that join late; no event tells
 * which publication it is. An address belongs to the last message published or copied there, and a subscription
 * receives a message once: at the second time the address was reused.
 *
 * Cost: one or two lookups for an event. Memory: the filled slots, and COPIES_MAX addresses of each process.
 */
#ifndef ROS2BT_FLOW_INTRA_H
#define ROS2BT_FLOW_INTRA_H

#include "core/flow/linked_publications.h"

/* Takes the events of ring buffers and of copied messages. */
void flow_intra_feed(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record);
/* A message was published within the process: follows its address. */
void flow_intra_publish(struct flow_linker *linker, struct flow_process *process,
			struct linked_publication *publication);
/* Events may be missing: what became of the messages in the ring buffers is unknown. */
void flow_intra_forget(struct flow_linker *linker, struct flow_process *process);
/* Frees everything; no listener hears of it. */
void flow_intra_clear_process(struct flow_linker *linker, struct flow_process *process);

#endif
