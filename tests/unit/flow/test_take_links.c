/* SPDX-License-Identifier: MIT */
/* Which publication a take belongs to, at once or later. */
#include "core/flow/linked_publications.h"
#include "story.h"

TestSuite(take_links, .init = story_setup, .fini = story_teardown);

static void write_without_stamp(uint64_t number)
{
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE);
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + number);
	NEXT(DDS_WRITE, talker, MESSAGE, RMW_PUBLISHER + number);
}

/* Messages with the stamps 500, 501 …, from a publisher of /a. */
static void publish_as_talker(uint64_t count)
{
	define_node(talker, "talker");
	define_publisher(talker, 1, "/a");
	for (uint64_t i = 0; i < count; i++) {
		publish(talker, 1, 500 + i);
	}
}

Test(take_links, an_empty_take_and_one_without_stamp_are_none)
{
	define_system();
	publish(talker, 1, 500);
	NEXT(RMW_TAKE, listener, MESSAGE, RMW_SUBSCRIPTION + 1, 500, 0);
	NEXT(RMW_TAKE, listener, MESSAGE, RMW_SUBSCRIPTION + 1, 0, 1);
	run_callback(listener, SUBSCRIPTION_CALLBACK + 1);
	expect("");
	expect_counts(0, 0);
	handle(listener, 1, 500);
	expect_at_end("P1>S1 ");
	expect_counts(1, 1);
}

/* Another stream of the trace lost packets for so long. */
static void lose_packets_elsewhere(int64_t duration_ns)
{
	feed(loss_of(RECORD_DISCARDED_PACKETS, 1, now_ns, now_ns + duration_ns));
}

/* Its events between may be in a stream that lost packets: it may have written another message, at the same address. */
Test(take_links, what_a_thread_has_begun_does_not_go_on_where_it_may_have_been_elsewhere)
{
	define_system();
	lose_packets_elsewhere(10 * MS);
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE);
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	now_ns += MS;
	NEXT(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 1, 500);
	handle(listener, 1, 500);
	publish(talker, 1, 501);
	take(listener, 1, 501);
	now_ns += MS;
	run_callback(listener, SUBSCRIPTION_CALLBACK + 1);
	expect_at_end("P2>S1 P3-S1 ");
}

Test(take_links, one_publication_reaches_many_subscriptions)
{
	define_system();
	define_subscription(listener, 3, "/a");
	define_subscription(talker, 4, "/a");
	publish(talker, 1, 500);
	handle(listener, 3, 500);
	handle(talker, 4, 500);
	handle(listener, 1, 500);
	expect_at_end("P1>S3 P1>S4 P1>S1 ");
}

/* Its deliveries are no longer kept then; who joins late is told from who has the message. */
Test(take_links, a_message_is_received_once_though_it_is_taken_again_after_it_is_concluded)
{
	define_system();
	publish(talker, 1, 500);
	handle(listener, 1, 500);
	handle(listener, 1, 500);
	define_subscription(talker, 4, "/a");
	handle(talker, 4, 500);
	handle(talker, 4, 500);
	take(listener, 1, 500);
	run(listener);
	expect_at_end("P1>S1 P1>S4 ");
}

Test(take_links, who_joins_late_may_take_an_earlier_message_after_a_later_one)
{
	define_system();
	publish(talker, 1, 500);
	handle(listener, 1, 500);
	publish(talker, 1, 501);
	handle(listener, 1, 501);
	define_subscription(talker, 4, "/a");
	handle(talker, 4, 501);
	handle(talker, 4, 500);
	expect_at_end("P1>S1 P2>S1 P2>S4 P1>S4 ");
}

