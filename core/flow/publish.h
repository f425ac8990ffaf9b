/* SPDX-License-Identifier: MIT */
/*
 * The publish events of a thread → publications. rclcpp_publish → rcl_publish → rmw_publish (or CARET's dds_write) of
 * one thread with one message address are one publication; any prefix of them may be missing. An rclcpp_intra_publish
 * of the same message belongs to it. A write alone, of a publisher that no event defines, is the middleware's own.
 *
 * The stamp is in rmw_publish (Jazzy and newer) or dds_write. Otherwise dds_bind_addr_to_stamp of the same thread
 * records it for the last write; its address may be that of the serialized copy (dds_bind_addr_to_addr) or, with Fast
 * DDS, 0. If neither is recorded, the stamp is inferred (inferred_stamps.h).
 *
 * Cost: O(1) for an event; no lookup if the event before names the same publisher.
 */
#ifndef ROS2BT_FLOW_PUBLISH_H
#define ROS2BT_FLOW_PUBLISH_H

#include "core/flow/linked_publications.h"

/* Take the publish events, each those of one kind. */
void flow_publish_rclcpp(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record);
void flow_publish_rcl(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record);
void flow_publish_rmw(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record);
void flow_publish_intra(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record);
void flow_publish_dds_write(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record);
void flow_publish_bind_stamp(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record);
void flow_publish_bind_address(struct flow_linker *linker, struct flow_thread *thread,
			       const struct event_record *record);

/* Events may be missing from here on: the thread continues no publication. */
void flow_publish_forget(struct flow_linker *linker, struct flow_thread *thread);

/*
 * Begins a publication of the thread with the innermost open callback as its parent, after closing the thread's open
 * one. Returns the caller's reference.
 */
struct linked_publication *flow_publish_begin(struct flow_linker *linker, struct flow_thread *thread, int64_t time_ns);
/* Its publisher is known: puts it at the end of the publisher's queue, and uses what the node keeps. */
void flow_publish_set_publisher(struct flow_linker *linker, struct linked_publication *publication,
				struct model_publisher *publisher);

#endif
