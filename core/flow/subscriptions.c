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

static bool add_to_topic(struct flow_linker *linker, struct model_subscription *subscription)
{
	GPtrArray *subscriptions;
	guint place;

	if (!subscription->topic) {
		return false;
	}
	subscriptions = flow_topic(linker, subscription->topic)->subscriptions;
	for (place = subscriptions->len; place > 0; place--) {
		if (!flow_subscription_comes_before(linker, subscription,
						    g_ptr_array_index(subscriptions, place - 1))) {
			break;
		}
	}
	g_ptr_array_insert(subscriptions, (gint)place, subscription);
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

void flow_channel_received(struct flow_linker *linker, struct flow_publisher *publisher,
			   struct model_subscription *subscription, uint64_t sequence)
{
	uint64_t key = channel_key(publisher, subscription);
	struct channel *channel = u64_map_get_pointer(&linker->channels, key);

	if (!channel) {
		channel = g_new0(struct channel, 1);
		u64_map_set_pointer(&linker->channels, key, channel);
		if (!publisher->topic) {
			g_ptr_array_add(publisher->receivers, subscription);
		}
	}
	if (sequence <= channel->newest) {
		return;
	}
	if (linker->now_ns - channel->newest_since_ns >= FLOW_OUT_OF_ORDER_NS) {
		channel->passed = channel->newest;
		channel->newest = sequence;
		channel->newest_since_ns = linker->now_ns;
	}
}

bool flow_has_passed(const struct flow_linker *linker, const struct flow_publisher *publisher,
		     const struct model_subscription *subscription, uint64_t sequence)
{
	const struct channel *channel = u64_map_get_pointer(&linker->channels, channel_key(publisher, subscription));
	uint64_t depth = subscription->queue_depth + publisher->model->queue_depth;

	if (channel &&
	    (sequence < channel->passed ||
	     (sequence < channel->newest && linker->now_ns - channel->newest_since_ns >= FLOW_OUT_OF_ORDER_NS))) {
		return true;
	}
	return subscription->queue_depth > 0 && publisher->model->queue_depth > 0 && depth < UINT32_MAX &&
	       publisher->sequence > sequence + depth + QUEUE_SLACK;
}

/* Whether the subscription gets the publication through a ring buffer: then it throws the other copy away. */
static bool is_intra_process_for(const struct linked_publication *publication,
				 const struct model_subscription *subscription)
{
	if (!publication->public.has_intra_leg) {
		return false;
	}
	for (const struct linked_delivery *delivery = publication->deliveries; delivery; delivery = delivery->next) {
		if (delivery->public.is_intra_process && delivery->public.subscription == subscription) {
			return true;
		}
	}
	return false;
}

/* Whether the subscription was there and its process was recorded when the message was published. */
bool flow_is_expected(struct flow_linker *linker, const struct linked_publication *publication,
		      const struct model_subscription *subscription)
{
	const struct flow_process *process = flow_process(linker, subscription->process);

	return publication->public.has_inter_leg && subscription->since_ns <= publication->public.first_ns &&
	       process->has_run && process->first_runtime_ns <= publication->public.first_ns &&
	       !is_intra_process_for(publication, subscription);
}

/* The subscriptions of a publisher: those of its topic, else those that were seen to get its messages. */
const GPtrArray *flow_publisher_listeners(const struct flow_publisher *publisher)
{
	return publisher->topic ? publisher->topic->subscriptions : publisher->receivers;
}
