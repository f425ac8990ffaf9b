/* SPDX-License-Identifier: MIT */
/*
 * How many messages were on their way to a subscription, or waited there, at any time: counters of the timeline. A
 * message counts from its publication to the start of the callback that handles it; lost ones, and those that are only
 * taken, do not count. A subscription with never more than one has no counter.
 *
 * Memory: 32 bytes for each message, up to 32 MiB; then the first half of them is written. A message that has waited
 * since before that counts from then on. O(messages × log).
 */
#ifndef ROS2BT_TIMELINE_QUEUES_H
#define ROS2BT_TIMELINE_QUEUES_H

#include "core/analyses/shared/analysis.h"
#include "core/tables/timeline_tables.h"

struct timeline_queues {
	GArray *steps;	    /* struct queue_step, not written yet; NULL: none so far */
	GArray *queues;	    /* struct queue by index of the subscription */
	int64_t settled_ns; /* all up to then is written */
};

/* Embedded: zeros first. */
void timeline_queues_clear(struct timeline_queues *queues);

void timeline_queues_add(struct timeline_queues *queues, const struct model_subscription *subscription,
			 int64_t publish_ns, int64_t start_ns, struct table_writer *events);

/* There are no more messages. */
void timeline_queues_finish(struct timeline_queues *queues, struct table_writer *events);

void timeline_queues_write_names(const struct timeline_queues *queues, const struct object_model *model,
				 struct table_writer *tracks);

#endif