/* One has it in hand for so long that it is settled without it: those that had it by then are not the first ones. */
Test(take_links, a_message_is_received_once_though_another_subscription_handles_it_much_later)
{
	define_system();
	define_subscription(listener, 3, "/a");
	for (uint64_t stamp = 500; stamp < 504; stamp++) {
		publish(talker, 1, stamp);
		if (stamp == 501) {
			take(listener_2, 1, stamp);
		} else {
			handle(listener, 1, stamp);
		}
		handle(listener, 3, stamp);
		now_ns += 200 * MS;
	}
	run_callback(listener_2, SUBSCRIPTION_CALLBACK + 1);
	handle(listener, 3, 501);
	expect_at_end("P1>S1 P1>S3 P2>S3 P3>S1 P3>S3 P4>S1 P4>S3 P2>S1 ");
}

/* The callback that sends it waits for the publication of its own message (on_resolved() looks at the cause). */
/* More subscriptions than a message has bits for; others publish on their topic, too, so that it is not the newest. */
Test(take_links, a_message_is_received_once_however_many_subscriptions_it_has)
{
	enum { COUNT = 70 };
	g_autoptr(GString) told = g_string_new(NULL);

	define_system();
	define_publisher(talker, 3, "/a");
	for (uint64_t i = 10; i < 10 + COUNT; i++) {
		define_subscription(listener, i, "/a");
	}
	publish(talker, 1, 500);
	publish(talker, 3, 600);
	for (uint64_t i = 10; i < 10 + COUNT; i++) {
		handle(listener, i, 600);
		handle(listener, i, 500);
	}
	for (uint64_t i = 10; i < 10 + COUNT; i++) {
		g_string_append_printf(told, "P2>S%u P1>S%u ", (unsigned int)i, (unsigned int)i);
	}
	handle(listener, 10 + COUNT - 1, 500);
	expect(told->str);
}

/* It was given up, and is late. */
Test(take_links, a_message_that_was_settled_without_a_subscription_may_still_reach_it)
{
	define_system();
	define_subscription(talker, 4, "/a");
	publish(talker, 1, 500);
	handle(listener, 1, 500);
	handle(talker, 4, 500);
	publish(talker, 1, 501);
	handle(talker, 4, 501);
	now_ns += 61000 * MS;
	run_callback(talker, SUBSCRIPTION_CALLBACK + 4);
	handle(listener, 1, 501);
	handle(listener, 1, 501);
	expect_at_end("P1>S1 P1>S4 P2>S4 P2>S1 ");
}

Test(take_links, an_execution_that_waits_keeps_its_cause_though_the_message_has_reached_all)
{
	define_system();
	define_publisher(listener, 3, "/c");
	define_subscription(talker, 6, "/c");
	define_subscription(talker, 4, "/a");
	pass_on(listener, 2, 600, 3, 700);
	handle(talker, 6, 700);
	publish(talker, 1, 500);
	handle(listener, 1, 500);
	handle(talker, 4, 500);
	publish(talker, 2, 600);
	expect_at_end("S2:P1>S6 P2>S1 P2>S4 P3>S2 ");
}

Test(take_links, all_subscriptions_that_miss_a_message_are_reported)
{
	define_system();
	define_subscription(listener, 3, "/a");
	define_subscription(listener, 4, "/a");
	for (uint64_t stamp = 500; stamp < 503; stamp++) {
		publish(talker, 1, stamp);
		for (uint64_t number = 1; number < 5; number += number == 1 ? 2 : 1) {
			if (stamp != 501 || number == 3) {
				handle(listener, number, stamp);
			}
		}
	}
	expect_at_end("P1>S1 P1>S3 P1>S4 P2>S3 P3>S1 P3>S3 P3>S4 P2xS1 P2xS4 ");
}

