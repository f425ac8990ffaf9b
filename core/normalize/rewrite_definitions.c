/* SPDX-License-Identifier: MIT */
/* The rules for definitions: versions, nodes, publishers, subscriptions, timers, ring buffers. */
#include <stdlib.h>

#include "core/normalize/rewrite.h"

/* Since this major version of tracetools rmw_publish holds its publisher and its timestamp. */
#define MAJOR_WITH_TIMESTAMP 8

void rewrite_supply_version(struct rewrite *rewrite)
{
	struct event_record *record = rewrite_add(rewrite, NORMALIZED_SUPPLIED, EVENT_RCL_INIT);

	record_set(record, RCL_INIT__context_handle, 0);
	record_set(record, RCL_INIT__version, pointer_word(rewrite->normalizer->version));
	rewrite->process->has_version = true;
}

static bool has_timestamps(const char *version)
{
	char *end;
	unsigned long major = version && g_ascii_isdigit(version[0]) ? strtoul(version, &end, 10) : 0;
	int dots = 0;

	if (major < MAJOR_WITH_TIMESTAMP) {
		return false;
	}
	for (; *end; end++) {
		if (*end == '.' && g_ascii_isdigit(end[1]) && dots < 2) {
			dots++;
		} else if (!g_ascii_isdigit(*end)) {
			return false;
		}
	}
	return true;
}

void rewrite_rcl_init(struct rewrite *rewrite)
{
	rewrite->process->has_version = true;
	if (has_timestamps(record_string(rewrite->input, RCL_INIT__version))) {
		rewrite_pass(rewrite);
		return;
	}
	record_set(rewrite_pass_changed(rewrite), RCL_INIT__version, pointer_word(rewrite->normalizer->version));
}

void rewrite_rcl_node_init(struct rewrite *rewrite)
{
	uint64_t node = rewrite->input->word[RCL_NODE_INIT__node_handle];

	if (rewrite->process->node_count == 0 || rewrite->process->node != node) {
		rewrite->process->node_count++;
		rewrite->process->node = node;
	}
	rewrite_relate(rewrite, NODE, node, 0);
	rewrite_pass(rewrite);
}

void rewrite_rmw_publisher_init(struct rewrite *rewrite)
{
	rewrite_relate(rewrite, WAITING_RMW_PUBLISHER, rewrite->input->word[RMW_PUBLISHER_INIT__rmw_publisher_handle],
		       0);
	rewrite_pass(rewrite);
}

void rewrite_rmw_subscription_init(struct rewrite *rewrite)
{
	rewrite_relate(rewrite, WAITING_RMW_SUBSCRIPTION,
		       rewrite->input->word[RMW_SUBSCRIPTION_INIT__rmw_subscription_handle], 0);
	rewrite_pass(rewrite);
}

void rewrite_rcl_publisher_init(struct rewrite *rewrite)
{
	const uint64_t *word = rewrite->input->word;
	uint64_t publisher = word[RCL_PUBLISHER_INIT__publisher_handle];
	uint64_t rmw_publisher = word[RCL_PUBLISHER_INIT__rmw_publisher_handle];
	bool is_rosout = record_string(rewrite->input, RCL_PUBLISHER_INIT__topic_name) == rewrite->normalizer->rosout;
	bool has_rmw_init = rewrite_unrelate(rewrite, WAITING_RMW_PUBLISHER, rmw_publisher) != U64_MAP_NONE;

	rewrite_relate(rewrite, RMW_OF_PUBLISHER, publisher, rmw_publisher);
	rewrite_relate(rewrite, PUBLISHER_OF_RMW, rmw_publisher, publisher);
	rewrite_relate(rewrite, TOPIC_OF_PUBLISHER, publisher, word[RCL_PUBLISHER_INIT__topic_name]);
	rewrite_unrelate(rewrite, ROSOUT_PUBLISHER, publisher);
	rewrite_unrelate(rewrite, ROSOUT_RMW_PUBLISHER, rmw_publisher);
	if (is_rosout) {
		rewrite_relate(rewrite, ROSOUT_PUBLISHER, publisher, 0);
		rewrite_relate(rewrite, ROSOUT_RMW_PUBLISHER, rmw_publisher, 0);
		if (rewrite->normalizer->options.drops_rosout) {
			return;
		}
	}
	if (!has_rmw_init) {
		struct event_record *record = rewrite_add(rewrite, NORMALIZED_SUPPLIED, EVENT_RMW_PUBLISHER_INIT);

		record_set(record, RMW_PUBLISHER_INIT__rmw_publisher_handle, rmw_publisher);
		record_set(record, RMW_PUBLISHER_INIT__gid, pointer_word(rewrite->normalizer->gid));
	}
	rewrite_pass(rewrite);
}

