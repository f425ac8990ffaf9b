/* SPDX-License-Identifier: MIT */
/*
 * The rules of filter.ros2.normalize: how an event of any release of ros2_tracing or of CARET looks in the current
 * layout, and where events are added that a trace implies but does not contain. Each record gives the list of records
 * that replace it, with its time and thread:
 *
 *   - ros2_caret:X that replaces ros2:X, dds_write, an rmw_publish without timestamp or publisher: rewritten;
 *   - rcl_init: with a version of at least 8.0.0, before any other ros2 event of its process;
 *   - rmw_publisher_init, rmw_subscription_init (gid of zeros) before their rcl twins, where they are missing;
 *   - rclcpp_take behind an rmw_take, in processes under CARET that have none of their own;
 *   - rmw_take and rclcpp_take for the dispatch_subscription_callback of CARET's fork, where there is no rmw_take;
 *   - rclcpp_timer_link_node before the first execution of a timer, if its process has one node, no such event and no
 * CARET;
 *   - on request empty takes and /rosout are left out, and intra-process messages are rewritten as inter-process ones.
 *
 * Nothing is added that the trace does not imply; an unrecorded timestamp is PUBLICATION_STAMP_UNKNOWN, an unrecorded
 * publisher is 0. The state is per process and per thread; a gap in the recording ends whatever threads had begun. O(1)
 * per record. Rules: each is needed by Trace Compass' ROS 2 analyses, see tests/trace_compass.
 */
#ifndef ROS2BT_NORMALIZER_H
#define ROS2BT_NORMALIZER_H

#include "ros2bt/event_record.h"
#include "core/normalize/normalized_events.h"
#include "core/normalize/publication_stamps.h"
#include "ros2bt/recording.h"

/* The version of tracetools for rcl_init events that have none, or one before 8.0.0. */
#define NORMALIZER_VERSION "8.4.0"

struct normalizer;

/* The recording and the stamps are borrowed; the stamps must have learned each record that is normalized. */
struct normalizer *normalizer_create(struct recording *recording, struct publication_stamps *stamps,
				     const struct normalizer_options *options);
void normalizer_destroy(struct normalizer *normalizer);

/* The records that replace this one. Other records than events of the table give none, but must be passed as well. */
void normalizer_rewrite(struct normalizer *normalizer, const struct event_record *record,
			struct normalized_events *events);

#endif