/* More than there are bits of those that have a message. */
Test(take_links, of_many_subscriptions_only_the_one_that_misses_a_message_is_reported)
{
	enum { COUNT = FLOW_RECEIVED_BITS + 2 };

	publish_as_talker(0);
	define_node(listener, "listener");
	for (uint64_t number = 1; number <= COUNT; number++) {
		define_subscription(listener, number, "/a");
	}
	for (uint64_t stamp = 500; stamp < 503; stamp++) {
		publish(talker, 1, stamp);
		run(talker);
		for (uint64_t number = stamp == 501 ? 2 : 1; number <= COUNT; number++) {
			handle(listener, number, stamp);
			handle(listener, number, stamp);
		}
	}
	finish();
	cr_assert(g_str_has_suffix(story->str, " P3>S65 P3>S66 P2xS1 "));
	expect_counts(2 * (3 * COUNT - 1), 2 * (3 * COUNT - 1));
}

Test(take_links, a_take_of_another_topic_with_the_same_stamp_is_not_linked)
{
	define_system();
	publish(talker, 1, 500);
	handle(listener, 2, 500);
	handle(listener, 1, 500);
	expect_at_end("P1>S1 ");
	expect_counts(2, 1);
	cr_assert_eq(diagnosed(DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION, "/b"), 1);
}

Test(take_links, equal_stamps_on_two_topics_are_told_apart)
{
	define_system();
	publish(talker, 1, 500);
	publish(talker_2, 2, 500);
	handle(listener, 1, 500);
	handle(listener, 2, 500);
	expect_at_end("P1>S1 P2>S2 ");
}

Test(take_links, two_publications_with_one_stamp_and_topic_are_ambiguous)
{
	define_system();
	define_publisher(talker, 3, "/a");
	publish(talker, 1, 500);
	publish(talker_2, 3, 500);
	handle(listener, 1, 500);
	expect_at_end("");
	expect_counts(1, 0);
	cr_assert_eq(diagnosed(DIAGNOSTIC_AMBIGUOUS_LINK, "/a"), 1);
}

Test(take_links, a_message_taken_by_hand_reaches_no_callback)
{
	define_system();
	publish(talker, 1, 500);
	take(listener, 1, 500);
	run_callback(listener, SUBSCRIPTION_CALLBACK + 2);
	expect_at_end("P1-S1 ");
}

Test(take_links, a_message_taken_within_a_callback_does_not_reach_the_one_after_it)
{
	publish_as_talker(1);
	/* neither the subscription nor the callbacks are known */
	start(listener, SUBSCRIPTION_CALLBACK + 2);
	take(listener, 1, 500);
	end(listener, SUBSCRIPTION_CALLBACK + 2);
	run_callback(listener, SUBSCRIPTION_CALLBACK + 3);
	expect_at_end("P1-S1 ");
}

/* An action's client takes feedback without a callback. */
Test(take_links, where_an_executor_announces_subscriptions_a_message_that_it_did_not_has_no_callback)
{
	publish_as_talker(2);
	/* neither the subscription nor the callbacks are known */
	run(listener);
	take(listener, 1, 500);
	run_callback(listener, SUBSCRIPTION_CALLBACK + 2);
	take(listener, 1, 501);
	run_callback(listener, SUBSCRIPTION_CALLBACK + 3);
	expect_at_end("P1>S1 P2-S1 ");
}

/* rclcpp drops the copy of a message that comes through a ring buffer as well; a service's callback may follow. */
Test(take_links, what_was_taken_before_the_executor_looked_for_work_has_no_callback)
{
	publish_as_talker(2);
	/* neither the subscription nor the callbacks are known */
	executions_look(pipeline->executions, listener, now_ns += STEP_NS);
	take(listener, 1, 500);
	run_callback(listener, SUBSCRIPTION_CALLBACK + 1);
	take(listener, 1, 501);
	executions_look(pipeline->executions, listener, now_ns += STEP_NS);
	run_callback(listener, SUBSCRIPTION_CALLBACK + 2);
	expect_at_end("P1>S1 P2-S1 ");
}

