/* SPDX-License-Identifier: MIT */
#include "ros2bt/events/poll.h"
#include "scripted_session.h"

TestSuite(executors, .init = scripted_setup, .fini = scripted_teardown);

static void look_for_work(uint32_t thread)
{
	feed(record_of(EVENT_RCLCPP_EXECUTOR_GET_NEXT_READY, thread, now_ns += STEP_NS, NULL, 0));
}

static void wait_for_work(uint32_t thread)
{
	NEXT(RCLCPP_EXECUTOR_WAIT_FOR_WORK, thread, UINT64_MAX);
}

static void spin(uint32_t thread, uint64_t callback)
{
	wait_for_work(thread);
	look_for_work(thread);
	NEXT(RCLCPP_EXECUTOR_EXECUTE, thread, TIMER);
	run_callback(thread, callback);
	look_for_work(thread);
}

/* A runtime event of another thread: nothing counts before the first and after the last one. */
static void something_happens(void)
{
	NEXT(RCLCPP_PUBLISH, listener_2, MESSAGE);
}

#define expect_cell(row, column, expected) expect("executors", row, column, expected)

/* A runtime event: the first one and the last one are the limits of the recording. */
static void begin_or_end(int64_t time_ns)
{
	feed(RECORD(RCLCPP_PUBLISH, listener, time_ns, MESSAGE));
}

Test(executors, what_an_executor_did_before_the_recording_does_not_count)
{
	define_node(talker, "talker");
	define_timer(talker, 1);
	wait_for_work(talker);
	look_for_work(talker);
	wait_for_work(talker);
	now_ns += 100 * MS;
	spin(talker, TIMER_CALLBACK + 1);
	report();
	expect_cells("executors", 0, "spins", "0", "executions", "1", "span_ns", "2000");
}

Test(executors, a_thread_that_only_polled_before_the_recording_has_no_row)
{
	define_node(talker, "talker");
	define_timer(talker, 1);
	wait_for_work(listener_2);
	spin(talker, TIMER_CALLBACK + 1);
	report();
	cr_assert_eq(row_count("executors"), 1);
}

Test(executors, a_row_is_what_a_thread_did)
{
	something_happens();
	define_node(talker, "talker");
	define_timer(talker, 1);
	begin_or_end(now_ns);
	spin(talker, TIMER_CALLBACK + 1);
	spin(talker, TIMER_CALLBACK + 1);
	wait_for_work(talker);
	look_for_work(talker);
	begin_or_end(now_ns);
	report();
	cr_assert_eq(row_count("executors"), 1);
	expect_cells("executors", 0, "executor_id", "1", "hostname", "host", "vpid", "1", "vtid", "1", "procname",
		     "process1", "nodes", "/talker", "kind", "single_threaded_executor", "spins", "3", "empty_spins",
		     "0", "executions", "2", "wait_ns", "3000", "ready_ns", "4000", "execute_ns", "4000", "gap_ns",
		     "2000", "span_ns", "13000", "spin_max_ns", "6000", "queue_max_ns", "", "unknown_ns", "0");
}

Test(executors, polls_that_a_reader_has_joined_are_the_same)
{
	static const struct poll polls[] = {
		{ 1000, POLL_WAIT }, { 1010, POLL_FIND }, { 1015, POLL_WAIT }, { 1030, POLL_FIND }, { 1090, POLL_FIND }
	};
	struct event_record record = { .time_ns = 1000, .thread = talker, .kind = RECORD_POLLS };

	record.word[RECORD__polls] = (uintptr_t)polls;
	record.word[RECORD__count] = G_N_ELEMENTS(polls);
	begin_or_end(1000);
	feed(record);
	feed(RECORD(CALLBACK_START, talker, 1040, 0x42, 0)); /* recorded by another CPU, and so read later */
	feed(RECORD(CALLBACK_END, talker, 1060, 0x42));
	begin_or_end(1090);
	report();
	expect_cells("executors", 0, "wait_ns", "25", "ready_ns", "15", "execute_ns", "20", "gap_ns", "30",
		     "empty_spins", "1");
}

