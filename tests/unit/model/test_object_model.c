/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "model_records.h"
#include "ros2bt/base/time_units.h"

#define MS NS_PER_MS

/* Addresses, one range a kind. */
enum {
	NODE = 0x1000,
	RMW = 0x2000,
	PUBLISHER = 0x3000,
	SUBSCRIPTION = 0x4000,
	OBJECT = 0x5000,
	CALLBACK = 0x6000,
	TIMER = 0x7000,
	SERVICE = 0x8000,
	GROUP = 0x9000,
	BUFFER = 0xa000,
	IPB = 0xb000,
	EXECUTOR = 0xc000,
	COLLECTOR = 0xd000,
	MACHINE = 0xe000,
};

TestSuite(object_model, .init = model_setup, .fini = model_teardown);

static void feed(struct event_record record)
{
	object_model_feed(model, &record);
}

#define FEED(kind, time_ns, ...) feed(RECORD(kind, thread, (time_ns), __VA_ARGS__))

static struct model_callback_info info_at(uint64_t callback, int64_t time_ns)
{
	return *object_model_callback_info(model, object_model_callback(model, process, callback, time_ns));
}

static void define_node(uint64_t handle, const char *name, int64_t time_ns)
{
	FEED(RCL_NODE_INIT, time_ns, handle, RMW, text(name), text("/"));
}

/* The four events of a subscription, each at its place in time. */
static void define_subscription(unsigned int number, const char *topic, int64_t time_ns)
{
	FEED(RCL_SUBSCRIPTION_INIT, time_ns, SUBSCRIPTION + number, NODE, RMW + number, text(topic), 10);
	FEED(RCLCPP_SUBSCRIPTION_INIT, time_ns + 1, SUBSCRIPTION + number, OBJECT + number);
	FEED(RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, time_ns + 2, OBJECT + number, CALLBACK + number);
	FEED(RCLCPP_CALLBACK_REGISTER, time_ns + 3, CALLBACK + number, text("symbol"));
}

Test(object_model, a_subscription_callback_has_its_node_topic_and_symbol)
{
	struct model_callback_info info;

	define_node(NODE, "listener", 10);
	define_subscription(1, "/chatter", 20);
	info = info_at(CALLBACK + 1, 100);
	cr_assert_eq(info.kind, CALLBACK_KIND_SUBSCRIPTION);
	cr_assert_str_eq(info.node, "/listener");
	cr_assert_str_eq(info.symbol, "symbol");
	cr_assert_str_eq(info.subscription->topic, "/chatter");
	cr_assert_not(info.is_intra_process);
	cr_assert_eq(object_model_subscription_by_rmw(model, process, RMW + 1, 100), info.subscription);
}

/* r2r has no addresses: it numbers the callbacks of each process. */
Test(object_model, callbacks_may_have_the_same_numbers_in_each_process)
{
	uint32_t other = add_thread(0, 8, 8);
	struct model_callback *first, *second;

	define_subscription(1, "/a", 20);
	FEED(RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, 30, OBJECT + 1, 1);
	feed(RECORD(RCL_SUBSCRIPTION_INIT, other, 40, SUBSCRIPTION + 1, NODE, RMW + 1, text("/b"), 10));
	feed(RECORD(RCLCPP_SUBSCRIPTION_INIT, other, 41, SUBSCRIPTION + 1, OBJECT + 1));
	feed(RECORD(RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, other, 42, OBJECT + 1, 1));
	first = object_model_callback(model, process, 1, 100);
	second = object_model_callback(model, process_of(other), 1, 100);
	cr_assert_str_eq(object_model_callback_info(model, first)->subscription->topic, "/a");
	cr_assert_str_eq(object_model_callback_info(model, second)->subscription->topic, "/b");
}

Test(object_model, names_of_nodes_are_joined_with_their_namespace)
{
	static const char *const spaces[] = { "/", "", "/a", "a/b", "/a/" };
	static const char *const names[] = { "/n", "/n", "/a/n", "/a/b/n", "/a/n" };

	for (uint64_t i = 0; i < 5; i++) {
		FEED(RCL_NODE_INIT, 10, NODE + i, RMW, text("n"), text(spaces[i]));
		cr_assert_str_eq(object_model_node_name(model, process, NODE + i, 20), names[i]);
	}
}

