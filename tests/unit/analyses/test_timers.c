/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/analyses/timers/timer_threads.h"
#include "records.h"
#include "kept_tables.h"

#define US INT64_C(1000)
#define MS INT64_C(1000000)
#define PERIOD (20 * MS)
#define CREATED (1000 * MS)
#define SLOT(number) (CREATED + (number)*PERIOD) /* from 1 */

/* Of the node and timer by number. */
enum { NODE = 0x10, RMW = 0x20, TIMER = 0x30, CALLBACK = 0x40, SUBSCRIPTION = 0x50, OBJECT = 0x60, OTHER = 0x70 };

static uint32_t thread, other_thread;

#define expect_cell(row, column, expected) expect("timers", row, column, expected)
#define expect_instance(row, column, expected) expect("timer_instances", row, column, expected)

/* Whether it is a number, which it is equal to. */
static void expect_number(const char *table, guint row, const char *column, int64_t expected)
{
	g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, expected);

	cr_assert_str_eq(cell_of(table, row, column), text);
}

static void setup(void)
{
	recording_setup();
	add_trace("trace");
	recording_add_stream(recording, 0);
	thread = add_thread(0, 7, 7);
	other_thread = add_thread(0, 7, 8);
	kept_options = (struct analysis_options){ 0 };
	begin_session();
}

static void teardown(void)
{
	destroy_session();
	recording_teardown();
	g_clear_pointer(&kept_nodes, name_filter_destroy);
}

TestSuite(timers, .init = setup, .fini = teardown);

static void finish(void)
{
	session_finish(session, NULL);
}

static void feed(struct event_record record)
{
	session_feed(session, &record, 1);
}

static void run_on(uint32_t on_thread, uint64_t callback, int64_t start_ns, int64_t end_ns)
{
	feed(RECORD(CALLBACK_START, on_thread, start_ns, callback, 0));
	feed(RECORD(CALLBACK_END, on_thread, end_ns, callback));
}

static void look(int64_t time_ns)
{
	struct event_record record = RECORD(RCLCPP_EXECUTOR_GET_NEXT_READY, thread, time_ns, 0);

	record.present = 0;
	feed(record);
}

static void wait_for_work(int64_t time_ns)
{
	feed(RECORD(RCLCPP_EXECUTOR_WAIT_FOR_WORK, thread, time_ns, (uint64_t)-1));
}

/* What an executor does when it has waited for this callback, up to its next wait. */
static void wake_for(uint64_t handle, uint64_t callback, int64_t start_ns)
{
	look(start_ns - 4 * US);
	feed(RECORD(RCLCPP_EXECUTOR_EXECUTE, thread, start_ns - 1 * US, handle));
	run_on(thread, callback, start_ns, start_ns + 100 * US);
	look(start_ns + 101 * US);
	wait_for_work(start_ns + 102 * US);
}

static void define_timer_at(unsigned int number, int64_t period_ns, int64_t time_ns)
{
	feed(RECORD(RCL_NODE_INIT, thread, time_ns, NODE + number, RMW, text("planner"), text("/")));
	feed(RECORD(RCL_TIMER_INIT, thread, time_ns, TIMER + number, (uint64_t)period_ns));
	feed(RECORD(RCLCPP_TIMER_CALLBACK_ADDED, thread, time_ns, TIMER + number, CALLBACK + number));
	feed(RECORD(RCLCPP_TIMER_LINK_NODE, thread, time_ns, TIMER + number, NODE + number));
}

static void define_timer(unsigned int number, int64_t period_ns)
{
	define_timer_at(number, period_ns, CREATED);
}

static void define_subscription(void)
{
	feed(RECORD(RCL_SUBSCRIPTION_INIT, thread, CREATED, SUBSCRIPTION, NODE, 0, text("/scan"), 10));
	feed(RECORD(RCLCPP_SUBSCRIPTION_INIT, thread, CREATED, SUBSCRIPTION, OBJECT));
	feed(RECORD(RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, thread, CREATED, OBJECT, OTHER));
}

Test(timers, the_columns_named_in_the_interface_come_first)
{
	static const char *const names[] = { "timer_id",   "hostname", "vpid",	 "node",
					     "period_ns",  "calls",    "missed", "restarts",
					     "early",	   "overruns", "clock",	 "rate_error_percent",
					     "blocked_by", "lateness" };
	static const char *const instance_names[] = { "timer_id", "expected_ns", "start_ns",
						      "end_ns",	  "lateness_ns", "missed" };

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		cr_assert_str_eq(kept_schema("timers")->columns[i].name, names[i]);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(instance_names); i++) {
		cr_assert_str_eq(kept_schema("timer_instances")->columns[i].name, instance_names[i]);
	}
}

Test(timers, a_row_says_how_late_and_how_regularly_a_timer_is_called)
{
	define_timer(0, PERIOD);
	run_on(thread, CALLBACK, SLOT(1) + 70 * US, SLOT(1) + 1 * MS);
	run_on(thread, CALLBACK, SLOT(2) + 90 * US, SLOT(2) + 21 * MS);
	run_on(thread, CALLBACK, SLOT(3) + 1 * MS, SLOT(3) + 2 * MS);
	finish();
	cr_assert_eq(row_count("timers"), 1);
	expect_cells("timers", 0, "timer_id", "0", "hostname", "host", "vpid", "7", "procname", "process7", "node",
		     "/planner", "period_ns", "20000000", "calls", "3", "missed", "0", "restarts", "0", "early", "0",
		     "overruns", "1", "unknown", "0", "clock", "steady", "callback", "0x40");
	expect_number("timers", 0, "lateness_sum_ns", 1160 * US);
	expect_number("timers", 0, "lateness_max_ns", 1 * MS);
	expect_number("timers", 0, "lateness_max_at_ns", SLOT(3));
	expect_number("timers", 0, "jitter_min_ns", 20 * US);
	expect_number("timers", 0, "jitter_max_ns", 910 * US);
	/* 930 us more than two periods */
	expect_cell(0, "rate_error_percent", "2.325");
	/* the last call began when the one before ended */
	expect_cell(0, "blocked_by", "/planner 20.0 ms");
	expect_number("timers", 0, "blocked_ns", 1 * MS);
}

Test(timers, an_instance_has_the_cells_it_knows)
{
	define_timer(0, PERIOD);
	look(SLOT(1));
	run_on(thread, CALLBACK, SLOT(1) + 70 * US, SLOT(1) + 65 * MS);
	run_on(thread, CALLBACK, SLOT(4) + 6 * MS, SLOT(4) + 7 * MS);
	feed(RECORD(CALLBACK_START, thread, SLOT(5), CALLBACK, 0));
	finish();
	cr_assert_eq(row_count("timer_instances"), 3);
	expect_instance(0, "timer_id", "0");
	expect_number("timer_instances", 0, "expected_ns", SLOT(1));
	expect_number("timer_instances", 0, "start_ns", SLOT(1) + 70 * US);
	expect_number("timer_instances", 0, "end_ns", SLOT(1) + 65 * MS);
	expect_number("timer_instances", 0, "lateness_ns", 70 * US);
	expect_instance(0, "missed", "0");
	expect_number("timer_instances", 1, "expected_ns", SLOT(2));
	expect_number("timer_instances", 1, "lateness_ns", 46 * MS);
	expect_instance(1, "missed", "2");
	expect_instance(2, "end_ns", "");
	expect_cells("timers", 0, "missed", "2", "calls", "3");
}

Test(timers, what_held_the_thread_longest_is_named)
{
	define_timer(0, PERIOD);
	define_timer(1, 300 * MS);
	define_subscription();
	look(SLOT(1) - 6 * MS);
	run_on(thread, OTHER, SLOT(1) - 5 * MS, SLOT(1) + 30 * MS);
	run_on(thread, CALLBACK + 1, SLOT(1) + 31 * MS, SLOT(1) + 33 * MS);
	run_on(thread, CALLBACK, SLOT(1) + 33 * MS, SLOT(1) + 34 * MS);
	finish();
	expect_cell(0, "blocked_by", "/planner /scan");
	expect_number("timers", 0, "blocked_ns", 32 * MS);
	expect_cell(0, "missed", "1");
	cr_assert_eq(row_count("late_timers"), 1);
}

