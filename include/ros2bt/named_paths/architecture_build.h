/* SPDX-License-Identifier: MIT */
/*
 * Makes the architecture of a recorded system, as caret_analyze exports it: nodes by name; callbacks NODE/callback_N,
 * timers before subscriptions, each in order of initialization; construction orders (recorded_objects.h).
 *
 * CARET leaves some entries to the user. Here they follow from the recording (publishing_callbacks.h):
 *
 *   - the callbacks of a publisher are those in whose executions it published;
 *   - a message context is `callback_chain` if the callback of the subscription published with the publisher. It is
 *     `use_latest_message` if several callbacks did so to join their messages (together they publish no more often than
 *     each of them receives a message), or if a link says that the messages are kept;
 *   - any other context is `UNDEFINED`: no event shows what a callback does with variables.
 *
 * Callback groups NODE/callback_group_N are in order of their first callbacks, executors executor_N in order of
 * initialization: CARET uses their addresses, which differ in each run. If a recording does not show groups (only CARET
 * records them), the callbacks of a node are in one group of type UNDEFINED, since caret_analyze finds the callbacks of
 * a node only through its groups. A subscription whose callback is not recorded (nodes without rclcpp) gets one with
 * the symbol UNDEFINED, since caret_analyze drops the node otherwise.
 *
 *   recorded_objects.h       the timers, subscriptions and publishers of nodes, numbered by CARET's rules
 *   publishing_callbacks.h   which callbacks published with which publishers
 *   architecture_build.c     nodes, with callbacks, publishers and subscriptions
 *   architecture_groups.c    callback groups and executors
 *   architecture_contexts.c  callbacks of publishers, and message contexts
 *
 * O(n log n) in the objects. Contexts are subscriptions × publishers of a node; beyond ARCHITECTURE_CONTEXTS_MAX, only
 * known ones are in the file.
 */
#ifndef ROS2BT_ARCHITECTURE_BUILD_H
#define ROS2BT_ARCHITECTURE_BUILD_H

#include "core/named_paths/architecture/architecture.h"
#include "core/named_paths/architecture/publishing_callbacks.h"

struct architecture_build_options {
	bool assumes_latest; /* contexts that the recording does not show are use_latest_message, not UNDEFINED */
};

/* Call after the end of the recording. The architecture borrows nothing. */
struct architecture *architecture_build(struct pipeline *pipeline, const struct publishing_callbacks *publishing,
					const struct architecture_build_options *options);

#endif