Test(object_model, the_order_in_which_definitions_arrive_does_not_matter)
{
	struct event_record records[] = {
		by_caret(RECORD(RCLCPP_CALLBACK_REGISTER, thread, 1000, CALLBACK, text("symbol")), 15),
		by_caret(RECORD(RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, thread, 1001, OBJECT, CALLBACK), 14),
		by_caret(RECORD(RCLCPP_SUBSCRIPTION_INIT, thread, 1002, SUBSCRIPTION, OBJECT), 13),
		by_caret(RECORD(RCL_SUBSCRIPTION_INIT, thread, 1003, SUBSCRIPTION, NODE, RMW, text("/t"), 1), 12),
		by_caret(RECORD(RCL_NODE_INIT, thread, 1004, NODE, RMW, text("n"), text("/")), 11),
	};

	for (size_t first = 0; first < G_N_ELEMENTS(records); first++) {
		struct model_callback_info info;

		object_model_destroy(model);
		model = object_model_create(recording);
		info_at(CALLBACK, 500);
		for (size_t i = 0; i < G_N_ELEMENTS(records); i++) {
			feed(records[(first + i) % G_N_ELEMENTS(records)]);
		}
		info = info_at(CALLBACK, 2000);
		cr_assert_str_eq(info.node, "/n");
		cr_assert_str_eq(info.symbol, "symbol");
		cr_assert_str_eq(info.subscription->topic, "/t");
		cr_assert_eq(object_model_callback_count(model), 1, "the use before the definition is completed");
	}
}

Test(object_model, a_subscription_with_intra_process_communication_has_two_callbacks)
{
	define_node(NODE, "n", 10);
	FEED(RCL_SUBSCRIPTION_INIT, 20, SUBSCRIPTION, NODE, RMW, text("/t"), 10);
	FEED(RCLCPP_BUFFER_TO_IPB, 22, BUFFER, IPB);
	FEED(RCLCPP_IPB_TO_SUBSCRIPTION, 23, IPB, OBJECT);
	FEED(RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, 24, OBJECT, CALLBACK);
	FEED(RCLCPP_CALLBACK_REGISTER, 25, CALLBACK, text("intra"));
	FEED(RCLCPP_SUBSCRIPTION_INIT, 26, SUBSCRIPTION, OBJECT);
	FEED(RCLCPP_SUBSCRIPTION_INIT, 27, SUBSCRIPTION, OBJECT + 1);
	FEED(RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, 28, OBJECT + 1, CALLBACK + 1);
	FEED(RCLCPP_CALLBACK_REGISTER, 29, CALLBACK + 1, text("inter"));
	for (unsigned int i = 0; i < 2; i++) {
		struct model_callback_info info = info_at(CALLBACK + i, 100);

		cr_assert_str_eq(info.subscription->topic, "/t");
		cr_assert_eq(info.is_intra_process, i == 0);
		cr_assert_str_eq(info.symbol, i == 0 ? "intra" : "inter");
	}
	cr_assert_eq(object_model_subscription_of_buffer(model, process, BUFFER, 100),
		     info_at(CALLBACK, 100).subscription);
	cr_assert_null(object_model_subscription_of_buffer(model, process, BUFFER, 21));
	cr_assert_null(object_model_subscription_of_buffer(model, process, BUFFER + 1, 100));
}

Test(object_model, an_intra_process_subscription_at_a_reused_address_is_not_the_old_one)
{
	define_node(NODE, "n", 10);
	define_subscription(0, "/old", 20);
	FEED(RCL_SUBSCRIPTION_INIT, 50 * MS, SUBSCRIPTION + 1, NODE, RMW + 1, text("/new"), 10);
	FEED(RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, 50 * MS + 10, OBJECT, CALLBACK + 9);
	FEED(RCLCPP_SUBSCRIPTION_INIT, 50 * MS + 20, SUBSCRIPTION + 1, OBJECT);
	cr_assert_str_eq(info_at(CALLBACK, 40).subscription->topic, "/old");
	cr_assert_str_eq(info_at(CALLBACK + 9, 60 * MS).subscription->topic, "/new");
}

