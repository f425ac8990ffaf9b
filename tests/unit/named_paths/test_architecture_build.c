/* SPDX-License-Identifier: MIT */
/* The architecture made from a recording: names and orders, callbacks of publishers, contexts, groups. */
#include "ros2bt/named_paths/architecture_build.h"

#include <string.h>

#include "flow_records.h"

static struct publishing_callbacks *publishing;
static struct architecture *architecture;
static uint64_t stamp;

static void setup(void)
{
	flow_setup_recording();
	flow_setup_analysis();
	publishing = publishing_callbacks_create(pipeline);
	architecture = NULL;
	stamp = 1;
}

static void teardown(void)
{
	architecture_destroy(architecture);
	flow_teardown_analysis();
	publishing_callbacks_destroy(publishing);
	recording_teardown();
}

TestSuite(architecture_build, .init = setup, .fini = teardown);

static void build_assuming(bool assumes_latest)
{
	finish();
	publishing_callbacks_finish(publishing);
	architecture = architecture_build(pipeline, publishing,
					  &(struct architecture_build_options){ .assumes_latest = assumes_latest });
}

static void build(void)
{
	build_assuming(false);
}

static struct architecture_node *node(const char *name)
{
	struct architecture_node *found = architecture_find_node(architecture, name);

	cr_assert(found, "%s", name);
	return found;
}

static struct architecture_callback *callback(const char *name)
{
	g_autofree char *node_name = g_path_get_dirname(name);
	struct architecture_callback *found = architecture_find_callback(node(node_name), name);

	cr_assert(found, "%s", name);
	return found;
}

/* The names of a publisher's callbacks, separated by spaces. */
static const char *callbacks_of(const char *node_name, const char *topic)
{
	static GString *names;
	const struct architecture_endpoint *publisher =
		architecture_find_endpoint(node(node_name)->publishers, topic, 0);

	cr_assert(publisher);
	names = g_string_truncate(names ? names : g_string_new(NULL), 0);
	for (guint i = 0; i < publisher->callbacks->len; i++) {
		g_string_append_printf(names, "%s%s", i > 0 ? " " : "",
				       (const char *)g_ptr_array_index(publisher->callbacks, i));
	}
	return names->str;
}

static const char *context(const char *node_name, const char *subscribed, const char *published)
{
	const struct architecture_context *found =
		architecture_find_context(node(node_name), subscribed, 0, published, 0);

	return found ? architecture_context_name(found->kind) : "none";
}

static void define_symbol(uint64_t address, const char *symbol)
{
	NEXT(RCLCPP_CALLBACK_REGISTER, talker, address, text(symbol));
}

/* The callback of a subscription of `listener` receives a message of publisher `number`, and publishes with `next` if
 * that is not 0. */
static void forward(uint64_t number, uint64_t next)
{
	publish(talker, number, stamp);
	take(listener, number, stamp++);
	start(listener, SUBSCRIPTION_CALLBACK + number);
	if (next > 0) {
		publish(listener, next, stamp + 1000000);
	}
	end(listener, SUBSCRIPTION_CALLBACK + number);
}

Test(architecture_build, timers_come_before_subscriptions_each_in_order_of_initialization)
{
	define_node(talker, "n");
	define_subscription(talker, 1, "/b");
	define_subscription(talker, 2, "/a");
	define_timer(talker, 2);
	define_timer(talker, 1);
	define_symbol(TIMER_CALLBACK + 2, "first");
	define_symbol(TIMER_CALLBACK + 1, "second");
	build();
	cr_assert_eq(node("/n")->callbacks->len, 4);
	cr_assert_str_eq(callback("/n/callback_0")->symbol, "first");
	cr_assert_eq(callback("/n/callback_0")->kind, ARCHITECTURE_TIMER);
	cr_assert_eq(callback("/n/callback_0")->period_ns, 10 * MS);
	cr_assert_str_eq(callback("/n/callback_1")->symbol, "second");
	cr_assert_str_eq(callback("/n/callback_2")->topic, "/b");
	cr_assert_str_eq(callback("/n/callback_3")->topic, "/a");
	cr_assert_str_eq(((struct architecture_endpoint *)node("/n")->subscriptions->pdata[0])->topic, "/a");
	cr_assert_str_eq(((struct architecture_endpoint *)node("/n")->subscriptions->pdata[0])->callback,
			 "/n/callback_3");
}

