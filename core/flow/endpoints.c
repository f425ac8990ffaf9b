/* SPDX-License-Identifier: MIT */
#include "core/flow/endpoints.h"

#include "core/base/slots.h"

void flow_add_publisher(struct flow_linker *linker, struct model_publisher *model)
{
	struct flow_publisher *publisher = (struct flow_publisher *)model->of_flow;

	publisher->model = model;
	publisher->index = model->index;
	*slot_at(linker->publishers, model->index) = publisher;
}

uint64_t flow_linker_publication_count(const struct flow_linker *linker, uint32_t publisher)
{
	const struct flow_publisher *found =
		publisher < linker->publishers->len ? g_ptr_array_index(linker->publishers, publisher) : NULL;

	return found ? found->sequence : 0;
}

struct flow_topic *flow_topic(struct flow_linker *linker, const char *name)
{
	struct flow_topic *topic = u64_map_get_pointer(&linker->topics, (uint64_t)(uintptr_t)name);

	if (!topic) {
		topic = g_new0(struct flow_topic, 1);
		topic->name = name;
		u64_map_set_pointer(&linker->topics, (uint64_t)(uintptr_t)name, topic);
	}
	return topic;
}

/* --- subscriptions --- */

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

void flow_subscription_set_unlinked_take(struct flow_linker *linker, const struct model_subscription *subscription,
					 int64_t take_ns)
{
	static const int64_t never = INT64_MIN;
	int64_t *last_ns;

	while (linker->unlinked_takes->len <= subscription->index) {
		g_array_append_val(linker->unlinked_takes, never);
	}
	last_ns = &g_array_index(linker->unlinked_takes, int64_t, subscription->index);
	*last_ns = MAX(*last_ns, take_ns);
}

int64_t flow_subscription_unlinked_take_ns(const struct flow_linker *linker,
					   const struct model_subscription *subscription)
{
	return subscription->index < linker->unlinked_takes->len
		       ? g_array_index(linker->unlinked_takes, int64_t, subscription->index)
		       : INT64_MIN;
}