Test(object_model, a_reused_address_is_another_callback_from_its_definition_on)
{
	struct model_callback *first, *second;

	define_node(NODE, "n", 10);
	define_subscription(0, "/first", 20);
	first = object_model_callback(model, process, CALLBACK, 100);
	FEED(RCL_TIMER_INIT, 200, TIMER, 50);
	FEED(RCLCPP_TIMER_CALLBACK_ADDED, 201, TIMER, CALLBACK);
	FEED(RCLCPP_CALLBACK_REGISTER, 202, CALLBACK, text("timer"));
	FEED(RCLCPP_TIMER_LINK_NODE, 203, TIMER, NODE);
	second = object_model_callback(model, process, CALLBACK, 300);
	cr_assert_neq(first, second);
	cr_assert_eq(object_model_callback(model, process, CALLBACK, 150), first);
	cr_assert_str_eq(info_at(CALLBACK, 150).symbol, "symbol");
	cr_assert_eq(info_at(CALLBACK, 300).kind, CALLBACK_KIND_TIMER);
	cr_assert_str_eq(info_at(CALLBACK, 300).symbol, "timer");
	cr_assert_eq(info_at(CALLBACK, 300).period_ns, 50);
	cr_assert_str_eq(info_at(CALLBACK, 300).node, "/n");
}

Test(object_model, what_is_defined_after_its_last_use_is_another_callback)
{
	struct model_callback *unknown = object_model_callback(model, process, CALLBACK, 10);

	define_node(NODE, "n", 15);
	define_subscription(0, "/t", 20);
	cr_assert_neq(object_model_callback(model, process, CALLBACK, 30), unknown);
	cr_assert_eq(info_at(CALLBACK, 10).kind, CALLBACK_KIND_UNKNOWN);
}

Test(object_model, a_symbol_alone_makes_a_callback_without_owner)
{
	FEED(RCLCPP_CALLBACK_REGISTER, 10, CALLBACK, text("alone"));
	cr_assert_eq(object_model_callback_count(model), 1);
	cr_assert_str_eq(info_at(CALLBACK, 20).symbol, "alone");
	cr_assert_eq(info_at(CALLBACK, 20).kind, CALLBACK_KIND_UNKNOWN);
}

Test(object_model, copies_of_definitions_change_nothing)
{
	uint64_t version;

	define_node(NODE, "n", 10);
	define_subscription(0, "/t", 20);
	version = object_model_version(model);
	define_node(NODE, "n", 110);
	define_subscription(0, "/t", 120);
	cr_assert_eq(object_model_version(model), version);
	cr_assert_eq(object_model_callback_count(model), 1);
	cr_assert_eq(object_model_subscription_count(model), 1);
}

Test(object_model, equal_addresses_in_two_processes_are_two_objects)
{
	uint32_t other = add_thread(0, 8, 8);

	define_node(NODE, "a", 10);
	feed(RECORD(RCL_NODE_INIT, other, 10, NODE, RMW, text("b"), text("/")));
	cr_assert_str_eq(object_model_node_name(model, process, NODE, 20), "/a");
	cr_assert_str_eq(object_model_node_name(model, process_of(other), NODE, 20), "/b");
}

Test(object_model, early_dashing_adds_callbacks_to_the_rcl_handle)
{
	struct event_record record = RECORD(RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, thread, 30, 0, CALLBACK, SUBSCRIPTION);

	record.present = 0x6;
	define_node(NODE, "n", 10);
	FEED(RCL_SUBSCRIPTION_INIT, 20, SUBSCRIPTION, NODE, RMW, text("/t"), 10);
	feed(record);
	cr_assert_str_eq(info_at(CALLBACK, 100).subscription->topic, "/t");
	cr_assert_not(info_at(CALLBACK, 100).is_intra_process);
}

Test(object_model, a_service_callback_has_its_node_and_service)
{
	struct model_callback_info info;

	define_node(NODE, "n", 10);
	FEED(RCL_SERVICE_INIT, 20, SERVICE, NODE, RMW, text("/add"));
	FEED(RCLCPP_SERVICE_CALLBACK_ADDED, 30, SERVICE, CALLBACK);
	info = info_at(CALLBACK, 100);
	cr_assert_eq(info.kind, CALLBACK_KIND_SERVICE);
	cr_assert_str_eq(info.service->name, "/add");
	cr_assert_str_eq(info.node, "/n");
	cr_assert_eq(object_model_find_service_by_rmw(model, process, RMW, 100), info.service);
}