Test(architecture_build, numbers_have_as_many_digits_as_that_of_the_callbacks)
{
	define_node(talker, "n");
	for (uint64_t i = 0; i < 10; i++) {
		define_subscription(talker, i, "/a");
	}
	build();
	cr_assert_eq(callback("/n/callback_00")->order, 0);
	cr_assert_eq(callback("/n/callback_09")->order, 9);
}

Test(architecture_build, orders_are_among_what_is_alike)
{
	define_node(talker, "n");
	for (uint64_t i = 0; i < 3; i++) {
		define_timer(talker, i);
		define_symbol(TIMER_CALLBACK + i, i == 1 ? "other" : "same");
		define_publisher(talker, i, i == 1 ? "/other" : "/same");
	}
	build();
	cr_assert_eq(callback("/n/callback_0")->order, 0);
	cr_assert_eq(callback("/n/callback_1")->order, 0);
	cr_assert_eq(callback("/n/callback_2")->order, 1);
	cr_assert(architecture_find_endpoint(node("/n")->publishers, "/same", 1));
	cr_assert(!architecture_find_endpoint(node("/n")->publishers, "/other", 1));
}

Test(architecture_build, what_caret_leaves_out_is_left_out)
{
	define_node(talker, "n");
	define_subscription(talker, 1, "/parameter_events");
	define_subscription(talker, 2, "/clock");
	define_publisher(talker, 3, "/rosout");
	define_node(listener, "caret_trace_3");
	define_timer(listener, 1);
	build();
	cr_assert_eq(architecture->nodes->len, 1);
	cr_assert_eq(node("/n")->callbacks->len, 0);
	cr_assert_eq(node("/n")->publishers->len, 0);
	cr_assert_eq(node("/n")->subscriptions->len, 0);
}

Test(architecture_build, a_timer_of_a_negative_period_is_none)
{
	define_node(talker, "n");
	NEXT(RCL_TIMER_INIT, talker, TIMER + 1, (uint64_t)-1);
	NEXT(RCLCPP_TIMER_CALLBACK_ADDED, talker, TIMER + 1, TIMER_CALLBACK + 1);
	NEXT(RCLCPP_TIMER_LINK_NODE, talker, TIMER + 1, NODE);
	build();
	cr_assert_eq(node("/n")->callbacks->len, 0);
}

Test(architecture_build, a_node_that_was_there_twice_is_one)
{
	for (uint64_t i = 0; i < 2; i++) {
		uint32_t thread = i ? listener : talker;

		define_node(thread, "n");
		define_timer(thread, 1);
		define_publisher(thread, 1, "/a");
	}
	define_publisher(listener, 2, "/b");
	build();
	cr_assert_eq(architecture->nodes->len, 1);
	cr_assert_eq(node("/n")->callbacks->len, 1);
	cr_assert_eq(node("/n")->publishers->len, 2);
	cr_assert(!architecture_find_endpoint(node("/n")->publishers, "/a", 1));
}

Test(architecture_build, a_name_that_is_no_text_becomes_one)
{
	define_node(talker, "n\xFF");
	define_subscription(talker, 1, "/a\xFE");
	build();
	cr_assert_str_eq(callback("/n\xEF\xBF\xBD/callback_0")->topic, "/a\xEF\xBF\xBD");
}

Test(architecture_build, callbacks_of_a_publisher_are_those_that_published)
{
	define_node(talker, "n");
	define_timer(talker, 1);
	define_timer(talker, 2);
	define_publisher(talker, 1, "/one");
	define_publisher(talker, 2, "/outside");
	define_publisher(talker, 3, "/never");
	publish_in(talker, TIMER_CALLBACK + 2, 1, stamp++);
	publish(talker, 2, stamp++);
	build();
	cr_assert_str_eq(callbacks_of("/n", "/one"), "/n/callback_1");
	cr_assert_str_eq(callbacks_of("/n", "/outside"), "");
	cr_assert_str_eq(callbacks_of("/n", "/never"), "");
}