static void call_regularly(unsigned int from, unsigned int to)
{
	for (unsigned int i = from; i <= to; i++) {
		wake_for(TIMER, CALLBACK, SLOT(i) + 70 * US);
	}
}

Test(timers, the_summary_names_timers_that_miss_calls_the_worst_first)
{
	define_timer(0, PERIOD);
	define_timer(1, 10 * MS);
	define_subscription();
	call_regularly(1, 3);
	run_on(thread, OTHER, SLOT(4) - 1 * MS, SLOT(4) + 44 * MS);
	run_on(thread, CALLBACK, SLOT(4) + 44 * MS, SLOT(4) + 45 * MS);
	finish();
	expect("late_timers", 0, "timer",
	       "/planner 20.0 ms: 2 of 6 calls missed, late by up to 44.0 ms, mostly behind /planner /scan");
	cr_assert_eq(row_count("late_timers"), 1);
	/* never called */
	expect_cells("timers", 0, "calls", "0", "missed", "", "clock", "");
}

Test(timers, the_summary_says_what_a_timer_does_to_itself)
{
	define_timer(0, PERIOD);
	look(SLOT(1) - 1 * MS);
	for (unsigned int i = 0; i < 4; i++) {
		run_on(thread, CALLBACK, SLOT(1) + i * 45 * MS, SLOT(1) + i * 45 * MS + 44 * MS);
	}
	finish();
	expect("late_timers", 0, "timer",
	       "/planner 20.0 ms: 3 of 7 calls missed, late by up to 35.0 ms, mostly behind itself");
}

/* Executions of 100 us on a thread without events of an executor, at slots. */
static void run_at_slots(unsigned int from, unsigned int to)
{
	for (unsigned int i = from; i <= to; i++) {
		run_on(thread, CALLBACK, SLOT(i) + 70 * US, SLOT(i) + 170 * US);
	}
}

/* 12 of 45 ms each, one right after the other, from a slot on. */
static void run_without_pause(unsigned int slot)
{
	for (unsigned int i = 0; i < 12; i++) {
		run_on(thread, CALLBACK, SLOT(slot) + i * 45 * MS + 70 * US, SLOT(slot) + (i + 1) * 45 * MS);
	}
}

Test(timers, without_events_of_an_executor_a_thread_that_does_not_pause_may_have_a_queue)
{
	define_timer(0, PERIOD);
	run_at_slots(1, 9);
	run_without_pause(10);
	finish();
	expect_cells("timers", 0, "calls", "21", "missed", "");
	/* all but the first of them */
	expect_cell(0, "unknown", "11");
}

/* 1 ms late each time; then calls that may have waited in a queue, of which only the first one is known. */
static void call_known_and_unknown(unsigned int known)
{
	define_timer(0, PERIOD);
	for (unsigned int i = 1; i < known; i++) {
		run_on(thread, CALLBACK, SLOT(i) + i % 2 * MS, SLOT(i) + 2 * MS);
	}
	run_without_pause(known);
	finish();
}

Test(timers, of_a_timer_whose_calls_are_mostly_unknown_nothing_is_told_that_depends_on_its_slots)
{
	call_known_and_unknown(10);
	expect_cells("timers", 0, "calls", "21", "unknown", "11", "overruns", "12", "clock", "steady", "missed", "",
		     "restarts", "", "early", "", "rate_error_percent", "", "blocked_by", "", "blocked_ns", "",
		     "lateness_max_ns", "", "jitter_max_ns", "");
	cr_assert_eq(row_count("late_timers"), 0);
	expect_number("timer_instances", 0, "lateness_ns", 1 * MS);
}

Test(timers, half_of_its_calls_are_enough_to_tell_how_late_they_are_but_not_half_of_its_periods)
{
	call_known_and_unknown(11);
	expect_cells("timers", 0, "calls", "22", "unknown", "11", "missed", "0", "restarts", "0", "early", "0",
		     "rate_error_percent", "", "jitter_max_ns", "");
	expect_number("timers", 0, "lateness_max_ns", 1 * MS);
}

Test(timers, half_of_its_periods_are_enough_to_tell_how_regular_they_are)
{
	call_known_and_unknown(12);
	expect_cells("timers", 0, "calls", "23", "unknown", "11");
	expect_number("timers", 0, "jitter_max_ns", 1 * MS);
	cr_assert_str_neq(cell_of("timers", 0, "rate_error_percent"), "");
}

Test(timers, also_if_an_earlier_process_with_its_ids_had_an_executor_with_events)
{
	look(CREATED - 5 * MS);
	wait_for_work(CREATED - 4 * MS);
	define_timer(0, PERIOD);
	run_at_slots(1, 9);
	run_without_pause(10);
	finish();
	expect_cells("timers", 0, "missed", "", "unknown", "11");
}

Test(timers, unless_its_calls_have_shown_several_times_that_it_has_none)
{
	define_timer(0, PERIOD);
	for (unsigned int i = 0; i < 3; i++) {
		run_at_slots(10 * i + 1, 10 * i + 2);
		/* misses two slots */
		run_on(thread, CALLBACK, SLOT(10 * i + 3) + 70 * US, SLOT(10 * i + 3) + 65 * MS);
		run_on(thread, CALLBACK, SLOT(10 * i + 6) + 5 * MS, SLOT(10 * i + 6) + 6 * MS);
		run_at_slots(10 * i + 7, 10 * i + 10);
	}
	run_without_pause(31);
	finish();
	expect_cell(0, "calls", "36");
	/* two each time, and 13 of the 25 slots up to the last call */
	expect_cells("timers", 0, "missed", "19", "unknown", "0");
}

Test(timers, the_summary_blames_no_callback_that_made_up_little_of_the_lateness)
{
	define_timer(0, PERIOD);
	define_subscription();
	call_regularly(1, 3);
	run_on(thread, OTHER, SLOT(4) - 1 * MS, SLOT(4) + 2 * MS);
	run_on(thread, CALLBACK, SLOT(4) + 44 * MS, SLOT(4) + 45 * MS);
	finish();
	expect_cell(0, "blocked_by", "/planner /scan");
	expect_number("timers", 0, "blocked_ns", 2 * MS);
	expect("late_timers", 0, "timer",
	       "/planner 20.0 ms: 2 of 6 calls missed, late by up to 44.0 ms, mostly not behind callbacks");
}

Test(timers, the_summary_says_that_an_executor_woke_late)
{
	define_timer(0, PERIOD);
	call_regularly(1, 3);
	wake_for(TIMER, CALLBACK, SLOT(4) + 44 * MS);
	finish();
	expect("late_timers", 0, "timer",
	       "/planner 20.0 ms: 2 of 6 calls missed, late by up to 44.0 ms, mostly woken late");
}

Test(timers, slots_before_the_recording_are_not_missed)
{
	define_timer(0, PERIOD);
	wake_for(TIMER, CALLBACK, SLOT(330) + 5 * MS);
	call_regularly(331, 333);
	finish();
	expect_cells("timers", 0, "calls", "4", "missed", "0", "unknown", "1");
	expect_instance(0, "expected_ns", "");
	expect_number("timer_instances", 1, "expected_ns", SLOT(331));
}

/* Runs a callback of another host. */
static void run_elsewhere(int64_t time_ns)
{
	struct recording_trace_info info = { .hostname = "elsewhere" };
	uint32_t trace = recording_add_trace(recording, &info);

	recording_add_stream(recording, trace);
	run_on(add_thread(trace, 9, 9), OTHER, time_ns, time_ns + 1 * MS);
}

Test(timers, nor_are_they_if_that_of_another_host_began_before)
{
	define_timer(0, PERIOD);
	run_elsewhere(SLOT(1) - 5 * MS);
	wake_for(TIMER, CALLBACK, SLOT(3) + 5 * MS);
	call_regularly(4, 6);
	finish();
	expect_cells("timers", 0, "calls", "4", "missed", "0", "unknown", "1");
}

Test(timers, but_an_executor_that_polls_shows_that_they_are_recorded)
{
	define_timer(0, PERIOD);
	look(CREATED + 1 * MS);
	wait_for_work(CREATED + 2 * MS);
	look(SLOT(5) + 1 * MS);
	look(SLOT(30) + 4 * MS);
	wait_for_work(SLOT(30) + 5 * MS - 10 * US);
	wake_for(TIMER, CALLBACK, SLOT(30) + 5 * MS);
	call_regularly(31, 33);
	finish();
	expect_cells("timers", 0, "missed", "29", "unknown", "0");
	expect_number("timer_instances", 0, "expected_ns", SLOT(1));
}