Test(executors, threads_that_execute_a_node_together_are_one_executor)
{
	something_happens();
	define_node(talker, "talker");
	define_timer(talker, 1);
	define_timer(talker, 2);
	spin(talker, TIMER_CALLBACK + 1);
	spin(talker_2, TIMER_CALLBACK + 2);
	define_node(listener, "listener");
	define_timer(listener, 3);
	spin(listener, TIMER_CALLBACK + 3);
	something_happens();
	report();
	cr_assert_eq(row_count("executors"), 3);
	expect_cell(0, "executor_id", "1");
	expect_cells("executors", 1, "executor_id", "1", "vtid", "2", "kind", "multi_threaded_executor");
	expect_cells("executors", 2, "executor_id", "2", "kind", "single_threaded_executor");
}

/* CallbackIsolatedExecutor: a thread with an executor of its own for each callback group of the node. */
Test(executors, threads_that_wait_at_the_same_time_are_no_executor_together)
{
	something_happens();
	define_node(talker, "talker");
	define_timer(talker, 1);
	define_timer(talker, 2);
	for (int i = 0; i < 3; i++) {
		wait_for_work(talker);
		wait_for_work(talker_2);
		now_ns += MS;
		look_for_work(talker);
		look_for_work(talker_2);
		start(talker, TIMER_CALLBACK + 1);
		start(talker_2, TIMER_CALLBACK + 2);
		end(talker, TIMER_CALLBACK + 1);
		end(talker_2, TIMER_CALLBACK + 2);
	}
	something_happens();
	report();
	cr_assert_eq(row_count("executors"), 2);
	expect_cells("executors", 0, "executor_id", "1", "kind", "single_threaded_executor");
	expect_cells("executors", 1, "executor_id", "2", "kind", "single_threaded_executor");
	expect_cell(0, "nodes", "/talker");
	expect_cell(1, "nodes", "/talker");
}

/* One of them waits while another one executes: one lock. */
Test(executors, threads_that_wait_in_turn_are_one_executor)
{
	something_happens();
	define_node(talker, "talker");
	define_timer(talker, 1);
	define_timer(talker, 2);
	for (int i = 0; i < 3; i++) {
		wait_for_work(talker);
		now_ns += MS;
		look_for_work(talker);
		start(talker, TIMER_CALLBACK + 1);
		wait_for_work(talker_2);
		now_ns += MS;
		look_for_work(talker_2);
		end(talker, TIMER_CALLBACK + 1);
		run_callback(talker_2, TIMER_CALLBACK + 2);
	}
	something_happens();
	report();
	expect_cell(0, "executor_id", "1");
	expect_cells("executors", 1, "executor_id", "1", "kind", "multi_threaded_executor");
}

Test(executors, executors_of_other_nodes_in_one_process_are_apart)
{
	something_happens();
	define_node(talker, "talker");
	define_timer(talker, 1);
	NEXT(RCL_NODE_INIT, talker, NODE + 1, RMW_NODE + 1, text("other"), text("/"));
	NEXT(RCL_TIMER_INIT, talker, TIMER + 2, 10 * MS);
	NEXT(RCLCPP_TIMER_CALLBACK_ADDED, talker, TIMER + 2, TIMER_CALLBACK + 2);
	NEXT(RCLCPP_TIMER_LINK_NODE, talker, TIMER + 2, NODE + 1);
	spin(talker, TIMER_CALLBACK + 1);
	spin(talker_2, TIMER_CALLBACK + 2);
	something_happens();
	report();
	expect_cells("executors", 0, "executor_id", "1", "kind", "single_threaded_executor");
	expect_cells("executors", 1, "executor_id", "2", "nodes", "/other");
}

