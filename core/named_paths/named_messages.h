/* SPDX-License-Identifier: MIT */
/*
 * What became of the messages of named paths, as the flow linker reports it: taken without a callback, lost, unknown.
 * A message that begins a flow ends it at once if it carries it no further. For any other message, each callback
 * that published it keeps a send (named_steps.h), which is evaluated when that callback has finished. A message that a
 * callback received is followed there (named_flows.c).
 *
 * The linker reports all subscriptions of one publication one after the other; `concluded` is the last report of each.
 * The nodes of a path whose subscription is not among them are unknown: the recording does not show that subscription,
 * or does not show it yet.
 *
 * Cost: O(ways and parents of the publication) for each report. Memory: an entry for each publisher and callback.
 */
#ifndef ROS2BT_NAMED_MESSAGES_H
#define ROS2BT_NAMED_MESSAGES_H

#include "core/named_paths/named_endings.h"

struct named_messages {
	struct flow_linker *linker; /* borrowed, like the next three */
	struct named_ways *ways;
	struct named_steps *steps;
	struct named_endings *endings;
	uint64_t reported_id;	   /* of the last publication reported */
	GPtrArray *reported_ways;  /* struct named_way *: the ways with a report of it */
	struct u64_map publishing; /* index of a publisher << 32 | of a callback → its publications */
};

void named_messages_init(struct named_messages *messages, const struct analysis_context *context,
			 struct named_ways *ways, struct named_steps *steps, struct named_endings *endings);

/* As in struct flow_listener. */
void named_messages_delivered(struct named_messages *messages, const struct flow_delivery *delivery);
void named_messages_expected(struct named_messages *messages, const struct flow_publication *publication,
			     const struct model_subscription *subscription, enum flow_outcome outcome);
void named_messages_settled(struct named_messages *messages, const struct flow_publication *publication);
void named_messages_concluded(struct named_messages *messages, const struct flow_publication *publication);

#endif
