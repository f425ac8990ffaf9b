/* SPDX-License-Identifier: MIT */
/* Messages through Agnocast: linked by topic and number. */
#include "core/flow/agnocast.h"
#include "story.h"

TestSuite(agnocast, .init = story_setup, .fini = story_teardown);

#define ID(number) ((UINT64_C(3) << 32) + (number)) /* of a subscription's callback */

enum { CALLABLE = 0x77000, OTHER_CALLABLE = 0x77040 };

static void define_agnocast(void)
{
	NEXT(AGNOCAST_NODE_INIT, talker, NODE, text("talker"), text("/"));
	NEXT(AGNOCAST_PUBLISHER_INIT, talker, PUBLISHER + 1, NODE, text("/a"), 10);
	NEXT(AGNOCAST_PUBLISHER_INIT, talker, PUBLISHER + 2, NODE, text("/b"), 10);
	NEXT(AGNOCAST_TIMER_INIT, talker, TIMER + 1, NODE, TIMER_CALLBACK + 1, text("tick"), 10 * MS);
	NEXT(AGNOCAST_NODE_INIT, listener, NODE, text("listener"), text("/"));
	NEXT(AGNOCAST_SUBSCRIPTION_INIT, listener, SUBSCRIPTION + 1, NODE, ID(1), text("hear"), text("/a"));
	NEXT(AGNOCAST_SUBSCRIPTION_INIT, listener, SUBSCRIPTION + 2, NODE, ID(2), text("hear"), text("/b"));
	NEXT(AGNOCAST_SUBSCRIPTION_INIT, listener, SUBSCRIPTION + 3, NODE, 0, text("dummy"), text("/a"));
}

static void publish_entry(uint32_t thread, uint64_t number, uint64_t entry)
{
	NEXT(AGNOCAST_PUBLISH, thread, PUBLISHER + number, entry);
}

static void handle_entry(uint32_t thread, uint64_t number, uint64_t entry)
{
	NEXT(AGNOCAST_CREATE_CALLABLE, thread, CALLABLE, entry, ID(number));
	NEXT(AGNOCAST_CALLABLE_START, thread, CALLABLE);
	NEXT(AGNOCAST_CALLABLE_END, thread, CALLABLE);
}

static void lose_events(void)
{
	feed(loss_of(RECORD_DISCARDED_EVENTS, 0, now_ns, now_ns + STEP_NS));
	feed(gap_of(0, now_ns + STEP_NS));
	now_ns += 2 * STEP_NS;
}

Test(agnocast, a_message_goes_from_a_timer_to_a_callback)
{
	define_agnocast();
	for (uint64_t i = 0; i < 2; i++) {
		NEXT(AGNOCAST_CREATE_TIMER_CALLABLE, talker, CALLABLE, TIMER + 1);
		NEXT(AGNOCAST_CALLABLE_START, talker, CALLABLE);
		publish_entry(talker, 1, i);
		NEXT(AGNOCAST_CALLABLE_END, talker, CALLABLE);
		handle_entry(listener, 1, i);
	}
	expect_at_end("T1:P1>S0 T1:P2>S0 ");
	expect_counts(2, 2);
	cr_assert_eq(finished_count, 4);
	cr_assert_eq(diagnosed(DIAGNOSTIC_MISSING_EVENTS, "ros2:rmw_take"), 0);
	cr_assert_eq(diagnosed(DIAGNOSTIC_MISSING_EVENTS, "ros2:rmw_publish"), 0);
}

Test(agnocast, a_callback_publishes_in_turn)
{
	define_agnocast();
	publish_entry(talker, 1, 5);
	NEXT(AGNOCAST_CREATE_CALLABLE, listener, CALLABLE, 5, ID(1));
	NEXT(AGNOCAST_CALLABLE_START, listener, CALLABLE);
	NEXT(AGNOCAST_PUBLISHER_INIT, listener, PUBLISHER + 3, NODE, text("/b"), 10);
	publish_entry(listener, 3, 0);
	NEXT(AGNOCAST_CALLABLE_END, listener, CALLABLE);
	handle_entry(listener, 2, 0);
	expect_at_end("P1>S0 S1:P2>S0 ");
}