Test(executors, a_thread_shows_that_others_without_a_common_node_are_of_its_executor)
{
	uint32_t third = add_thread(0, 1, 9);

	something_happens();
	define_node(talker, "talker");
	define_timer(talker, 1);
	NEXT(RCL_NODE_INIT, talker, NODE + 1, RMW_NODE + 1, text("other"), text("/"));
	NEXT(RCL_TIMER_INIT, talker, TIMER + 2, 10 * MS);
	NEXT(RCLCPP_TIMER_CALLBACK_ADDED, talker, TIMER + 2, TIMER_CALLBACK + 2);
	NEXT(RCLCPP_TIMER_LINK_NODE, talker, TIMER + 2, NODE + 1);
	spin(talker, TIMER_CALLBACK + 1);
	spin(talker_2, TIMER_CALLBACK + 2);
	spin(third, TIMER_CALLBACK + 1);
	spin(third, TIMER_CALLBACK + 2);
	something_happens();
	report();
	cr_assert_eq(row_count("executors"), 3);
	for (unsigned int row = 0; row < 3; row++) {
		expect_cells("executors", row, "executor_id", "1", "nodes", "/other, /talker");
	}
}

Test(executors, an_executor_without_events_is_in_the_diagnostics_and_has_no_states)
{
	define_node(listener, "listener");
	define_timer(listener, 3);
	spin(talker, 0x42);
	run_callback(listener, TIMER_CALLBACK + 3);
	report();
	cr_assert_eq(row_count("executors"), 2);
	expect_cells("executors", 1, "kind", "unknown", "executions", "1", "spins", "", "wait_ns", "", "span_ns", "");
	cr_assert_eq(count_of("executor without events"), 1);
}

Test(executors, where_no_executor_records_events_nothing_is_said)
{
	define_node(talker, "talker");
	define_timer(talker, 1);
	run_callback(talker, TIMER_CALLBACK + 1);
	report();
	cr_assert_eq(row_count("executors"), 0);
	cr_assert_eq(count_of("executor without events"), 0);
}

Test(executors, queue_is_what_the_thread_executed_while_the_message_waited)
{
	define_node(talker, "talker");
	define_publisher(talker, 1, "/a");
	define_node(listener, "listener");
	define_subscription(listener, 1, "/a");
	define_timer(listener, 2);
	look_for_work(listener);
	start(listener, TIMER_CALLBACK + 2);
	now_ns += 5 * MS;
	publish(talker, 1, 77);
	now_ns += 3 * MS;
	end(listener, TIMER_CALLBACK + 2);
	look_for_work(listener);
	handle(listener, 1, 77);
	report();
	expect_cells("executors", 0, "queue_sum_ns", "3003000", "queue_held_by", "/listener 10.0 ms");
}

Test(executors, events_count_in_the_range)
{
	limit_range(2000, 3001);
	feed(RECORD(CALLBACK_START, talker, 500, 0x42, 0));
	feed(RECORD(CALLBACK_END, talker, 600, 0x42));
	now_ns = 0;
	spin(talker, 0x42); /* 1000 … 6000 */
	report();
	expect_cells("executors", 0, "ready_ns", "1000", "execute_ns", "1", "span_ns", "1001", "spins", "0");
}

Test(executors, nothing_is_longer_than_the_recording)
{
	wait_for_work(talker);
	now_ns += 100 * MS;
	look_for_work(talker);
	run_callback(talker, 0x42);
	look_for_work(talker);
	wait_for_work(talker);
	now_ns += 100 * MS;
	look_for_work(talker);
	report();
	expect_cells("executors", 0, "span_ns", "1000", "execute_ns", "1000", "spins", "0");
}

Test(executors, only_those_of_the_nodes_asked_for)
{
	choose_nodes("/list*");
	define_node(talker, "talker");
	define_timer(talker, 1);
	define_node(listener, "listener");
	define_timer(listener, 2);
	spin(talker, TIMER_CALLBACK + 1);
	spin(listener, TIMER_CALLBACK + 2);
	report();
	cr_assert_eq(row_count("executors"), 1);
	expect_cell(0, "nodes", "/listener");
}

/* --- pauses --- */

/* `lttng stop` and `lttng start`: no stream is in a packet in between. */
static void pause_for(int64_t duration_ns)
{
	recording_packet_begins(recording, 0, 0);
	recording_packet_ends(recording, 0, now_ns);
	now_ns += duration_ns;
	recording_packet_begins(recording, 0, now_ns);
}

