/* SPDX-License-Identifier: MIT */
#include "scripted_session.h"

TestSuite(usage, .init = scripted_setup_timers, .fini = scripted_teardown);

static void at(uint32_t thread, uint16_t stream, int64_t time_ns, bool is_start, uint64_t callback)
{
	feed(in_stream(is_start ? RECORD(CALLBACK_START, thread, BEGIN_NS + time_ns, callback, 0)
				: RECORD(CALLBACK_END, thread, BEGIN_NS + time_ns, callback),
		       stream));
}

static void run_at(uint32_t thread, uint64_t callback, int64_t start_ns, int64_t end_ns)
{
	at(thread, 0, start_ns, true, callback);
	at(thread, 0, end_ns, false, callback);
}

/* The row of a scope with this name, the first of several. */
static guint row_of(const char *scope, const char *name)
{
	for (guint i = 0; i < row_count("usage"); i++) {
		if (strcmp(cell_of("usage", i, "scope"), scope) == 0 &&
		    strcmp(cell_of("usage", i, "name"), name) == 0) {
			return i;
		}
	}
	cr_assert_fail("no row of %s %s", scope, name);
	return 0;
}

static void expect_row(const char *scope, const char *name, const char *count, const char *busy, const char *self,
		       const char *share)
{
	guint row = row_of(scope, name);

	cr_assert_str_eq(cell_of("usage", row, "executions"), count, "%s %s", scope, name);
	cr_assert_str_eq(cell_of("usage", row, "busy_ns"), busy, "%s %s: %s", scope, name,
			 cell_of("usage", row, "busy_ns"));
	cr_assert_str_eq(cell_of("usage", row, "self_ns"), self, "%s %s: %s", scope, name,
			 cell_of("usage", row, "self_ns"));
	cr_assert_str_eq(cell_of("usage", row, "share_percent"), share, "%s %s: %s", scope, name,
			 cell_of("usage", row, "share_percent"));
}

Test(usage, every_scope_has_the_time_of_its_executions)
{
	run_at(talker, TIMER_CALLBACK + 1, 1000, 1100);
	run_at(talker_2, TIMER_CALLBACK + 2, 1500, 1550);
	run_at(talker, TIMER_CALLBACK + 1, 1900, 2000);
	report();
	expect_row("host", "host", "3", "250", "250", "25");
	expect_row("process", "process1", "3", "250", "250", "25");
	expect_row("thread", "process1", "2", "200", "200", "20");
	expect_row("node", "/talker", "3", "250", "250", "25");
	expect_row("callback", "/talker 10.0 ms", "2", "200", "200", "20");
	cr_assert_str_eq(cell_of("usage", row_of("thread", "process1"), "vtid"), "1");
	cr_assert_str_eq(cell_of("usage", row_of("thread", "process1"), "vpid"), "1");
	cr_assert_str_eq(cell_of("usage", row_of("host", "host"), "vpid"), "");
}

Test(usage, time_within_a_nested_execution_is_that_ones_own)
{
	at(talker, 0, 1000, true, TIMER_CALLBACK + 1);
	run_at(talker, TIMER_CALLBACK + 2, 1100, 1400);
	run_at(talker, TIMER_CALLBACK + 2, 1500, 1600);
	at(talker, 0, 2000, false, TIMER_CALLBACK + 1);
	report();
	expect_row("callback", "/talker 10.0 ms", "1", "1000", "600", "60");
	cr_assert_str_eq(cell_of("usage", row_of("callback", "/talker 10.0 ms") + 1, "self_ns"), "400");
	expect_row("process", "process1", "3", "1400", "1000", "100");
}

Test(usage, what_is_nested_in_an_execution_without_end_is_nested_in_the_next_outer_one)
{
	at(talker, 0, 1000, true, TIMER_CALLBACK + 1);
	at(talker, 0, 1100, true, 0x99);
	run_at(talker, TIMER_CALLBACK + 2, 1200, 1300);
	at(talker, 0, 2000, false, TIMER_CALLBACK + 1);
	report();
	expect_row("process", "process1", "2", "1100", "1000", "100");
}

Test(usage, executions_that_are_not_whole_do_not_count)
{
	at(talker, 0, 1000, false, TIMER_CALLBACK + 1);
	run_at(talker, TIMER_CALLBACK + 1, 1200, 1300);
	at(talker, 0, 2000, true, TIMER_CALLBACK + 1);
	report();
	expect_row("process", "process1", "1", "100", "100", "10");
}

Test(usage, a_cpu_has_what_started_on_it)
{
	recording_set_stream_cpu(recording, 0, 3);
	recording_set_stream_cpu(recording, 1, 1);
	run_at(talker, TIMER_CALLBACK + 1, 1000, 1100);
	at(talker, 1, 1200, true, TIMER_CALLBACK + 1);
	at(talker, 0, 1250, false, TIMER_CALLBACK + 1);
	run_at(talker, TIMER_CALLBACK + 1, 1990, 2000);
	report();
	expect_row("cpu", "1", "1", "50", "50", "5");
	expect_row("cpu", "3", "2", "110", "110", "11");
	cr_assert_eq(row_of("cpu", "1") + 1, row_of("cpu", "3"), "by number");
	cr_assert_str_eq(cell_of("usage", row_of("cpu", "1"), "migrated"), "1");
	cr_assert_str_eq(cell_of("usage", row_of("cpu", "3"), "migrated"), "0");
	cr_assert_str_eq(cell_of("usage", row_of("process", "process1"), "migrated"), "1");
}

Test(usage, without_cpus_in_the_trace_nothing_is_said_of_them)
{
	run_at(talker, TIMER_CALLBACK + 1, 1000, 1100);
	report();
	cr_assert_str_eq(cell_of("usage", 0, "migrated"), "");
	for (guint i = 0; i < row_count("usage"); i++) {
		cr_assert_str_neq(cell_of("usage", i, "scope"), "cpu");
	}
}

Test(usage, an_execution_counts_by_its_start)
{
	limit_range(BEGIN_NS + 1000, BEGIN_NS + 2000);
	run_at(talker, TIMER_CALLBACK + 1, 900, 1100);
	run_at(talker, TIMER_CALLBACK + 1, 1900, 2100);
	report();
	expect_row("process", "process1", "1", "200", "200", "20");
}

Test(usage, the_choice_of_nodes_is_one_of_nodes_and_callbacks)
{
	choose_nodes("/other");
	run_at(talker, TIMER_CALLBACK + 1, 1000, 1100);
	report();
	for (guint i = 0; i < row_count("usage"); i++) {
		cr_assert_str_neq(cell_of("usage", i, "scope"), "callback");
		cr_assert_str_neq(cell_of("usage", i, "scope"), "node");
	}
}

Test(usage, a_callback_of_an_unknown_node_counts_in_the_row_without_a_name)
{
	run_at(talker, TIMER_CALLBACK + 1, 1000, 1100);
	run_at(talker, 0x98, 1200, 1250);
	run_at(talker, 0x99, 1300, 2000);
	report();
	expect_row("process", "process1", "3", "850", "850", "85");
	expect_row("node", "/talker", "1", "100", "100", "10");
	expect_row("node", "", "2", "750", "750", "75");
	cr_assert_str_eq(cell_of("usage", row_of("node", ""), "vpid"), "1");
}
