/* SPDX-License-Identifier: MIT */
/* core/named_paths/named_flows.c, named_messages.c, named_endings.c and named_steps.c: flows along named
 * paths, as messages were recorded. Times are in steps of 1 µs (flow_records.h).
 */
#include "flow_records.h"

#include "kept_tables.h"

#include "named_paths.h"

TestSuite(named_flows, .init = chain_setup, .fini = chain_teardown);

/* Lets the subscriptions receive a message, so that they count as matched before what follows. */
static void send_and_skip(uint64_t stamp)
{
	chain_send_all_the_way(stamp);
	now_ns += MS;
}

/* Two messages, so much later that losses before the first one are settled. */
static void settle(uint64_t stamp)
{
	for (uint64_t i = 0; i < 2; i++) {
		now_ns += 200 * MS;
		chain_send(stamp + i);
		handle(listener, 1, stamp + i);
	}
}

static void expect_hop(guint hop, const char *transport, const char *wait, const char *callback)
{
	expect_cells("named_path_hops", hop, "transport_mean_ns", transport, "wait_mean_ns", wait, "callback_mean_ns",
		     callback);
}

Test(named_flows, a_flow_goes_from_publication_to_callback)
{
	add_pattern("chain: /talker > /in > /listener > /out > /sink");
	chain_send_all_the_way(1);
	report();
	expect("named_paths", 0, "count", "1");
	/* published at 1, received at 4, callback at 7, published at 8, received at 12, callback at 15 */
	expect("named_paths", 0, "latency_sum_ns", "14000");
	expect_hop(0, "", "", "0");
	expect_hop(1, "3000", "3000", "1000");
	expect_hop(2, "4000", "3000", "0");
	expect_column("named_path_hop_instances", "publish_ns", " 100001000 100008000");
	expect_column("named_path_hop_instances", "take_ns", " 100004000 100012000");
	expect_column("named_path_hop_instances", "callback_start_ns", " 100007000 100015000");
	expect_cells("named_path_instances", 0, "outcome", "complete", "last_callback_end_ns", "");
}

/* As CARET's fork of rclcpp records it, with the stamp in the header; 0: none. */
static void send_stamped(uint64_t stamp, uint64_t header_stamp)
{
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE, PUBLISHER + 1, header_stamp);
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	NEXT(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 1, stamp);
	chain_pass_on(stamp);
	chain_arrive(stamp);
}

Test(named_flows, latency_counts_from_the_stamp_of_the_first_message_where_it_has_one)
{
	add_pattern("chain: /talker > /in > /listener > /out > /sink");
	send_stamped(1, 98 * MS);
	send_stamped(2, 0);
	send_stamped(3, (uint64_t)(101 * MS)); /* of the clock of another host */
	send_stamped(4, UINT64_C(4000000000000));
	send_stamped(5, UINT64_MAX);
	report();
	expect_column("named_path_instances", "header_stamp_ns", "98000000  101000000  ");
	/* the sink's callback starts at 15 and, two rounds of 16 steps later, at 47 */
	expect_cells("named_paths", 0, "count", "5", "stamp_latency_min_ns", "-953000", "stamp_latency_max_ns",
		     "2015000", "stamp_latency_sum_ns", "1062000");
}

Test(named_flows, latency_counts_from_the_stamp_whatever_the_path_begins_with)
{
	named.first_callback = true;
	add_pattern("there: /talker > /in > /listener");
	start(talker, TIMER_CALLBACK + 1);
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE, PUBLISHER + 1, 98 * MS);
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	NEXT(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 1, 1);
	end(talker, TIMER_CALLBACK + 1);
	handle(listener, 1, 1);
	report();
	/* the listener's callback starts at 9 */
	expect_cells("named_paths", 0, "stamp_latency_sum_ns", "2009000");
}

Test(named_flows, the_first_and_the_last_callback_may_be_a_part)
{
	named.first_callback = named.last_callback = true;
	add_pattern("chain: /talker > /in > /listener > /out > /sink");
	start(talker, TIMER_CALLBACK + 1);
	chain_send(1);
	end(talker, TIMER_CALLBACK + 1);
	chain_pass_on(1);
	chain_arrive(1);
	report();
	/* the timer's callback starts at 1, the sink's ends at 18 */
	expect_cells("named_path_instances", 0, "origin_start_ns", "100001000", "last_callback_end_ns", "100018000");
	expect("named_paths", 0, "latency_sum_ns", "17000");
	/* from its start to its publication */
	expect("named_path_hops", 0, "callback_mean_ns", "1000");
	expect("named_path_hops", 2, "callback_mean_ns", "1000");
}

Test(named_flows, a_message_is_lost_between_two_that_were_received)
{
	add_pattern("chain: /talker > /in > /listener > /out > /sink");
	chain_send_all_the_way(1);
	chain_send(2);
	chain_send_all_the_way(3);
	report();
	expect_cells("named_paths", 0, "count", "2", "lost", "1", "unknown", "0");
	/* the lost one waits for the third: 3 steps later */
	expect("named_paths", 0, "response_worst_max_ns", "17000");
}

