/* SPDX-License-Identifier: MIT */
/* Columns of tables about paths and their hops, whether the paths were found or asked for by name. */
#ifndef ROS2BT_PATH_COLUMNS_H
#define ROS2BT_PATH_COLUMNS_H

#include "core/tables/row.h"

/* A traversal of a path, from its origin to its end. */
struct traversal_cells {
	struct cell origin_start, first_publish, last_callback_start, last_callback_end, latency;
};

/* A hop of a path: its number from 0, the topic or service of the message, the node that handles it. */
struct row_hop {
	uint32_t number;
	const char *topic, *node; /* NULL: none */
};

/* Where the time of a hop goes (struct hop_times). */
struct hop_time_cells {
	struct cell transport, wait, callback, kept;
};

/* A hop of a traversal, whose number (`instance`) counts from 1 for each path. callback_end is empty where the callback
 * had not ended when the traversal did. */
struct hop_instance_cells {
	struct cell instance, hop, publish, take, callback_start, callback_end;
};

/* clang-format off */

/* Of these members of a row; `suffix`: "_ns" of one traversal, "_mean_ns" of all. */
#define COLUMNS_OF_TRAVERSAL(of) \
	{ .name = "origin_start_ns", .format = COLUMN_TIME, CELL_OF(of.origin_start) }, \
	{ .name = "first_publish_ns", .format = COLUMN_TIME, CELL_OF(of.first_publish) }, \
	{ .name = "last_callback_start_ns", .format = COLUMN_TIME, CELL_OF(of.last_callback_start) }, \
	{ .name = "last_callback_end_ns", .format = COLUMN_TIME, CELL_OF(of.last_callback_end) }, \
	{ .name = "latency_ns", .format = COLUMN_DURATION, CELL_OF(of.latency) }

#define COLUMNS_OF_HOP(of) \
	{ .name = "hop", CELL_OF(of.number) }, \
	{ .name = "topic", .means = MEANS_TOPIC, .label = "message", .format = COLUMN_NAME, CELL_OF(of.topic) }, \
	{ .name = "node", .means = MEANS_NODE, .label = "to node", .format = COLUMN_NAME, CELL_OF(of.node) }

#define COLUMNS_OF_HOP_TIMES(of, suffix, type) \
	{ .name = "transport" suffix, .cells = type, .means = MEANS_TRANSPORT, .label = "transport", .format = COLUMN_DURATION, \
	  CELL_OF(of.transport) }, \
	{ .name = "wait" suffix, .cells = type, .means = MEANS_WAIT, .label = "wait", .format = COLUMN_DURATION, \
	  CELL_OF(of.wait) }, \
	{ .name = "callback" suffix, .cells = type, .means = MEANS_EXECUTION, .label = "callback", .format = COLUMN_DURATION, \
	  CELL_OF(of.callback) }, \
	{ .name = "kept" suffix, .cells = type, .means = MEANS_KEPT, .label = "kept", .format = COLUMN_DURATION, \
	  CELL_OF(of.kept) }

#define COLUMNS_OF_HOP_INSTANCE(of) \
	{ .name = "instance", .means = MEANS_INSTANCE, CELL_OF(of.instance) }, \
	{ .name = "hop", CELL_OF(of.hop) }, \
	{ .name = "publish_ns", .format = COLUMN_TIME, CELL_OF(of.publish) }, \
	{ .name = "take_ns", .format = COLUMN_TIME, CELL_OF(of.take) }, \
	{ .name = "callback_start_ns", .format = COLUMN_TIME, CELL_OF(of.callback_start) }, \
	{ .name = "callback_end_ns", .format = COLUMN_TIME, CELL_OF(of.callback_end) }

/* clang-format on */

#endif