/* The first call is starved, and the executor shows again and again that the timer is not due. */
Test(timers, missed_calls_are_counted_once_however_often_the_schedule_begins_anew)
{
	int64_t start_ns = SLOT(130) + 5 * MS;

	define_timer(0, PERIOD);
	define_subscription();
	run_on(thread, OTHER, CREATED + 1 * MS, start_ns - 10 * US);
	wake_for(TIMER, CALLBACK, start_ns);
	for (int i = 0; i < 16; i++) {
		look(start_ns + 47 * MS);
		wait_for_work(start_ns + 48 * MS);
		start_ns += 50 * MS;
		wake_for(TIMER, CALLBACK, start_ns);
		for (int j = 0; j < 3; j++) {
			start_ns += PERIOD;
			wake_for(TIMER, CALLBACK, start_ns);
		}
	}
	finish();
	expect_cells("timers", 0, "calls", "65", "missed", "129", "restarts", "16");
	for (guint i = 1; i < 65; i++) {
		int64_t before_ns = g_ascii_strtoll(cell_of("timer_instances", i - 1, "start_ns"), NULL, 10);

		cr_assert_geq(g_ascii_strtoll(cell_of("timer_instances", i, "expected_ns"), NULL, 10), before_ns);
	}
}

Test(timers, no_timer_is_late_no_summary)
{
	define_timer(0, PERIOD);
	call_regularly(1, 10);
	finish();
	cr_assert_eq(row_count("late_timers"), 0);
}

Test(timers, a_timer_that_its_executor_did_not_call_was_stopped)
{
	define_timer(0, PERIOD);
	define_timer(1, 7 * MS);
	call_regularly(1, 3);
	/* the executor waits and does something else meanwhile */
	wake_for(TIMER + 1, CALLBACK + 1, SLOT(4) + 5 * MS);
	wake_for(TIMER + 1, CALLBACK + 1, SLOT(8) + 5 * MS);
	for (unsigned int i = 0; i < 10; i++) {
		wake_for(TIMER, CALLBACK, SLOT(9 + i) + 7 * MS);
	}
	finish();
	expect_cells("timers", 1, "period_ns", "20000000", "missed", "0", "restarts", "1", "calls", "13");
	expect_number("timers", 1, "lateness_max_ns", 70 * US);
}

/* What was known before a callback is known after it, though its thread left it in between. */
Test(timers, a_callback_within_which_another_is_executed_without_a_wait_hides_no_waits_before_it)
{
	define_timer(0, PERIOD);
	define_subscription();
	run_on(thread, OTHER, CREATED + 1 * MS, CREATED + 2 * MS);
	run_on(thread, OTHER, CREATED + 3 * MS, CREATED + 4 * MS);
	call_regularly(1, 3);
	look(SLOT(4) + 5 * MS);
	wait_for_work(SLOT(4) + 6 * MS);
	look(SLOT(8) + 5 * MS);
	wait_for_work(SLOT(8) + 6 * MS);
	look(SLOT(8) + 7 * MS);
	feed(RECORD(CALLBACK_START, thread, SLOT(8) + 7 * MS, OTHER, 0));
	feed(RECORD(RCLCPP_EXECUTOR_EXECUTE, thread, SLOT(8) + 7 * MS + 10 * US, OBJECT));
	feed(RECORD(CALLBACK_END, thread, SLOT(8) + 7 * MS + 20 * US, OTHER));
	run_on(thread, CALLBACK, SLOT(8) + 7 * MS + 50 * US, SLOT(8) + 8 * MS);
	finish();
	expect_cells("timers", 0, "restarts", "1", "missed", "0");
}

static void look_on(uint32_t on_thread, int64_t time_ns)
{
	struct event_record record = RECORD(RCLCPP_EXECUTOR_GET_NEXT_READY, on_thread, time_ns, 0);

	record.present = 0;
	feed(record);
}

/* Two threads of one executor; the first one has called the timer three times. `polls`: the second one does. */
static void begin_on_two_threads(bool polls)
{
	define_timer(0, PERIOD);
	define_subscription();
	run_on(thread, OTHER, CREATED + 1 * MS, CREATED + 2 * MS);
	if (polls) {
		look_on(other_thread, CREATED + 3 * MS - 1 * US);
	}
	run_on(other_thread, OTHER, CREATED + 3 * MS, CREATED + 4 * MS);
	call_regularly(1, 3);
}

Test(timers, threads_that_share_an_executor_prove_nothing)
{
	begin_on_two_threads(false);
	/* this thread polls, while another one executes the callback that the timer waits for */
	feed(RECORD(CALLBACK_START, other_thread, SLOT(4) - 1 * MS, OTHER, 0));
	for (unsigned int i = 0; i < 50; i++) {
		look(SLOT(4) + i * MS);
		wait_for_work(SLOT(4) + i * MS + 10 * US);
	}
	feed(RECORD(CALLBACK_END, other_thread, SLOT(4) + 50 * MS, OTHER));
	wake_for(TIMER, CALLBACK, SLOT(4) + 50 * MS + 50 * US);
	call_regularly(7, 9);
	finish();
	expect_cells("timers", 0, "missed", "2", "restarts", "0", "blocked_by", "/planner /scan");
	expect_number("timers", 0, "blocked_ns", 50 * MS);
}

/* A thread of two looks, is preempted, and starts the callback later than the other one that of the next slot. */
Test(timers, a_thread_that_looked_before_another_one_called_the_timer_before)
{
	begin_on_two_threads(true);
	look_on(other_thread, SLOT(4) + 50 * US);
	wake_for(TIMER, CALLBACK, SLOT(5) + 50 * US);
	wake_for(TIMER, CALLBACK, SLOT(6) + 50 * US);
	feed(RECORD(RCLCPP_EXECUTOR_EXECUTE, other_thread, SLOT(6) + 9 * MS, TIMER));
	run_on(other_thread, CALLBACK, SLOT(6) + 10 * MS, SLOT(6) + 11 * MS);
	call_regularly(7, 9);
	finish();
	expect_cells("timers", 0, "calls", "9", "missed", "0", "early", "0", "unknown", "0");
	expect_number("timer_instances", 5, "expected_ns", SLOT(4));
}

/* … or does not start it before the recording ends, many calls later. */
Test(timers, the_slot_of_a_call_whose_callback_has_not_started_is_not_missed)
{
	begin_on_two_threads(true);
	look_on(other_thread, SLOT(4) + 50 * US);
	feed(RECORD(RCLCPP_EXECUTOR_EXECUTE, other_thread, SLOT(4) + 51 * US, TIMER));
	call_regularly(5, 20);
	finish();
	expect_cells("timers", 0, "calls", "19", "missed", "0", "unknown", "1", "restarts", "0");
}

/* Two threads execute callbacks of its node in turn, for more than a second. */
Test(timers, a_pause_that_callbacks_of_several_threads_explain_in_turn_is_no_stop)
{
	define_timer(0, PERIOD);
	define_subscription();
	call_regularly(1, 3);
	for (int64_t i = 0; i < 12; i++) {
		run_on(i % 2 == 0 ? thread : other_thread, OTHER, SLOT(4) - 1 * MS + i * 100 * MS,
		       SLOT(4) - 2 * MS + (i + 1) * 100 * MS);
	}
	wake_for(TIMER, CALLBACK, SLOT(64) + 5 * MS);
	call_regularly(65, 68);
	finish();
	expect_cells("timers", 0, "restarts", "0", "missed", "0", "unknown", "1");
}

Test(timers, what_another_thread_still_executes_did_not_keep_it_waiting)
{
	begin_on_two_threads(false);
	feed(RECORD(CALLBACK_START, other_thread, SLOT(4) - 1 * MS, OTHER, 0));
	wake_for(TIMER, CALLBACK, SLOT(4) + 3 * MS);
	feed(RECORD(CALLBACK_END, other_thread, SLOT(4) + 10 * MS, OTHER));
	call_regularly(5, 9);
	finish();
	expect_cell(0, "blocked_by", "");
	expect_number("timers", 0, "blocked_ns", 0);
}

