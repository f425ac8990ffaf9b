/* SPDX-License-Identifier: MIT */
#include "objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracing.h"
#include "transport.h"

#define ADDRESS(role, local) ((const void *)(uintptr_t)address_of(ROLE_##role, local))
/* Each node has objects of its own making: numbered behind those of the plan. */
#define OWN_OBJECTS 1000000
#define OWN_SERVICES 6

struct context {
	const struct plan *plan;
	const struct tracepoints *tracepoints;
};

static const uint8_t *gid_of(enum role role, uint32_t local)
{
	/* 24 bytes are recorded up to Jazzy, of which 16 count */
	static _Thread_local uint8_t gid[24] = { 1, 16, [16] = 0xde, 0xad };

	gid[2] = (uint8_t)role;
	memcpy(&gid[4], &local, sizeof(local));
	return gid;
}

const uint8_t *client_gid(uint32_t client)
{
	return gid_of(ROLE_RMW_CLIENT, client);
}

/* The plan lives as long as the program, so do names that are made. */
static const char *text(const char *format, const char *first, const char *second)
{
	char *made = NULL;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	if (asprintf(&made, format, first, second) < 0) {
		abort();
	}
#pragma GCC diagnostic pop
	return made;
}

static void define_publisher(const struct node_plan *node, uint32_t local, const char *topic)
{
	DEFINE(rmw_publisher_init, .rmw_publisher_handle = ADDRESS(RMW_PUBLISHER, local),
	       .gid = gid_of(ROLE_RMW_PUBLISHER, local));
	DEFINE(rcl_publisher_init, .publisher_handle = ADDRESS(PUBLISHER, local),
	       .node_handle = ADDRESS(NODE, node->local), .rmw_publisher_handle = ADDRESS(RMW_PUBLISHER, local),
	       .topic_name = topic, .queue_depth = 10);
}

static void define_intra_process(uint32_t local, uint32_t depth, const char *symbol)
{
	DEFINE(rclcpp_construct_ring_buffer, .buffer = ADDRESS(RING_BUFFER, local), .capacity = depth);
	DEFINE(rclcpp_buffer_to_ipb, .buffer = ADDRESS(RING_BUFFER, local), .ipb = ADDRESS(INTRA_BUFFER, local));
	DEFINE(rclcpp_ipb_to_subscription, .ipb = ADDRESS(INTRA_BUFFER, local),
	       .subscription = ADDRESS(INTRA_SUBSCRIPTION, local));
	DEFINE(rclcpp_subscription_callback_added, .subscription_handle = ADDRESS(SUBSCRIPTION, local),
	       .subscription = ADDRESS(INTRA_SUBSCRIPTION, local), .callback = ADDRESS(INTRA_CALLBACK, local));
	DEFINE(rclcpp_callback_register, .callback = ADDRESS(INTRA_CALLBACK, local), .symbol = symbol);
	DEFINE(rclcpp_subscription_init, .subscription_handle = ADDRESS(SUBSCRIPTION, local),
	       .subscription = ADDRESS(INTRA_SUBSCRIPTION, local));
}

static void define_subscription(const struct node_plan *node, uint32_t local, const char *topic, const char *symbol,
				bool is_intra, uint32_t depth)
{
	DEFINE(rmw_subscription_init, .rmw_subscription_handle = ADDRESS(RMW_SUBSCRIPTION, local),
	       .gid = gid_of(ROLE_RMW_SUBSCRIPTION, local));
	DEFINE(rcl_subscription_init, .subscription_handle = ADDRESS(SUBSCRIPTION, local),
	       .node_handle = ADDRESS(NODE, node->local), .rmw_subscription_handle = ADDRESS(RMW_SUBSCRIPTION, local),
	       .topic_name = topic, .queue_depth = depth);
	if (is_intra) {
		define_intra_process(local, depth, symbol);
	}
	DEFINE(rclcpp_subscription_init, .subscription_handle = ADDRESS(SUBSCRIPTION, local),
	       .subscription = ADDRESS(RCLCPP_SUBSCRIPTION, local));
	DEFINE(rclcpp_subscription_callback_added, .subscription_handle = ADDRESS(SUBSCRIPTION, local),
	       .subscription = ADDRESS(RCLCPP_SUBSCRIPTION, local), .callback = ADDRESS(SUBSCRIPTION_CALLBACK, local));
	DEFINE(rclcpp_callback_register, .callback = ADDRESS(SUBSCRIPTION_CALLBACK, local), .symbol = symbol);
	DEFINE(callback_group_add_subscription, .callback_group_addr = ADDRESS(GROUP, node->local),
	       .subscription_handle = ADDRESS(SUBSCRIPTION, local));
}