/* A timer on a static executor, whose definition is not recorded. */
Test(take_links, a_callback_that_has_run_without_a_take_handles_no_message)
{
	publish_as_talker(3);
	take(listener, 1, 500);
	run_callback(listener, SUBSCRIPTION_CALLBACK + 1);
	run_callback(listener, SUBSCRIPTION_CALLBACK + 2);
	take(listener, 1, 501);
	run_callback(listener, SUBSCRIPTION_CALLBACK + 2);
	take(listener, 1, 502);
	run_callback(listener, SUBSCRIPTION_CALLBACK + 1);
	expect_at_end("P1>S1 P2-S1 P3>S1 ");
}

Test(take_links, a_callback_that_has_run_after_takes_of_two_subscriptions_is_of_neither)
{
	publish_as_talker(3);
	take(listener, 1, 500);
	run_callback(listener, SUBSCRIPTION_CALLBACK + 2);
	take(listener, 2, 501);
	run_callback(listener, SUBSCRIPTION_CALLBACK + 2);
	take(listener, 1, 502);
	run_callback(listener, SUBSCRIPTION_CALLBACK + 2);
	expect_at_end("P1>S1 P2-S2 P3-S1 ");
}

/* Even on a static executor, which announces nothing. */
Test(take_links, what_an_action_s_client_takes_is_not_for_a_callback_without_definition)
{
	define_node(talker, "talker");
	define_publisher(talker, 1, "/do/_action/feedback");
	define_publisher(talker, 2, "/plain");
	define_node(listener, "listener");
	define_plain_subscription(listener, 1, "/do/_action/feedback");
	define_plain_subscription(listener, 2, "/plain");
	publish(talker, 1, 500);
	publish(talker, 2, 501);
	take(listener, 1, 500);
	run_callback(listener, SUBSCRIPTION_CALLBACK + 3);
	take(listener, 2, 501);
	run_callback(listener, SUBSCRIPTION_CALLBACK + 4);
	expect_at_end("P1-S1 P2>S2 ");
}

Test(take_links, a_take_that_may_be_missing_tells_nothing_about_a_callback)
{
	publish_as_talker(2);
	/* the first event of the thread */
	run_callback(listener, SUBSCRIPTION_CALLBACK + 2);
	take(listener, 1, 500);
	lose_packets_elsewhere(10 * MS);
	now_ns += MS;
	run_callback(listener, SUBSCRIPTION_CALLBACK + 2);
	now_ns += 20 * MS;
	take(listener, 1, 501);
	run_callback(listener, SUBSCRIPTION_CALLBACK + 2);
	expect_at_end("P1-S1 P2>S1 ");
}

/* At the start of a recording many subscriptions are not defined. */
Test(take_links, a_message_waits_for_a_defined_subscription_though_others_have_it)
{
	define_system();
	for (uint64_t i = 0; i < 15; i++) {
		publish(talker, 1, 500 + i);
		take(listener_2, 3, 500 + i);
		run_callback(listener_2, SUBSCRIPTION_CALLBACK + 3);
	}
	g_string_truncate(story, 0);
	handle(listener, 1, 500);
	expect("P1>S1 ");
}

/* CARET records definitions late. */
Test(take_links, a_subscription_that_is_defined_after_its_first_take_is_one_of_the_topic)
{
	struct event_record definition;
	struct flow_counts counts;

	define_system();
	definition = RECORD(RCL_SUBSCRIPTION_INIT, listener, now_ns += STEP_NS, SUBSCRIPTION + 3, NODE,
			    RMW_SUBSCRIPTION + 3, text("/a"), 10);
	definition = by_caret(definition, definition.time_ns);
	for (uint64_t i = 0; i < 15; i++) {
		publish(talker, 1, 500 + i);
		take(listener_2, 3, 500 + i);
		run_callback(listener_2, SUBSCRIPTION_CALLBACK + 3);
		if (i == 0) {
			definition.time_ns = now_ns;
			feed(definition);
		}
		handle(listener, 1, 500 + i);
	}
	flow_linker_counts(linker, &counts);
	cr_assert_leq(counts.live_publications, 12, "the last ones, by the depth of the queue, not all");
}