/* A callback is executing when the call of this number is due, 5 ms before that is made after a poll. */
static void run_before_call(int64_t number, bool ends)
{
	feed(RECORD(CALLBACK_START, thread, SLOT(number) - 1 * MS, OTHER, 0));
	look(SLOT(number) + 4 * MS);
	wake_for(TIMER, CALLBACK, SLOT(number) + 5 * MS);
	if (ends) {
		feed(RECORD(CALLBACK_END, thread, SLOT(number) + 6 * MS, OTHER));
	}
}

Test(timers, a_callback_that_spins_keeps_timers_waiting_until_it_ends)
{
	define_timer(0, PERIOD);
	define_subscription();
	run_before_call(1, true);
	call_regularly(2, 9);
	finish();
	expect_cell(0, "blocked_by", "/planner /scan");
	expect_number("timers", 0, "blocked_ns", 5 * MS);
}

Test(timers, waits_of_an_executor_within_one_that_threw_do_not_show_that_a_timer_was_not_due)
{
	define_timer(0, PERIOD);
	define_subscription();
	call_regularly(1, 2);
	feed(RECORD(CALLBACK_START, thread, SLOT(2) + 5 * MS, OTHER, 0));
	look(SLOT(2) + 6 * MS); /* it throws */
	wait_for_work(SLOT(2) + 6 * MS + 1 * US);
	call_regularly(3, 3);
	feed(RECORD(CALLBACK_START, thread, SLOT(4) - 1 * MS, OTHER, 0));
	for (int64_t i = 1; i < 5; i++) {
		look(SLOT(4) + i * MS);
		wait_for_work(SLOT(4) + i * MS + 10 * US);
	}
	look(SLOT(4) + 6 * MS); /* it has thrown */
	wait_for_work(SLOT(4) + 6 * MS + 1 * US);
	wake_for(TIMER, CALLBACK, SLOT(4) + 6 * MS + 10 * US);
	call_regularly(5, 9);
	finish();
	expect_cells("timers", 0, "restarts", "0", "missed", "0");
}

Test(timers, one_that_throws_does_so_until_its_thread_looks_for_work)
{
	define_timer(0, PERIOD);
	define_subscription();
	call_regularly(1, 2);
	run_before_call(3, false);
	call_regularly(4, 9);
	finish();
	expect_cell(0, "blocked_by", "/planner /scan");
	expect_number("timers", 0, "blocked_ns", 4 * MS);
}

static void poll_on(uint32_t on_thread, int64_t look_ns, int64_t wait_ns)
{
	struct event_record record = RECORD(RCLCPP_EXECUTOR_GET_NEXT_READY, on_thread, look_ns, 0);

	record.present = 0;
	feed(record);
	feed(RECORD(RCLCPP_EXECUTOR_WAIT_FOR_WORK, on_thread, wait_ns, (uint64_t)-1));
}

/* Another thread polls now and then executes a callback that only it executes. */
static void poll_beside(int64_t time_ns)
{
	poll_on(other_thread, time_ns, time_ns + 10 * US);
	run_on(other_thread, OTHER, time_ns + 20 * US, time_ns + 30 * US);
}

/* The timer is stopped for 4 periods, while its executor wakes up for another one, and then called so often. */
static void stop_and_call(unsigned int count)
{
	wake_for(TIMER + 1, CALLBACK + 1, SLOT(5) + 5 * MS);
	wake_for(TIMER + 1, CALLBACK + 1, SLOT(7) + 5 * MS);
	for (unsigned int i = 0; i < count; i++) {
		wake_for(TIMER, CALLBACK, SLOT(8 + i) + 7 * MS);
	}
	finish();
}

Test(timers, two_executors_are_those_of_which_one_looks_while_the_other_waits)
{
	define_timer(0, PERIOD);
	define_timer(1, 7 * MS);
	define_subscription();
	call_regularly(1, 3);
	poll_beside(SLOT(3) + 3 * MS);
	stop_and_call(10);
	expect_cells("timers", 1, "period_ns", "20000000", "restarts", "1", "missed", "0");
}

/* The same; what the other thread executes is not known when the timer's executor wakes up. */
static void stop_beside_a_thread_that_polls(bool writes)
{
	define_timer(0, PERIOD);
	define_timer(1, 7 * MS);
	define_subscription();
	call_regularly(1, 3);
	poll_on(other_thread, SLOT(3) + 3 * MS, SLOT(3) + 3 * MS + 10 * US);
	if (writes) {
		session_write(session);
		g_ptr_array_set_size(kept_table("timers")->cells, 0);
	}
	stop_and_call(10);
	expect_cells("timers", 1, "restarts", "1", "missed", "0");
}

Test(timers, also_if_that_one_only_polls)
{
	stop_beside_a_thread_that_polls(false);
}

Test(timers, and_whether_a_report_is_written_in_between_or_not)
{
	stop_beside_a_thread_that_polls(true);
}

/* The same among so many threads of the process, of which each looks while the one of the timer waits. */
static void look_on_threads(unsigned int count, unsigned int calls)
{
	define_timer(0, PERIOD);
	define_timer(1, 7 * MS);
	define_subscription();
	call_regularly(1, 3);
	poll_beside(SLOT(3) + 3 * MS);
	for (unsigned int i = 2; i < count; i++) {
		uint32_t another = add_thread(0, 7, 7 + (int32_t)i);

		poll_on(another, SLOT(3) + 3 * MS, SLOT(3) + 3 * MS + 10 * US);
		feed(RECORD(RCLCPP_EXECUTOR_EXECUTE, another, SLOT(3) + 3 * MS + 20 * US, OBJECT));
	}
	stop_and_call(calls);
}

Test(timers, executors_of_many_threads_are_told_apart)
{
	look_on_threads(TIMER_EXECUTORS_MAX, 1);
	expect_cells("timers", 1, "restarts", "1", "missed", "0");
}

Test(timers, those_of_more_threads_may_be_one)
{
	look_on_threads(TIMER_EXECUTORS_MAX + 1, 1);
	expect_cells("timers", 1, "restarts", "0", "missed", "0", "unknown", "1");
}

Test(timers, threads_that_never_do_may_share_one)
{
	define_timer(0, PERIOD);
	define_timer(1, 7 * MS);
	define_subscription();
	poll_beside(CREATED + 1 * MS);
	call_regularly(1, 3);
	stop_and_call(1);
	expect_cells("timers", 1, "period_ns", "20000000", "restarts", "0", "missed", "0", "unknown", "1");
}

Test(timers, that_it_was_stopped_shows_in_calls_that_are_late_alike)
{
	define_timer(0, PERIOD);
	define_timer(1, 7 * MS);
	define_subscription();
	poll_beside(CREATED + 1 * MS);
	call_regularly(1, 3);
	stop_and_call(10);
	expect_cells("timers", 1, "period_ns", "20000000", "restarts", "1", "missed", "0", "unknown", "0");
}

/* Polls of an executor that waits again and again, and executes nothing. */
static void spin(int64_t from_ns, int64_t to_ns)
{
	for (int64_t time_ns = from_ns; time_ns < to_ns; time_ns += 1 * MS) {
		look(time_ns);
		wait_for_work(time_ns + 10 * US);
	}
	look(to_ns);
}

/* Executes a callback whose end is not recorded, and waits again. */
static void run_without_end(int64_t start_ns)
{
	look(start_ns - 4 * US);
	feed(RECORD(CALLBACK_START, thread, start_ns, OTHER, 0));
	look(start_ns + 100 * US);
	wait_for_work(start_ns + 102 * US);
}

/* It may have thrown each time, and its executor have forgotten what was due. */
Test(timers, waits_before_a_callback_without_end_do_not_show_what_was_due)
{
	define_timer(0, PERIOD);
	define_subscription();
	call_regularly(1, 3);
	run_without_end(SLOT(5) + 5 * MS);
	run_without_end(SLOT(7) + 5 * MS);
	wake_for(TIMER, CALLBACK, SLOT(8) + 7 * MS);
	finish();
	expect_cells("timers", 0, "restarts", "0", "missed", "0", "unknown", "1");
}