/* caret_analyze drops a node if one of its publishers names a callback that the node lacks. */
Test(architecture_build, a_callback_of_another_node_is_no_callback_of_the_publisher)
{
	define_node(talker, "n");
	define_publisher(talker, 1, "/a");
	NEXT(RCL_NODE_INIT, talker, NODE + 1, RMW_NODE + 1, text("other"), text("/"));
	NEXT(RCL_TIMER_INIT, talker, TIMER, 10 * MS);
	NEXT(RCLCPP_TIMER_CALLBACK_ADDED, talker, TIMER, TIMER_CALLBACK);
	NEXT(RCLCPP_TIMER_LINK_NODE, talker, TIMER, NODE + 1);
	publish_in(talker, TIMER_CALLBACK, 1, stamp++);
	build();
	cr_assert_eq(node("/other")->callbacks->len, 1);
	cr_assert_str_eq(callbacks_of("/n", "/a"), "");
}

static void define_relay(void)
{
	define_node(talker, "source");
	define_publisher(talker, 1, "/a");
	define_publisher(talker, 2, "/b");
	define_node(listener, "relay");
	define_subscription(listener, 1, "/a");
	define_subscription(listener, 2, "/b");
	define_publisher(listener, 3, "/c");
}

Test(architecture_build, a_context_is_a_chain_where_the_callback_published)
{
	define_relay();
	forward(1, 3);
	forward(2, 0);
	build();
	cr_assert_str_eq(context("/relay", "/a", "/c"), "callback_chain");
	cr_assert_str_eq(context("/relay", "/b", "/c"), "UNDEFINED");
	cr_assert_str_eq(callbacks_of("/relay", "/c"), "/relay/callback_0");
	cr_assert_eq(node("/relay")->variable_passings->len, 1);
}

Test(architecture_build, what_is_not_known_may_be_assumed_to_use_the_latest)
{
	define_relay();
	forward(1, 3);
	build_assuming(true);
	cr_assert_str_eq(context("/relay", "/a", "/c"), "callback_chain");
	cr_assert_str_eq(context("/relay", "/b", "/c"), "use_latest_message");
}

Test(architecture_build, two_callbacks_that_forward_by_one_publisher_are_chains)
{
	define_relay();
	for (int i = 0; i < 5; i++) {
		forward(1, 3);
		forward(2, 3);
	}
	build();
	cr_assert_str_eq(context("/relay", "/a", "/c"), "callback_chain");
	cr_assert_str_eq(context("/relay", "/b", "/c"), "callback_chain");
	cr_assert_str_eq(callbacks_of("/relay", "/c"), "/relay/callback_0 /relay/callback_1");
}

/* The callback of whichever message arrives last publishes. */
Test(architecture_build, a_join_uses_the_latest_of_each)
{
	define_relay();
	for (int i = 0; i < 5; i++) {
		forward(1, i % 2 ? 3 : 0);
		forward(2, i % 2 ? 0 : 3);
	}
	build();
	cr_assert_str_eq(context("/relay", "/a", "/c"), "use_latest_message");
	cr_assert_str_eq(context("/relay", "/b", "/c"), "use_latest_message");
	cr_assert_str_eq(callbacks_of("/relay", "/c"), "/relay/callback_0 /relay/callback_1");
}

Test(architecture_build, messages_that_are_kept_are_used_as_the_latest)
{
	define_relay();
	define_timer(listener, 1);
	NEXT(MESSAGE_LINK_PERIODIC_ASYNC, listener, addresses(SUBSCRIPTION + 1, 0), addresses(PUBLISHER + 3, 0));
	forward(1, 0);
	forward(2, 0);
	publish_in(listener, TIMER_CALLBACK + 1, 3, stamp++);
	build();
	cr_assert_str_eq(context("/relay", "/a", "/c"), "use_latest_message");
	cr_assert_str_eq(context("/relay", "/b", "/c"), "UNDEFINED");
	cr_assert_str_eq(callbacks_of("/relay", "/c"), "/relay/callback_0");
}

Test(architecture_build, without_groups_callbacks_are_in_one_of_no_known_type)
{
	const struct architecture_callback_group *group;

	define_node(talker, "n");
	define_timer(talker, 1);
	define_timer(talker, 2);
	build();
	cr_assert_eq(node("/n")->callback_groups->len, 1);
	group = architecture_find_group(node("/n"), "/n/callback_1");
	cr_assert_str_eq(group->name, "/n/callback_group_0");
	cr_assert_null(group->type);
	cr_assert_eq(group->callbacks->len, 2);
	cr_assert_eq(architecture->executors->len, 0);
}