Test(named_flows, a_later_message_may_be_lost_too)
{
	add_pattern("chain: /talker > /in > /listener > /out > /sink");
	chain_send_all_the_way(1);
	chain_send(2);
	chain_pass_on(2);
	chain_send_all_the_way(3);
	report();
	expect_cells("named_paths", 0, "count", "2", "lost", "1");
}

Test(named_flows, a_message_in_flight_at_the_end_is_unknown)
{
	add_pattern("chain: /talker > /in > /listener > /out > /sink");
	chain_send_all_the_way(1);
	chain_send(2);
	run(listener);
	report();
	expect_cells("named_paths", 0, "count", "1", "lost", "0", "unknown", "1");
}

Test(named_flows, a_message_that_arrives_late_is_not_lost)
{
	add_pattern("there: /talker > /in > /listener");
	send_and_skip(1);
	chain_send(2);
	chain_send(3);
	handle(listener, 1, 3);
	settle(4);
	handle(listener_2, 1, 2);
	report();
	expect_column("named_path_instances", "outcome", "complete complete complete complete complete");
	expect_cells("named_paths", 0, "count", "5", "lost", "0");
}

/* The second message begins its flow before the range. */
Test(named_flows, a_late_message_does_not_hide_another_loss)
{
	named.first_callback = true;
	kept_options.range = (struct time_range){
		.has_begin = true,
		.begin = { MOMENT_FROM_EPOCH, 200 * MS + 2 * STEP_NS },
	};
	add_pattern("there: /talker > /in > /listener");
	send_and_skip(1);
	now_ns = 200 * MS;
	start(talker, TIMER_CALLBACK + 1);
	chain_send(2); /* at 2, in a callback that started at 1 */
	end(talker, TIMER_CALLBACK + 1);
	chain_send(3);
	handle(listener, 1, 3);
	settle(4);
	chain_send(6);
	settle(7);
	handle(listener_2, 1, 2);
	report();
	expect("named_paths", 0, "lost", "1");
}

Test(named_flows, a_flow_stops_where_a_callback_publishes_nothing)
{
	add_pattern("chain: /talker > /in > /listener > /out > /sink");
	send_and_skip(1);
	chain_send(2);
	handle(listener, 1, 2);
	report();
	expect_cells("named_paths", 0, "count", "1", "stopped", "1", "lost", "0");
}

/* At the same time, on another thread: time alone would say that the second message went on. */
Test(named_flows, a_publication_belongs_to_the_callback_on_its_thread)
{
	add_pattern("chain: /talker > /in > /listener > /out > /sink");
	send_and_skip(1);
	chain_send(2);
	take(listener, 1, 2);
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	publish_in(listener_2, TIMER_CALLBACK + 2, 2, 102);
	end(listener, SUBSCRIPTION_CALLBACK + 1);
	chain_arrive(2);
	report();
	expect_cells("named_paths", 0, "count", "1", "stopped", "1");
}

Test(named_flows, a_callback_without_end_leaves_it_unknown)
{
	add_pattern("chain: /talker > /in > /listener > /out > /sink");
	send_and_skip(1);
	chain_send(2);
	take(listener, 1, 2);
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	report();
	expect_cells("named_paths", 0, "stopped", "0", "unknown", "1");
}

Test(named_flows, several_publications_are_several_flows_with_one_start)
{
	add_pattern("chain: /talker > /in > /listener > /out > /sink");
	chain_send(1);
	take(listener, 1, 1);
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	publish(listener, 2, 101);
	publish(listener, 2, 201);
	end(listener, SUBSCRIPTION_CALLBACK + 1);
	chain_arrive(1);
	handle(sink, 3, 201);
	report();
	expect("named_paths", 0, "count", "2");
	expect_column("named_path_instances", "origin_start_ns", "100001000 100001000");
	/* one input, whose first output counts: published at 1, callback at 18 */
	expect_cells("named_paths", 0, "response_all_count", "1", "response_all_max_ns", "17000");
}

Test(named_flows, a_path_may_begin_with_a_subscription_and_end_with_a_publication)
{
	struct architecture_path *path = architecture_add_path(named.architecture, "within");

	add_node_path(path, "/listener", "/in", "/out");
	add_architecture_path(path);
	chain_send_all_the_way(1);
	report();
	/* from the start of the callback, at 7, to its publication, at 8 */
	expect_cells("named_paths", 0, "count", "1", "latency_sum_ns", "1000", "path", "/in > /listener > /out");
	expect("named_path_instances", 0, "last_publish_ns", "100008000");
}

Test(named_flows, a_take_without_callback_ends_a_path_at_its_last_node)
{
	add_pattern("by hand: /talker > /in > /listener");
	add_pattern("on: /talker > /in > /listener > /out > /sink");
	send_and_skip(1);
	now_ns = 200 * MS;
	chain_send(2);
	take(listener, 1, 2);
	report();
	expect("named_paths", 0, "count", "2");
	/* 6 with the callback, 3 up to the take */
	expect("named_paths", 0, "latency_sum_ns", "9000");
	expect("named_path_instances", 2, "last_callback_start_ns", "");
	/* what the listener does with the second message is not recorded */
	expect_cells("named_paths", 1, "count", "1", "unknown", "1");
}