/* An executor within it may have waited until it threw. */
Test(timers, nor_do_those_after_it_until_its_thread_executes_another)
{
	define_timer(0, PERIOD);
	define_timer(1, 7 * MS);
	define_subscription();
	call_regularly(1, 3);
	run_without_end(SLOT(3) + 5 * MS);
	spin(SLOT(4) + 5 * MS, SLOT(6));
	wake_for(TIMER + 1, CALLBACK + 1, SLOT(6) + 1 * MS);
	wake_for(TIMER, CALLBACK, SLOT(6) + 7 * MS);
	finish();
	expect_cells("timers", 1, "period_ns", "20000000", "restarts", "0", "missed", "0", "unknown", "1");
}

/* From then on, it is the thread's own executor that waits; that it had thrown is recorded only later. */
Test(timers, those_after_that_do)
{
	define_timer(0, PERIOD);
	define_timer(1, 7 * MS);
	define_subscription();
	call_regularly(1, 3);
	wake_for(TIMER + 1, CALLBACK + 1, SLOT(3) + 3 * MS);
	run_without_end(SLOT(3) + 5 * MS);
	wake_for(TIMER + 1, CALLBACK + 1, SLOT(5) + 5 * MS);
	wake_for(TIMER + 1, CALLBACK + 1, SLOT(7) + 5 * MS);
	look(SLOT(8) + 6 * MS - 4 * US);
	feed(RECORD(CALLBACK_START, thread, SLOT(8) + 6 * MS, OTHER, 0));
	wake_for(TIMER, CALLBACK, SLOT(8) + 7 * MS);
	finish();
	expect_cells("timers", 1, "period_ns", "20000000", "restarts", "1", "missed", "0", "unknown", "0");
}

Test(timers, an_executor_within_a_callback_may_have_another_timer_than_the_one_that_it_did_not_call)
{
	define_timer(0, PERIOD);
	define_subscription();
	call_regularly(1, 3);
	feed(RECORD(CALLBACK_START, thread, SLOT(5), OTHER, 0));
	spin(SLOT(5) + 1 * MS, SLOT(6));
	wake_for(TIMER, CALLBACK, SLOT(6) + 7 * MS);
	feed(RECORD(CALLBACK_END, thread, SLOT(6) + 8 * MS, OTHER));
	finish();
	expect_cells("timers", 0, "restarts", "0", "missed", "0", "unknown", "1");
}

Test(timers, threads_of_an_older_process_with_the_same_ids_show_nothing_of_those_of_a_new_one)
{
	define_timer_at(9, PERIOD, CREATED - 50 * MS);
	feed(RECORD(RCL_INIT, thread, CREATED - 60 * MS, 0x900, text("8.2.3")));
	/* two threads of one executor, … */
	run_on(thread, CALLBACK + 9, CREATED - 30 * MS, CREATED - 29 * MS);
	run_on(other_thread, CALLBACK + 9, CREATED - 10 * MS, CREATED - 9 * MS);
	/* … then one alone */
	feed(RECORD(RCL_INIT, thread, CREATED - 1 * MS, 0x908, text("8.2.3")));
	define_timer(0, PERIOD);
	define_timer(1, 7 * MS);
	call_regularly(1, 3);
	stop_and_call(10);
	expect_cells("timers", 1, "period_ns", "20000000", "restarts", "1", "missed", "0");
}

/* --- threads of which only unusual executions are told until they do something else (follow()) --- */

enum { OTHER_2 = 0x80 };

static void run_at(int64_t start_ns)
{
	look(start_ns - 4 * US);
	run_on(thread, OTHER, start_ns, start_ns + 100 * US);
	look(start_ns + 101 * US);
	wait_for_work(start_ns + 102 * US);
}

/* That they are two executors shows only when a callback starts that is no timer's, after others had started. */
Test(timers, executors_that_any_callback_shows_to_be_two)
{
	define_timer(0, PERIOD);
	define_timer(1, 7 * MS);
	define_subscription();
	run_on(thread, OTHER, CREATED + 1 * MS, CREATED + 2 * MS);
	call_regularly(1, 3);
	look(SLOT(3) + 1 * MS);
	feed(RECORD(CALLBACK_START, thread, SLOT(3) + 1 * MS + 10 * US, OTHER, 0));
	poll_on(other_thread, SLOT(3) + 1 * MS + 20 * US, SLOT(3) + 1 * MS + 30 * US);
	feed(RECORD(RCLCPP_EXECUTOR_EXECUTE, other_thread, SLOT(3) + 1 * MS + 35 * US, OBJECT));
	feed(RECORD(CALLBACK_END, thread, SLOT(3) + 1 * MS + 40 * US, OTHER));
	look(SLOT(3) + 1 * MS + 41 * US);
	wait_for_work(SLOT(3) + 1 * MS + 42 * US);
	poll_on(other_thread, SLOT(3) + 3 * MS, SLOT(3) + 3 * MS + 10 * US);
	run_at(SLOT(3) + 5 * MS);
	stop_and_call(1);
	expect_cells("timers", 1, "restarts", "1", "missed", "0", "unknown", "0");
}

/* Its executor wakes up for another timer meanwhile, whose callback is known to be outside others, unlike this one's.
 */
static void expect_late_first_call_of_a_stopped_timer(void)
{
	wake_for(TIMER + 1, CALLBACK + 1, SLOT(5) + 5 * MS);
	wake_for(TIMER + 1, CALLBACK + 1, SLOT(7) + 5 * MS);
	wake_for(TIMER, CALLBACK, SLOT(8) + 7 * MS);
	finish();
	expect_cells("timers", 1, "period_ns", "20000000", "restarts", "1", "missed", "0", "unknown", "0");
}

static void begin_with_another_timer(void)
{
	define_timer(0, PERIOD);
	define_timer(1, 7 * MS);
	define_subscription();
	wake_for(TIMER + 1, CALLBACK + 1, CREATED + 7 * MS);
	run_at(CREATED + 9 * MS);
	wake_for(TIMER + 1, CALLBACK + 1, CREATED + 14 * MS);
}

Test(timers, waits_show_that_a_timer_was_not_due_before_its_first_call)
{
	begin_with_another_timer();
	expect_late_first_call_of_a_stopped_timer();
}

/* … and of no callback it is known whether it is outside others. */
Test(timers, also_after_a_loss)
{
	feed(loss_of(RECORD_DISCARDED_EVENTS, 0, CREATED - 50 * MS, CREATED - 40 * MS));
	feed(gap_of(0, CREATED - 40 * MS));
	begin_with_another_timer();
	expect_late_first_call_of_a_stopped_timer();
}

Test(timers, also_after_an_executor_within_a_callback_executed_another)
{
	begin_with_another_timer();
	look(SLOT(1));
	feed(RECORD(CALLBACK_START, thread, SLOT(1) + 10 * US, OTHER, 0));
	poll_on(thread, SLOT(1) + 20 * US, SLOT(1) + 30 * US);
	look(SLOT(1) + 40 * US);
	run_on(thread, OTHER_2, SLOT(1) + 50 * US, SLOT(1) + 60 * US);
	poll_on(thread, SLOT(1) + 70 * US, SLOT(1) + 80 * US);
	look(SLOT(1) + 90 * US);
	feed(RECORD(CALLBACK_END, thread, SLOT(1) + 100 * US, OTHER));
	poll_on(thread, SLOT(1) + 110 * US, SLOT(1) + 120 * US);
	expect_late_first_call_of_a_stopped_timer();
}

/* What is forgotten at an end without start is what the thread did within the callback that it has left. */
Test(timers, an_end_without_start_within_a_callback_hides_no_waits_before_that)
{
	define_timer(0, PERIOD);
	define_subscription();
	run_on(thread, OTHER, CREATED + 1 * MS, CREATED + 2 * MS);
	run_on(thread, OTHER, CREATED + 3 * MS, CREATED + 4 * MS);
	call_regularly(1, 3);
	poll_on(thread, SLOT(4) + 5 * MS, SLOT(4) + 6 * MS);
	poll_on(thread, SLOT(8) + 5 * MS, SLOT(8) + 6 * MS);
	look(SLOT(8) + 7 * MS);
	feed(RECORD(CALLBACK_START, thread, SLOT(8) + 7 * MS, OTHER, 0));
	feed(RECORD(RCLCPP_EXECUTOR_EXECUTE, thread, SLOT(8) + 7 * MS + 10 * US, OBJECT));
	feed(RECORD(CALLBACK_END, thread, SLOT(8) + 7 * MS + 15 * US, OTHER_2));
	feed(RECORD(CALLBACK_END, thread, SLOT(8) + 7 * MS + 20 * US, OTHER));
	run_on(thread, CALLBACK, SLOT(8) + 7 * MS + 50 * US, SLOT(8) + 8 * MS);
	finish();
	expect_cells("timers", 0, "restarts", "1", "missed", "0");
}

