/* SPDX-License-Identifier: MIT */
#include "core/flow/subscriptions.h"

/* Messages on their way beside those in the queues. */
#define QUEUE_SLACK 16

/* --- the subscriptions of a topic --- */

bool flow_subscription_comes_before(struct flow_linker *linker, const struct model_subscription *left,
				    const struct model_subscription *right)
{
	const struct recording_process *left_process = recording_process(linker->recording, left->process);
	const struct recording_process *right_process = recording_process(linker->recording, right->process);

	if (left->since_ns != right->since_ns) {
		return left->since_ns < right->since_ns;
	}
	if (left_process->vpid != right_process->vpid) {
		return left_process->vpid < right_process->vpid;
	}
	if (left_process->pid_ns != right_process->pid_ns) {
		return left_process->pid_ns < right_process->pid_ns;
	}
	return left->handle < right->handle;
}

static bool add_to_topic(struct flow_linker *linker, const struct model_subscription *subscription)
{
	struct flow_topic *topic;

	if (!subscription->topic) {
		return false;
	}
	topic = flow_topic(linker, subscription->topic);
	topic->subscription_count++;
	topic->queue_depth =
		MAX(topic->queue_depth, subscription->queue_depth > 0 ? subscription->queue_depth : UINT64_MAX);
	return true;
}

/* Subscriptions were defined: finds them, and those that were seen before they were defined. */
void flow_subscriptions_changed(struct flow_linker *linker)
{
	for (guint i = 0; i < linker->undefined_subscriptions->len;) {
		if (add_to_topic(linker, g_ptr_array_index(linker->undefined_subscriptions, i))) {
			g_ptr_array_remove_index_fast(linker->undefined_subscriptions, i);
		} else {
			i++;
		}
	}
	for (; linker->subscriptions_seen < object_model_subscription_count(linker->model);
	     linker->subscriptions_seen++) {
		struct model_subscription *subscription =
			object_model_subscription_at(linker->model, linker->subscriptions_seen);

		if (!add_to_topic(linker, subscription)) {
			g_ptr_array_add(linker->undefined_subscriptions, subscription);
		}
	}
}

/* --- what a subscription has got of a publisher --- */

static uint64_t channel_key(const struct flow_publisher *publisher, const struct model_subscription *subscription)
{
	return (uint64_t)publisher->model->index << 32 | subscription->index;
}

struct channel *flow_channel(const struct flow_linker *linker, const struct flow_publisher *publisher,
			     const struct model_subscription *subscription)
{
	return u64_map_get_pointer(&linker->channels, channel_key(publisher, subscription));
}

static struct channel *find_or_add(struct flow_linker *linker, struct flow_publisher *publisher,
				   struct model_subscription *subscription)
{
	struct channel *channel = flow_channel(linker, publisher, subscription);

	if (!channel) {
		channel = g_new0(struct channel, 1);
		channel->subscription = subscription;
		u64_map_set_pointer(&linker->channels, channel_key(publisher, subscription), channel);
		g_ptr_array_add(publisher->channels, channel);
	}
	return channel;
}

void flow_channel_received(struct flow_linker *linker, const struct linked_publication *publication,
			   const struct linked_delivery *delivery)
{
	struct channel *channel = find_or_add(linker, publication->queue, delivery->public.subscription);
	uint64_t sequence = publication->sequence;

	if (delivery->public.is_intra_process) {
		return;
	}
	channel->first = channel->has_inter ? MIN(channel->first, sequence) : sequence;
	channel->last = MAX(channel->last, sequence);
	channel->has_inter = true;
	if (sequence > channel->newest && linker->now_ns - channel->newest_since_ns >= FLOW_OUT_OF_ORDER_NS) {
		channel->passed = channel->newest;
		channel->newest = sequence;
		channel->newest_since_ns = linker->now_ns;
	}
}

/* More later ones were published than the queues hold. */
static bool is_out_of_queues(const struct linked_publication *publication, uint64_t subscription_depth)
{
	const struct flow_publisher *publisher = publication->queue;
	uint64_t publisher_depth = publisher->model->queue_depth;

	return subscription_depth > 0 && subscription_depth < UINT32_MAX && publisher_depth > 0 &&
	       publisher_depth < UINT32_MAX &&
	       publisher->sequence > publication->sequence + subscription_depth + publisher_depth + QUEUE_SLACK;
}

bool flow_has_passed(struct flow_linker *linker, const struct channel *channel,
		     const struct linked_publication *publication)
{
	uint64_t sequence = publication->sequence;

	if (sequence < channel->passed ||
	    (sequence < channel->newest && linker->now_ns - channel->newest_since_ns >= FLOW_OUT_OF_ORDER_NS)) {
		return true;
	}
	return linker->now_ns - flow_process(linker, channel->subscription->process)->last_runtime_ns >=
		       FLOW_PROCESS_SILENT_NS &&
	       is_out_of_queues(publication, channel->subscription->queue_depth);
}

bool flow_awaits_first_match(const struct linked_publication *publication)
{
	const struct flow_publisher *publisher = publication->queue;

	return publisher->topic && publisher->topic->subscription_count > publisher->channels->len &&
	       !is_out_of_queues(publication, publisher->topic->queue_depth);
}
