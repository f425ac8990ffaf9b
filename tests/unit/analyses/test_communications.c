/* SPDX-License-Identifier: MIT */
#include "scripted_session.h"

static void setup(void)
{
	scripted_setup();
	define_node(talker, "first");
	define_publisher(talker, 1, "/a");
	define_node(listener, "second");
	define_subscription(listener, 1, "/a");
	define_timer(listener, 1);
	run(talker);
	run(listener);
}

TestSuite(communications, .init = setup, .fini = scripted_teardown);

/* The messages that were taken, those of them of which it is known what held them, for how long in all, and by whom. */
static void expect_held(const char *taken, const char *known, const char *held_ns, const char *held_by)
{
	report();
	cr_assert_eq(row_count("communications"), 1);
	expect_cells("communications", 0, "topic", "/a", "transport_count", taken, "held_count", known, "held_sum_ns",
		     held_ns, "held_by", held_by);
}

Test(communications, a_free_thread_holds_no_message)
{
	publish(talker, 1, 100);
	handle(listener, 1, 100);
	expect_held("1", "1", "0", "");
}

Test(communications, an_execution_before_the_take_holds_the_message)
{
	start(listener, TIMER_CALLBACK + 1);
	publish(talker, 1, 100); /* three events, 1 us apart */
	end(listener, TIMER_CALLBACK + 1);
	now_ns += 5 * STEP_NS;
	handle(listener, 1, 100);
	expect_held("1", "1", "3000", "/second 10.0 ms");
}

Test(communications, another_message_of_the_subscription_may_hold_it)
{
	publish(talker, 1, 100);
	take(listener, 1, 100);
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	publish(talker, 1, 200);
	end(listener, SUBSCRIPTION_CALLBACK + 1);
	handle(listener, 1, 200);
	expect_held("2", "2", "3000", "/second /a");
}

Test(communications, a_thread_that_was_busy_holds_nothing_that_another_one_takes)
{
	start(listener_2, TIMER_CALLBACK + 1);
	publish(talker, 1, 100);
	handle(listener, 1, 100);
	end(listener_2, TIMER_CALLBACK + 1);
	expect_held("1", "1", "0", "");
}

Test(communications, a_message_without_execution_is_no_sample)
{
	start(listener, TIMER_CALLBACK + 1);
	publish(talker, 1, 100);
	take(listener, 1, 100);
	end(listener, TIMER_CALLBACK + 1);
	expect_held("1", "0", "0", "");
}

/* As for text: no table lists them. */
Test(communications, of_hidden_nodes_or_without_a_message_are_only_counted_where_no_table_lists_them)
{
	kept_only_counts_hidden = true;
	choose_tables("communications");
	define_hidden_subscription(listener, 2, "/a");
	define_hidden_subscription(listener, 3, "/b");
	define_subscription(listener, 4, "/b");
	define_publisher(talker, 2, "/b");
	publish(talker, 1, 100);
	handle(listener, 1, 100);
	handle(listener, 2, 100);
	publish(talker, 2, 200);
	run(listener);
	report();
	cr_assert_eq(row_count("communications"), 1);
	expect_cells("communications", 0, "topic", "/a", "subscription_node", "/second", "received", "1");
	cr_expect_eq(kept_table("communications")->writer.hidden, 1);
	cr_expect_eq(kept_table("communications")->writer.idle, 2);
}

/* The stamp is known after the take, when its thread has executed some more. */
static void bind_late(int executions_between)
{
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE);
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	NEXT(DDS_WRITE, talker, MESSAGE, RMW_PUBLISHER + 1);
	run_callback(listener, TIMER_CALLBACK + 1);
	handle(listener, 1, 100);
	for (int i = 0; i < executions_between; i++) {
		run_callback(listener, TIMER_CALLBACK + 1);
	}
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker, MESSAGE, 100);
}

Test(communications, a_stamp_bound_late_changes_nothing)
{
	bind_late(20);
	expect_held("1", "1", "1000", "/second 10.0 ms");
}

Test(communications, a_stamp_bound_too_late_is_no_sample)
{
	bind_late(300);
	expect_held("1", "0", "0", "");
}