Test(object_model, a_client_has_its_gid)
{
	const char *gid = string_pool_intern_bytes(pool, "0123456789abcdef", GID_SIZE);
	struct model_client *client;

	FEED(RMW_CLIENT_INIT, 10, RMW, (uint64_t)(uintptr_t)gid);
	FEED(RCL_CLIENT_INIT, 20, SERVICE, NODE, RMW, text("/add"));
	client = object_model_find_client_by_rmw(model, process, RMW, 100);
	cr_assert_eq(client->gid, gid);
	cr_assert_str_eq(client->service_name, "/add");
}

static void define_timer(int64_t time_ns)
{
	FEED(RCL_TIMER_INIT, time_ns, TIMER, 50);
	FEED(RCLCPP_TIMER_CALLBACK_ADDED, time_ns + 1, TIMER, CALLBACK);
}

Test(object_model, a_timer_without_link_has_the_node_of_its_callback_group)
{
	define_node(NODE, "a", 10);
	define_node(NODE + 1, "b", 11);
	FEED(RCL_SERVICE_INIT, 20, SERVICE, NODE, RMW, text("/s"));
	FEED(RCL_SERVICE_INIT, 21, SERVICE + 1, NODE + 1, RMW + 1, text("/s"));
	define_timer(30);
	cr_assert_null(info_at(CALLBACK, 100).node);
	FEED(CALLBACK_GROUP_ADD_TIMER, 40, GROUP, TIMER);
	FEED(CALLBACK_GROUP_ADD_SERVICE, 41, GROUP, SERVICE);
	cr_assert_str_eq(info_at(CALLBACK, 100).node, "/a");
	FEED(CALLBACK_GROUP_ADD_SERVICE, 42, GROUP, SERVICE + 1);
	cr_assert_null(info_at(CALLBACK, 100).node, "members that contradict one another give no node");
}

Test(object_model, before_timers_were_linked_the_only_node_has_them)
{
	FEED(RCL_INIT, 5, 0x99, text("0.2.12"));
	define_node(NODE, "only", 10);
	define_timer(20);
	cr_assert_str_eq(info_at(CALLBACK, 100).node, "/only");
	define_node(NODE + 1, "second", 30);
	cr_assert_null(info_at(CALLBACK, 100).node);
}

Test(object_model, a_timer_without_link_has_no_node_where_others_have_links)
{
	FEED(RCL_INIT, 5, 0x99, text("8.2.2"));
	define_node(NODE, "only", 10);
	define_timer(20);
	cr_assert_null(info_at(CALLBACK, 100).node);
}

/* A component is loaded, unloaded and loaded again, and was preempted between its first timer and the link. */
Test(object_model, a_timer_at_the_address_of_another_that_was_just_linked_has_the_node_that_is_there_now)
{
	define_node(NODE, "old", 1);
	FEED(RCL_TIMER_INIT, 2, TIMER, 8 * MS);
	FEED(RCLCPP_TIMER_CALLBACK_ADDED, 3, TIMER, CALLBACK);
	FEED(RCLCPP_TIMER_LINK_NODE, 20 * MS, TIMER, NODE);
	define_node(NODE, "new", 20 * MS + 1000);
	FEED(RCL_TIMER_INIT, 20 * MS + 1002, TIMER, 8 * MS);
	FEED(RCLCPP_TIMER_CALLBACK_ADDED, 20 * MS + 1003, TIMER, CALLBACK);
	FEED(RCLCPP_TIMER_LINK_NODE, 20 * MS + 1004, TIMER, NODE);
	cr_assert_str_eq(info_at(CALLBACK, 30 * MS).node, "/new");
	cr_assert_str_eq(info_at(CALLBACK, 10 * MS).node, "/old");
}

