/* SPDX-License-Identifier: MIT */
/*
 * Messages that a publisher kept for subscriptions that join later (QoS durability transient local).
 */
#ifndef ROS2BT_LATCHED_DELIVERY_H
#define ROS2BT_LATCHED_DELIVERY_H

#include "ros2bt/flow/flow_linker.h"

/*
 * Whether the message was published before its subscription existed. Only known within a host: clocks of different
 * hosts may differ by more than the time in between.
 */
static inline bool delivery_is_latched(const struct recording *recording, const struct flow_delivery *delivery)
{
	const struct flow_publication *publication = delivery->publication;
	const struct model_subscription *subscription = delivery->subscription;

	return subscription && subscription->is_defined && publication->last_ns < subscription->since_ns &&
	       recording_process(recording, publication->process)->host ==
		       recording_process(recording, subscription->process)->host;
}

#endif
