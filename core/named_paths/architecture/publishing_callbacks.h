/* SPDX-License-Identifier: MIT */
/*
 * Which callbacks publish with which publishers, as far as a recording shows it, and of which callbacks a publication
 * uses messages that they kept (link annotations, ros2-latency's `links`). Listens to the flow linker.
 *
 * A publication belongs to the execution around it on its thread. If executions are not recorded (nodes without
 * rclcpp), it belongs to the messages that core/flow/provenance.h finds at the end of the recording.
 *
 * Cost: a look-up for each publication. Memory: callbacks, publishers, and their pairs.
 */
#ifndef ROS2BT_PUBLISHING_CALLBACKS_H
#define ROS2BT_PUBLISHING_CALLBACKS_H

#include <glib.h>

#include "ros2bt/flow/pipeline.h"

struct publishing_callbacks;

struct publishing_pair {
	struct model_callback *callback;
	struct model_publisher *publisher;
	uint64_t direct; /* publications in executions of the callback */
	uint64_t kept;	 /* publications that use a message which the callback kept */
};

/* Create it before the pipeline, which must have flows, gets its first record; destroy it after the pipeline. */
struct publishing_callbacks *publishing_callbacks_create(struct pipeline *pipeline);
void publishing_callbacks_destroy(struct publishing_callbacks *publishing);

/* After pipeline_finish(), once. */
void publishing_callbacks_finish(struct publishing_callbacks *publishing);

/* struct publishing_pair, in order of their first publications. */
const GArray *publishing_callbacks_pairs(const struct publishing_callbacks *publishing);

/* The number of executions of a callback. */
uint64_t publishing_callbacks_executions(const struct publishing_callbacks *publishing,
					 const struct model_callback *callback);

#endif
