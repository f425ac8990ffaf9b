/* SPDX-License-Identifier: MIT */
#include "core/normalize/publication_handles.h"

#include <glib.h>

#include "ros2bt/events/event_schema.h"

struct publication_handles *publication_handles_create(void)
{
	struct publication_handles *process = g_new0(struct publication_handles, 1);

	u64_map_init(&process->publisher_topics);
	u64_map_init(&process->subscription_topics);
	u64_map_init(&process->rmw_subscriptions);
	u64_map_init(&process->object_handles);
	u64_map_init(&process->callback_objects);
	ring_slots_init(&process->slots);
	return process;
}

void publication_handles_destroy(struct publication_handles *process)
{
	u64_map_clear(&process->publisher_topics);
	u64_map_clear(&process->subscription_topics);
	u64_map_clear(&process->rmw_subscriptions);
	u64_map_clear(&process->object_handles);
	u64_map_clear(&process->callback_objects);
	ring_slots_clear(&process->slots);
	g_free(process);
}

/* U64_MAP_NONE is no address. */
static void remember(struct u64_map *map, uint64_t key, uint64_t value)
{
	if (value != U64_MAP_NONE) {
		u64_map_set(map, key, value);
	}
}

void publication_handles_learn(struct publication_handles *process, const struct event_record *record,
			       struct stamp_topic *topic)
{
	const uint64_t *word = record->word;

	switch (record->kind) {
	case EVENT_RCL_PUBLISHER_INIT:
		u64_map_set_pointer(&process->publisher_topics, word[RCL_PUBLISHER_INIT__publisher_handle], topic);
		break;
	case EVENT_RCL_SUBSCRIPTION_INIT:
		u64_map_set_pointer(&process->subscription_topics, word[RCL_SUBSCRIPTION_INIT__rmw_subscription_handle],
				    topic);
		remember(&process->rmw_subscriptions, word[RCL_SUBSCRIPTION_INIT__subscription_handle],
			 word[RCL_SUBSCRIPTION_INIT__rmw_subscription_handle]);
		break;
	case EVENT_RCLCPP_SUBSCRIPTION_INIT:
		remember(&process->object_handles, word[RCLCPP_SUBSCRIPTION_INIT__subscription],
			 word[RCLCPP_SUBSCRIPTION_INIT__subscription_handle]);
		break;
	case EVENT_RCLCPP_SUBSCRIPTION_CALLBACK_ADDED:
		if (record_has(record, RCLCPP_SUBSCRIPTION_CALLBACK_ADDED__subscription)) {
			remember(&process->callback_objects, word[RCLCPP_SUBSCRIPTION_CALLBACK_ADDED__callback],
				 word[RCLCPP_SUBSCRIPTION_CALLBACK_ADDED__subscription]);
		}
		break;
	}
}

struct stamp_topic *publication_handles_topic_of_callback(const struct publication_handles *process, uint64_t callback)
{
	uint64_t key = u64_map_get(&process->callback_objects, callback);

	key = key == U64_MAP_NONE ? key : u64_map_get(&process->object_handles, key);
	key = key == U64_MAP_NONE ? key : u64_map_get(&process->rmw_subscriptions, key);
	return key == U64_MAP_NONE ? NULL : u64_map_get_pointer(&process->subscription_topics, key);
}