Test(object_model, a_timer_does_not_take_the_link_of_its_successor)
{
	define_node(NODE, "n", 10);
	define_timer(20);
	FEED(RCL_TIMER_INIT, 50 * MS, TIMER, 70);
	FEED(RCLCPP_TIMER_CALLBACK_ADDED, 50 * MS + 1, TIMER, CALLBACK + 1);
	FEED(RCLCPP_TIMER_LINK_NODE, 50 * MS + 2, TIMER, NODE);
	cr_assert_null(info_at(CALLBACK, 100).node);
	cr_assert_eq(info_at(CALLBACK, 100).period_ns, 50);
	cr_assert_str_eq(info_at(CALLBACK + 1, 60 * MS).node, "/n");
	cr_assert_eq(info_at(CALLBACK + 1, 60 * MS).period_ns, 70);
}

/* In jazzy all publishers of /rosout have the handle of one variable on the stack. */
Test(object_model, publishers_of_rosout_at_one_handle_belong_to_the_nodes_that_follow)
{
	static const char *const nodes[] = { "/a", "/b", "/c" };

	for (uint64_t i = 0; i < 3; i++) {
		FEED(RCL_PUBLISHER_INIT, (int64_t)i * 50 * MS + 10, PUBLISHER, NODE, RMW + i, text("/rosout"), 10);
		define_node(NODE, nodes[i] + 1, (int64_t)i * 50 * MS + 20);
	}
	cr_assert_eq(object_model_publisher_count(model), 3);
	for (uint64_t i = 0; i < 3; i++) {
		struct model_publisher *publisher =
			object_model_find_publisher_by_rmw(model, process, RMW + i, 200 * MS);

		cr_assert_str_eq(object_model_publisher_node(model, publisher), nodes[i]);
		cr_assert_eq(object_model_publisher(model, process, PUBLISHER, (int64_t)i * 50 * MS + 15), publisher);
	}
}

Test(object_model, a_publisher_used_before_it_is_defined_is_completed)
{
	struct model_publisher *publisher = object_model_publisher(model, process, PUBLISHER, 100);

	cr_assert_not(publisher->is_defined);
	cr_assert_null(object_model_find_publisher_by_rmw(model, process, RMW, 100));
	define_node(NODE, "n", 10);
	feed(by_caret(RECORD(RCL_PUBLISHER_INIT, thread, 200, PUBLISHER, NODE, RMW, text("/t"), 10), 50));
	cr_assert(publisher->is_defined);
	cr_assert_str_eq(publisher->topic, "/t");
	cr_assert_eq(object_model_publisher(model, process, PUBLISHER, 300), publisher);
	cr_assert_eq(object_model_find_publisher_by_rmw(model, process, RMW, 300), publisher);
	cr_assert_eq(object_model_publisher_count(model), 1);
}

Test(object_model, agnocast_defines_callbacks_with_their_owners)
{
	FEED(AGNOCAST_NODE_INIT, 10, NODE, text("n"), text("/"));
	feed(by_caret(
		RECORD(AGNOCAST_SUBSCRIPTION_INIT, thread, 20, SUBSCRIPTION, NODE, CALLBACK, text("s"), text("/t")),
		20));
	feed(by_caret(RECORD(AGNOCAST_TIMER_INIT, thread, 30, TIMER, NODE, CALLBACK + 1, text("tick"), 50), 30));
	cr_assert_str_eq(info_at(CALLBACK, 100).node, "/n");
	cr_assert_str_eq(info_at(CALLBACK, 100).subscription->topic, "/t");
	cr_assert_str_eq(info_at(CALLBACK, 100).symbol, "s");
	cr_assert_str_eq(info_at(CALLBACK + 1, 100).node, "/n");
	cr_assert_eq(info_at(CALLBACK + 1, 100).period_ns, 50);
	cr_assert_str_eq(info_at(CALLBACK + 1, 100).symbol, "tick");
}

Test(object_model, nodes_at_one_address_are_found_by_time_and_by_index)
{
	define_node(NODE, "first", 10);
	define_node(NODE, "second", 50 * MS);
	cr_assert_eq(object_model_node_count(model), 2);
	cr_assert_null(object_model_find_node(model, process, NODE, 9));
	cr_assert_null(object_model_find_node(model, process + 1, NODE, 20));
	cr_assert_str_eq(object_model_find_node(model, process, NODE, 20)->name, "/first");
	cr_assert_str_eq(object_model_find_node(model, process, NODE, 60 * MS)->name, "/second");
	cr_assert_eq(object_model_node_at(model, 1), object_model_find_node(model, process, NODE, 60 * MS));
	cr_assert_eq(object_model_node_at(model, 1)->handle, NODE);
	cr_assert_eq(object_model_node_at(model, 1)->since_ns, 50 * MS);
	cr_assert(object_model_node_at(model, 1)->is_defined);
}

