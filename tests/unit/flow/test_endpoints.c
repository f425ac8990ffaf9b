/* SPDX-License-Identifier: MIT */
#include "core/flow/endpoints.h"
#include "flow_records.h"

static void setup(void)
{
	flow_setup_recording();
	flow_setup_analysis();
}

static void teardown(void)
{
	flow_teardown_analysis();
	recording_teardown();
}

TestSuite(endpoints, .init = setup, .fini = teardown);

static void expect_in_order(struct model_subscription first, struct model_subscription second)
{
	cr_assert(flow_subscription_comes_before(linker, &first, &second));
	cr_assert_not(flow_subscription_comes_before(linker, &second, &first));
	cr_assert_not(flow_subscription_comes_before(linker, &first, &first));
}

/* Processes are numbered as they are read, which the order must not depend on. */
Test(endpoints, subscriptions_are_in_order_of_time_process_and_handle)
{
	struct recording_context in_container = {
		.has_vpid = true, .vpid = 3, .has_pid_ns = true, .pid_ns = 4026532000
	};
	uint32_t read_last = process_of(add_thread(0, 2, 2));
	uint32_t container =
		recording_thread(recording, recording_add_thread(recording, 0, &in_container, "c"))->process;

	expect_in_order((struct model_subscription){ .since_ns = 1, .process = process_of(listener), .handle = 9 },
			(struct model_subscription){ .since_ns = 2, .process = process_of(talker), .handle = 1 });
	expect_in_order((struct model_subscription){ .since_ns = 1, .process = read_last, .handle = 9 },
			(struct model_subscription){ .since_ns = 1, .process = process_of(listener), .handle = 1 });
	expect_in_order((struct model_subscription){ .since_ns = 1, .process = process_of(listener), .handle = 9 },
			(struct model_subscription){ .since_ns = 1, .process = container, .handle = 1 });
	expect_in_order((struct model_subscription){ .since_ns = 1, .process = process_of(listener), .handle = 1 },
			(struct model_subscription){ .since_ns = 1, .process = process_of(listener), .handle = 9 });
}

Test(endpoints, a_subscription_counts_when_its_topic_is_known)
{
	const char *name = string_pool_intern(pool, "/a");

	take(listener, 1, 500);
	define_subscription(listener_2, 2, "/a");
	cr_assert_eq(flow_topic(linker, name)->subscription_count, 1);
	define_subscription(listener, 1, "/a");
	cr_assert_eq(flow_topic(linker, name)->subscription_count, 2);
	cr_assert_eq(flow_topic(linker, name)->queue_depth, 10);
}

Test(endpoints, an_unlimited_queue_makes_that_of_the_topic_unlimited)
{
	define_subscription(listener, 1, "/a");
	NEXT(RCL_SUBSCRIPTION_INIT, listener, SUBSCRIPTION + 2, NODE, RMW_SUBSCRIPTION + 2, text("/a"), 0);
	cr_assert_eq(flow_topic(linker, string_pool_intern(pool, "/a"))->queue_depth, UINT64_MAX);
}

Test(endpoints, the_last_take_without_a_publication_is_known)
{
	struct model_subscription *subscription;

	define_subscription(listener, 1, "/a");
	subscription = object_model_subscription_at(model, 0);
	cr_assert_eq(flow_subscription_unlinked_take_ns(linker, subscription), INT64_MIN);
	flow_subscription_set_unlinked_take(linker, subscription, 7);
	flow_subscription_set_unlinked_take(linker, subscription, 9);
	cr_assert_eq(flow_subscription_unlinked_take_ns(linker, subscription), 9);
}
