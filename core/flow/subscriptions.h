/* SPDX-License-Identifier: MIT */
/*
 * Who should get a message, and who can no longer get it.
 *
 * A subscription is expected to get a publication if it existed and its process had run when the message was published.
 * It can no longer get it when it has taken a later one of the same publisher (DDS delivers the messages of one writer
 * in order; FLOW_OUT_OF_ORDER_NS allows for threads that log out of order), or when more later ones were published than
 * both queues hold (QoS history depth of rmw, KEEP_LAST).
 *
 * Subscriptions of a topic are in order of (definition time, vpid, pid namespace, handle): that of the recorded system,
 * not of when a definition was read, so that filters that move definitions do not change a report.
 * Cost: O(1) for a subscription. Memory: a channel for each pair of publisher and subscription seen together.
 */
#ifndef ROS2BT_FLOW_SUBSCRIPTIONS_H
#define ROS2BT_FLOW_SUBSCRIPTIONS_H

#include "core/flow/state.h"

/* A subscription that has taken a later message takes no earlier one, threads that log out of order aside. */
#define FLOW_OUT_OF_ORDER_NS (100 * NS_PER_MS)

/* Subscriptions were defined: sorts them, and those seen before they were defined, into their topics. */
void flow_subscriptions_changed(struct flow_linker *linker);
bool flow_subscription_comes_before(struct flow_linker *linker, const struct model_subscription *left,
				    const struct model_subscription *right);

/* The subscriptions of a publisher: those of its topic, else those that were seen to get its messages. */
const GPtrArray *flow_publisher_listeners(const struct flow_publisher *publisher);

bool flow_is_expected(struct flow_linker *linker, const struct linked_publication *publication,
		      const struct model_subscription *subscription);

/* The subscription has taken the publisher's message of this sequence number. */
void flow_channel_received(struct flow_linker *linker, struct flow_publisher *publisher,
			   struct model_subscription *subscription, uint64_t sequence);
bool flow_has_passed(const struct flow_linker *linker, const struct flow_publisher *publisher,
		     const struct model_subscription *subscription, uint64_t sequence);

#endif
