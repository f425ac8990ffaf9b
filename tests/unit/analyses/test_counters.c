/* SPDX-License-Identifier: MIT */
#include "scripted_session.h"

TestSuite(counters, .init = scripted_setup_timers, .fini = scripted_teardown);

#define CALLBACK (TIMER_CALLBACK + 1)
#define OTHER_CALLBACK (TIMER_CALLBACK + 2)

static void count_at(uint32_t thread, int64_t time_ns, const char *name, uint64_t value)
{
	const uint64_t words[] = { [RECORD__counter_name] = text(name), [RECORD__counter_value] = value };

	feed(record_of(RECORD_COUNTER, thread, BEGIN_NS + time_ns, words, G_N_ELEMENTS(words)));
}

/* An execution of which one counter is recorded. */
static void execute(uint32_t thread, int64_t start_ns, int64_t end_ns, const char *name, uint64_t at_start,
		    uint64_t at_end)
{
	count_at(thread, start_ns, name, at_start);
	start_at(thread, start_ns, CALLBACK);
	count_at(thread, end_ns, name, at_end);
	end_at(thread, end_ns, CALLBACK);
}

/* A row as "COUNTER count sum min mean max unknown". */
static void expect_row(guint row, const char *expected)
{
	static const char *const names[] = { "counter", "count", "sum", "min", "mean", "max", "unknown" };
	g_autoptr(GString) text = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_string_append_printf(text, "%s%s", i == 0 ? "" : " ", cell_of("counters", row, names[i]));
	}
	cr_assert_str_eq(text->str, expected, "%s", text->str);
}

Test(counters, an_execution_takes_the_difference_from_its_start_to_its_end)
{
	execute(talker, 100, 200, "page_fault", 1000, 1007);
	execute(talker, 300, 400, "page_fault", 1050, 1053);
	report();
	cr_assert_eq(row_count("counters"), 1);
	expect_row(0, "page_fault 2 10 3 5 7 0");
	expect_cells("counters", 0, "callback", "/talker 10.0 ms", "unit", "", "share_percent", "");
	cr_assert_eq(row_count("counter_instances"), 2);
	expect_cells("counter_instances", 1, "value", "3", "vtid", "1");
}

Test(counters, an_execution_by_agnocast_is_one)
{
	enum { CALLABLE = 0x700 };

	feed(RECORD(AGNOCAST_TIMER_INIT, talker, BEGIN_NS, 0x61, NODE, 0x62, text("tick"), 50));
	feed(RECORD(AGNOCAST_CREATE_TIMER_CALLABLE, talker, BEGIN_NS + 50, CALLABLE, 0x61));
	count_at(talker, 100, "page_fault", 1000);
	feed(RECORD(AGNOCAST_CALLABLE_START, talker, BEGIN_NS + 100, CALLABLE));
	count_at(talker, 200, "page_fault", 1007);
	feed(RECORD(AGNOCAST_CALLABLE_END, talker, BEGIN_NS + 200, CALLABLE));
	report();
	cr_assert_eq(row_count("counters"), 1);
	expect_row(0, "page_fault 1 7 7 7 7 0");
}

Test(counters, time_is_a_share_of_the_duration)
{
	execute(talker, 100, 200, "task_clock", 1000, 1050);
	execute(talker, 300, 400, "task_clock", 2000, 2100);
	report();
	expect_row(0, "task_clock 2 150 50 75 100 0");
	expect_cells("counters", 0, "unit", "ns", "share_percent", "75");
}

Test(counters, every_counter_of_an_event_counts)
{
	count_at(talker, 100, "task_clock", 10);
	count_at(talker, 100, "page_fault", 20);
	start_at(talker, 100, CALLBACK);
	count_at(talker, 200, "page_fault", 22);
	count_at(talker, 200, "task_clock", 15);
	end_at(talker, 200, CALLBACK);
	execute(talker, 300, 400, "page_fault", 30, 31); /* another channel, without the clock */
	report();
	expect_row(0, "page_fault 2 3 1 1.5 2 0");
	expect_row(1, "task_clock 1 5 5 5 5 1");
}

Test(counters, what_is_executed_within_an_execution_is_part_of_it)
{
	count_at(talker, 100, "task_clock", 10);
	start_at(talker, 100, CALLBACK);
	count_at(talker, 120, "task_clock", 20);
	start_at(talker, 120, OTHER_CALLBACK);
	count_at(talker, 150, "task_clock", 50);
	end_at(talker, 150, OTHER_CALLBACK);
	count_at(talker, 160, "task_clock", 51);
	start_at(talker, 160, OTHER_CALLBACK);
	count_at(talker, 170, "task_clock", 59);
	end_at(talker, 170, OTHER_CALLBACK);
	count_at(talker, 200, "task_clock", 70);
	end_at(talker, 200, CALLBACK);
	report();
	expect_row(0, "task_clock 1 60 60 60 60 0");
	expect_row(1, "task_clock 2 38 8 19 30 0");
}

Test(counters, threads_have_counters_of_their_own)
{
	count_at(talker, 100, "task_clock", 10);
	start_at(talker, 100, CALLBACK);
	execute(talker_2, 110, 120, "task_clock", 1000, 1005);
	count_at(talker, 200, "task_clock", 30);
	end_at(talker, 200, CALLBACK);
	report();
	expect_row(0, "task_clock 2 25 5 12.5 20 0");
}