static void define_service(const struct node_plan *node, uint32_t local, const char *name, const char *symbol)
{
	DEFINE(rcl_service_init, .service_handle = ADDRESS(SERVICE, local), .node_handle = ADDRESS(NODE, node->local),
	       .rmw_service_handle = ADDRESS(RMW_SERVICE, local), .service_name = name);
	DEFINE(rclcpp_service_callback_added, .service_handle = ADDRESS(SERVICE, local),
	       .callback = ADDRESS(SERVICE_CALLBACK, local));
	DEFINE(rclcpp_callback_register, .callback = ADDRESS(SERVICE_CALLBACK, local), .symbol = symbol);
	DEFINE(callback_group_add_service, .callback_group_addr = ADDRESS(GROUP, node->local),
	       .service_handle = ADDRESS(SERVICE, local));
}

static void define_timer(const struct node_plan *node, const struct timer_plan *timer)
{
	DEFINE(rcl_timer_init, .timer_handle = ADDRESS(TIMER, timer->local), .period = timer->period_ns);
	DEFINE(rclcpp_timer_callback_added, .timer_handle = ADDRESS(TIMER, timer->local),
	       .callback = ADDRESS(TIMER_CALLBACK, timer->local));
	DEFINE(rclcpp_callback_register, .callback = ADDRESS(TIMER_CALLBACK, timer->local),
	       .symbol = "recorder::Node::Node(std::string)::{lambda()#1}");
	DEFINE(rclcpp_timer_link_node, .timer_handle = ADDRESS(TIMER, timer->local),
	       .node_handle = ADDRESS(NODE, node->local));
	DEFINE(callback_group_add_timer, .callback_group_addr = ADDRESS(GROUP, node->local),
	       .timer_handle = ADDRESS(TIMER, timer->local));
}

/* What the middleware sends and takes for itself: unknown handles, no event of rcl. */
static void record_discovery(uint32_t process)
{
	const void *message = ADDRESS(MESSAGE, 0);

	RECORD(rmw_publish, .publisher_handle = ADDRESS(INTERNAL, 0), .rmw_publisher_handle = ADDRESS(INTERNAL, 0),
	       .message = message, .timestamp = realtime_ns());
	RECORD(rmw_take, .rmw_subscription_handle = ADDRESS(INTERNAL, 1), .message = message, .source_timestamp = 0,
	       .taken = 1);
}

static void define_executor_and_group(const struct context *context, const struct node_plan *node)
{
	const void *group = ADDRESS(GROUP, node->local);
	const char *type = node->is_reentrant ? "reentrant" : "mutually_exclusive";

	if (context->tracepoints->release >= RELEASE_EARLY_JAZZY) {
		DEFINE(callback_group_to_executor_entity_collector, .entities_collector_addr = ADDRESS(COLLECTOR, 0),
		       .callback_group_addr = group, .group_type_name = type);
	} else {
		DEFINE(add_callback_group, .executor_addr = ADDRESS(EXECUTOR, 0), .callback_group_addr = group,
		       .group_type_name = type);
	}
}

/* What rclcpp::Node makes for itself. */
static void define_own_objects(const struct node_plan *node)
{
	static const char *const names[OWN_SERVICES] = { "describe_parameters", "get_parameter_types",
							 "get_parameters",	"list_parameters",
							 "set_parameters",	"set_parameters_atomically" };
	uint32_t first = OWN_OBJECTS + node->local * OWN_SERVICES;

	for (uint32_t i = 0; i < OWN_SERVICES; i++) {
		define_service(node, first + i, text("%s/%s", node->full_name, names[i]),
			       "rclcpp::ParameterService::ParameterService(...)::{lambda(...)#1}");
	}
	define_publisher(node, first + 1, "/parameter_events");
	define_subscription(node, first, "/parameter_events",
			    "rclcpp::TimeSource::NodeState::attachNode(...)::{lambda(...)#1}", false, 1000);
}

static void define_node(const struct context *context, const struct node_plan *node)
{
	char namespace[32];

	snprintf(namespace, sizeof(namespace), "/process_%u", node->process);
	record_discovery(node->process);
	/* rcl's node is complete only after its publisher of /rosout */
	define_publisher(node, OWN_OBJECTS + node->local * OWN_SERVICES, "/rosout");
	DEFINE(rcl_node_init, .node_handle = ADDRESS(NODE, node->local), .rmw_handle = ADDRESS(RMW_NODE, node->local),
	       .node_name = node->name, .namespace = text("%s%s", namespace, ""));
	define_own_objects(node);
	define_executor_and_group(context, node);
	if (node->local == 0) {
		DEFINE(rcl_lifecycle_state_machine_init, .node_handle = ADDRESS(NODE, node->local),
		       .state_machine = ADDRESS(STATE_MACHINE, node->local));
		RECORD(rcl_lifecycle_transition, .state_machine = ADDRESS(STATE_MACHINE, node->local),
		       .start_label = "unconfigured", .goal_label = "configuring");
		RECORD(rcl_lifecycle_transition, .state_machine = ADDRESS(STATE_MACHINE, node->local),
		       .start_label = "configuring", .goal_label = "inactive");
	}
}