Test(take_links, a_stamp_bound_to_a_forgotten_publication_is_of_no_use)
{
	define_system();
	run(listener);
	NEXT(DDS_WRITE, talker, MESSAGE, RMW_PUBLISHER + 1);
	now_ns += FLOW_AGE_NS;
	for (uint64_t i = 0; i < 32; i++) {
		publish(talker_2, 1, 600 + i);
		now_ns += FLOW_AGE_NS;
	}
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker, MESSAGE, 500);
	take(listener, 1, 500);
	finish();
	expect_counts(1, 0);
}

Test(take_links, a_take_counts_as_what_its_subscription_is_known_to_be_when_it_is_linked)
{
	struct event_record definition = RECORD(RCL_SUBSCRIPTION_INIT, listener, now_ns += STEP_NS, SUBSCRIPTION + 1,
						NODE, RMW_SUBSCRIPTION + 1, text("/a"), 10);

	define_node(talker, "talker");
	define_publisher(talker, 1, "/a");
	run(listener);
	take(listener, 1, 500);
	/* recorded late, as CARET does */
	definition = by_caret(definition, definition.time_ns);
	definition.time_ns = now_ns;
	feed(definition);
	publish(talker, 1, 500);
	finish();
	expect_counts(1, 1);
}

Test(take_links, a_stamp_may_be_bound_after_the_callback_has_started)
{
	define_system();
	write_without_stamp(1);
	take(listener, 1, 500);
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	expect("");
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker, MESSAGE, 500);
	expect("P1>S1 ");
	end(listener, SUBSCRIPTION_CALLBACK + 1);
	expect_at_end("P1>S1 ");
	expect_counts(1, 1);
}

Test(take_links, a_stamp_may_be_bound_after_the_callback_has_published_and_ended)
{
	define_system();
	define_publisher(listener, 3, "/b");
	executions_look(pipeline->executions, talker, now_ns += STEP_NS);
	start(talker, TIMER_CALLBACK + 1);
	write_without_stamp(1);
	pass_on(listener, 1, 500, 3, 501);
	handle(listener_2, 2, 501);
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker, 0, 500);
	end(talker, TIMER_CALLBACK + 1);
	expect_at_end("S1:P2>S2 T1:P1>S1 ");
	cr_assert_eq(finished_count, 3);
}

Test(take_links, executions_that_wait_for_one_another_in_a_circle_are_resolved_nevertheless)
{
	const struct {
		uint32_t thread;
		uint64_t subscription, publisher, taken, bound;
	} halves[] = { { listener, 2, 3, 501, 500 }, { listener_2, 1, 4, 500, 501 } };

	define_system();
	define_publisher(listener, 3, "/a");
	define_publisher(listener, 4, "/b");
	for (size_t i = 0; i < G_N_ELEMENTS(halves); i++) {
		take(halves[i].thread, halves[i].subscription, halves[i].taken);
		start(halves[i].thread, SUBSCRIPTION_CALLBACK + halves[i].subscription);
		NEXT(RCLCPP_PUBLISH, halves[i].thread, MESSAGE);
		NEXT(RCL_PUBLISH, halves[i].thread, MESSAGE, PUBLISHER + halves[i].publisher);
		NEXT(DDS_WRITE, halves[i].thread, MESSAGE, RMW_PUBLISHER + halves[i].publisher);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(halves); i++) {
		NEXT(DDS_BIND_ADDR_TO_STAMP, halves[i].thread, MESSAGE, halves[i].bound);
		end(halves[i].thread, SUBSCRIPTION_CALLBACK + halves[i].subscription);
	}
	finish();
	cr_assert_eq(finished_count, 2);
	flow_teardown_analysis();
	cr_assert_eq(released_count, 2);
}

