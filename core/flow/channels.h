/* SPDX-License-Identifier: MIT */
/*
 * Which subscriptions a publisher has met, and who can no longer get a message.
 *
 * A subscription has met a publisher when it has got a message of it: only then is it known that the middleware has
 * matched the two. Such a pair has a channel. Pairs that never met have none and cost nothing: on a topic of every node
 * (/parameter_events) there are n² of them.
 *
 * A subscription can no longer get a message when it has taken a later one of the same publisher (DDS delivers the
 * messages of one writer in order; FLOW_OUT_OF_ORDER_NS allows for threads that log out of order), or when its process
 * has been silent for FLOW_PROCESS_SILENT_NS and more later ones were published than both queues hold (QoS history
 * depth of rmw, KEEP_LAST). As long as a topic has subscriptions that the publisher has not met, a message also waits
 * for the first take of those, as long as the queues may hold it.
 *
 * Cost: O(1) for a subscription. Memory: a channel for each pair that has met.
 */
#ifndef ROS2BT_FLOW_CHANNELS_H
#define ROS2BT_FLOW_CHANNELS_H

#include "core/flow/endpoints.h"
#include "core/flow/linked_publications.h"

/* A subscription that has taken a later message takes no earlier one, threads that log out of order aside. */
#define FLOW_OUT_OF_ORDER_NS (100 * NS_PER_MS)

/* A process that is only busy shows an event again before. */
#define FLOW_PROCESS_SILENT_NS (10 * NS_PER_S)

/* A subscription that has got a message of a publisher: only then is it known that the middleware matched them. */
struct channel {
	struct model_subscription *subscription;
	bool has_inter; /* between processes; else through a ring buffer only */
	/* The publication after a missing one that it got first, and when. */
	uint64_t next;
	int64_t next_take_ns;
	uint64_t first, last; /* least and greatest sequence of a publication that it got */
	uint64_t passed;      /* all publications before this sequence can not come any more */
	uint64_t newest;      /* becomes `passed` when newest_since_ns is long enough ago */
	int64_t newest_since_ns;
};

/* What the subscription has got of the publisher; NULL if they have not met. */
struct channel *flow_channel_find(const struct flow_linker *linker, const struct flow_publisher *publisher,
				  const struct model_subscription *subscription);
/* The delivery, to a known subscription, has happened. */
void flow_channel_received(struct flow_linker *linker, const struct linked_publication *publication,
			   const struct linked_delivery *delivery);
bool flow_channel_has_passed(struct flow_linker *linker, const struct channel *channel,
			     const struct linked_publication *publication);
/* Whether a subscription that the publisher has not met may still take the message. */
bool flow_channel_awaits_first(const struct linked_publication *publication);

#endif
