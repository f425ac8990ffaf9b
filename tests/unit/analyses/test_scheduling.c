/* SPDX-License-Identifier: MIT */
#include "scripted_session.h"

#define CALLBACK (TIMER_CALLBACK + 1)
#define OTHER_CALLBACK (TIMER_CALLBACK + 2)
#define WORKER 51
#define INTERRUPTIBLE 1

TestSuite(scheduling, .init = scripted_setup_kernel, .fini = scripted_teardown);

static const char *name_of(int32_t tid)
{
	return tid == WORKER ? "worker" : tid ? "program" : "swapper";
}

/* The CPU goes from one thread to another; `prev_state` 0: the former could have gone on. */
static void switch_at(int64_t time_ns, int32_t prev_tid, uint64_t prev_state, int32_t next_tid)
{
	feed(in_stream(RECORD(SCHED_SWITCH, RECORDING_NONE, BEGIN_NS + time_ns, (uint64_t)prev_tid, prev_state,
			      (uint64_t)next_tid, text(name_of(next_tid)), text(name_of(prev_tid))),
		       cpu_stream));
}

static void wake_at(int64_t time_ns, int32_t tid)
{
	feed(in_stream(RECORD(SCHED_WAKING, RECORDING_NONE, BEGIN_NS + time_ns, (uint64_t)tid, 0, text(name_of(tid))),
		       cpu_stream));
}

/*
 * The talker (tid 1) is woken at 100, on the CPU from 150 on, and executes from 200 to 1000: preempted by the worker
 * from 300 to 400, waiting from 500 on, woken at 700, on the CPU again from 750 on.
 */
static void execute_with_breaks(void)
{
	switch_at(50, 1, INTERRUPTIBLE, 0);
	wake_at(100, 1);
	switch_at(150, 0, 0, 1);
	start_at(talker, 200, CALLBACK);
	switch_at(300, 1, 0, WORKER);
	switch_at(400, WORKER, INTERRUPTIBLE, 1);
	switch_at(500, 1, INTERRUPTIBLE, 0);
	wake_at(700, 1);
	switch_at(750, 0, 0, 1);
	end_at(talker, 1000, CALLBACK);
}

Test(scheduling, the_states_of_an_execution_add_up_to_its_duration)
{
	execute_with_breaks();
	report();
	cr_assert_eq(row_count("scheduling"), 1);
	expect_cells("scheduling", 0, "callback_id", "0", "executions", "1", "callback", "/talker 10.0 ms", "hostname",
		     "host", "vpid", "1", "procname", "process1");
	expect_cells("scheduling", 0, "duration_ns", "800", "on_cpu_ns", "450", "preempted_ns", "100", "blocked_ns",
		     "200", "woken_ns", "50", "unknown_ns", "0", "irq_ns", "0");
	expect_cells("scheduling", 0, "preemptions", "1", "blocks", "1", "preempted_by", "worker", "preempted_by_tid",
		     "51", "preempted_by_count", "1", "preempted_by_ns", "100", "longest_preemption_ns", "100");
	/* from sched_waking to sched_switch, before the execution */
	expect_cells("scheduling", 0, "wakeup_count", "1", "wakeup_sum_ns", "50");
}

Test(scheduling, an_instance_is_an_execution_and_a_summary_explains_the_longest)
{
	execute_with_breaks();
	start_at(talker, 1100, CALLBACK);
	end_at(talker, 2100, CALLBACK);
	report();
	cr_assert_eq(row_count("scheduling_instances"), 2);
	expect_cells("scheduling_instances", 0, "callback_id", "0", "start_ns", "1000200", "on_cpu_ns", "450",
		     "preempted_by", "worker", "wakeup_ns", "50");
	/* no wake-up led to the second, which followed at once */
	expect_cells("scheduling_instances", 1, "on_cpu_ns", "1000", "preemptions", "0", "preempted_by", "",
		     "wakeup_ns", "");
	expect_cells("scheduling", 0, "executions", "2", "duration_ns", "1800", "wakeup_count", "1");
	cr_assert_eq(row_count("why"), 1);
	/* the span of the report begins with the first execution */
	expect("why", 0, "why", "/talker 10.0 ms at +0.000 s took 1.00 µs: 1.00 µs on CPU");
	cr_assert_eq(row_count("worst_scheduling"), 0);
}