/* The call of this number waits for a callback of the other thread. */
static void hold_call(unsigned int number)
{
	run_on(other_thread, OTHER, SLOT(number) - 1 * MS, SLOT(number) + 5 * MS);
	wake_for(TIMER, CALLBACK, SLOT(number) + 5 * MS + 50 * US);
}

static void expect_held(int64_t held_ns)
{
	finish();
	expect_cell(0, "blocked_by", "/planner /scan");
	expect_number("timers", 0, "blocked_ns", held_ns);
}

Test(timers, a_thread_keeps_others_waiting_again_after_somebody_has_asked)
{
	begin_on_two_threads(false);
	hold_call(4);
	hold_call(5);
	hold_call(6);
	call_regularly(7, 9);
	expect_held(15 * MS);
}

Test(timers, also_if_the_end_of_a_callback_without_start_is_between)
{
	begin_on_two_threads(false);
	hold_call(4);
	feed(RECORD(CALLBACK_END, other_thread, SLOT(4) + 6 * MS, OTHER_2));
	hold_call(5);
	call_regularly(6, 9);
	expect_held(10 * MS);
}

Test(timers, also_by_what_was_open_when_somebody_asked)
{
	begin_on_two_threads(false);
	feed(RECORD(CALLBACK_START, other_thread, SLOT(4) - 1 * MS, OTHER, 0));
	wake_for(TIMER, CALLBACK, SLOT(4) + 3 * MS);
	feed(RECORD(CALLBACK_END, other_thread, SLOT(5) + 5 * MS, OTHER));
	wake_for(TIMER, CALLBACK, SLOT(5) + 5 * MS + 50 * US);
	call_regularly(6, 9);
	expect_held(5 * MS);
}

Test(timers, also_if_another_process_initializes_a_context)
{
	begin_on_two_threads(false);
	feed(RECORD(RCL_INIT, add_thread(0, 9, 9), SLOT(3) + 10 * MS, 0x908, text("8.2.3")));
	hold_call(4);
	call_regularly(5, 9);
	expect_held(5 * MS);
}

/* A context is initialized on another thread meanwhile. */
Test(timers, what_is_open_while_the_process_may_be_new_ends_as_usual)
{
	begin_with_another_timer();
	look(CREATED + 15 * MS);
	feed(RECORD(CALLBACK_START, thread, CREATED + 15 * MS, OTHER, 0));
	feed(RECORD(RCL_INIT, other_thread, CREATED + 16 * MS, 0x908, text("8.2.3")));
	feed(RECORD(CALLBACK_END, thread, CREATED + 17 * MS, OTHER));
	poll_on(thread, CREATED + 18 * MS, CREATED + 19 * MS);
	expect_late_first_call_of_a_stopped_timer();
}

/* The second thread has thrown from a callback, and executed another one since then. */
Test(timers, a_thread_that_has_thrown_executes_calls_whose_callbacks_have_not_started)
{
	begin_on_two_threads(true);
	feed(RECORD(CALLBACK_START, other_thread, SLOT(3) + 1 * MS, OTHER_2, 0));
	look_on(other_thread, SLOT(3) + 2 * MS);
	run_on(other_thread, OTHER, SLOT(3) + 3 * MS, SLOT(3) + 4 * MS);
	look_on(other_thread, SLOT(4) + 50 * US);
	feed(RECORD(RCLCPP_EXECUTOR_EXECUTE, other_thread, SLOT(4) + 51 * US, TIMER));
	call_regularly(5, 20);
	finish();
	expect_cells("timers", 0, "calls", "19", "missed", "0", "unknown", "1", "restarts", "0");
}

Test(timers, the_slot_of_a_call_whose_callback_has_started_is_its_own)
{
	begin_on_two_threads(true);
	look_on(other_thread, SLOT(4) + 50 * US);
	feed(RECORD(RCLCPP_EXECUTOR_EXECUTE, other_thread, SLOT(4) + 51 * US, TIMER));
	feed(RECORD(CALLBACK_START, other_thread, SLOT(4) + 55 * US, CALLBACK, 0));
	call_regularly(6, 20);
	finish();
	expect_cells("timers", 0, "calls", "19", "missed", "1", "unknown", "0", "restarts", "0");
}

/* … and so has that of a call that has ended. The slot after it is missed. */
static void expect_missed_after_call_of_other_thread(unsigned int number)
{
	look_on(other_thread, SLOT(number) + 50 * US);
	feed(RECORD(RCLCPP_EXECUTOR_EXECUTE, other_thread, SLOT(number) + 51 * US, TIMER));
	run_on(other_thread, CALLBACK, SLOT(number) + 55 * US, SLOT(number) + 90 * US);
	call_regularly(number + 2, 20);
	finish();
	expect_cells("timers", 0, "calls", "19", "missed", "1", "unknown", "0", "restarts", "0");
}

Test(timers, the_slot_of_a_call_whose_callback_has_ended_is_its_own)
{
	begin_on_two_threads(true);
	run_on(other_thread, OTHER, SLOT(4) + 10 * US, SLOT(4) + 20 * US);
	expect_missed_after_call_of_other_thread(4);
}

Test(timers, also_after_somebody_has_asked_what_the_thread_executed)
{
	begin_on_two_threads(true);
	hold_call(4);
	expect_missed_after_call_of_other_thread(5);
}

/* An execution in which another executor waits. */
static void run_with_executor(int64_t start_ns, int64_t end_ns)
{
	feed(RECORD(CALLBACK_START, thread, start_ns, OTHER, 0));
	spin(start_ns + 1 * MS, end_ns - 1 * MS);
	feed(RECORD(CALLBACK_END, thread, end_ns, OTHER));
}

/* 3 ms after the thread's last event, most of which it may have been preempted. Calls are late by callbacks. */
Test(timers, a_creation_that_may_have_been_recorded_late_leaves_calls_unknown)
{
	feed(RECORD(RCL_NODE_INIT, thread, CREATED - 3 * MS, NODE, RMW, text("planner"), text("/")));
	feed(RECORD(RCL_TIMER_INIT, thread, CREATED, TIMER, (uint64_t)PERIOD));
	feed(RECORD(RCLCPP_TIMER_CALLBACK_ADDED, thread, CREATED, TIMER, CALLBACK));
	define_subscription();
	for (unsigned int i = 1; i <= 3; i++) {
		run_on(thread, OTHER, SLOT(i) - 8 * MS, SLOT(i) + 4 * MS);
		run_on(thread, CALLBACK, SLOT(i) + 5 * MS, SLOT(i) + 6 * MS);
	}
	finish();
	expect_cells("timers", 0, "unknown", "3", "missed", "");
}

static void copy(struct event_record record, int64_t created_ns)
{
	record.flags |= RECORD_HAS_INIT_TIME;
	record.word[EVENT_SLOT_INIT_TIME] = (uint64_t)created_ns;
	feed(record);
}

/* CARET records creations a second time, one right after the other. */
Test(timers, later_copies_do_not_say_that_a_creation_was_recorded_in_time)
{
	feed(RECORD(RCL_NODE_INIT, thread, CREATED - 3 * MS, NODE, RMW, text("planner"), text("/")));
	feed(RECORD(RCL_TIMER_INIT, thread, CREATED, TIMER, (uint64_t)PERIOD));
	feed(RECORD(RCLCPP_TIMER_CALLBACK_ADDED, thread, CREATED, TIMER, CALLBACK));
	define_subscription();
	copy(RECORD(RCL_NODE_INIT, thread, CREATED + 1 * MS, NODE, RMW, text("planner"), text("/")), CREATED - 3 * MS);
	copy(RECORD(RCL_TIMER_INIT, thread, CREATED + 1 * MS + 1 * US, TIMER, (uint64_t)PERIOD), CREATED);
	for (unsigned int i = 1; i <= 3; i++) {
		run_on(thread, OTHER, SLOT(i) - 8 * MS, SLOT(i) + 4 * MS);
		run_on(thread, CALLBACK, SLOT(i) + 5 * MS, SLOT(i) + 6 * MS);
	}
	finish();
	expect_cells("timers", 0, "unknown", "3", "missed", "");
}

