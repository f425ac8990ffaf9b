/* SPDX-License-Identifier: MIT */
/* Columns of tables about paths and their hops, whether the paths were found or asked for by name. */
#ifndef ROS2BT_PATH_COLUMNS_H
#define ROS2BT_PATH_COLUMNS_H

#include "ros2bt/table.h"

/* clang-format off */

/* A traversal of a path, from its origin to its end. */
#define COLUMNS_OF_TRAVERSAL \
	{ .name = "origin_start_ns", .format = COLUMN_TIME }, \
	{ .name = "first_publish_ns", .format = COLUMN_TIME }, \
	{ .name = "last_callback_start_ns", .format = COLUMN_TIME }, \
	{ .name = "last_callback_end_ns", .format = COLUMN_TIME }, \
	{ .name = "latency_ns", .format = COLUMN_DURATION }

/* A hop of a path: its number from 0, the topic or service of the message, the node that handles it. */
#define COLUMNS_OF_HOP \
	{ .name = "hop" }, \
	{ .name = "topic", .label = "message", .format = COLUMN_NAME }, \
	{ .name = "node", .label = "to node", .format = COLUMN_NAME }

/* Where the time of a hop goes (hop_times.h); `suffix`: "_ns" of one traversal, "_mean_ns" of all. */
#define COLUMNS_OF_HOP_TIMES(suffix) \
	{ .name = "transport" suffix, .label = "transport", .format = COLUMN_DURATION }, \
	{ .name = "wait" suffix, .label = "wait", .format = COLUMN_DURATION }, \
	{ .name = "callback" suffix, .label = "callback", .format = COLUMN_DURATION }, \
	{ .name = "kept" suffix, .label = "kept", .format = COLUMN_DURATION }

/* A hop of a traversal, whose number (`instance`) counts from 1 for each path. callback_end_ns is empty where the
 * callback had not ended when the traversal did. */
#define COLUMNS_OF_HOP_INSTANCE \
	{ .name = "instance" }, \
	{ .name = "hop" }, \
	{ .name = "publish_ns", .format = COLUMN_TIME }, \
	{ .name = "take_ns", .format = COLUMN_TIME }, \
	{ .name = "callback_start_ns", .format = COLUMN_TIME }, \
	{ .name = "callback_end_ns", .format = COLUMN_TIME }

/* clang-format on */

#endif