Test(take_links, a_stamp_is_bound_to_the_last_write_of_its_thread)
{
	define_system();
	write_without_stamp(1);
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker_2, 0, 500);
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker, MESSAGE + 8, 501);
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker, MESSAGE, 502);
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker, MESSAGE, 503);
	for (uint64_t stamp = 500; stamp <= 503; stamp++) {
		handle(listener, 1, stamp);
	}
	expect_at_end("P1>S1 ");
	expect_counts(4, 1);
}

Test(take_links, a_take_does_not_wait_for_ever)
{
	define_system();
	write_without_stamp(1);
	handle(listener, 1, 500);
	now_ns += FLOW_BIND_WAIT_NS;
	run(listener);
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker, MESSAGE, 500);
	expect_at_end("");
	cr_assert_eq(diagnosed(DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION, "/a"), 1);
}

Test(take_links, all_takes_that_wait_for_a_stamp_are_linked_in_their_order)
{
	define_system();
	define_subscription(listener, 3, "/a");
	define_subscription(listener, 4, "/a");
	write_without_stamp(1);
	handle(listener, 3, 500);
	handle(listener_2, 1, 500);
	handle(listener, 4, 500);
	expect("");
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker, MESSAGE, 500);
	expect("P1>S3 P1>S1 P1>S4 ");
}

Test(take_links, a_take_that_is_given_up_leaves_later_ones_waiting)
{
	define_system();
	define_subscription(listener, 3, "/a");
	define_subscription(listener, 4, "/a");
	handle(listener, 3, 500);
	now_ns += FLOW_BIND_WAIT_NS / 2;
	handle(listener, 1, 500);
	handle(listener, 4, 500);
	now_ns += FLOW_BIND_WAIT_NS / 2 + 10 * STEP_NS;
	publish(talker, 1, 500);
	expect_at_end("P1>S1 P1>S4 ");
	cr_assert_eq(diagnosed(DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION, "/a"), 1);
}

Test(take_links, the_stamp_of_caret_s_dispatch_links_where_no_take_is_recorded)
{
	define_system();
	publish(talker, 1, 500);
	NEXT(DISPATCH_SUBSCRIPTION_CALLBACK, listener, MESSAGE, SUBSCRIPTION_CALLBACK + 1, 500);
	run_callback(listener, SUBSCRIPTION_CALLBACK + 1);
	expect_at_end("P1>S1 ");
	expect_counts(1, 1);
}

Test(take_links, after_a_take_caret_s_dispatch_adds_nothing)
{
	define_system();
	publish(talker, 1, 500);
	take(listener, 1, 500);
	NEXT(DISPATCH_SUBSCRIPTION_CALLBACK, listener, MESSAGE, SUBSCRIPTION_CALLBACK + 1, 500);
	run_callback(listener, SUBSCRIPTION_CALLBACK + 1);
	expect_at_end("P1>S1 ");
	expect_counts(1, 1);
}

/* Of the second publisher, from a stamp on: those before are forgotten, and left out of the story. */
static void handle_many_of_the_second(uint64_t first_stamp)
{
	for (uint64_t stamp = first_stamp; stamp < first_stamp + 2 * FLOW_LATCHED_MAX; stamp++) {
		publish(talker, 2, stamp);
		handle(listener, 2, stamp);
	}
	g_string_truncate(story, 0);
}

/* Of two publications with one stamp the later one has been forgotten. */
Test(take_links, a_stamp_is_found_though_another_publication_with_it_is_forgotten)
{
	define_system();
	publish(talker, 1, 500);
	handle_many_of_the_second(500);
	handle(listener, 1, 500);
	expect_at_end("P1>S1 ");
}

/* The same, the earlier one. */
Test(take_links, a_stamp_is_found_though_an_earlier_publication_with_it_is_forgotten)
{
	define_system();
	publish(talker, 2, 600);
	publish(talker, 1, 600);
	handle(listener, 2, 600);
	handle_many_of_the_second(601);
	handle(listener, 1, 600);
	expect_at_end("P2>S1 ");
}
