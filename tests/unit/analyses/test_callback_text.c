/* SPDX-License-Identifier: MIT */
#include "core/analyses/shared/name_choice.h"
#include "core/analyses/shared/callback_text.h"
#include "core/base/name_filter.h"
#include "flow_records.h"

static void setup(void)
{
	flow_setup_recording();
	flow_setup_analysis();
	define_node(talker, "planner");
}

static void teardown(void)
{
	flow_teardown_analysis();
	recording_teardown();
}

TestSuite(callback_text, .init = setup, .fini = teardown);

static struct model_callback *callback_at(uint64_t address)
{
	return object_model_callback(model, process_of(talker), address, now_ns);
}

static void expect(uint64_t address, const char *expected)
{
	g_autofree char *text = callback_text(callback_at(address), model);

	cr_assert_str_eq(text, expected);
}

Test(callback_text, a_timer_is_its_node_and_period)
{
	define_timer(talker, 1);
	expect(TIMER_CALLBACK + 1, "/planner 10.0 ms");
	cr_assert_null(callback_source(object_model_callback_info(model, callback_at(TIMER_CALLBACK + 1))));
}

Test(callback_text, a_subscription_is_its_node_and_topic)
{
	define_subscription(talker, 1, "/scan");
	expect(SUBSCRIPTION_CALLBACK + 1, "/planner /scan");
	cr_assert_str_eq(callback_source(object_model_callback_info(model, callback_at(SUBSCRIPTION_CALLBACK + 1))),
			 "/scan");
}

Test(callback_text, a_service_is_its_node_and_name)
{
	define_service(talker, 1, "/plan");
	expect(SERVICE_CALLBACK + 1, "/planner /plan");
}

Test(callback_text, without_an_owner_it_is_its_function_or_else_its_address)
{
	expect(0x42, "0x42");
	NEXT(RCLCPP_CALLBACK_REGISTER, talker, 0x42, text("tick()"));
	expect(0x42, "tick()");
}

static bool is_chosen(uint64_t address, const char *nodes, const char *topics)
{
	struct name_filter *node_filter = nodes ? name_filter_create((const char *const[]){ nodes, NULL }) : NULL;
	struct name_filter *topic_filter = topics ? name_filter_create((const char *const[]){ topics, NULL }) : NULL;
	const struct analysis_options options = { .names = { node_filter, topic_filter, NULL } };
	bool chosen = callback_is_chosen(&options, model, callback_at(address));

	name_filter_destroy(node_filter);
	name_filter_destroy(topic_filter);
	return chosen;
}

Test(callback_text, a_callback_is_chosen_by_its_node_and_its_source)
{
	define_subscription(talker, 1, "/scan");
	define_timer(talker, 1);
	cr_assert(is_chosen(SUBSCRIPTION_CALLBACK + 1, NULL, NULL));
	cr_assert(is_chosen(SUBSCRIPTION_CALLBACK + 1, "/plan*", "/scan"));
	cr_assert_not(is_chosen(SUBSCRIPTION_CALLBACK + 1, "/other", "/scan"));
	cr_assert_not(is_chosen(SUBSCRIPTION_CALLBACK + 1, "/planner", "/other"));
	/* a timer has no topic, and a callback that nothing is known of no node either */
	cr_assert_not(is_chosen(TIMER_CALLBACK + 1, NULL, "/scan"));
	cr_assert(is_chosen(TIMER_CALLBACK + 1, NULL, "!/scan"));
	cr_assert_not(is_chosen(0x42, "/*", NULL));
}