/* Its executions are inferred from takes (inferred_executions.h): they begin with the take. */
Test(named_flows, a_path_may_end_at_a_node_without_callbacks)
{
	uint32_t plain = add_thread(0, 7, 7);

	define_node(plain, "plain");
	define_plain_subscription(plain, 4, "/in");
	add_pattern("there: /talker > /in > /plain");
	now_ns = 200 * MS;
	chain_send(1);
	take_plain(plain, 4, 1);
	report();
	expect_cells("named_paths", 0, "count", "1", "latency_sum_ns", "3000");
}

/* It published after the take, which need not be why: whether the flow went on is not known. */
Test(named_flows, a_flow_through_a_node_without_callbacks_is_unknown)
{
	uint32_t plain = add_thread(0, 7, 7);

	define_node(plain, "plain");
	define_plain_subscription(plain, 4, "/in");
	define_publisher(plain, 5, "/relay");
	define_subscription(sink, 6, "/relay");
	add_pattern("through: /talker > /in > /plain > /relay > /sink");
	now_ns = 200 * MS;
	for (uint64_t stamp = 1; stamp < 4; stamp++) {
		chain_send(stamp);
		take_plain(plain, 4, stamp);
		publish_plain(plain, 5, 100 + stamp);
		handle(sink, 6, 100 + stamp);
	}
	report();
	expect_cells("named_paths", 0, "count", "0", "stopped", "0", "unknown", "3");
}

/* The listener keeps messages of /in, and its timer publishes the last one. */
static void keep_messages(void)
{
	struct architecture_node *node = add_node("/listener");

	architecture_add_context(named.architecture, node, ARCHITECTURE_CONTEXT_USE_LATEST, "/in", "/out");
	add_chain();
}

static void publish_by_timer(uint64_t stamp)
{
	publish_in(listener, TIMER_CALLBACK + 2, 2, 100 + stamp);
}

Test(named_flows, a_kept_message_goes_on_with_another_callback)
{
	keep_messages();
	chain_send(1);
	handle(listener, 1, 1);
	publish_by_timer(1);
	chain_arrive(1);
	report();
	expect("named_paths", 0, "count", "1");
	/* published at 1, callback from 7 to 8, published again at 10, received at 14, callback at 17 */
	expect("named_paths", 0, "latency_sum_ns", "16000");
	expect_hop(1, "3000", "3000", "1000");
	expect("named_path_hops", 1, "kept_mean_ns", "2000");
	expect_hop(2, "4000", "3000", "0");
}

Test(named_flows, a_kept_message_that_is_replaced_has_stopped_and_the_last_one_is_unknown)
{
	keep_messages();
	chain_send(1);
	handle(listener, 1, 1);
	chain_send(2);
	handle(listener, 1, 2);
	publish_by_timer(2);
	chain_arrive(2);
	chain_send(3);
	handle(listener, 1, 3);
	report();
	expect_cells("named_paths", 0, "count", "1", "stopped", "1", "unknown", "1");
}

Test(named_flows, globs_find_a_path_for_each_way)
{
	add_pattern("all: /talker > * > … > /sink");
	define_subscription(sink, 6, "/in");
	now_ns = 200 * MS;
	chain_send(1);
	handle(sink, 6, 1);
	chain_pass_on(1);
	chain_arrive(1);
	report();
	expect_column("named_paths", "name", "all all");
	expect_cells("named_paths", 0, "path", "/talker > /in > /sink", "latency_sum_ns", "6000");
	expect_cells("named_paths", 1, "path", "/talker > /in > /listener > /out > /sink", "latency_sum_ns", "19000");
}

Test(named_flows, flows_count_by_their_start)
{
	kept_options.range = (struct time_range){
		.has_begin = true,
		.begin = { MOMENT_FROM_EPOCH, 100 * MS + 16 * STEP_NS },
	};
	add_pattern("chain: /talker > /in > /listener > /out > /sink");
	chain_send_all_the_way(1);
	chain_send_all_the_way(2);
	report();
	/* the second one begins at 17 */
	expect("named_paths", 0, "count", "1");
	expect_column("named_path_instances", "origin_start_ns", "100017000");
}

Test(named_flows, nothing_is_charged_across_a_break_of_the_first_process)
{
	add_pattern("chain: /talker > /in > /listener > /out > /sink");
	NEXT(CARET_INIT, talker, 0, text("jazzy"));
	chain_send_all_the_way(1);
	chain_send_all_the_way(2);
	now_ns += 500 * MS;
	NEXT(CARET_INIT, talker, 0, text("jazzy"));
	chain_send_all_the_way(3);
	report();
	expect("named_paths", 0, "count", "3");
	/* from 1 to 2 only */
	expect_cells("named_paths", 0, "period_count", "1", "period_max_ns", "16000", "response_external_count", "1");
}
