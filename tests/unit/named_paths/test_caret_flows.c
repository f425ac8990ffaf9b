/* SPDX-License-Identifier: MIT */
/* core/named_paths/caret/caret_flows.c, caret_nodes.c and caret_tables.c: named paths of an architecture, with
 * contexts=caret.
 */
#include "flow_records.h"

#include "kept_tables.h"

#include "named_paths.h"

/* The path "there": /talker > /in > /listener. */
static struct architecture_callback *callback;

static void make_architecture(void)
{
	struct architecture_path *path = architecture_add_path(named.architecture, "there");

	add_node_path(path, "/talker", NULL, "/in");
	add_node_path(path, "/listener", "/in", NULL);
	add_architecture_publisher(add_node("/talker"), "/in", NULL);
	callback = add_subscription_callback(add_node("/listener"), "/listener/callback_0", "/in");
	callback->symbol = architecture_text(named.architecture, "symbol");
	add_architecture_path(path);
}

static void setup(void)
{
	named_setup();
	named.follows_caret = true;
	make_architecture();
	define_node(talker, "talker");
	define_timer(talker, 1);
	define_publisher(talker, 1, "/in");
	define_node(listener, "listener");
	define_subscription(listener, 1, "/in");
	NEXT(RCLCPP_CALLBACK_REGISTER, listener, SUBSCRIPTION_CALLBACK + 1, text("symbol"));
}

TestSuite(caret_flows, .init = setup, .fini = chain_teardown);

/* A message, 10 ms after the one before, that is received 1 ms later, or not. */
static void send(uint64_t stamp, bool is_received)
{
	now_ns = (int64_t)stamp * 10 * MS;
	publish(talker, 1, stamp);
	now_ns += MS;
	if (is_received) {
		handle(listener, 1, stamp);
	} else {
		run(listener);
	}
}

static void expect_outcomes(const char *expected)
{
	expect_column("named_path_instances", "outcome", expected);
}

Test(caret_flows, a_message_is_lost_between_two_that_were_received)
{
	send(1, true);
	send(2, false);
	send(3, true);
	send(4, true);
	report();
	expect_outcomes("complete lost complete complete");
	expect_cells("named_paths", 0, "name", "there", "count", "3", "lost", "1", "unknown", "0", "latency_count",
		     "3");
	/* that of the first output is left out, as CARET does; the lost one waits for the third */
	expect_cells("named_paths", 0, "response_all_count", "3", "response_worst_max_ns", "11006000");
}

Test(caret_flows, what_nobody_could_have_seen_is_unknown)
{
	send(1, false); /* before any was received */
	send(2, true);
	send(3, true);
	send(4, false); /* until the end */
	report();
	expect_outcomes("unknown complete complete unknown");
	expect_cells("named_paths", 0, "lost", "0", "unknown", "2");
}

/* The receiving process was not recorded for a while: what it got meanwhile is not known, and nothing is charged to the
 * first output after that. */
Test(caret_flows, nothing_is_lost_or_charged_where_a_process_is_not_recorded)
{
	NEXT(CARET_INIT, listener, 0, text("jazzy"));
	send(1, true);
	send(2, true);
	now_ns = 30 * MS;
	publish(talker, 1, 3);
	now_ns = 40 * MS;
	publish(talker, 1, 4);
	NEXT(CARET_INIT, listener, 0, text("jazzy"));
	send(5, true);
	send(6, true);
	report();
	expect_outcomes("complete complete unknown unknown complete complete");
	expect_cells("named_paths", 0, "lost", "0", "response_all_count", "3", "response_worst_max_ns", "1006000");
	/* none: the first output is left out, 5 began before the listener was recorded again, and 6 is the next */
	expect("named_paths", 0, "response_external_count", "0");
}

Test(caret_flows, elements_and_records_are_those_of_caret)
{
	send(1, true);
	send(2, false);
	send(3, true);
	report();
	cr_assert_eq(row_count("named_path_elements"), 1);
	expect_cells("named_path_elements", 0, "element", "1", "kind", "communication", "name", "/in", "how",
		     "inter_process", "records", "3", "complete", "2", "period_sum_ns", "20000000");
	/* five columns of the element, four of the flows: without the stamp */
	cr_assert_eq(row_count("named_path_records"), 3 * 5 + 3 * 4);
	expect("named_path_records", 4, "column", "/listener/callback_0/callback_start_timestamp");
	expect("named_path_records", 9, "time_ns", "");
	expect_cells("named_path_records", 15, "element", "", "column", "/in/rclcpp_publish_timestamp/0");
}

Test(caret_flows, a_path_that_cannot_be_evaluated_has_a_reason)
{
	callback->topic = architecture_text(named.architecture, "/elsewhere");
	send(1, true);
	report();
	expect_cells("named_paths", 0, "count", "0", "reason",
		     "the recording has no callback like /listener/callback_0");
}

Test(caret_flows, a_path_of_unknown_nodes_has_a_reason)
{
	struct architecture_path *path = architecture_add_path(named.architecture, "nowhere");

	add_node_path(path, "/talker", NULL, "/in");
	add_node_path(path, "/nobody", "/in", NULL);
	add_architecture_path(path);
	send(1, true);
	report();
	expect_cells("named_paths", 1, "name", "nowhere", "reason", "the architecture has no node /nobody");
}

Test(caret_flows, paths_of_patterns_are_left_to_the_other_mode)
{
	add_pattern("globs: /talker > * > /listener");
	send(1, true);
	report();
	expect_cells("named_paths", 1, "name", "globs", "reason",
		     "CARET knows only paths of architecture files, of two nodes or more");
}
