/* SPDX-License-Identifier: MIT */
#include "core/base/slots.h"
#include "core/normalize/rewrite.h"
#include "ros2bt/normalize/normalizer.h"

struct normalizer *normalizer_create(struct recording *recording, struct look_ahead *ahead,
				     const struct normalizer_options *options)
{
	static const uint8_t no_gid[GID_SIZE];
	struct normalizer *normalizer = g_new0(struct normalizer, 1);
	struct string_pool *pool = recording_pool(recording);

	normalizer->recording = recording;
	normalizer->ahead = ahead;
	normalizer->options = *options;
	normalizer->rosout = string_pool_intern(pool, "/rosout");
	normalizer->version = string_pool_intern(pool, NORMALIZER_VERSION);
	normalizer->gid = string_pool_intern_bytes(pool, no_gid, sizeof(no_gid));
	normalizer->calls = sent_calls_create();
	normalizer->processes = g_ptr_array_new();
	normalizer->threads = g_array_new(FALSE, TRUE, sizeof(struct rewrite_thread));
	return normalizer;
}

static struct rewrite_process *process_create(void)
{
	struct rewrite_process *process = g_new0(struct rewrite_process, 1);

	for (size_t i = 0; i < RELATION_COUNT; i++) {
		u64_map_init(&process->relations[i]);
	}
	ring_slots_init(&process->slots);
	process->messages = g_array_new(FALSE, TRUE, sizeof(struct intra_message));
	intra_copies_init(&process->copies);
	return process;
}

static void process_destroy(struct rewrite_process *process)
{
	for (size_t i = 0; i < RELATION_COUNT; i++) {
		u64_map_clear(&process->relations[i]);
	}
	ring_slots_clear(&process->slots);
	g_array_free(process->messages, TRUE);
	intra_copies_clear(&process->copies);
	g_free(process);
}

void normalizer_destroy(struct normalizer *normalizer)
{
	if (!normalizer) {
		return;
	}
	for (guint i = 0; i < normalizer->processes->len; i++) {
		process_destroy(g_ptr_array_index(normalizer->processes, i));
	}
	g_ptr_array_free(normalizer->processes, TRUE);
	g_array_free(normalizer->threads, TRUE);
	sent_calls_destroy(normalizer->calls);
	g_free(normalizer);
}

static struct rewrite_process *find_process(struct normalizer *normalizer, uint32_t thread)
{
	uint32_t index = recording_thread(normalizer->recording, thread)->process;

	while (normalizer->processes->len <= index) {
		g_ptr_array_add(normalizer->processes, process_create());
	}
	return g_ptr_array_index(normalizer->processes, index);
}

static struct rewrite_thread *find_thread(struct normalizer *normalizer, uint32_t index)
{
	return array_at(normalizer->threads, struct rewrite_thread, index);
}