void rewrite_rcl_subscription_init(struct rewrite *rewrite)
{
	const uint64_t *word = rewrite->input->word;
	uint64_t subscription = word[RCL_SUBSCRIPTION_INIT__subscription_handle];
	uint64_t rmw_subscription = word[RCL_SUBSCRIPTION_INIT__rmw_subscription_handle];

	rewrite_relate(rewrite, RMW_OF_SUBSCRIPTION, subscription, rmw_subscription);
	rewrite_relate(rewrite, SUBSCRIPTION_OF_RMW, rmw_subscription, subscription);
	rewrite_relate(rewrite, TOPIC_OF_SUBSCRIPTION, subscription, word[RCL_SUBSCRIPTION_INIT__topic_name]);
	rewrite_unrelate(rewrite, OBJECT_OF_SUBSCRIPTION, subscription);
	rewrite_unrelate(rewrite, INTRA_SUBSCRIPTION, subscription);
	if (rewrite_unrelate(rewrite, WAITING_RMW_SUBSCRIPTION, rmw_subscription) == U64_MAP_NONE) {
		struct event_record *record = rewrite_add(rewrite, NORMALIZED_SUPPLIED, EVENT_RMW_SUBSCRIPTION_INIT);

		record_set(record, RMW_SUBSCRIPTION_INIT__rmw_subscription_handle, rmw_subscription);
		record_set(record, RMW_SUBSCRIPTION_INIT__gid, pointer_word(rewrite->normalizer->gid));
	}
	rewrite_pass(rewrite);
}

void rewrite_rclcpp_subscription_init(struct rewrite *rewrite)
{
	uint64_t object = rewrite->input->word[RCLCPP_SUBSCRIPTION_INIT__subscription];
	uint64_t subscription = rewrite->input->word[RCLCPP_SUBSCRIPTION_INIT__subscription_handle];
	uint64_t before = rewrite_related(rewrite, SUBSCRIPTION_OF_OBJECT, object);

	if (before != U64_MAP_NONE && before != subscription) {
		/* The address belongs to another object now. */
		rewrite_unrelate(rewrite, WAITABLE, object);
	}
	rewrite_relate(rewrite, SUBSCRIPTION_OF_OBJECT, object, subscription);
	if (!rewrite_is_related(rewrite, WAITABLE, object)) {
		rewrite_relate(rewrite, OBJECT_OF_SUBSCRIPTION, subscription, object);
		rewrite_pass(rewrite);
		return;
	}
	rewrite_relate(rewrite, INTRA_SUBSCRIPTION, subscription, 0);
	if (!rewrite_intra_as_inter(rewrite)) {
		rewrite_pass(rewrite);
	}
}

/* Before tracetools 0.2.10 no rclcpp subscription is recorded; the rcl handle replaces it. */
static void add_subscription_of_old_callback(struct rewrite *rewrite)
{
	uint64_t subscription = rewrite->input->word[RCLCPP_SUBSCRIPTION_CALLBACK_ADDED__subscription_handle];
	uint64_t callback = rewrite->input->word[RCLCPP_SUBSCRIPTION_CALLBACK_ADDED__callback];
	struct event_record *record = rewrite_add(rewrite, NORMALIZED_SUPPLIED, EVENT_RCLCPP_SUBSCRIPTION_INIT);

	record_set(record, RCLCPP_SUBSCRIPTION_INIT__subscription_handle, subscription);
	record_set(record, RCLCPP_SUBSCRIPTION_INIT__subscription, subscription);
	record = rewrite_add(rewrite, NORMALIZED_COMPLETED, EVENT_RCLCPP_SUBSCRIPTION_CALLBACK_ADDED);
	record_set(record, RCLCPP_SUBSCRIPTION_CALLBACK_ADDED__subscription, subscription);
	record_set(record, RCLCPP_SUBSCRIPTION_CALLBACK_ADDED__callback, callback);
}

