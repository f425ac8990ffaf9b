/* SPDX-License-Identifier: MIT */
/*
 * The publish events of a thread → publications. rclcpp_publish → rcl_publish → rmw_publish (or CARET's dds_write) of
 * one thread with one message address are one publication, any prefix of them may be missing; rclcpp_intra_publish
 * beside them is the same one. A write alone, of a publisher that nobody defined, is the middleware's own.
 *
 * The stamp is in rmw_publish (Jazzy and newer) or dds_write; or dds_bind_addr_to_stamp of the same thread brings it
 * for the last write, which may name the serialized copy (dds_bind_addr_to_addr) or, with Fast DDS, address 0; or it is
 * inferred (infer.h).
 *
 * Cost: O(1) for an event, no look-up where the step before named the same publisher.
 */
#ifndef ROS2BT_FLOW_PUBLISH_H
#define ROS2BT_FLOW_PUBLISH_H

#include "core/flow/linked_publications.h"

void flow_publish_feed(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record);

/* Events may be missing from here on: nothing of the thread is continued. */
void flow_publish_forget(struct flow_linker *linker, struct flow_thread *thread);

/*
 * A new publication of the thread, whose parent is the innermost open callback. The thread's open one is closed before.
 * One reference, the caller's.
 */
struct linked_publication *flow_publish_begin(struct flow_linker *linker, struct flow_thread *thread, int64_t time_ns);

#endif
