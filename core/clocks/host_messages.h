/* SPDX-License-Identifier: MIT */
/*
 * Messages from one host to another, as the events record them: published at a time of the sender's clock, taken at one
 * of the receiver's, whatever these clocks have to do with each other. A publication and a take are those of one
 * message if the source timestamp and the topic are equal; what two publications have in common is none.
 *
 * Unlike the links of flow_linker.h, these do not depend on the order of events of different hosts, since that is not
 * known yet. Publications come from the linker, which knows their stamps and publishers; takes are read here.
 *
 * Memory: at most HOST_MESSAGES_MAX publications and as many takes. Where there are more, those of topics that only one
 * host uses go first; then both sides keep those stamps whose hash is small, so that they keep the same ones.
 */
#ifndef ROS2BT_HOST_MESSAGES_H
#define ROS2BT_HOST_MESSAGES_H

#include "ros2bt/pipeline.h"

#define HOST_MESSAGES_MAX 131072

struct host_messages;

/* One that was published on one host and taken on another. */
struct host_message {
	uint32_t sender, receiver;	/* hosts */
	int64_t published_ns, taken_ns; /* the first publish event, rmw_take */
};

/* Listens to the flows of the pipeline, which is borrowed; before the first record. */
struct host_messages *host_messages_create(struct pipeline *pipeline);
void host_messages_destroy(struct host_messages *messages); /* NULL is allowed */

/* Each record, after the pipeline has got it. */
void host_messages_feed(struct host_messages *messages, const struct event_record *record);

/* After the pipeline has finished: struct host_message, to be freed with g_array_unref(). O(n log n). */
GArray *host_messages_match(struct host_messages *messages);

#endif