/* By kind; events without a rule pass unchanged. */
static void (*const rules[EVENT_KIND_COUNT])(struct rewrite *rewrite) = {
	[EVENT_RCL_INIT] = rewrite_rcl_init,
	[EVENT_RCL_NODE_INIT] = rewrite_rcl_node_init,
	[EVENT_RMW_PUBLISHER_INIT] = rewrite_rmw_publisher_init,
	[EVENT_RCL_PUBLISHER_INIT] = rewrite_rcl_publisher_init,
	[EVENT_RMW_SUBSCRIPTION_INIT] = rewrite_rmw_subscription_init,
	[EVENT_RCL_SUBSCRIPTION_INIT] = rewrite_rcl_subscription_init,
	[EVENT_RCLCPP_SUBSCRIPTION_INIT] = rewrite_rclcpp_subscription_init,
	[EVENT_RCLCPP_SUBSCRIPTION_CALLBACK_ADDED] = rewrite_rclcpp_subscription_callback_added,
	[EVENT_RCLCPP_TIMER_CALLBACK_ADDED] = rewrite_rclcpp_timer_callback_added,
	[EVENT_RCLCPP_TIMER_LINK_NODE] = rewrite_rclcpp_timer_link_node,
	[EVENT_RCLCPP_CALLBACK_REGISTER] = rewrite_rclcpp_callback_register,
	[EVENT_RCLCPP_IPB_TO_SUBSCRIPTION] = rewrite_rclcpp_ipb_to_subscription,
	[EVENT_RCLCPP_BUFFER_TO_IPB] = rewrite_rclcpp_buffer_to_ipb,
	[EVENT_RCL_SERVICE_INIT] = rewrite_rcl_service_init,
	[EVENT_RCLCPP_SERVICE_CALLBACK_ADDED] = rewrite_rclcpp_service_callback_added,
	[EVENT_RMW_CLIENT_INIT] = rewrite_rmw_client_init,
	[EVENT_RCL_CLIENT_INIT] = rewrite_rcl_client_init,
	[EVENT_CALLBACK_START] = rewrite_callback_start,
	[EVENT_CALLBACK_END] = rewrite_callback_end,
	[EVENT_RCLCPP_PUBLISH] = rewrite_rclcpp_publish,
	[EVENT_RCL_PUBLISH] = rewrite_rcl_publish,
	[EVENT_RMW_PUBLISH] = rewrite_rmw_publish,
	[EVENT_DDS_WRITE] = rewrite_dds_write,
	[EVENT_RCLCPP_INTRA_PUBLISH] = rewrite_rclcpp_intra_publish,
	[EVENT_RCLCPP_RING_BUFFER_ENQUEUE] = rewrite_rclcpp_ring_buffer_enqueue,
	[EVENT_RCLCPP_RING_BUFFER_DEQUEUE] = rewrite_rclcpp_ring_buffer_dequeue,
	[EVENT_RMW_TAKE] = rewrite_rmw_take,
	[EVENT_RCL_TAKE] = rewrite_rcl_take,
	[EVENT_RCLCPP_TAKE] = rewrite_rclcpp_take,
	[EVENT_DISPATCH_SUBSCRIPTION_CALLBACK] = rewrite_dispatch_subscription_callback,
	[EVENT_RMW_SEND_REQUEST] = rewrite_rmw_send_request,
	[EVENT_RMW_TAKE_REQUEST] = rewrite_rmw_take_request,
	[EVENT_RMW_SEND_RESPONSE] = rewrite_rmw_send_response,
	[EVENT_RMW_TAKE_RESPONSE] = rewrite_rmw_take_response,
};

/* Whether the event makes its process visible to readers of ros2 events; events of CARET alone do not. */
static bool needs_version(const struct event_record *record)
{
	return !(record->flags & RECORD_FROM_CARET) ||
	       event_schema_of(record->kind)->providers == EVENT_PROVIDER_BOTH || record->kind == EVENT_DDS_WRITE;
}

void normalizer_rewrite(struct normalizer *normalizer, const struct event_record *record,
			struct normalized_events *events)
{
	struct rewrite rewrite = {
		.normalizer = normalizer,
		.input = record,
		.events = events,
	};

	events->count = 0;
	if (record->kind >= EVENT_KIND_COUNT) {
		if (record->kind == RECORD_GAP) {
			/* The rest of what a thread has begun may be lost. */
			g_array_set_size(normalizer->threads, 0);
		}
		return;
	}
	rewrite.process = find_process(normalizer, record->thread);
	rewrite.thread = find_thread(normalizer, record->thread);
	rewrite.process->is_under_caret |= rewrite_is_from_caret(&rewrite);
	if (!rewrite.process->has_version && record->kind != EVENT_RCL_INIT && needs_version(record)) {
		rewrite_supply_version(&rewrite);
	}
	if (rewrite.thread->is_publishing) {
		rewrite_end_publication(&rewrite);
	}
	if (rules[record->kind]) {
		rules[record->kind](&rewrite);
	} else {
		rewrite_pass(&rewrite);
	}
}