Test(object_model, a_timer_has_its_period_callback_and_node)
{
	struct model_timer *timer;

	define_node(NODE, "n", 10);
	define_timer(20);
	FEED(RCLCPP_TIMER_LINK_NODE, 22, TIMER, NODE);
	timer = object_model_find_timer(model, process, TIMER, 100);
	cr_assert_eq(timer->period_ns, 50);
	cr_assert_str_eq(object_model_timer_node(model, timer), "/n");
	cr_assert_eq(info_at(CALLBACK, 100).timer, timer);
}

Test(object_model, timers_at_one_address_do_not_share_callbacks_and_nodes)
{
	struct model_timer *first, *second;

	define_node(NODE, "n", 10);
	FEED(RCL_TIMER_INIT, 20, TIMER, 50);
	FEED(RCL_TIMER_INIT, 50 * MS, TIMER, 70);
	FEED(RCLCPP_TIMER_CALLBACK_ADDED, 50 * MS + 1, TIMER, CALLBACK + 1);
	FEED(RCLCPP_TIMER_LINK_NODE, 50 * MS + 2, TIMER, NODE);
	first = object_model_find_timer(model, process, TIMER, 100);
	second = object_model_find_timer(model, process, TIMER, 60 * MS);
	cr_assert_neq(first, second);
	cr_assert_null(object_model_timer_node(model, first));
	cr_assert_eq(info_at(CALLBACK + 1, 60 * MS).timer, second);
	cr_assert_str_eq(object_model_timer_node(model, second), "/n");
}

Test(object_model, a_callback_defined_before_its_timer_is_completed)
{
	FEED(RCLCPP_TIMER_CALLBACK_ADDED, 21, TIMER, CALLBACK);
	cr_assert_null(info_at(CALLBACK, 100).timer);
	FEED(RCL_TIMER_INIT, 22, TIMER, 50);
	cr_assert_eq(info_at(CALLBACK, 100).timer->period_ns, 50);
}

Test(object_model, services_and_clients_are_found_by_their_handles)
{
	struct model_service *service;

	FEED(RCL_SERVICE_INIT, 20, SERVICE, NODE, RMW, text("/add"));
	FEED(RCL_CLIENT_INIT, 21, SERVICE, NODE, RMW, text("/sub"));
	service = object_model_find_service(model, process, SERVICE, 100);
	cr_assert_str_eq(service->name, "/add");
	cr_assert_eq(&service->endpoint, (struct model_endpoint *)object_model_at(model, MODEL_SERVICE, 0));
	cr_assert_str_eq(object_model_find_client(model, process, SERVICE, 100)->service_name, "/sub");
	cr_assert_eq(object_model_client_count(model), 1);
}

static struct model_callback_group group_at(uint64_t callback, int64_t time_ns)
{
	struct model_callback_group group;

	cr_assert(object_model_callback_group(model, object_model_callback(model, process, callback, time_ns), &group));
	return group;
}

Test(object_model, a_callback_has_its_group_and_executor)
{
	struct model_callback_group group;

	FEED(CONSTRUCT_EXECUTOR, 10, EXECUTOR, text("single_threaded_executor"));
	define_subscription(1, "/t", 20);
	cr_assert_not(
		object_model_callback_group(model, object_model_callback(model, process, CALLBACK + 1, 100), &group));
	FEED(CALLBACK_GROUP_ADD_SUBSCRIPTION, 30, GROUP, SUBSCRIPTION + 1);
	group = group_at(CALLBACK + 1, 100);
	cr_assert_eq(group.address, GROUP);
	cr_assert_null(group.executor);
	FEED(ADD_CALLBACK_GROUP, 40, EXECUTOR, GROUP, text("reentrant"));
	group = group_at(CALLBACK + 1, 100);
	cr_assert_str_eq(group.type, "reentrant");
	cr_assert_eq(group.executor, object_model_find_executor(model, process, EXECUTOR, 100));
	cr_assert_str_eq(group.executor->type, "single_threaded_executor");
}