Test(agnocast, equal_numbers_of_two_topics_are_two_messages)
{
	define_agnocast();
	publish_entry(talker, 1, 7);
	publish_entry(talker, 2, 7);
	handle_entry(listener, 2, 7);
	handle_entry(listener, 1, 7);
	expect_at_end("P2>S0 P1>S0 ");
}

Test(agnocast, a_number_that_is_used_twice_is_ambiguous)
{
	define_agnocast();
	publish_entry(talker, 1, 0);
	publish_entry(talker, 1, 0);
	handle_entry(listener, 1, 0);
	expect_at_end("");
	cr_assert_eq(diagnosed(DIAGNOSTIC_AMBIGUOUS_LINK, "/a"), 1);
}

/* Everybody on the topic is gone, and others come: the kernel module begins to count again. */
Test(agnocast, numbers_that_begin_again_are_those_of_the_new_messages)
{
	uint32_t successor = add_thread(0, 5, 5);

	define_agnocast();
	publish_entry(talker, 1, 0);
	publish_entry(talker, 1, 1);
	NEXT(AGNOCAST_PUBLISHER_INIT, successor, PUBLISHER + 1, NODE, text("/a"), 10);
	NEXT(AGNOCAST_SUBSCRIPTION_INIT, listener, SUBSCRIPTION + 4, NODE, ID(4), text("hear"), text("/a"));
	publish_entry(successor, 1, 0);
	handle_entry(listener, 4, 0);
	handle_entry(listener, 4, 1); /* whose publication is not recorded */
	expect_at_end("P3>S0 ");
	cr_assert_eq(diagnosed(DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION, "/a"), 1);
	cr_assert_eq(diagnosed(DIAGNOSTIC_AMBIGUOUS_LINK, "/a"), 0);
}

Test(agnocast, a_subscription_that_joins_late_gets_a_message_of_before)
{
	define_agnocast();
	publish_entry(talker, 1, 0);
	NEXT(AGNOCAST_SUBSCRIPTION_INIT, listener, SUBSCRIPTION + 4, NODE, ID(4), text("hear"), text("/a"));
	run(talker);
	handle_entry(listener, 4, 0);
	expect_at_end("P1>S0 ");
}

Test(agnocast, a_receipt_that_is_recorded_before_the_publication_waits_for_it)
{
	define_agnocast();
	handle_entry(listener, 1, 3);
	publish_entry(talker, 1, 3);
	expect_at_end("P1>S0 ");
}

Test(agnocast, a_message_that_is_not_published_in_the_trace_is_counted)
{
	define_agnocast();
	handle_entry(listener, 1, 3);
	expect_at_end("");
	cr_assert_eq(diagnosed(DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION, "/a"), 1);
}

Test(agnocast, a_number_is_no_stamp)
{
	define_agnocast();
	define_node(talker_2, "talker");
	define_publisher(talker_2, 4, "/a");
	publish(talker_2, 4, flow_agnocast_key((const char *)(uintptr_t)text("/a"), 3));
	handle_entry(listener, 1, 3);
	expect_at_end("");
}

Test(agnocast, another_thread_may_execute_what_one_has_received)
{
	define_agnocast();
	publish_entry(talker, 1, 0);
	publish_entry(talker, 1, 1);
	NEXT(AGNOCAST_CREATE_CALLABLE, listener, CALLABLE, 0, ID(1));
	NEXT(AGNOCAST_CREATE_CALLABLE, listener, OTHER_CALLABLE, 1, ID(1));
	NEXT(AGNOCAST_CALLABLE_START, listener_2, OTHER_CALLABLE);
	run(listener);
	NEXT(AGNOCAST_CALLABLE_START, listener, CALLABLE);
	NEXT(AGNOCAST_CALLABLE_END, listener, CALLABLE);
	NEXT(AGNOCAST_CALLABLE_END, listener_2, OTHER_CALLABLE);
	expect_at_end("P2>S0 P1>S0 ");
}