Test(timers, copies_alone_do_not_say_what_was_before_a_creation)
{
	copy(RECORD(RCL_NODE_INIT, thread, CREATED + 1 * MS, NODE, RMW, text("planner"), text("/")), CREATED - 3 * MS);
	copy(RECORD(RCL_TIMER_INIT, thread, CREATED + 1 * MS + 1 * US, TIMER, (uint64_t)PERIOD), CREATED);
	copy(RECORD(RCLCPP_TIMER_CALLBACK_ADDED, thread, CREATED + 1 * MS + 2 * US, TIMER, CALLBACK), CREATED);
	define_subscription();
	for (unsigned int i = 1; i <= 2; i++) {
		run_on(thread, OTHER, SLOT(i) - 8 * MS, SLOT(i) + 4 * MS);
		run_on(thread, CALLBACK, SLOT(i) + 5 * MS, SLOT(i) + 6 * MS);
	}
	finish();
	expect_cells("timers", 0, "unknown", "2", "missed", "");
}

/* The last event before the second one is the first one. */
Test(timers, a_creation_that_is_recorded_twice_is_no_proof_that_it_was_recorded_in_time)
{
	feed(RECORD(RCL_NODE_INIT, thread, CREATED - 3 * MS, NODE, RMW, text("planner"), text("/")));
	feed(RECORD(RCL_TIMER_INIT, thread, CREATED, TIMER, (uint64_t)PERIOD));
	feed(RECORD(RCL_TIMER_INIT, thread, CREATED, TIMER, (uint64_t)PERIOD));
	feed(RECORD(RCLCPP_TIMER_CALLBACK_ADDED, thread, CREATED, TIMER, CALLBACK));
	define_subscription();
	for (unsigned int i = 1; i <= 3; i++) {
		run_on(thread, OTHER, SLOT(i) - 8 * MS, SLOT(i) + 4 * MS);
		run_on(thread, CALLBACK, SLOT(i) + 5 * MS, SLOT(i) + 6 * MS);
	}
	finish();
	expect_cells("timers", 0, "unknown", "3", "missed", "");
}

Test(timers, waits_within_a_callback_are_those_of_another_executor)
{
	define_timer(0, PERIOD);
	define_subscription();
	call_regularly(1, 3);
	run_with_executor(SLOT(4) - 2 * MS, SLOT(6) + 5 * MS);
	wake_for(TIMER, CALLBACK, SLOT(6) + 5 * MS + 50 * US);
	call_regularly(7, 9);
	finish();
	expect_cells("timers", 0, "missed", "2", "restarts", "0", "blocked_by", "/planner /scan");
	expect_number("timers", 0, "blocked_ns", 45 * MS);
}

Test(timers, waits_within_a_callback_whose_start_is_lost_are_those_of_another_executor)
{
	define_timer(0, PERIOD);
	define_subscription();
	call_regularly(1, 3);
	spin(SLOT(4) - 1 * MS, SLOT(6) + 4 * MS);
	feed(RECORD(CALLBACK_END, thread, SLOT(6) + 5 * MS, OTHER));
	wake_for(TIMER, CALLBACK, SLOT(6) + 5 * MS + 50 * US);
	call_regularly(7, 9);
	finish();
	expect_cells("timers", 0, "missed", "2", "restarts", "0");
}

Test(timers, an_executor_within_a_callback_misses_the_slots_between_its_executions)
{
	define_timer(0, PERIOD);
	define_subscription();
	for (unsigned int i = 0; i < 3; i++) {
		int64_t start_ns = SLOT(1 + 10 * i) - 5 * MS;

		spin(start_ns - 20 * MS, start_ns - 1 * MS);
		feed(RECORD(CALLBACK_START, thread, start_ns, OTHER, 0));
		spin(start_ns + 1 * MS, start_ns + 4 * MS);
		wake_for(TIMER, CALLBACK, SLOT(1 + 10 * i) + 70 * US);
		wake_for(TIMER, CALLBACK, SLOT(2 + 10 * i) + 70 * US);
		feed(RECORD(CALLBACK_END, thread, SLOT(2 + 10 * i) + 1 * MS, OTHER));
	}
	finish();
	expect_cells("timers", 0, "calls", "6", "restarts", "0", "missed", "16");
}

static void look_up(int64_t time_ns)
{
	feed(RECORD(RCLCPP_EXECUTOR_WAIT_FOR_WORK, thread, time_ns, 0));
}

Test(timers, what_an_executor_had_found_before_an_exception_it_calls_later)
{
	define_timer(0, PERIOD);
	define_subscription();
	for (unsigned int number = 1; number <= 3; number++) {
		call_regularly(number, number);
		feed(RECORD(CALLBACK_START, thread, SLOT(number) + 2 * MS, OTHER, 0));
		wait_for_work(SLOT(number) + 3 * MS);
	}
	look_up(SLOT(4) + 1 * MS);
	look(SLOT(4) + 1 * MS + 1 * US);
	feed(RECORD(CALLBACK_START, thread, SLOT(4) + 1 * MS + 2 * US, OTHER, 0));
	wait_for_work(SLOT(6) + 1 * MS);
	wake_for(TIMER, CALLBACK, SLOT(6) + 2 * MS);
	call_regularly(7, 9);
	finish();
	expect_cells("timers", 0, "restarts", "0", "missed", "2");
}

Test(timers, spin_some_finds_what_is_ready_when_it_begins)
{
	define_timer(0, PERIOD);
	call_regularly(1, 3);
	/* the thread does not run for a while */
	look_up(SLOT(4) - 1 * MS);
	look(SLOT(5) + 1 * MS);
	look_up(SLOT(6) + 1 * MS);
	wake_for(TIMER, CALLBACK, SLOT(6) + 2 * MS);
	call_regularly(7, 9);
	finish();
	expect_cells("timers", 0, "restarts", "0", "missed", "2");
}

/* The timer was stopped. Then its first calls, at most two, wait for a callback: the first one 5 ms, the second 2 ms.
 */
static void restart_with_late_calls(unsigned int late_calls)
{
	define_timer(0, PERIOD);
	define_timer(1, 7 * MS);
	define_subscription();
	call_regularly(1, 3);
	wake_for(TIMER + 1, CALLBACK + 1, SLOT(4) + 5 * MS);
	wake_for(TIMER + 1, CALLBACK + 1, SLOT(8) + 5 * MS);
	for (unsigned int i = 0; i < 10; i++) {
		int64_t late_ns = i >= late_calls ? 0 : i == 0 ? 5 * MS : 2 * MS;

		if (late_ns > 0) {
			run_on(thread, OTHER, SLOT(9 + i) + 6 * MS, SLOT(9 + i) + 7 * MS + late_ns);
		}
		wake_for(TIMER, CALLBACK, SLOT(9 + i) + 7 * MS + 70 * US + late_ns);
	}
	finish();
	expect_cells("timers", 1, "period_ns", "20000000", "restarts", "1", "missed", "0");
}

Test(timers, nobody_is_blamed_for_the_first_call_of_a_schedule)
{
	restart_with_late_calls(1);
	expect_cell(1, "blocked_by", "");
	expect_number("timers", 1, "blocked_ns", 0);
}

Test(timers, blamed_is_the_time_since_a_call_was_expected_as_found_later)
{
	restart_with_late_calls(2);
	expect_cell(1, "blocked_by", "/planner /scan");
	expect_number("timers", 1, "blocked_ns", 2 * MS);
}