Test(object_model, a_group_is_given_to_an_executor_by_its_entities_collector)
{
	define_timer(20);
	FEED(RCL_SERVICE_INIT, 20, SERVICE, NODE, RMW, text("/s"));
	FEED(RCLCPP_SERVICE_CALLBACK_ADDED, 21, SERVICE, CALLBACK + 1);
	FEED(CALLBACK_GROUP_ADD_TIMER, 30, GROUP, TIMER);
	FEED(CALLBACK_GROUP_ADD_SERVICE, 30, GROUP + 1, SERVICE);
	FEED(ADD_CALLBACK_GROUP_STATIC_EXECUTOR, 40, COLLECTOR, GROUP, text("reentrant"));
	FEED(CALLBACK_GROUP_TO_EXECUTOR_ENTITY_COLLECTOR, 40, COLLECTOR + 1, GROUP + 1, text("mutually_exclusive"));
	FEED(CONSTRUCT_STATIC_EXECUTOR, 50, EXECUTOR, text("static"), COLLECTOR);
	FEED(CONSTRUCT_EXECUTOR, 50, EXECUTOR + 1, text("multi"));
	FEED(EXECUTOR_ENTITY_COLLECTOR_TO_EXECUTOR, 51, EXECUTOR + 1, COLLECTOR + 1);
	cr_assert_str_eq(group_at(CALLBACK, 100).executor->type, "static");
	cr_assert_str_eq(group_at(CALLBACK, 100).type, "reentrant");
	cr_assert_str_eq(group_at(CALLBACK + 1, 100).executor->type, "multi");
}

Test(object_model, a_state_machine_has_its_node)
{
	struct model_state_machine *machine;

	define_node(NODE, "managed", 10);
	FEED(RCL_LIFECYCLE_STATE_MACHINE_INIT, 20, NODE, MACHINE);
	machine = object_model_find_state_machine(model, process, MACHINE, 100);
	cr_assert_eq(machine->index, 0);
	cr_assert_str_eq(object_model_state_machine_node(model, machine), "/managed");
}

/* The five services of a lifecycle node; rclcpp's copies of their handles begin at COPY. */
enum { CHANGE, GET, STATES, TRANSITIONS, GRAPH, COPY = 0x8100 };

static void define_lifecycle_services(uint64_t node, uint64_t first)
{
	static const char *const names[] = { "/n/change_state", "/n/get_state", "/n/get_available_states",
					     "/n/get_available_transitions", "/n/get_transition_graph" };

	for (unsigned int i = 0; i < 5; i++) {
		FEED(RCL_SERVICE_INIT, 20 + i, first + i, node, RMW + first + i, text(names[i]));
	}
}

static void add_lifecycle_callback(uint64_t number, const char *type, uint32_t by, int64_t time_ns)
{
	g_autofree char *symbol =
		g_strdup_printf("std::_Bind<void (std::shared_ptr<lifecycle_msgs::srv::%s_Request_<", type);

	feed(RECORD(RCLCPP_SERVICE_CALLBACK_ADDED, by, time_ns, COPY + number, CALLBACK + number));
	feed(RECORD(RCLCPP_CALLBACK_REGISTER, by, time_ns + 1, CALLBACK + number, text(symbol)));
}

static const char *service_of(uint64_t number)
{
	struct model_callback_info info = info_at(CALLBACK + number, 1000);

	cr_assert_eq(info.node != NULL, info.service != NULL);
	return info.service ? info.service->name : "";
}

static void define_lifecycle_node(void)
{
	define_node(NODE, "n", 10);
	define_lifecycle_services(NODE, SERVICE);
	FEED(RCL_LIFECYCLE_STATE_MACHINE_INIT, 30, NODE, MACHINE);
}

