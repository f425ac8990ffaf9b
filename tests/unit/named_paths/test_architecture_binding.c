/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "flow_records.h"

#include "core/named_paths/architecture_binding.h"

static struct architecture_callback callback;

static void setup(void)
{
	flow_setup_recording();
	flow_setup_analysis();
	define_node(talker, "node");
	callback = (struct architecture_callback){ .kind = ARCHITECTURE_SUBSCRIPTION, .topic = "/in", .symbol = "f" };
}

static void teardown(void)
{
	flow_teardown_analysis();
	recording_teardown();
}

TestSuite(architecture_binding, .init = setup, .fini = teardown);

static void set_symbol(uint32_t thread, uint64_t address, const char *symbol)
{
	NEXT(RCLCPP_CALLBACK_REGISTER, thread, address, text(symbol));
}

/* The addresses of what was bound, in hexadecimal. */
static void expect_publishers(const char *node, const char *topic, uint32_t order, const char *expected)
{
	g_autoptr(GPtrArray) bound = architecture_bind_publishers(model, node, topic, order);
	g_autoptr(GString) addresses_text = g_string_new(NULL);

	for (guint i = 0; i < bound->len; i++) {
		const struct model_publisher *publisher = g_ptr_array_index(bound, i);

		g_string_append_printf(addresses_text, "%s%u:%" PRIx64, i ? " " : "", publisher->process,
				       publisher->handle);
	}
	cr_expect_str_eq(addresses_text->str, expected, "%s", addresses_text->str);
}

static void expect_callbacks(const char *expected, bool expected_without_symbol)
{
	bool without_symbol;
	g_autoptr(GPtrArray) bound = architecture_bind_callbacks(model, "/node", &callback, &without_symbol);
	g_autoptr(GString) addresses_text = g_string_new(NULL);

	for (guint i = 0; i < bound->len; i++) {
		g_string_append_printf(addresses_text, "%s%" PRIx64, i ? " " : "",
				       ((const struct model_callback *)g_ptr_array_index(bound, i))->address);
	}
	cr_expect_str_eq(addresses_text->str, expected, "%s", addresses_text->str);
	cr_expect_eq(without_symbol, expected_without_symbol);
}

Test(architecture_binding, publishers_of_one_topic_have_orders)
{
	define_publisher(talker, 1, "/out");
	define_publisher(talker, 2, "/other");
	define_publisher(talker, 3, "/out");
	expect_publishers("/node", "/out", 0, "0:2001");
	expect_publishers("/node", "/out", 1, "0:2003");
	expect_publishers("/node", "/out", 2, "");
	expect_publishers("/node", "/other", 0, "0:2002");
	expect_publishers("/nobody", "/out", 0, "");
}

/* Orders begin anew in each process. */
Test(architecture_binding, nodes_of_one_name_are_all_meant)
{
	define_node(listener, "node");
	define_publisher(talker, 1, "/out");
	define_publisher(listener, 1, "/out");
	define_publisher(listener, 2, "/out");
	expect_publishers("/node", "/out", 0, "0:2001 1:2001");
	expect_publishers("/node", "/out", 1, "1:2002");
}

Test(architecture_binding, subscriptions_are_bound_likewise)
{
	g_autoptr(GPtrArray) first = NULL;
	g_autoptr(GPtrArray) second = NULL;

	define_subscription(talker, 1, "/in");
	define_subscription(talker, 2, "/in");
	first = architecture_bind_subscriptions(model, "/node", "/in", 0);
	second = architecture_bind_subscriptions(model, "/node", "/in", 1);
	cr_assert_eq(first->len, 1);
	cr_assert_eq(second->len, 1);
	cr_expect_eq(((const struct model_subscription *)g_ptr_array_index(first, 0))->handle, SUBSCRIPTION + 1);
	cr_expect_eq(((const struct model_subscription *)g_ptr_array_index(second, 0))->handle, SUBSCRIPTION + 2);
}

Test(architecture_binding, a_callback_is_bound_by_topic_symbol_and_order)
{
	define_subscription(talker, 1, "/in");
	define_subscription(talker, 2, "/in");
	define_subscription(talker, 3, "/in");
	define_subscription(talker, 4, "/other");
	set_symbol(talker, SUBSCRIPTION_CALLBACK + 1, "f");
	set_symbol(talker, SUBSCRIPTION_CALLBACK + 2, "g");
	set_symbol(talker, SUBSCRIPTION_CALLBACK + 3, "f");
	set_symbol(talker, SUBSCRIPTION_CALLBACK + 4, "f");
	expect_callbacks("7001", false);
	callback.order = 1;
	expect_callbacks("7003", false);
	callback.symbol = "g";
	callback.order = 0;
	expect_callbacks("7002", false);
}

Test(architecture_binding, another_compiler_gives_other_symbols)
{
	define_subscription(talker, 1, "/in");
	set_symbol(talker, SUBSCRIPTION_CALLBACK + 1, "std::f");
	expect_callbacks("7001", true);
	callback.topic = "/other";
	expect_callbacks("", false);
}

Test(architecture_binding, both_parts_of_a_subscription_are_its_callback)
{
	define_subscription(talker, 1, "/in");
	define_intra_process(talker, 1);
	set_symbol(talker, SUBSCRIPTION_CALLBACK + 1, "f");
	set_symbol(talker, INTRA_CALLBACK + 1, "f");
	expect_callbacks("7001 7101", false);
	define_subscription(talker, 2, "/in");
	set_symbol(talker, SUBSCRIPTION_CALLBACK + 2, "f");
	callback.order = 1;
	expect_callbacks("7002", false);
}

Test(architecture_binding, a_timer_is_bound_by_period_and_order)
{
	define_timer(talker, 1);
	define_timer(talker, 2);
	set_symbol(talker, TIMER_CALLBACK + 1, "f");
	set_symbol(talker, TIMER_CALLBACK + 2, "f");
	callback = (struct architecture_callback){
		.kind = ARCHITECTURE_TIMER, .period_ns = 10 * MS, .symbol = "f", .order = 1
	};
	expect_callbacks("7202", false);
	callback.period_ns = 20 * MS;
	expect_callbacks("", false);
	callback = (struct architecture_callback){
		.kind = ARCHITECTURE_SUBSCRIPTION, .topic = "/in", .period_ns = 10 * MS, .symbol = "f"
	};
	expect_callbacks("", false);
}

/* A node that was started again in one process: the order counts within each life. */
Test(architecture_binding, a_node_that_was_started_again_is_meant_twice)
{
	define_publisher(talker, 1, "/out");
	NEXT(RCL_NODE_INIT, talker, NODE + 8, RMW_NODE + 8, text("node"), text("/"));
	NEXT(RCL_PUBLISHER_INIT, talker, PUBLISHER + 9, NODE + 8, RMW_PUBLISHER + 9, text("/out"), 10);
	expect_publishers("/node", "/out", 0, "0:2001 0:2009");
	expect_publishers("/node", "/out", 1, "");
}