void rewrite_rclcpp_subscription_callback_added(struct rewrite *rewrite)
{
	uint64_t object = rewrite->input->word[RCLCPP_SUBSCRIPTION_CALLBACK_ADDED__subscription];
	uint64_t callback = rewrite->input->word[RCLCPP_SUBSCRIPTION_CALLBACK_ADDED__callback];

	rewrite_unrelate(rewrite, TIMER_OF_CALLBACK, callback);
	if (!record_has(rewrite->input, RCLCPP_SUBSCRIPTION_CALLBACK_ADDED__subscription)) {
		add_subscription_of_old_callback(rewrite);
		return;
	}
	rewrite_relate(rewrite, CALLBACK_OF_OBJECT, object, callback);
	rewrite_relate(rewrite, OBJECT_OF_CALLBACK, callback, object);
	if (!rewrite_intra_as_inter(rewrite) || !rewrite_is_related(rewrite, WAITABLE, object)) {
		rewrite_pass(rewrite);
	}
}

void rewrite_rclcpp_timer_callback_added(struct rewrite *rewrite)
{
	uint64_t timer = rewrite->input->word[RCLCPP_TIMER_CALLBACK_ADDED__timer_handle];
	uint64_t callback = rewrite->input->word[RCLCPP_TIMER_CALLBACK_ADDED__callback];

	rewrite_relate(rewrite, TIMER_OF_CALLBACK, callback, timer);
	rewrite_relate(rewrite, CALLBACK_OF_TIMER, timer, callback);
	rewrite_unrelate(rewrite, OBJECT_OF_CALLBACK, callback);
	rewrite_pass(rewrite);
}

void rewrite_rclcpp_timer_link_node(struct rewrite *rewrite)
{
	uint64_t timer = rewrite->input->word[RCLCPP_TIMER_LINK_NODE__timer_handle];
	uint64_t callback = rewrite_related(rewrite, CALLBACK_OF_TIMER, timer);

	rewrite->process->has_timer_link = true;
	if (callback != U64_MAP_NONE) {
		rewrite_unrelate(rewrite, TIMER_OF_CALLBACK, callback);
	}
	rewrite_pass(rewrite);
}

void rewrite_rclcpp_callback_register(struct rewrite *rewrite)
{
	uint64_t callback = rewrite->input->word[RCLCPP_CALLBACK_REGISTER__callback];

	if (!rewrite_intra_as_inter(rewrite) ||
	    !rewrite_is_related(rewrite, WAITABLE, rewrite_related(rewrite, OBJECT_OF_CALLBACK, callback))) {
		rewrite_pass(rewrite);
	}
}

void rewrite_rclcpp_ipb_to_subscription(struct rewrite *rewrite)
{
	uint64_t ipb = rewrite->input->word[RCLCPP_IPB_TO_SUBSCRIPTION__ipb];
	uint64_t object = rewrite->input->word[RCLCPP_IPB_TO_SUBSCRIPTION__subscription];

	rewrite_relate(rewrite, OBJECT_OF_IPB, ipb, object);
	rewrite_relate(rewrite, WAITABLE, object, object);
	/* Its rclcpp_subscription_init follows. */
	rewrite_unrelate(rewrite, SUBSCRIPTION_OF_OBJECT, object);
	rewrite_pass(rewrite);
}

void rewrite_rclcpp_buffer_to_ipb(struct rewrite *rewrite)
{
	rewrite_relate(rewrite, IPB_OF_BUFFER, rewrite->input->word[RCLCPP_BUFFER_TO_IPB__buffer],
		       rewrite->input->word[RCLCPP_BUFFER_TO_IPB__ipb]);
	rewrite_pass(rewrite);
}
