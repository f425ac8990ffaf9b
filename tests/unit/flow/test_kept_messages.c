/* SPDX-License-Identifier: MIT */
/* Indirect links. */
#include "story.h"

TestSuite(kept_messages, .init = story_setup, .fini = story_teardown);

/* Keeps /a and /b, publishes /c, which subscription 6 of the first process takes. */
static void define_planner(void)
{
	define_system();
	define_publisher(listener, 3, "/c");
	define_timer(listener, 2);
	define_subscription(talker, 6, "/c");
}

static void add_rules(const char *first, const char *second)
{
	cr_assert(link_rule_parse(&rules[0], first, NULL));
	cr_assert(link_rule_parse(&rules[1], second, NULL));
	flow_linker_add_rules(linker, rules, 2);
}

static void annotate(enum event_kind kind)
{
	const uint64_t words[] = { addresses(SUBSCRIPTION + 1, SUBSCRIPTION + 2), addresses(PUBLISHER + 3, 0) };

	feed(record_of(kind, listener, now_ns += STEP_NS, words, 2));
}

static void plan_with_timer(uint64_t stamp)
{
	publish_in(listener_2, TIMER_CALLBACK + 2, 3, stamp);
	handle(talker, 6, stamp);
}

static void plan_periodically(void)
{
	plan_with_timer(600);
	publish(talker, 1, 500);
	handle(listener, 1, 500);
	plan_with_timer(601);
	plan_with_timer(602);
	publish(talker, 1, 501);
	publish(talker, 2, 502);
	handle(listener, 1, 501);
	handle(listener, 2, 502);
	plan_with_timer(603);
}

static const char *const periodic_story = "T2:P1>S6 P2>S1 T2+S1/P2:P3>S6 T2+S1/P2:P4>S6 "
					  "P5>S1 P6>S2 T2+S1/P5+S2/P6:P7>S6 ";

Test(kept_messages, periodic_async_by_annotation_uses_the_last_message_until_the_next)
{
	define_planner();
	annotate(EVENT_MESSAGE_LINK_PERIODIC_ASYNC);
	plan_periodically();
	expect_at_end(periodic_story);
}

Test(kept_messages, periodic_async_by_rule_links_the_same)
{
	add_rules("/listener: /a -> /c: periodic_async", "/listener: /b -> /c: periodic_async");
	define_planner();
	plan_periodically();
	expect_at_end(periodic_story);
	cr_assert_eq(diagnosed(DIAGNOSTIC_LINK_NOT_FOUND, NULL), 0);
}

static void plan_with_message(uint64_t stamp)
{
	publish(talker, 2, stamp);
	pass_on(listener, 2, stamp, 3, stamp + 100);
	handle(talker, 6, stamp + 100);
}

static void plan_with_all(void)
{
	publish(talker, 1, 500);
	handle(listener, 1, 500);
	plan_with_message(501);
	plan_with_message(502);
	publish(talker, 1, 503);
	handle(listener, 1, 503);
	publish(talker, 1, 504);
	handle(listener, 1, 504);
	plan_with_message(505);
}

static const char *const sync_story = "P1>S1 P2>S2 S2+S1/P1:P3>S6 P4>S2 S2:P5>S6 "
				      "P6>S1 P7>S1 P8>S2 S2+S1/P7:P9>S6 ";

Test(kept_messages, partial_sync_by_annotation_uses_each_message_once)
{
	define_planner();
	annotate(EVENT_MESSAGE_LINK_PARTIAL_SYNC);
	plan_with_all();
	expect_at_end(sync_story);
}

Test(kept_messages, partial_sync_by_rule_links_the_same)
{
	add_rules("/listener: /a -> /c: partial_sync", "/listener: /b -> /c: partial_sync");
	define_planner();
	plan_with_all();
	expect_at_end(sync_story);
}

Test(kept_messages, a_rule_that_matches_nothing_is_reported)
{
	add_rules("/listener: /a -> /d: partial_sync", "/nobody: /b -> /c: partial_sync");
	define_planner();
	plan_with_all();
	finish();
	cr_assert_eq(diagnosed(DIAGNOSTIC_LINK_NOT_FOUND, "/listener: /a -> /d: partial_sync"), 1);
	cr_assert_eq(diagnosed(DIAGNOSTIC_LINK_NOT_FOUND, "/nobody: /b -> /c: partial_sync"), 1);
}

Test(kept_messages, a_rule_of_which_either_topic_is_misspelt_is_reported)
{
	add_rules("/listener: /aa -> /c: periodic_async", "/listener: /b -> /c: periodic_async");
	define_planner();
	plan_periodically();
	finish();
	cr_assert_eq(diagnosed(DIAGNOSTIC_LINK_NOT_FOUND, "/listener: /aa -> /c: periodic_async"), 1);
	cr_assert_eq(diagnosed(DIAGNOSTIC_LINK_NOT_FOUND, NULL), 1);
	cr_assert_eq(diagnosed(DIAGNOSTIC_LINK_NOT_USED, NULL), 0);
}

/* Both links keep what they may use, and use it as they say. */
static void define_rules(void)
{
	add_rules("/listener: /a -> /c: periodic_async", "/listener: /b -> /c: partial_sync");
	define_planner();
}

/* The timer takes messages itself. "S0" stands for what handles them, which has no callback. */
static void plan_by_hand(uint64_t first, uint64_t second, uint64_t stamp)
{
	start(listener_2, TIMER_CALLBACK + 2);
	if (first) {
		take(listener_2, 1, first);
	}
	if (second) {
		take(listener_2, 2, second);
	}
	publish(listener_2, 3, stamp);
	end(listener_2, TIMER_CALLBACK + 2);
	handle(talker, 6, stamp);
}