Test(agnocast, a_callable_that_was_not_received_has_no_message)
{
	define_agnocast();
	run(listener);
	publish_entry(talker, 1, 0);
	publish_entry(talker, 1, 1);
	handle_entry(listener, 1, 0);
	NEXT(AGNOCAST_CALLABLE_START, listener, CALLABLE);
	NEXT(AGNOCAST_CALLABLE_END, listener, CALLABLE);
	expect_at_end("P1>S0 P2?S0 ");
}

Test(agnocast, a_callable_is_unknown_where_the_one_after_it_may_be_lost)
{
	define_agnocast();
	publish_entry(talker, 1, 0);
	publish_entry(talker, 1, 1);
	NEXT(AGNOCAST_CREATE_CALLABLE, listener, CALLABLE, 0, ID(1));
	lose_events();
	NEXT(AGNOCAST_CALLABLE_START, listener, CALLABLE);
	NEXT(AGNOCAST_CALLABLE_END, listener, CALLABLE);
	expect_at_end("");
}

Test(agnocast, a_message_that_is_never_received_is_lost)
{
	define_agnocast();
	for (uint64_t i = 0; i < 3; i++) {
		publish_entry(talker, 1, i);
		if (i != 1) {
			handle_entry(listener, 1, i);
		}
	}
	now_ns += 900 * MS;
	run(listener);
	expect_at_end("P1>S0 P3>S0 P2xS0 ");
}

Test(agnocast, a_message_is_taken_by_hand_once)
{
	define_agnocast();
	publish_entry(talker, 1, 0);
	NEXT(AGNOCAST_CREATE_CALLABLE, listener, CALLABLE, 9, ID(2));
	NEXT(AGNOCAST_CALLABLE_START, listener, CALLABLE);
	NEXT(AGNOCAST_TAKE, listener, SUBSCRIPTION + 3, MESSAGE, 0);
	NEXT(AGNOCAST_TAKE, listener, SUBSCRIPTION + 3, MESSAGE, 0);
	NEXT(AGNOCAST_TAKE, listener, SUBSCRIPTION + 3, 0, 0);
	NEXT(AGNOCAST_CALLABLE_END, listener, CALLABLE);
	expect_at_end("P1-S0 ");
}

/* A subscription that keeps one message replaces it, and its depth is not known. */
Test(agnocast, what_was_not_taken_by_hand_is_unknown)
{
	define_agnocast();
	run(listener);
	for (uint64_t i = 0; i < 3; i++) {
		publish_entry(talker, 1, i);
		if (i != 1) {
			NEXT(AGNOCAST_CREATE_CALLABLE, listener, CALLABLE, 9 + i, ID(2));
			NEXT(AGNOCAST_CALLABLE_START, listener, CALLABLE);
			NEXT(AGNOCAST_TAKE, listener, SUBSCRIPTION + 3, MESSAGE, i);
			NEXT(AGNOCAST_CALLABLE_END, listener, CALLABLE);
		}
	}
	now_ns += 900 * MS;
	run(listener);
	expect_at_end("P1-S0 P3-S0 P2?S0 ");
}

Test(agnocast, its_messages_are_no_candidates_where_takes_are_not_recorded)
{
	define_agnocast();
	define_node(listener_2, "other");
	define_subscription(listener_2, 5, "/a");
	now_ns += 2000 * MS;
	publish_entry(talker, 1, 0);
	run_callback(listener_2, SUBSCRIPTION_CALLBACK + 5);
	now_ns += 5000 * MS;
	run(talker);
	expect_at_end("");
}
