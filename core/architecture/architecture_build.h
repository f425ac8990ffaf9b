/* SPDX-License-Identifier: MIT */
/*
 * Makes the architecture of a recorded system, as caret_analyze exports it: nodes by name; callbacks NODE/callback_N,
 * timers before subscriptions, each in order of initialization; construction orders (recorded_objects.h).
 *
 * What CARET leaves for the user to fill in is filled in from what the recording shows (publishing_callbacks.h):
 *
 *   - the callbacks of a publisher are those in whose executions it published;
 *   - a message context is `callback_chain` where the callback of the subscription published by the publisher, and
 *     `use_latest_message` where it did so as one of several inputs that are joined (together they publish no more
 *     often than each of them gets a message), or where a link says that its messages are kept;
 *   - any other context is `UNDEFINED`: no event shows what a callback does with variables.
 *
 * Callback groups NODE/callback_group_N are in order of their first callbacks, executors executor_N in order of
 * initialization: CARET takes their addresses, which differ in each run. Where a recording does not show groups (only
 * CARET records them) the callbacks of a node are in one of type UNDEFINED, since caret_analyze finds the callbacks of
 * a node through its groups only. A subscription whose callback is not recorded (nodes without rclcpp) has one of the
 * symbol UNDEFINED, since caret_analyze drops the node otherwise.
 *
 * O(n log n) in objects; contexts are subscriptions × publishers of a node, of which only those that are known are in
 * the file where they are more than ARCHITECTURE_CONTEXTS_MAX.
 */
#ifndef ROS2BT_ARCHITECTURE_BUILD_H
#define ROS2BT_ARCHITECTURE_BUILD_H

#include "core/architecture/architecture.h"
#include "core/architecture/publishing_callbacks.h"

struct architecture_build_options {
	bool assumes_latest; /* a context of which the recording shows nothing is use_latest_message, not UNDEFINED */
};

/* After the end of the recording. To be destroyed; it borrows nothing. */
struct architecture *architecture_build(struct pipeline *pipeline, const struct publishing_callbacks *publishing,
					const struct architecture_build_options *options);

#endif