enum { GROUP = 0xa000, EXECUTOR = 0xb000 };

static void define_executor(uint64_t number, const char *type)
{
	NEXT(CONSTRUCT_EXECUTOR, talker, EXECUTOR + number, text(type));
}

static void define_group(uint64_t number, uint64_t executor, const char *type, uint64_t timer)
{
	NEXT(CALLBACK_GROUP_ADD_TIMER, talker, GROUP + number, TIMER + timer);
	NEXT(ADD_CALLBACK_GROUP, talker, EXECUTOR + executor, GROUP + number, text(type));
}

/* CARET numbers them by address, which differs in each run. */
Test(architecture_build, groups_and_executors_are_numbered_in_order_of_time)
{
	const struct architecture_executor *executor;

	define_executor(9, "single_threaded_executor");
	define_executor(5, "unused_executor");
	define_executor(1, "multi_threaded_executor");
	define_node(talker, "n");
	for (uint64_t i = 1; i <= 3; i++) {
		define_timer(talker, i);
		define_symbol(TIMER_CALLBACK + i, "timer");
	}
	define_group(8, 1, "reentrant", 1);
	define_group(3, 9, "mutually_exclusive", 2);
	define_group(1, 1, "of another release", 3);
	build();
	cr_assert_str_eq(architecture_find_group(node("/n"), "/n/callback_0")->name, "/n/callback_group_0");
	cr_assert_str_eq(architecture_find_group(node("/n"), "/n/callback_0")->type, "reentrant");
	cr_assert_str_eq(architecture_find_group(node("/n"), "/n/callback_1")->type, "mutually_exclusive");
	/* caret_analyze refuses all others */
	cr_assert_null(architecture_find_group(node("/n"), "/n/callback_2")->type);
	cr_assert_eq(architecture->executors->len, 2);
	executor = g_ptr_array_index(architecture->executors, 0);
	cr_assert_str_eq(executor->name, "executor_0");
	cr_assert_str_eq(executor->type, "single_threaded_executor");
	cr_assert_eq(executor->callback_groups->len, 1);
	executor = g_ptr_array_index(architecture->executors, 1);
	cr_assert_eq(executor->callback_groups->len, 2);
	cr_assert_str_eq(g_ptr_array_index(executor->callback_groups, 1), "/n/callback_group_2");
}

/* Nodes without rclcpp: caret_analyze drops a node if one of its subscriptions has no callback. */
Test(architecture_build, a_subscription_has_a_callback_also_where_none_is_recorded)
{
	define_node(listener, "python");
	define_plain_subscription(listener, 1, "/a");
	build();
	cr_assert_str_eq(architecture_find_endpoint(node("/python")->subscriptions, "/a", 0)->callback,
			 "/python/callback_0");
	cr_assert_null(callback("/python/callback_0")->symbol);
}

Test(architecture_build, the_callback_of_the_intra_process_part_is_the_same)
{
	define_node(talker, "n");
	define_subscription(talker, 1, "/a");
	define_intra_process(talker, 1);
	build();
	cr_assert_eq(node("/n")->callbacks->len, 1);
	cr_assert_eq(node("/n")->subscriptions->len, 1);
}

/* All pairs would be millions. */
Test(architecture_build, of_very_many_contexts_only_those_that_are_known_are_there)
{
	define_relay();
	for (uint64_t i = 0; i < 101; i++) {
		g_autofree char *topic = g_strdup_printf("/topic%" G_GUINT64_FORMAT, i);

		NEXT(RCL_PUBLISHER_INIT, listener, 0x20000 + i, NODE, 0x30000 + i, text(topic), 10);
		NEXT(RCL_SUBSCRIPTION_INIT, listener, 0x40000 + i, NODE, 0x50000 + i, text(topic), 10);
	}
	forward(1, 3);
	build();
	cr_assert_eq(node("/relay")->contexts->len, 1);
	cr_assert_str_eq(context("/relay", "/a", "/c"), "callback_chain");
}
