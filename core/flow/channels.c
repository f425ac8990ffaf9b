/* SPDX-License-Identifier: MIT */
#include "core/flow/channels.h"

#include "core/base/arena.h"
#include "core/base/slots.h"

/* A guess: messages under way that are in neither queue. */
#define QUEUE_SLACK 16

static void add(struct flow_publisher *publisher, struct flow_channel *channel)
{
	guint count = publisher->channel_count++;

	if ((count & (count - 1)) == 0) { /* there is room up to a power of two */
		publisher->channels = g_renew(struct flow_channel *, publisher->channels, MAX(2 * count, 1));
	}
	publisher->channels[count] = channel;
	u64_map_set_pointer(&publisher->by_subscription, channel->subscription->index, channel);
	publisher->undefined_channels += !channel->subscription->topic;
}

struct flow_channel *flow_channel_meet(struct flow_linker *linker, struct flow_publisher *publisher,
				       struct model_subscription *subscription)
{
	struct flow_subscription *of = flow_subscription(subscription);

	if (of->last_channel && of->last_publisher == publisher->index) {
		return of->last_channel;
	}
	of->last_publisher = publisher->index;
	of->last_channel = flow_channel_find(publisher, subscription);
	if (!of->last_channel) {
		of->last_channel = arena_take(recording_arena(linker->recording), sizeof(*of->last_channel));
		of->last_channel->subscription = subscription;
		of->last_channel->first = UINT32_MAX;
		of->last_channel->place = publisher->channel_count;
		add(publisher, of->last_channel);
	}
	return of->last_channel;
}

void flow_channel_receive(struct flow_linker *linker, struct flow_channel *channel,
			  struct linked_publication *publication)
{
	uint64_t sequence = publication->sequence;

	if (channel->place < FLOW_RECEIVED_BITS) {
		publication->received_by |= UINT64_C(1) << channel->place;
	}
	linked_publication_reach(publication, channel->subscription);
	if (G_UNLIKELY(sequence < channel->first)) {
		channel->first = (uint32_t)sequence;
		publication->queue->has_inter = true;
	}
	channel->last = MAX(channel->last, sequence);
	if (sequence > channel->newest && linker->now_ns - channel->newest_since_ns >= FLOW_OUT_OF_ORDER_NS) {
		channel->passed = channel->newest;
		channel->newest = sequence;
		channel->newest_since_ns = linker->now_ns;
	}
}

void **flow_linker_pair(const struct flow_linker *linker, const struct model_publisher *publisher,
			const struct model_subscription *subscription)
{
	const struct flow_publisher *of = slot_get(linker->publishers, publisher->index);
	struct flow_channel *channel = of ? flow_channel_find(of, subscription) : NULL;

	return channel ? &channel->pair : NULL;
}

/* Whether more later publications follow than the queues hold. */
static bool is_out_of_queues(const struct linked_publication *publication, uint64_t subscription_depth)
{
	const struct flow_publisher *publisher = publication->queue;
	uint64_t publisher_depth = publisher->model->queue_depth;

	return subscription_depth > 0 && subscription_depth < UINT32_MAX && publisher_depth > 0 &&
	       publisher_depth < UINT32_MAX &&
	       publisher->sequence > publication->sequence + subscription_depth + publisher_depth + QUEUE_SLACK;
}

bool flow_channel_has_passed(struct flow_linker *linker, const struct flow_channel *channel,
			     const struct linked_publication *publication)
{
	uint64_t sequence = publication->sequence;

	if (sequence < channel->passed ||
	    (sequence < channel->newest && linker->now_ns - channel->newest_since_ns >= FLOW_OUT_OF_ORDER_NS)) {
		return true;
	}
	return linker->now_ns - flow_process(linker, channel->subscription->process)->recorded.last_ns >=
		       FLOW_PROCESS_SILENT_NS &&
	       is_out_of_queues(publication, channel->subscription->queue_depth);
}

/* How many of the subscriptions that are counted to the topic the publisher has met. */
static guint count_met(struct flow_publisher *publisher)
{
	if (G_UNLIKELY(publisher->undefined_channels > 0) &&
	    publisher->counted_for != publisher->topic->subscription_count) {
		publisher->counted_for = publisher->topic->subscription_count;
		publisher->undefined_channels = 0;
		for (guint i = 0; i < publisher->channel_count; i++) {
			const struct flow_channel *channel = publisher->channels[i];

			publisher->undefined_channels += !channel->subscription->topic;
		}
	}
	return publisher->channel_count - publisher->undefined_channels;
}

bool flow_channel_awaits_first(const struct flow_linker *linker, const struct linked_publication *publication)
{
	struct flow_publisher *publisher = publication->queue;

	return publisher->topic && publisher->topic->subscription_count > count_met(publisher) &&
	       (linker->now_ns - publication->public.first_ns < FLOW_OUT_OF_ORDER_NS ||
		!is_out_of_queues(publication, publisher->topic->queue_depth));
}