Test(timers, calls_before_their_time_are_a_defect_that_keeps_others_waiting)
{
	define_timer(0, PERIOD);
	define_timer(1, 100 * MS);
	for (unsigned int i = 1; i <= 50; i++) {
		call_regularly(i, i);
		if (i % 5 == 0) {
			wake_for(TIMER + 1, CALLBACK + 1, SLOT(i) + 1 * MS);
		}
	}
	/* instead of the first the second is called, again and again */
	for (unsigned int i = 0; i < 200; i++) {
		wake_for(TIMER + 1, CALLBACK + 1, SLOT(51) + 10 * MS + i * 300 * US);
	}
	call_regularly(55, 60);
	finish();
	expect_cells("timers", 1, "period_ns", "100000000", "early", "200", "clock", "steady");
	expect_cells("timers", 0, "missed", "4", "restarts", "0");
	expect("late_timers", 0, "timer", "/planner 100 ms: 200 of 210 calls before their time, a defect of rclcpp");
}

Test(timers, a_timer_on_simulated_time_is_not_late)
{
	define_timer(0, PERIOD);
	for (unsigned int i = 1; i <= 40; i++) {
		wake_for(TIMER, CALLBACK, SLOT(2 * i) + 3 * MS + i % 3 * 20 * US);
	}
	finish();
	expect_cells("timers", 0, "clock", "other", "calls", "40", "missed", "", "restarts", "", "lateness_max_ns", "",
		     "jitter_max_ns", "");
	cr_assert_float_eq(g_ascii_strtod(cell_of("timers", 0, "rate_error_percent"), NULL), 100, 0.5);
	cr_assert_eq(count_of("timer on another clock"), 1);
	cr_assert_eq(row_count("late_timers"), 0);
	expect_cells("timer_instances", 39, "expected_ns", "", "missed", "");
}

Test(timers, nor_is_it_in_a_part_of_the_recording)
{
	limit_range(SLOT(30), SLOT(37));
	define_timer(0, PERIOD);
	for (unsigned int i = 1; i <= 40; i++) {
		wake_for(TIMER, CALLBACK, SLOT(2 * i) + 3 * MS + i % 3 * 20 * US);
	}
	finish();
	expect_cells("timers", 0, "calls", "4", "clock", "other", "missed", "", "restarts", "");
	cr_assert_float_eq(g_ascii_strtod(cell_of("timers", 0, "rate_error_percent"), NULL), 100, 0.5);
	cr_assert_eq(row_count("late_timers"), 0);
}

Test(timers, nor_one_that_runs_faster)
{
	define_timer(0, PERIOD);
	for (unsigned int i = 1; i <= 80; i++) {
		wake_for(TIMER, CALLBACK, SLOT(1) + i * PERIOD / 3);
	}
	finish();
	expect_cells("timers", 0, "clock", "other", "early", "");
}

Test(timers, calls_that_are_late_by_turns_are_on_the_steady_clock)
{
	define_timer(0, PERIOD);
	for (unsigned int i = 1; i <= 101; i++) {
		wake_for(TIMER, CALLBACK, SLOT(i) + i % 2 * 2 * MS + i % 3 * 50 * US);
	}
	finish();
	expect_cells("timers", 0, "clock", "steady", "missed", "0");
}

Test(timers, only_the_range_counts)
{
	limit_range(SLOT(3), SLOT(9));
	define_timer(0, PERIOD);
	call_regularly(1, 4);
	call_regularly(6, 12);
	finish();
	expect_cells("timers", 0, "calls", "5", "missed", "1");
	cr_assert_eq(row_count("timer_instances"), 5);
}

Test(timers, only_chosen_nodes_have_rows)
{
	choose_nodes("/other");
	define_timer(0, PERIOD);
	call_regularly(1, 4);
	finish();
	cr_assert_eq(row_count("timers"), 0);
	cr_assert_eq(row_count("timer_instances"), 0);
}

Test(timers, calls_that_may_be_lost_are_not_missed)
{
	define_timer(0, PERIOD);
	call_regularly(1, 3);
	feed(loss_of(RECORD_DISCARDED_EVENTS, 0, SLOT(3) + 1 * MS, SLOT(8)));
	feed(gap_of(0, SLOT(8)));
	call_regularly(9, 12);
	finish();
	expect_cells("timers", 0, "calls", "7", "missed", "0", "unknown", "1", "restarts", "0");
	expect_cells("timer_instances", 3, "expected_ns", "", "lateness_ns", "");
	expect_number("timer_instances", 4, "expected_ns", SLOT(10));
}

Test(timers, nor_are_calls_while_another_trace_of_the_process_lost_events)
{
	uint32_t second = add_thread(add_trace("second"), 7, 9);
	uint16_t stream = 2; /* of the second trace */
	struct event_record life = RECORD(CALLBACK_START, second, SLOT(8) + 1 * MS, CALLBACK + 1, 0);

	life.stream = stream;
	define_timer(0, PERIOD);
	call_regularly(1, 3);
	feed(loss_of(RECORD_DISCARDED_EVENTS, stream, SLOT(3) + 1 * MS, SLOT(8)));
	run_on(thread, OTHER, SLOT(4) - 1 * MS, SLOT(8) - 1 * MS);
	feed(gap_of(stream, SLOT(8)));
	feed(life);
	call_regularly(9, 12);
	finish();
	expect_cells("timers", 0, "calls", "7", "missed", "0", "unknown", "1", "blocked_by", "");
}

Test(timers, nor_are_calls_before_caret_records_the_process)
{
	define_timer(0, PERIOD);
	feed(RECORD(CARET_INIT, thread, SLOT(30), 5));
	call_regularly(31, 33);
	finish();
	expect_cells("timers", 0, "missed", "0", "unknown", "1");
	cr_assert_eq(count_of("timer on an executor without events"), 0);
}

Test(timers, nor_are_calls_while_caret_did_not_record_the_process)
{
	define_timer(0, PERIOD);
	call_regularly(1, 3);
	feed(RECORD(CARET_INIT, thread, SLOT(20) + 1 * MS, 5));
	call_regularly(21, 23);
	finish();
	expect_cells("timers", 0, "missed", "0", "unknown", "1", "restarts", "0");
}

Test(timers, calls_before_their_definition_are_counted)
{
	call_regularly(1, 2);
	define_timer_at(0, PERIOD, CREATED);
	call_regularly(3, 5);
	finish();
	expect_cells("timers", 0, "calls", "5", "unknown", "3", "missed", "");
}

Test(timers, without_events_of_its_executor_a_stop_shows_as_a_long_pause_only)
{
	define_timer(0, PERIOD);
	run_on(thread, CALLBACK, SLOT(1), SLOT(1) + 1 * MS);
	run_on(thread, CALLBACK, SLOT(100) + 9 * MS, SLOT(101));
	run_on(thread, CALLBACK, SLOT(101) + 9 * MS, SLOT(102));
	finish();
	expect_cells("timers", 0, "missed", "0", "restarts", "1");
	cr_assert_eq(count_of("timer on an executor without events"), 1);
}

Test(timers, a_period_of_0_is_no_schedule)
{
	define_timer(0, 0);
	run_on(thread, CALLBACK, SLOT(1), SLOT(1) + 1 * MS);
	run_on(thread, CALLBACK, SLOT(2), SLOT(2) + 1 * MS);
	finish();
	expect_cells("timers", 0, "period_ns", "0", "calls", "2", "missed", "", "clock", "", "lateness_max_ns", "");
}

Test(timers, timers_without_callbacks_are_listed_without_calls_and_waits_are_none)
{
	uint32_t python = add_thread(0, 9, 9);

	feed(RECORD(RCL_TIMER_INIT, python, CREATED, TIMER, (uint64_t)PERIOD));
	for (unsigned int i = 0; i < 50; i++) {
		feed(RECORD(RCL_TIMER_INIT, python, CREATED + (1 + i) * MS, TIMER + 1 + i % 2, 100 * MS));
	}
	finish();
	cr_assert_eq(row_count("timers"), 1);
	expect_cells("timers", 0, "period_ns", "20000000", "calls", "", "callback", "");
	cr_assert_eq(count_of("timer without recorded calls"), 1);
}

Test(timers, rcl_action_keeps_a_timer_of_its_own)
{
	define_timer(0, PERIOD);
	feed(RECORD(RCL_TIMER_INIT, thread, CREATED, TIMER + 9, 900000 * MS));
	finish();
	cr_assert_eq(row_count("timers"), 1);
	cr_assert_eq(count_of("timer without recorded calls"), 0);
}