Test(executors, what_a_thread_did_in_a_pause_is_unknown)
{
	define_node(talker, "talker");
	define_timer(talker, 1);
	something_happens();
	spin(talker, TIMER_CALLBACK + 1);
	wait_for_work(talker);
	pause_for(400 * MS);
	spin(talker, TIMER_CALLBACK + 1); /* the first runtime event is behind polls */
	something_happens();
	report();
	expect_cells("executors", 0, "spins", "3", "wait_ns", "2000", "gap_ns", "2000", "spin_max_ns", "6000",
		     "unknown_ns", "400001000");
}

/* It is told of its polls before a runtime event shows that there was a pause. */
Test(executors, the_pause_of_a_thread_that_polls_is_unknown_too)
{
	define_node(talker, "talker");
	define_timer(talker, 1);
	something_happens();
	spin(talker, TIMER_CALLBACK + 1);
	wait_for_work(talker);
	pause_for(400 * MS);
	for (int i = 0; i < 200; i++) {
		look_for_work(talker);
		wait_for_work(talker);
	}
	something_happens();
	report();
	expect_cells("executors", 0, "spins", "202", "spin_max_ns", "6000", "unknown_ns", "400001000");
}

/* Whoever waits while others are recorded is known to wait. */
Test(executors, a_pause_of_the_others_is_none)
{
	define_node(talker, "talker");
	define_timer(talker, 1);
	something_happens();
	spin(talker, TIMER_CALLBACK + 1);
	wait_for_work(talker);
	recording_packet_begins(recording, 0, 0);
	now_ns += 400 * MS;
	spin(talker, TIMER_CALLBACK + 1);
	something_happens();
	report();
	expect_cells("executors", 0, "wait_ns", "400003000", "unknown_ns", "0");
}

/* --- the summary --- */

Test(executors, one_that_polls_is_worth_a_line)
{
	something_happens();
	spin(talker, 0x42);
	for (int i = 0; i < 1000; i++) {
		wait_for_work(talker);
		look_for_work(talker);
	}
	something_happens();
	report();
	cr_assert_eq(row_count("busy_executors"), 1);
	cr_assert_str_eq(cell_of("busy_executors", 0, "process"), "process1");
	cr_assert_str_eq(cell_of("busy_executors", 0, "threads"), "1");
	cr_assert(g_ascii_strtod(cell_of("busy_executors", 0, "empty_percent"), NULL) > 99);
	cr_assert(g_ascii_strtod(cell_of("busy_executors", 0, "spin_hz"), NULL) > 400000);
}

Test(executors, one_that_waits_is_not)
{
	something_happens();
	spin(talker, 0x42);
	wait_for_work(talker);
	now_ns += 100 * MS;
	look_for_work(talker);
	something_happens();
	report();
	cr_assert_eq(row_count("executors"), 1);
	cr_assert_eq(row_count("busy_executors"), 0);
}

/* Only the summary is asked for: then polls that are as nearly all are only add to sums. */
static void poll_for_summary(void)
{
	scripted_teardown();
	kept_names = "busy_executors";
	scripted_setup();
	something_happens();
	spin(talker, 0x42);
	for (int i = 0; i < 1000; i++) {
		wait_for_work(talker);
		look_for_work(talker);
	}
	spin(talker, 0x42);
	wait_for_work(talker);
}

static void expect_busy(void)
{
	cr_assert_eq(row_count("busy_executors"), 1);
	cr_assert(g_ascii_strtod(cell_of("busy_executors", 0, "empty_percent"), NULL) > 99);
	cr_assert(g_ascii_strtod(cell_of("busy_executors", 0, "spin_hz"), NULL) > 400000);
}

Test(executors, the_summary_alone_does_not_count_what_is_behind_the_end)
{
	poll_for_summary();
	something_happens();
	now_ns += 50 * MS;
	look_for_work(talker);
	report();
	expect_busy();
}

Test(executors, the_summary_alone_counts_no_pause)
{
	poll_for_summary();
	pause_for(400 * MS);
	spin(talker, 0x42);
	something_happens();
	report();
	expect_busy();
}