Test(object_model, callbacks_of_a_lifecycle_node_have_its_services)
{
	define_lifecycle_node();
	add_lifecycle_callback(CHANGE, "ChangeState", thread, 40);
	add_lifecycle_callback(GET, "GetState", thread, 50);
	add_lifecycle_callback(STATES, "GetAvailableStates", thread, 60);
	add_lifecycle_callback(TRANSITIONS, "GetAvailableTransitions", thread, 70);
	cr_assert_str_eq(service_of(TRANSITIONS), "", "which of the two services of the type is not known yet");
	add_lifecycle_callback(GRAPH, "GetAvailableTransitions", thread, 80);
	cr_assert_str_eq(service_of(CHANGE), "/n/change_state");
	cr_assert_str_eq(service_of(GET), "/n/get_state");
	cr_assert_str_eq(service_of(STATES), "/n/get_available_states");
	cr_assert_str_eq(service_of(TRANSITIONS), "/n/get_available_transitions");
	cr_assert_str_eq(service_of(GRAPH), "/n/get_transition_graph");
	cr_assert_str_eq(info_at(CALLBACK + GRAPH, 1000).node, "/n");
}

Test(object_model, callbacks_of_lifecycle_services_need_the_state_machine_of_their_thread)
{
	uint32_t other = add_thread(0, 7, 9);

	cr_assert_eq(recording_thread(recording, other)->process, process);
	define_lifecycle_node();
	add_lifecycle_callback(CHANGE, "ChangeState", other, 40);
	cr_assert_str_eq(service_of(CHANGE), "", "another thread creates another node");
	define_node(NODE + 1, "m", 50);
	add_lifecycle_callback(GET, "GetState", thread, 60);
	cr_assert_str_eq(service_of(GET), "", "the state machine of the next node was not recorded");
}

Test(object_model, a_reused_address_has_the_service_of_the_lifecycle_node)
{
	define_node(NODE + 1, "old", -9 * MS);
	FEED(RCL_SERVICE_INIT, -8 * MS, COPY + CHANGE, NODE + 1, RMW, text("/old"));
	FEED(RCLCPP_SERVICE_CALLBACK_ADDED, -7 * MS, COPY + CHANGE, CALLBACK + CHANGE);
	define_lifecycle_node();
	add_lifecycle_callback(CHANGE, "ChangeState", thread, 40);
	cr_assert_str_eq(service_of(CHANGE), "/n/change_state");
	cr_assert_str_eq(info_at(CALLBACK + CHANGE, -6 * MS).service->name, "/old");
}

/* As a node may have that manages others. */
Test(object_model, a_service_of_a_lifecycle_type_that_a_lifecycle_node_adds_itself_is_no_copy)
{
	define_lifecycle_node();
	add_lifecycle_callback(CHANGE, "ChangeState", thread, 40);
	FEED(RCL_SERVICE_INIT, 50, COPY + GRAPH, NODE, RMW, text("/n/change_all"));
	add_lifecycle_callback(GRAPH, "ChangeState", thread, 60);
	cr_assert_str_eq(service_of(CHANGE), "/n/change_state");
	cr_assert_str_eq(service_of(GRAPH), "/n/change_all");
	FEED(RCL_SERVICE_INIT, 70, COPY + CHANGE, NODE, RMW, text("/n/later"));
	cr_assert_str_eq(service_of(CHANGE), "/n/change_state", "at a reused address");
}

/* As no node has; callbacks of lifecycle services may be as many. */
Test(object_model, the_services_of_a_lifecycle_node_are_looked_for_among_the_last_4096)
{
	define_lifecycle_node();
	for (unsigned int i = 0; i < 4092; i++) {
		FEED(RCL_SERVICE_INIT, 35, 0x100000 + i, NODE, RMW, text("/n/other"));
	}
	add_lifecycle_callback(GET, "GetState", thread, 40);
	add_lifecycle_callback(CHANGE, "ChangeState", thread, 50);
	cr_assert_str_eq(service_of(GET), "/n/get_state");
	cr_assert_str_eq(service_of(CHANGE), "");
}

Test(object_model, ten_thousand_nodes_at_one_address_are_quickly_told_apart)
{
	for (int64_t i = 0; i < 10000; i++) {
		g_autofree char *name = g_strdup_printf("n%d", (int)i);

		define_node(NODE, name, i * 10);
		cr_assert_eq(object_model_node_name(model, process, NODE, i * 10 + 5)[2], name[1]);
	}
}
