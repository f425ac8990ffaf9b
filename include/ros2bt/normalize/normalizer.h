/* SPDX-License-Identifier: MIT */
/*
 * The rules of filter.ros2.normalize: how an event of any release of ros2_tracing or of CARET looks in the current
 * layout, and which events are added that a trace implies but does not contain. Each record yields the list of records
 * that replace it, with its time and thread:
 *
 *   - ros2_caret:X instead of ros2:X, dds_write, and rmw_publish without timestamp or publisher are rewritten.
 *   - rcl_init is added, with version NORMALIZER_VERSION, before any other ros2 event of its process; an older
 *     version is replaced.
 *   - rmw_publisher_init and rmw_subscription_init (with a gid of zeros) are added before their rcl counterparts.
 *   - rclcpp_take is added after an rmw_take, in processes under CARET that record none.
 *   - rmw_take and rclcpp_take are added for dispatch_subscription_callback of CARET's fork, if there is no rmw_take.
 *   - Where no takes are recorded (before Humble), rmw_publish is added after an rcl_publish without, and rmw_take and
 *     rclcpp_take before the callback_start of a subscription, with the timestamp of the publication that it handles as
 *     far as that is inferred (inferred_takes.h), else INFERRED_TAKE_OF_UNKNOWN.
 *   - rclcpp_timer_link_node is added before the first execution of a timer, if its process has one node, no such
 *     event and no CARET.
 *   - On request, empty takes and /rosout are left out, and intra-process messages are rewritten as inter-process ones;
 *     the inter-process copies of those, which rclcpp takes and discards, are left out.
 *   - On request, what rclcpp records and others do not is added: rclcpp_service_callback_added and
 *     rclcpp_callback_register before the first request or response of a service without (rclpy, rclc, action servers),
 *     rclcpp_publish before an rcl_publish without, both before an rmw_publish without (a serialized message). Then
 * takes of requests and responses are left out whose sending is not recorded: there is nothing to complete, and Trace
 * Compass fails at the first one.
 *
 * Nothing is added that the trace does not imply: an unrecorded timestamp is PUBLICATION_STAMP_UNKNOWN, an unrecorded
 * publisher and the message of an inferred take are 0. The ROS 2 analyses of Trace Compass need each of these rules,
 * see tests/trace_compass.
 *
 * State is kept for each process and thread; a gap in the recording ends whatever threads had begun. Cost: O(1) for a
 * record. Memory: the objects of each process, a slot of each ring buffer, the latest intra-process publications of
 * each process (intra_copies.h), and the calls of each client (sent_calls.h).
 */
#ifndef ROS2BT_NORMALIZER_H
#define ROS2BT_NORMALIZER_H

#include "ros2bt/events/event_record.h"
#include "core/normalize/normalized_events.h"
#include "core/normalize/look_ahead.h"
#include "ros2bt/events/recording.h"

/* The version of tracetools in rcl_init events that have none or one before 8.0.0. */
#define NORMALIZER_VERSION "8.4.0"

struct normalizer;

/* Recording and `ahead` are borrowed; the latter must have learned each record before it is normalized. */
struct normalizer *normalizer_create(struct recording *recording, struct look_ahead *ahead,
				     const struct normalizer_options *options);
void normalizer_destroy(struct normalizer *normalizer);

/* The records that replace this one. Records that are not events yield none, but must be passed as well. */
void normalizer_rewrite(struct normalizer *normalizer, const struct event_record *record,
			struct normalized_events *events);

#endif
