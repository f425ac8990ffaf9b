/* SPDX-License-Identifier: MIT */
#include "flow_records.h"
#include "core/model/object_numbers.h"

static struct object_numbers *numbers;

static void setup(void)
{
	flow_setup_recording();
	flow_setup_analysis();
	numbers = object_numbers_create(recording, model);
	define_node(talker, "node");
}

static void teardown(void)
{
	flow_teardown_analysis();
	recording_teardown();
}

TestSuite(object_numbers, .init = setup, .fini = teardown);

static void expect_subscriptions(const uint32_t *expected, size_t count)
{
	cr_assert_eq(object_model_subscription_count(model), count);
	for (size_t i = 0; i < count; i++) {
		uint32_t number =
			object_numbers_of(numbers, MODEL_SUBSCRIPTION, &object_model_subscription_at(model, i)->object);

		cr_assert_eq(number, expected[i], "subscription %zu: %u", i, number);
	}
}

#define EXPECT(...)                                                                                                    \
	expect_subscriptions((const uint32_t[]){ __VA_ARGS__ },                                                        \
			     sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

Test(object_numbers, those_of_one_name_count_in_order_of_time)
{
	define_subscription(talker, 2, "/a");
	define_subscription(talker, 1, "/a");
	define_subscription(talker, 3, "/b");
	EXPECT(1, 2, 0);
}

Test(object_numbers, the_only_one_has_none)
{
	define_subscription(talker, 1, "/a");
	EXPECT(0);
	/* of another process */
	define_node(listener, "node");
	define_subscription(listener, 1, "/a");
	EXPECT(0, 0);
}

Test(object_numbers, lives_at_one_address_are_several)
{
	define_subscription(talker, 1, "/a");
	now_ns += MS;
	define_subscription(talker, 1, "/a");
	EXPECT(1, 2);
}

Test(object_numbers, a_later_definition_counts)
{
	define_subscription(talker, 1, "/a");
	EXPECT(0);
	define_subscription(talker, 2, "/a");
	EXPECT(1, 2);
}

static struct model_callback *callback(uint64_t address)
{
	return object_model_callback(model, recording_thread(recording, talker)->process, address, now_ns);
}

static void expect_callback(uint64_t address, const char *expected)
{
	g_autofree char *text = object_numbers_callback(numbers, callback(address));

	cr_assert_eq(g_strcmp0(text, expected), 0, "%s", text);
}

Test(object_numbers, a_callback_has_that_of_its_subscription)
{
	define_subscription(talker, 1, "/a");
	expect_callback(SUBSCRIPTION_CALLBACK + 1, NULL);
	define_subscription(talker, 2, "/a");
	expect_callback(SUBSCRIPTION_CALLBACK + 1, "1");
	expect_callback(SUBSCRIPTION_CALLBACK + 2, "2");
}

static void expect_timers(uint32_t first, uint32_t second)
{
	cr_assert_eq(object_numbers_of(numbers, MODEL_TIMER, &object_model_timer_at(model, 0)->object), first);
	cr_assert_eq(object_numbers_of(numbers, MODEL_TIMER, &object_model_timer_at(model, 1)->object), second);
}

static void define_timer_of(uint64_t number, uint64_t period_ns)
{
	NEXT(RCL_TIMER_INIT, talker, TIMER + number, period_ns);
	NEXT(RCLCPP_TIMER_LINK_NODE, talker, TIMER + number, NODE);
}

Test(object_numbers, timers_whose_periods_read_the_same_are_of_one_name)
{
	define_timer_of(1, 327709978);
	define_timer_of(2, 328000000);
	expect_timers(1, 2);
}

Test(object_numbers, timers_whose_periods_read_differently_are_not)
{
	define_timer_of(1, 327000000);
	define_timer_of(2, 328000000);
	expect_timers(0, 0);
}

/* The definition of the first was lost: it may be of any topic, that of the second, too. */
Test(object_numbers, without_nodes_a_lost_name_may_be_any)
{
	object_model_subscription_by_rmw(model, recording_thread(recording, listener)->process, RMW_SUBSCRIPTION + 1,
					 now_ns);
	now_ns += MS;
	define_subscription(listener, 2, "/a");
	EXPECT(1, 2);
}

/* The second life of the subscription, whose definition was lost. */
Test(object_numbers, callbacks_of_one_subscription_are_told_apart)
{
	define_subscription(talker, 1, "/a");
	define_subscription(talker, 2, "/a");
	now_ns += MS;
	NEXT(RCLCPP_SUBSCRIPTION_INIT, talker, SUBSCRIPTION + 1, OBJECT + 3);
	NEXT(RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, talker, OBJECT + 3, SUBSCRIPTION_CALLBACK + 3);
	expect_callback(SUBSCRIPTION_CALLBACK + 1, "1.1");
	expect_callback(SUBSCRIPTION_CALLBACK + 2, "2");
	expect_callback(SUBSCRIPTION_CALLBACK + 3, "1.2");
}

Test(object_numbers, callbacks_of_which_nothing_is_known_have_their_own)
{
	callback(0xc1);
	expect_callback(0xc1, NULL);
	now_ns += MS;
	callback(0xc2);
	expect_callback(0xc1, "1");
	expect_callback(0xc2, "2");
}
