/* SPDX-License-Identifier: MIT */
/*
 * Channels: which subscriptions a publisher has met, and which can no longer receive a message.
 *
 * A subscription has met a publisher when it has received a message of it; no other event shows that the middleware has
 * matched the two. Such a pair has a channel. Pairs that never met have none and cost nothing: on a topic of every node
 * (/parameter_events) there are n² of them.
 *
 * A subscription can no longer receive a message when it has taken a later one of the same publisher (DDS delivers the
 * messages of one writer in order; FLOW_OUT_OF_ORDER_NS allows for threads that log out of order), or when its process
 * has been silent for FLOW_PROCESS_SILENT_NS and more later messages were published than both queues hold (QoS history
 * depth, KEEP_LAST). While a topic has subscriptions that the publisher has not met, a message also waits for their
 * first take, as long as the queues may hold it, and for FLOW_OUT_OF_ORDER_NS at least: more messages than queues hold
 * seem to be under way if the clocks of two hosts differ.
 *
 * Cost: one lookup for a delivery, at its take if that is recorded; if not, none if the one before to the subscription
 * was of the same publisher. What that reads is fetched into the cache when the publisher publishes, which it has not
 * done for long, and many takes follow: O(channels) at each publish event. Memory: a channel for each pair that has
 * met.
 */
#ifndef ROS2BT_FLOW_CHANNELS_H
#define ROS2BT_FLOW_CHANNELS_H

#include "core/flow/endpoints.h"
#include "core/flow/linked_publications.h"

/* How much later than a later message an earlier one may be logged, by another thread of the subscription. */
#define FLOW_OUT_OF_ORDER_NS (100 * NS_PER_MS)

/* A process that is merely busy records an event within this time. */
#define FLOW_PROCESS_SILENT_NS (10 * NS_PER_S)

/* A subscription that has received a message of a publisher. In the arena: a cache line. */
struct flow_channel {
	struct model_subscription *subscription;
	void *pair;	 /* of flow_listener.received */
	void *way;	 /* of flow_linker_way() */
	uint64_t last;	 /* sequence received between processes, from 1; 0: only ring buffers */
	uint32_t first;	 /* likewise; UINT32_MAX: only ring buffers */
	uint32_t place;	 /* in flow_publisher.channels */
	uint64_t passed; /* no publication before this sequence can still be received */
	uint64_t newest; /* becomes `passed` when newest_since_ns is long enough ago */
	int64_t newest_since_ns;
};

_Static_assert(sizeof(struct flow_channel) <= CACHE_LINE, "one cache line");

/* NULL: the two have not met. */
static inline struct flow_channel *flow_channel_find(const struct flow_publisher *publisher,
						     const struct model_subscription *subscription)
{
	return u64_map_get_pointer(&publisher->by_subscription, subscription->index);
}

/*
 * What the takes of a message need is fetched at its publish events, of which each reads what the one before fetched:
 * first where the channels of the publisher are, then the channels, at the write their subscriptions. The last two
 * allow NULL: no publisher is known.
 */
static inline void flow_channels_prefetch_places(const struct flow_publisher *publisher)
{
	prefetch_array(publisher->channels, publisher->channel_count * sizeof(gpointer));
	prefetch_array(publisher->by_subscription.slots, publisher->by_subscription.capacity * 2 * sizeof(uint64_t));
}

static inline void flow_channels_prefetch(const struct flow_publisher *publisher)
{
	for (guint i = 0; publisher && i < publisher->channel_count; i++) {
		prefetch(publisher->channels[i], sizeof(struct flow_channel));
	}
}

static inline void flow_channels_prefetch_subscriptions(const struct flow_publisher *publisher)
{
	for (guint i = 0; publisher && i < publisher->channel_count; i++) {
		const struct flow_channel *channel = publisher->channels[i];

		prefetch(channel->subscription, sizeof(*channel->subscription));
	}
}

/* The channel of the two, which have met. */
struct flow_channel *flow_channel_meet(struct flow_linker *linker, struct flow_publisher *publisher,
				       struct model_subscription *subscription);
/* Its subscription has received the message, between processes. */
void flow_channel_receive(struct flow_linker *linker, struct flow_channel *channel,
			  struct linked_publication *publication);
/*
 * Whether the subscription has received the publication, of which no delivery to it is kept. Where the publication had
 * reached all subscriptions that its publisher had met when it was concluded, these were the first ones.
 */
static inline bool flow_channels_have_received(const struct linked_publication *publication,
					       const struct model_subscription *subscription)
{
	const struct flow_channel *channel;

	if (!publication->queue || !linked_publication_may_have_reached(publication, subscription)) {
		return false;
	}
	channel = flow_channel_find(publication->queue, subscription);
	return channel && ((publication->has_reached_all && channel->place < publication->received) ||
			   linked_publication_has_bit(publication, channel->place));
}

/*
 * As linked_publication_delivery_to(), mostly in O(1), since a message may have thousands of deliveries: until it is
 * settled, each is of a channel that has received it, unless it is through a ring buffer or from before the publisher
 * was known. `channel`: that of the two, or NULL if it is to be looked up.
 */
static inline struct linked_delivery *flow_channels_find_delivery(const struct linked_publication *publication,
								  const struct model_subscription *subscription,
								  const struct flow_channel *channel)
{
	if (!linked_publication_may_have_reached(publication, subscription)) {
		return NULL;
	}
	if (publication->queue && !publication->is_settled && !publication->public.has_intra_leg &&
	    !publication->has_early_deliveries) {
		channel = channel ? channel : flow_channel_find(publication->queue, subscription);
		if (!channel || channel->last < publication->sequence) {
			return NULL;
		}
	}
	return linked_publication_delivery_to(publication, subscription);
}

/* Whether the subscription can no longer receive the publication. */
bool flow_channel_has_passed(struct flow_linker *linker, const struct flow_channel *channel,
			     const struct linked_publication *publication);
/* Whether subscriptions are left that were looked at so recently that the publication does not settle without them. */
static inline bool flow_channels_are_awaited(const struct flow_linker *linker,
					     const struct linked_publication *publication)
{
	return publication->public.has_inter_leg && publication->received < publication->queue->channel_count &&
	       linker->now_ns - publication->checked_ns < FLOW_OUT_OF_ORDER_NS / 2;
}

/* Whether a subscription that the publisher has not met may still take the publication. */
bool flow_channel_awaits_first(const struct flow_linker *linker, const struct linked_publication *publication);

#endif