Test(counters, one_that_never_changes_is_unknown_and_not_0)
{
	execute(talker, 100, 200, "context_switches", 0, 0);
	execute(talker_2, 300, 400, "context_switches", 7, 7);
	report();
	expect_row(0, "context_switches 0     2");
	cr_assert_eq(row_count("counter_instances"), 0);
	cr_assert_eq(count_of("counter that never changes"), 1);
}

Test(counters, one_that_changes_anywhere_counts_everywhere_on_its_host)
{
	execute(talker, 100, 200, "page_fault", 0, 0);
	execute(listener, 300, 400, "page_fault", 7, 8);
	report();
	cr_assert_eq(row_count("counters"), 2);
	expect_row(0, "page_fault 1 1 1 1 1 0");
	expect_row(1, "page_fault 1 0 0 0 0 0");
	cr_assert_eq(count_of("counter that never changes"), 0);
}

Test(counters, a_value_that_goes_back_is_unknown)
{
	execute(talker, 100, 200, "page_fault", 1000, 3);
	execute(talker, 300, 400, "page_fault", 4, 5);
	report();
	expect_row(0, "page_fault 1 1 1 1 1 1");
}

Test(counters, beyond_64_bits_a_value_goes_on)
{
	execute(talker, 100, 200, "page_fault", UINT64_MAX - 1, 3);
	report();
	expect_row(0, "page_fault 1 5 5 5 5 0");
}

Test(counters, time_that_stands_still_while_a_callback_runs_was_stopped)
{
	execute(talker, 100, 200, "task_clock", 10, 20);
	execute(talker, 300, 400, "task_clock", 20, 20);
	execute(talker, 500, 500, "task_clock", 30, 30);
	report();
	expect_row(0, "task_clock 2 10 0 5 10 1");
}

Test(counters, executions_without_counters_are_unknown)
{
	execute(talker, 100, 200, "task_clock", 10, 20);
	start_at(talker, 300, CALLBACK);
	count_at(talker, 400, "task_clock", 30);
	end_at(talker, 400, CALLBACK);
	count_at(talker, 500, "task_clock", 40);
	start_at(talker, 500, CALLBACK);
	end_at(talker, 600, CALLBACK);
	report();
	expect_row(0, "task_clock 1 10 10 10 10 2");
}

Test(counters, executions_that_are_not_whole_do_not_count)
{
	count_at(talker, 50, "task_clock", 5);
	end_at(talker, 50, CALLBACK);
	execute(talker, 100, 200, "task_clock", 10, 20);
	count_at(talker, 300, "task_clock", 50);
	start_at(talker, 300, CALLBACK);
	report();
	expect_row(0, "task_clock 1 10 10 10 10 0");
}

Test(counters, an_execution_in_which_events_were_lost_does_not_count)
{
	const uint64_t words[] = { 1, (uint64_t)(BEGIN_NS + 160) };

	count_at(talker, 100, "task_clock", 10);
	start_at(talker, 100, CALLBACK);
	feed(record_of(RECORD_DISCARDED_EVENTS, RECORDING_NONE, BEGIN_NS + 150, words, 2));
	count_at(talker, 200, "task_clock", 90);
	end_at(talker, 200, CALLBACK);
	execute(talker, 300, 400, "task_clock", 100, 120);
	report();
	expect_row(0, "task_clock 1 20 20 20 20 0");
}

Test(counters, without_thread_ids_a_difference_may_be_of_two_threads)
{
	const struct recording_context context = { .has_vpid = true, .vpid = 1 };
	uint32_t thread = recording_add_thread(recording, 0, &context, "process1");

	execute(thread, 100, 200, "task_clock", 10, 20);
	report();
	cr_assert_eq(row_count("counters"), 0);
}

Test(counters, an_execution_counts_by_its_start)
{
	limit_range(BEGIN_NS + 250, BEGIN_NS + 450);
	execute(talker, 100, 260, "task_clock", 10, 20);
	execute(talker, 300, 480, "task_clock", 30, 35);
	execute(talker, 500, 600, "task_clock", 40, 60);
	report();
	expect_row(0, "task_clock 1 5 5 5 5 0");
}

Test(counters, a_callback_has_the_id_that_it_has_in_the_table_of_callbacks)
{
	start_at(talker, 100, OTHER_CALLBACK);
	end_at(talker, 200, OTHER_CALLBACK);
	execute(talker, 300, 400, "task_clock", 10, 20);
	report();
	expect("counters", 0, "callback_id", "1");
	for (guint i = 0; i < row_count("callbacks"); i++) {
		if (strcmp(cell_of("callbacks", i, "callback"), "0x7201") == 0) {
			expect("callbacks", i, "callback_id", "1");
		}
	}
}

Test(counters, the_choice_of_nodes_is_one_of_rows)
{
	choose_nodes("/other");
	execute(talker, 100, 200, "task_clock", 10, 20);
	report();
	cr_assert_eq(row_count("counters"), 0);
	cr_assert_eq(row_count("counter_instances"), 0);
}

Test(counters, only_those_of_starts_and_ends_are_wanted)
{
	const struct event_interest *interest = session_interest(session);

	cr_assert(interest->wants_counters[EVENT_CALLBACK_START]);
	cr_assert(interest->wants_counters[EVENT_CALLBACK_END]);
	cr_assert_not(interest->wants_counters[EVENT_RCL_PUBLISH]);
}