Test(scheduling, the_worst_executions_are_explained_where_they_were_asked_for)
{
	destroy_session();
	kept_options.worst = 1;
	begin_session();
	start_at(talker, 20, CALLBACK);
	end_at(talker, 30, CALLBACK);
	execute_with_breaks();
	report();
	cr_assert_eq(row_count("worst_scheduling"), 1);
	expect_cells("worst_scheduling", 0, "callback_id", "0", "rank", "1", "start_ns", "1000200", "duration_ns",
		     "800");
	expect("worst_scheduling", 0, "why",
	       "800 ns: 450 ns on CPU, 200 ns blocked, 100 ns preempted by worker (tid 51, once), "
	       "50 ns woken and waiting for a CPU");
	/* the first execution was over before the kernel's first event: its time is unknown, and it has no instance */
	expect_cells("scheduling", 0, "executions", "2", "unknown_ns", "10", "duration_ns", "810");
	cr_assert_eq(row_count("scheduling_instances"), 1);
}

Test(scheduling, rows_are_by_process_then_by_the_time_they_took)
{
	switch_at(10, 0, 0, 1);
	start_at(talker, 100, CALLBACK);
	end_at(talker, 110, CALLBACK);
	start_at(talker, 200, OTHER_CALLBACK);
	end_at(talker, 300, OTHER_CALLBACK);
	switch_at(400, 1, INTERRUPTIBLE, 3);
	start_at(listener, 500, 0x42);
	end_at(listener, 700, 0x42);
	report();
	cr_assert_eq(row_count("scheduling"), 3);
	expect_cells("scheduling", 0, "callback_id", "1", "duration_ns", "100");
	expect_cells("scheduling", 1, "callback_id", "0", "duration_ns", "10");
	expect_cells("scheduling", 2, "callback_id", "2", "procname", "process3", "callback", "0x42");
}

Test(scheduling, only_executions_that_start_in_the_range_count)
{
	limit_range(BEGIN_NS + 1050, BEGIN_NS + 2000);
	execute_with_breaks();
	start_at(talker, 1100, CALLBACK);
	end_at(talker, 1200, CALLBACK);
	report();
	expect_cells("scheduling", 0, "executions", "1", "duration_ns", "100", "preemptions", "0");
}

Test(scheduling, an_execution_that_is_not_whole_does_not_count)
{
	switch_at(10, 0, 0, 1);
	end_at(talker, 50, CALLBACK);
	start_at(talker, 100, CALLBACK);
	report();
	cr_assert_eq(row_count("scheduling"), 0);
}

Test(scheduling, only_chosen_nodes_have_rows)
{
	choose_nodes("/other");
	execute_with_breaks();
	report();
	cr_assert_eq(row_count("scheduling"), 0);
	cr_assert_eq(row_count("why"), 0);
}

Test(scheduling, without_events_of_the_kernel_there_are_no_rows)
{
	start_at(talker, 100, CALLBACK);
	end_at(talker, 200, CALLBACK);
	report();
	cr_assert_eq(row_count("scheduling"), 0);
	/* every table was chosen here */
	cr_assert_eq(count_of("scheduling not recorded"), 1);
}

Test(scheduling, without_wake_ups_the_diagnostics_say_so)
{
	switch_at(10, 0, 0, 1);
	start_at(talker, 100, CALLBACK);
	end_at(talker, 200, CALLBACK);
	report();
	cr_assert_eq(count_of("wake-ups not recorded"), 1);
	cr_assert_eq(count_of("scheduling not recorded"), 0);
	expect_cells("scheduling", 0, "on_cpu_ns", "100", "wakeup_count", "0");
}
