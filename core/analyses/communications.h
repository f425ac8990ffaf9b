/* SPDX-License-Identifier: MIT */
/*
 * The tables `communications` and `communication_instances`: what each subscription got of each publisher, and how long
 * it took. Listens to the flow linker. A message counts in the time range by its first publish event.
 *
 * published = received + lost: messages published while the subscription's process was recorded, and those that came
 * although they were published before. A message still under way at the end of the trace is lost as well; `in_flight`
 * tells how many may have been so. One that comes after it was given up as lost (flow_linker.h) counts as received; its
 * instance that tells the loss stays. Memory: the pairs.
 */
#ifndef ROS2BT_COMMUNICATIONS_H
#define ROS2BT_COMMUNICATIONS_H

#include "ros2bt/diagnostics.h"
#include "ros2bt/flow_linker.h"
#include "core/analyses/latency_analysis.h"

struct communications;

/* Everything is borrowed and must outlive it. Instances are written to the output as they are known. */
struct communications *communications_create(struct recording *recording, struct object_model *model,
					     struct flow_linker *linker, struct diagnostics *diagnostics,
					     const struct latency_options *options, struct table_output *output);
void communications_destroy(struct communications *communications);

/* After the linker has finished. */
void communications_write(struct communications *communications, struct table_output *output);

#endif