Test(kept_messages, messages_that_are_taken_by_hand_are_kept)
{
	define_rules();
	publish(talker, 1, 500);
	publish(talker, 2, 501);
	plan_by_hand(500, 501, 600);
	plan_by_hand(0, 0, 601);
	publish(talker, 2, 502);
	plan_by_hand(0, 502, 602);
	expect_at_end("P1>S1 P2>S2 T2+S0/P1+S0/P2:P3>S6 T2+S0/P1:P4>S6 P5>S2 T2+S0/P1+S0/P5:P6>S6 ");
	cr_assert_eq(diagnosed(DIAGNOSTIC_LINK_NOT_USED, NULL), 0);
}

Test(kept_messages, what_is_taken_by_hand_once_more_is_no_other_message)
{
	define_rules();
	publish(talker, 1, 500);
	plan_by_hand(500, 0, 600);
	plan_by_hand(500, 0, 601);
	expect_at_end("P1>S1 T2+S0/P1:P2>S6 T2+S0/P1:P3>S6 ");
}

Test(kept_messages, a_message_that_is_taken_by_hand_is_kept_on_a_thread_that_announces_what_it_executes)
{
	define_rules();
	publish(talker, 1, 500);
	NEXT(RCLCPP_EXECUTOR_EXECUTE, listener_2, TIMER + 2);
	plan_by_hand(500, 0, 600);
	expect_at_end("P1>S1 T2+S0/P1:P2>S6 ");
}

Test(kept_messages, a_message_of_the_executor_is_not_taken_by_hand)
{
	define_rules();
	publish(talker, 1, 500);
	start(listener_2, TIMER_CALLBACK + 2);
	NEXT(RCLCPP_EXECUTOR_EXECUTE, listener_2, SUBSCRIPTION + 1);
	pass_on(listener_2, 1, 500, 3, 600);
	publish(listener_2, 3, 601);
	end(listener_2, TIMER_CALLBACK + 2);
	expect_at_end("P1>S1 ");
}

Test(kept_messages, a_rule_whose_messages_nobody_takes_is_reported)
{
	define_rules();
	publish(talker, 1, 500);
	publish(talker, 2, 501);
	plan_by_hand(0, 0, 600);
	finish();
	cr_assert_eq(diagnosed(DIAGNOSTIC_LINK_NOT_FOUND, NULL), 0);
	cr_assert_eq(diagnosed(DIAGNOSTIC_LINK_NOT_USED, "/listener: /a -> /c: periodic_async"), 1);
	cr_assert_eq(diagnosed(DIAGNOSTIC_LINK_NOT_USED, "/listener: /b -> /c: partial_sync"), 1);
}

Test(kept_messages, links_that_are_proposed_are_listed_if_they_were_used)
{
	add_rules("/listener: /a -> /c: periodic_async", "/listener: /nothing -> /c: periodic_async");
	rules[0].is_proposed = rules[1].is_proposed = true;
	define_planner();
	plan_periodically();
	finish();
	cr_assert_eq(diagnosed(DIAGNOSTIC_LINK_PROPOSED, NULL), 1);
	cr_assert_eq(diagnosed(DIAGNOSTIC_LINK_PROPOSED, "/listener: /a -> /c: periodic_async"), 1);
	cr_assert_eq(diagnosed(DIAGNOSTIC_LINK_NOT_FOUND, NULL), 0);
}

Test(kept_messages, a_message_that_is_kept_at_the_end_of_the_trace_is_finished)
{
	define_planner();
	annotate(EVENT_MESSAGE_LINK_PERIODIC_ASYNC);
	publish(talker, 1, 500);
	handle(listener, 1, 500);
	publish(talker, 2, 501);
	handle(listener, 2, 501);
	cr_assert_eq(finished_count, 0);
	expect_at_end("P1>S1 P2>S2 ");
	cr_assert_eq(finished_count, 2);
}

Test(kept_messages, a_link_that_is_declared_twice_counts_once)
{
	define_planner();
	annotate(EVENT_MESSAGE_LINK_PERIODIC_ASYNC);
	annotate(EVENT_MESSAGE_LINK_PERIODIC_ASYNC);
	plan_periodically();
	expect_at_end(periodic_story);
}

Test(kept_messages, a_used_message_stays_used_when_objects_are_defined)
{
	define_planner();
	annotate(EVENT_MESSAGE_LINK_PARTIAL_SYNC);
	publish(talker, 1, 500);
	handle(listener, 1, 500);
	plan_with_message(501);
	define_subscription(talker, 7, "/x");
	define_publisher(listener, 8, "/y");
	plan_with_message(502);
	expect_at_end("P1>S1 P2>S2 S2+S1/P1:P3>S6 P4>S2 S2:P5>S6 ");
}

Test(kept_messages, a_link_without_a_direction_keeps_nothing)
{
	const uint64_t words[] = { 0, addresses(PUBLISHER + 3, 0) };

	define_planner();
	feed(record_of(EVENT_MESSAGE_LINK_PERIODIC_ASYNC, listener, now_ns += STEP_NS, words, 2));
	publish(talker, 1, 500);
	handle(listener, 1, 500);
	plan_with_timer(601);
	expect_at_end("P1>S1 T2:P2>S6 ");
}
