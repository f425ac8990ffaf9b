/* SPDX-License-Identifier: MIT */
/*
 * What a report says about the recorded system as a whole, as of now. Hidden names do not count.
 */
#ifndef ROS2BT_SYSTEM_COUNTS_H
#define ROS2BT_SYSTEM_COUNTS_H

#include "ros2bt/flow/pipeline.h"

/* Replaces what the array has by the names of all hosts, sorted; borrowed from the recording. */
void system_hostnames(const struct recording *recording, GPtrArray *hostnames);

/* Likewise by the versions of tracetools that processes recorded: struct report_version. */
void system_versions(const struct pipeline *pipeline, GArray *versions);

/* Nodes of one name on several hosts are several: of robots with the same software. */
uint64_t system_node_count(const struct pipeline *pipeline);

/* Names, whatever the number of their publishers and subscriptions. */
uint64_t system_topic_count(const struct pipeline *pipeline);

/* Publications; those of publishers without definition are not counted. 0 if the pipeline has no flows. */
uint64_t system_message_count(const struct pipeline *pipeline);

/* From the definition of the first node to the first runtime event; 0: unknown, since tracing was off in between. */
int64_t system_startup_ns(const struct pipeline *pipeline);

#endif
