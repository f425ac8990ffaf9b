/* SPDX-License-Identifier: MIT */
/*
 * Messages from one host to another as the events record them: published at a time of the sender's clock, taken at a
 * time of the receiver's clock, whatever the relation of the clocks. A publication and a take belong to one message if
 * the source timestamp and the topic are equal; a key that two publications share belongs to none.
 *
 * Unlike the links of flow_linker.h these do not depend on the order of events of different hosts, which is unknown
 * until the clocks are aligned. The linker provides the publications, with their stamps and publishers; takes are read
 * here.
 *
 * Memory: at most HOST_MESSAGES_MAX publications and as many takes. If there are more, first those of topics that only
 * one host uses are dropped, then both sides keep only stamps whose hash is small, so that they keep the same ones.
 */
#ifndef ROS2BT_HOST_MESSAGES_H
#define ROS2BT_HOST_MESSAGES_H

#include "ros2bt/flow/pipeline.h"

#define HOST_MESSAGES_MAX 131072 /* 4 MiB of each kind */

struct host_messages;

/* A message that was published on one host and taken on another. */
struct host_message {
	uint32_t sender, receiver;	/* hosts */
	int64_t published_ns, taken_ns; /* the first publish event, rmw_take */
};

/* Listens to the flows of the pipeline, which is borrowed. Call before the first record. */
struct host_messages *host_messages_create(struct pipeline *pipeline);
void host_messages_destroy(struct host_messages *messages); /* NULL is allowed */

/* Takes each record, after the pipeline. */
void host_messages_feed(struct host_messages *messages, const struct event_record *record);

/* After pipeline_finish(): a new array of struct host_message. O(n log n). */
GArray *host_messages_match(struct host_messages *messages);

#endif
