/* SPDX-License-Identifier: MIT */
#include "scripted_session.h"

#define DAEMON 51
#define INTERRUPTIBLE 1

TestSuite(threads, .init = scripted_setup_kernel, .fini = scripted_teardown);

static void switch_at(int64_t time_ns, int32_t prev_tid, uint64_t prev_state, int32_t next_tid)
{
	feed(in_stream(RECORD(SCHED_SWITCH, RECORDING_NONE, BEGIN_NS + time_ns, (uint64_t)prev_tid, prev_state,
			      (uint64_t)next_tid, text(next_tid == DAEMON ? "daemon" : "program"),
			      text(prev_tid == DAEMON ? "daemon" : "program")),
		       cpu_stream));
}

static void wake_at(int64_t time_ns, int32_t tid)
{
	feed(in_stream(RECORD(SCHED_WAKING, RECORDING_NONE, BEGIN_NS + time_ns, (uint64_t)tid, 0, text("program")),
		       cpu_stream));
}

/* What the state dump of the kernel says of the talker's thread. */
static void dump_talker(void)
{
	feed(in_stream(RECORD(STATEDUMP_PROCESS_STATE, RECORDING_NONE, BEGIN_NS, 1, 1, text("program"), 1, 1),
		       cpu_stream));
}

/* The talker (tid 1) and a thread that is none of ROS 2, from 0 to 1000. */
static void schedule(void)
{
	dump_talker();
	switch_at(0, 0, 0, 1);
	switch_at(100, 1, 0, DAEMON);
	switch_at(400, DAEMON, INTERRUPTIBLE, 1);
	switch_at(500, 1, INTERRUPTIBLE, 0);
	wake_at(700, 1);
	switch_at(750, 0, 0, 1);
	switch_at(1000, 1, INTERRUPTIBLE, 0);
}

Test(threads, the_states_of_a_thread_add_up_to_the_recording_of_its_host)
{
	schedule();
	report();
	cr_assert_eq(row_count("threads"), 2);
	expect_cells("threads", 0, "hostname", "host", "tid", "1", "vtid", "1", "name", "program", "ros", "1",
		     "procname", "process1");
	expect_cells("threads", 0, "on_cpu_ns", "450", "preempted_ns", "300", "blocked_ns", "200", "woken_ns", "50",
		     "unknown_ns", "0");
	expect_cells("threads", 0, "preemptions", "1", "blocks", "2", "wakeup_count", "1", "wakeup_max_ns", "50");
}

Test(threads, those_of_processes_with_ros_come_first_though_others_ran_longer)
{
	dump_talker();
	switch_at(0, 0, 0, 1);
	switch_at(10, 1, INTERRUPTIBLE, DAEMON);
	switch_at(500, DAEMON, INTERRUPTIBLE, 0);
	report();
	cr_assert_eq(row_count("threads"), 2);
	expect_cells("threads", 0, "tid", "1", "ros", "1", "on_cpu_ns", "10", "blocked_ns", "490");
	expect_cells("threads", 1, "tid", "51", "ros", "0", "procname", "", "on_cpu_ns", "490");
}

Test(threads, a_thread_is_unknown_before_its_first_event)
{
	switch_at(0, 0, 0, 1);
	switch_at(100, 1, INTERRUPTIBLE, 0);
	switch_at(300, 0, 0, DAEMON);
	switch_at(400, DAEMON, INTERRUPTIBLE, 0);
	report();
	expect_cells("threads", 1, "tid", "51", "unknown_ns", "300", "on_cpu_ns", "100");
}

Test(threads, only_the_range_counts)
{
	limit_range(BEGIN_NS + 450, BEGIN_NS + 800);
	/* the range begins with an event of ROS 2 */
	start_at(talker, 450, TIMER_CALLBACK + 1);
	schedule();
	end_at(talker, 800, TIMER_CALLBACK + 1);
	report();
	expect_cells("threads", 0, "tid", "1", "on_cpu_ns", "100", "blocked_ns", "200", "woken_ns", "50", "preemptions",
		     "0");
}

Test(threads, a_tid_has_a_row_for_each_thread_that_had_it_with_the_ids_that_it_had)
{
	schedule();
	switch_at(1100, 0, 0, 1);
	switch_at(1200, 1, 16, 0); /* it has ended */
	feed(in_stream(RECORD(SCHED_PROCESS_FORK, RECORDING_NONE, BEGIN_NS + 2000000, 1, DAEMON, 99, text("other")),
		       cpu_stream));
	switch_at(2000100, 0, 0, 1);
	switch_at(2000600, 1, INTERRUPTIBLE, 0);
	report();
	cr_assert_eq(row_count("threads"), 3);
	expect_cells("threads", 0, "tid", "1", "vpid", "1", "ros", "1", "procname", "process1", "on_cpu_ns", "550");
	expect_cells("threads", 1, "tid", "1", "vpid", "99", "ros", "0", "procname", "", "on_cpu_ns", "500");
	expect_cells("threads", 2, "tid", "51", "ros", "0");
}

Test(threads, without_events_of_the_kernel_there_are_no_rows)
{
	start_at(talker, 100, TIMER_CALLBACK + 1);
	end_at(talker, 200, TIMER_CALLBACK + 1);
	report();
	cr_assert_eq(row_count("threads"), 0);
}