static void define_process(const struct context *context)
{
	static const char *const versions[] = {
		[RELEASE_DASHING] = "0.2.9",	 [RELEASE_ELOQUENT] = "0.2.12", [RELEASE_FOXY] = "1.0.5",
		[RELEASE_GALACTIC] = "2.3.0",	 [RELEASE_HUMBLE] = "4.1.1",	[RELEASE_IRON] = "6.3.1",
		[RELEASE_EARLY_JAZZY] = "8.0.0", [RELEASE_JAZZY] = "8.2.2",	[RELEASE_ROLLING] = "8.4.0",
		[RELEASE_KILTED] = "8.6.0",
	};

	DEFINE(rcl_init, .context_handle = ADDRESS(CONTEXT, 0), .version = versions[context->tracepoints->release]);
	DEFINE(rmw_implementation,
	       .rmw_impl = context->plan->options->is_fastdds ? "rmw_fastrtps_cpp" : "rmw_cyclonedds_cpp");
	DEFINE(construct_executor, .executor_addr = ADDRESS(EXECUTOR, 0),
	       .executor_type_name =
		       context->plan->options->threads > 1 ? "multi_threaded_executor" : "single_threaded_executor");
	if (context->tracepoints->release >= RELEASE_EARLY_JAZZY) {
		DEFINE(executor_entity_collector_to_executor, .executor_addr = ADDRESS(EXECUTOR, 0),
		       .entities_collector_addr = ADDRESS(COLLECTOR, 0));
	}
}

static void define_link(const struct plan *plan)
{
	static const void *subscriptions[1], *publishers[1];

	subscriptions[0] = ADDRESS(SUBSCRIPTION, plan->subscriptions[plan->link_subscription].local);
	publishers[0] = ADDRESS(PUBLISHER, plan->publishers[plan->link_publisher].local);
	DEFINE(message_link_periodic_async, .subs = subscriptions, .subs_count = 1, .pubs = publishers,
	       .pubs_count = 1);
}

static void define_client(const struct plan *plan, uint32_t index)
{
	const struct client_plan *client = &plan->clients[index];
	const struct node_plan *node = &plan->nodes[client->node];

	DEFINE(rmw_client_init, .rmw_client_handle = ADDRESS(RMW_CLIENT, client->local), .gid = client_gid(index));
	DEFINE(rcl_client_init, .client_handle = ADDRESS(CLIENT, client->local),
	       .node_handle = ADDRESS(NODE, node->local), .rmw_client_handle = ADDRESS(RMW_CLIENT, client->local),
	       .service_name = plan->services[client->service].name);
	DEFINE(callback_group_add_client, .callback_group_addr = ADDRESS(GROUP, node->local),
	       .client_handle = ADDRESS(CLIENT, client->local));
}

static void define_objects_of_node(const struct plan *plan, uint32_t index)
{
	const struct node_plan *node = &plan->nodes[index];

	for (uint32_t i = 0; i < plan->publisher_count; i++) {
		if (plan->publishers[i].node == index) {
			define_publisher(node, plan->publishers[i].local, plan->publishers[i].topic);
		}
	}
	for (uint32_t i = 0; i < plan->subscription_count; i++) {
		const struct subscription_plan *subscription = &plan->subscriptions[i];

		if (subscription->node == index) {
			define_subscription(node, subscription->local, plan->publishers[subscription->publisher].topic,
					    "recorder::Node::Node(std::string)::{lambda(Message::SharedPtr, int)#2}",
					    subscription->is_intra, plan->options->queue_depth);
		}
	}
	for (uint32_t i = 0; i < plan->service_count; i++) {
		if (plan->services[i].node == index) {
			define_service(node, plan->services[i].local, plan->services[i].name, "recorder::Node::serve");
		}
	}
	for (uint32_t i = 0; i < plan->client_count; i++) {
		if (plan->clients[i].node == index) {
			define_client(plan, i);
		}
	}
	for (uint32_t i = 0; i < plan->timer_count; i++) {
		if (plan->timers[i].node == index) {
			define_timer(node, &plan->timers[i]);
		}
	}
	if (plan->link_publisher != NONE && plan->publishers[plan->link_publisher].node == index) {
		define_link(plan);
	}
}

void objects_define(const struct plan *plan, const struct tracepoints *tracepoints, uint32_t process)
{
	struct context context = { plan, tracepoints };

	define_process(&context);
	for (uint32_t i = 0; i < plan->node_count; i++) {
		if (plan->nodes[i].process == process) {
			define_node(&context, &plan->nodes[i]);
			define_objects_of_node(plan, i);
		}
	}
}

void objects_finish(const struct plan *plan, uint32_t process)
{
	for (uint32_t i = 0; i < plan->subscription_count; i++) {
		const struct subscription_plan *subscription = &plan->subscriptions[i];

		if (subscription->is_intra && plan->nodes[subscription->node].process == process) {
			RECORD(rclcpp_ring_buffer_clear, .buffer = ADDRESS(RING_BUFFER, subscription->local));
		}
	}
}
