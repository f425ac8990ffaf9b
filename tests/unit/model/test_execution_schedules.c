/* SPDX-License-Identifier: MIT */
#include "core/model/execution_schedules.h"

#include <criterion/criterion.h>

#include "records.h"
#include "ros2bt/events/kernel_call.h"

#define CALLBACK 0xCA11
#define OTHER_CALLBACK 0xCA12

/* sched_switch.prev_state */
#define RUNNABLE 0
#define SLEEPS 1

/* tids, which are vtids: no namespaces */
enum { IDLE, MAIN = 10, WORKER = 11, OTHER = 20 };

static struct object_model *model;
static struct diagnostics *diagnostics;
static struct executions *executions;
static struct execution_schedules *schedules;
static uint16_t kernel_stream[2], user_stream[2]; /* by CPU */
static uint32_t main_thread, worker_thread;

/* What was known when the last execution ended. */
static struct {
	bool is_known;
	struct execution_schedule schedule;
	struct thread_span span;
} ended;

static void on_started(void *data, struct execution *execution)
{
}

static void on_ended(void *data, struct execution *execution, enum execution_outcome outcome)
{
	const struct thread_span *span;
	const struct execution_schedule *schedule = execution_schedules_ended(schedules, &span);

	ended.is_known = schedule != NULL;
	if (schedule) {
		ended.schedule = *schedule;
		ended.span = *span;
	}
}

static uint16_t add_cpu_stream(uint32_t trace, uint64_t cpu)
{
	uint16_t stream = recording_add_stream(recording, trace);

	recording_set_stream_cpu(recording, stream, cpu);
	recording_packet_begins(recording, stream, 0);
	return stream;
}

static void setup(void)
{
	const struct recording_trace_info robot = { .hostname = "robot" };
	uint32_t kernel_trace, user_trace;

	recording_setup();
	kernel_trace = recording_add_trace(recording, &robot);
	user_trace = recording_add_trace(recording, &robot);
	for (uint64_t cpu = 0; cpu < 2; cpu++) {
		kernel_stream[cpu] = add_cpu_stream(kernel_trace, cpu);
		user_stream[cpu] = add_cpu_stream(user_trace, cpu);
	}
	main_thread = add_thread(user_trace, MAIN, MAIN);
	worker_thread = add_thread(user_trace, MAIN, WORKER);
	model = object_model_create(recording);
	diagnostics = diagnostics_create();
	executions = executions_create(recording, model, diagnostics);
	schedules = execution_schedules_create(recording, executions);
	executions_add_listener(executions, &(struct executions_listener){ .started = on_started, .ended = on_ended });
	memset(&ended, 0, sizeof(ended));
}

static void teardown(void)
{
	execution_schedules_destroy(schedules);
	executions_destroy(executions);
	diagnostics_destroy(diagnostics);
	object_model_destroy(model);
	recording_teardown();
}

TestSuite(execution_schedules, .init = setup, .fini = teardown);

/* --- records --- */

static void feed_kernel(struct event_record record, unsigned int cpu)
{
	record = in_stream(record, kernel_stream[cpu]);
	execution_schedules_feed(schedules, &record);
}

static void switch_to(unsigned int cpu, int64_t time_ns, uint64_t prev, uint64_t prev_state, uint64_t next)
{
	struct event_record record = { .kind = EVENT_SCHED_SWITCH, .thread = RECORDING_NONE, .time_ns = time_ns };
	const uint64_t words[][2] = { { SCHED_SWITCH__prev_tid, prev },
				      { SCHED_SWITCH__prev_state, prev_state },
				      { SCHED_SWITCH__next_tid, next },
				      { SCHED_SWITCH__prev_comm, text(prev == OTHER ? "other" : "node") },
				      { SCHED_SWITCH__next_comm, text(next == OTHER ? "other" : "node") } };

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		record.word[words[i][0]] = words[i][1];
		record.present |= (1u << words[i][0]) & 0x3f;
	}
	feed_kernel(record, cpu);
}

static void wake(unsigned int cpu, int64_t time_ns, uint64_t tid)
{
	struct event_record record = { .kind = EVENT_SCHED_WAKING, .thread = RECORDING_NONE, .time_ns = time_ns };

	record.word[SCHED_WAKING__tid] = tid;
	record.word[SCHED_WAKING__comm] = text("node");
	record.present = 1u << SCHED_WAKING__tid | 1u << SCHED_WAKING__comm;
	feed_kernel(record, cpu);
}

static void enter_call(unsigned int cpu, int64_t time_ns, const char *name)
{
	struct event_record record = { .kind = EVENT_SYSCALL_ENTRY, .thread = RECORDING_NONE, .time_ns = time_ns };

	record.word[SYSCALL_ENTRY__call] = text(name);
	record.present = 1u << SYSCALL_ENTRY__call;
	feed_kernel(record, cpu);
}

/* An event without fields, or a record about the recording. */
static void feed_kind(unsigned int kind, unsigned int cpu, int64_t time_ns)
{
	feed_kernel((struct event_record){ .kind = (uint8_t)kind, .thread = RECORDING_NONE, .time_ns = time_ns }, cpu);
}

static void feed_user(enum event_kind kind, unsigned int cpu, uint32_t thread, uint64_t callback, int64_t time_ns)
{
	struct event_record record =
		in_stream(record_of(kind, thread, time_ns, (const uint64_t[]){ callback }, 1), user_stream[cpu]);

	executions_feed(executions, &record);
}

static void start(unsigned int cpu, uint32_t thread, uint64_t callback, int64_t time_ns)
{
	feed_user(EVENT_CALLBACK_START, cpu, thread, callback, time_ns);
}

static void end(unsigned int cpu, uint32_t thread, uint64_t callback, int64_t time_ns)
{
	feed_user(EVENT_CALLBACK_END, cpu, thread, callback, time_ns);
}

/* --- expectations --- */

static void expect(int64_t running, int64_t preempted, int64_t woken, int64_t blocked, int64_t unknown)
{
	const int64_t *time_ns = ended.schedule.account.time_ns;

	cr_assert(ended.is_known);
	cr_expect_eq(time_ns[THREAD_RUNNING], running, "running %d", (int)time_ns[THREAD_RUNNING]);
	cr_expect_eq(time_ns[THREAD_PREEMPTED], preempted, "preempted %d", (int)time_ns[THREAD_PREEMPTED]);
	cr_expect_eq(time_ns[THREAD_WOKEN], woken, "woken %d", (int)time_ns[THREAD_WOKEN]);
	cr_expect_eq(time_ns[THREAD_BLOCKED], blocked, "blocked %d", (int)time_ns[THREAD_BLOCKED]);
	cr_expect_eq(time_ns[THREAD_UNKNOWN], unknown, "unknown %d", (int)time_ns[THREAD_UNKNOWN]);
}

static void expect_cause(const struct thread_cause *cause, const char *name, int32_t tid, int64_t time_ns)
{
	cr_assert_not_null(cause->name);
	cr_expect_str_eq(cause->name, name);
	cr_expect_eq(cause->tid, tid);
	cr_expect_eq(cause->count, 1);
	cr_expect_eq(cause->time_ns, time_ns, "%s for %d", name, (int)cause->time_ns);
}

/* --- one execution --- */

/*
 *   110   130       170  180  190      240   250  255  260
 *   start preempted back futex blocked woken runs exit end
 *
 * Running 110-130, 170-190, 250-260: 50. Preempted 130-170: 40. Blocked 190-240: 50. Woken 240-250: 10. Sum: 150.
 * The call lasts 180-255: 75, of which the thread was blocked for 50.
 */
Test(execution_schedules, the_states_of_an_execution_add_up_and_have_their_causes)
{
	switch_to(0, 100, IDLE, RUNNABLE, MAIN);
	start(0, main_thread, CALLBACK, 110);
	switch_to(0, 130, MAIN, RUNNABLE, OTHER);
	switch_to(0, 170, OTHER, SLEEPS, MAIN);
	enter_call(0, 180, "futex");
	switch_to(0, 190, MAIN, SLEEPS, IDLE);
	wake(1, 240, MAIN);
	switch_to(0, 250, IDLE, RUNNABLE, MAIN);
	feed_kind(EVENT_SYSCALL_EXIT, 0, 255);
	end(0, main_thread, CALLBACK, 260);
	expect(50, 40, 10, 50, 0);
	cr_expect_eq(ended.schedule.start_ns, 110);
	cr_expect_eq(ended.schedule.end_ns, 260);
	cr_expect_eq(ended.schedule.account.preemptions, 1);
	cr_expect_eq(ended.schedule.account.blocks, 1);
	expect_cause(&ended.schedule.preempted_by, "other", OTHER, 40);
	expect_cause(&ended.schedule.blocked_in, "futex", 0, 50);
	expect_cause(&ended.schedule.call, "futex", 0, 75);
	cr_expect_eq(ended.schedule.call_count, 1);
	cr_expect_eq(ended.schedule.call_ns, 75);
	cr_expect_not(ended.schedule.wakeup.is_known, "the thread was first seen on its CPU");
}

/* Preempted on CPU 0 at 120, on CPU 1 from 150 on. Running 110-120 and 150-160: 20. */
Test(execution_schedules, a_thread_migrates_to_another_cpu)
{
	switch_to(0, 100, IDLE, RUNNABLE, MAIN);
	start(0, main_thread, CALLBACK, 110);
	switch_to(0, 120, MAIN, RUNNABLE, OTHER);
	switch_to(1, 150, IDLE, RUNNABLE, MAIN);
	end(1, main_thread, CALLBACK, 160);
	expect(20, 30, 0, 0, 0);
}

/* The interrupt 120-125 is a part of the running time 110-140. */
Test(execution_schedules, interrupts_are_part_of_the_running_time)
{
	switch_to(0, 100, IDLE, RUNNABLE, MAIN);
	start(0, main_thread, CALLBACK, 110);
	feed_kind(EVENT_IRQ_HANDLER_ENTRY, 0, 120);
	feed_kind(EVENT_IRQ_HANDLER_EXIT, 0, 125);
	end(0, main_thread, CALLBACK, 140);
	expect(30, 0, 0, 0, 0);
	cr_expect_eq(ended.schedule.account.irq_ns, 5);
}

/* The inner execution 120-150 has 10 preempted; so has the outer one, 110-170, whose wake-up the inner one is not. */
Test(execution_schedules, an_inner_execution_is_a_part_of_the_outer_one)
{
	wake(0, 90, MAIN);
	switch_to(0, 100, IDLE, RUNNABLE, MAIN);
	start(0, main_thread, CALLBACK, 110);
	start(0, main_thread, OTHER_CALLBACK, 120);
	switch_to(0, 130, MAIN, RUNNABLE, OTHER);
	switch_to(0, 140, OTHER, SLEEPS, MAIN);
	end(0, main_thread, OTHER_CALLBACK, 150);
	expect(20, 10, 0, 0, 0);
	cr_expect_not(ended.schedule.wakeup.is_fresh);
	end(0, main_thread, CALLBACK, 170);
	expect(50, 10, 0, 0, 0);
	cr_expect(ended.schedule.wakeup.is_fresh);
}

/* Blocked and woken within the outer execution, then an inner one: the outer one was woken at 90 all the same. */
Test(execution_schedules, a_wakeup_before_an_inner_execution_is_not_that_of_the_outer_one)
{
	wake(0, 90, MAIN);
	switch_to(0, 100, IDLE, RUNNABLE, MAIN);
	start(0, main_thread, CALLBACK, 110);
	switch_to(0, 120, MAIN, SLEEPS, IDLE);
	wake(0, 125, MAIN);
	switch_to(0, 130, IDLE, RUNNABLE, MAIN);
	start(0, main_thread, OTHER_CALLBACK, 140);
	end(0, main_thread, OTHER_CALLBACK, 150);
	end(0, main_thread, CALLBACK, 160);
	cr_expect(ended.schedule.wakeup.is_fresh);
	cr_expect_eq(ended.schedule.wakeup.waking_ns, 90);
}

Test(execution_schedules, two_threads_of_a_process_are_kept_apart)
{
	switch_to(0, 100, IDLE, RUNNABLE, MAIN);
	switch_to(1, 100, IDLE, RUNNABLE, WORKER);
	start(0, main_thread, CALLBACK, 110);
	start(1, worker_thread, OTHER_CALLBACK, 110);
	switch_to(1, 120, WORKER, SLEEPS, IDLE);
	switch_to(1, 150, IDLE, RUNNABLE, WORKER); /* no waking was recorded: blocked up to here */
	end(1, worker_thread, OTHER_CALLBACK, 160);
	expect(20, 0, 0, 30, 0);
	end(0, main_thread, CALLBACK, 160);
	expect(50, 0, 0, 0, 0);
}

/* --- wake-ups --- */

/*
 * Woken at 50, on the CPU from 60 on: the execution from 70 on is the first one after it, that from 90 on is not.
 * Blocked from 110 on, woken at 150, on the CPU from 155 on: that from 160 on is.
 */
Test(execution_schedules, a_wakeup_leads_to_the_first_execution_after_it)
{
	wake(1, 50, MAIN);
	switch_to(0, 60, IDLE, RUNNABLE, MAIN);
	start(0, main_thread, CALLBACK, 70);
	end(0, main_thread, CALLBACK, 80);
	cr_expect(ended.schedule.wakeup.is_known);
	cr_expect(ended.schedule.wakeup.is_fresh);
	cr_expect_eq(ended.schedule.wakeup.waking_ns, 50);
	cr_expect_eq(ended.schedule.wakeup.switch_in_ns, 60);
	cr_expect_eq(ended.schedule.wakeup.blocked_since_ns, INT64_MAX);
	start(0, main_thread, CALLBACK, 90);
	end(0, main_thread, CALLBACK, 100);
	cr_expect(ended.schedule.wakeup.is_known);
	cr_expect_not(ended.schedule.wakeup.is_fresh);
	switch_to(0, 110, MAIN, SLEEPS, IDLE);
	wake(1, 150, MAIN);
	switch_to(0, 155, IDLE, RUNNABLE, MAIN);
	start(0, main_thread, CALLBACK, 160);
	end(0, main_thread, CALLBACK, 170);
	cr_expect(ended.schedule.wakeup.is_fresh);
	cr_expect_eq(ended.schedule.wakeup.waking_ns, 150);
	cr_expect_eq(ended.schedule.wakeup.switch_in_ns, 155);
	cr_expect_eq(ended.schedule.wakeup.blocked_since_ns, 110);
}

/* The thread is blocked within the callback: that wake-up led to nothing that began. */
Test(execution_schedules, a_wakeup_within_an_execution_leads_to_no_later_one)
{
	switch_to(0, 100, IDLE, RUNNABLE, MAIN);
	start(0, main_thread, CALLBACK, 110);
	switch_to(0, 120, MAIN, SLEEPS, IDLE);
	wake(1, 130, MAIN);
	switch_to(0, 140, IDLE, RUNNABLE, MAIN);
	end(0, main_thread, CALLBACK, 150);
	start(0, main_thread, CALLBACK, 160);
	end(0, main_thread, CALLBACK, 170);
	cr_expect_not(ended.schedule.wakeup.is_fresh);
	cr_expect_not(ended.schedule.wakeup.is_known);
}

/* --- what is not known --- */

Test(execution_schedules, without_events_of_the_kernel_nothing_is_known)
{
	start(0, main_thread, CALLBACK, 110);
	end(0, main_thread, CALLBACK, 120);
	cr_expect_not(ended.is_known);
	cr_expect_null(execution_schedules_host(schedules, 0));
}

Test(execution_schedules, the_kernel_of_another_host_is_no_news)
{
	uint32_t elsewhere = recording_add_trace(recording, &(struct recording_trace_info){ .hostname = "elsewhere" });
	uint32_t thread = add_thread(elsewhere, MAIN, MAIN);

	switch_to(0, 100, IDLE, RUNNABLE, MAIN);
	start(0, thread, CALLBACK, 110);
	end(0, thread, CALLBACK, 120);
	cr_expect_not(ended.is_known);
}

Test(execution_schedules, a_thread_that_the_kernel_does_not_name_is_unknown)
{
	switch_to(0, 100, IDLE, RUNNABLE, OTHER);
	start(0, main_thread, CALLBACK, 110);
	end(0, main_thread, CALLBACK, 125);
	expect(0, 0, 0, 0, 15);
}

/* A thread that runs all the time: a wake-up in vain says that there is one, the contexts of a switch who it is. */
Test(execution_schedules, an_event_that_moves_no_thread_names_it)
{
	struct event_record in_vain = { .kind = EVENT_SCHED_WAKEUP, .thread = RECORDING_NONE, .time_ns = 100 };

	in_vain.word[SCHED_WAKEUP__tid] = MAIN;
	in_vain.present = 1u << SCHED_WAKEUP__tid | 1u << SCHED_WAKEUP__success;
	switch_to(1, 90, IDLE, RUNNABLE, OTHER);
	feed_kernel(in_vain, 0);
	start(0, main_thread, CALLBACK, 110);
	end(0, main_thread, CALLBACK, 125);
	expect(15, 0, 0, 0, 0);
}

Test(execution_schedules, the_contexts_of_a_switch_say_who_ran)
{
	const struct recording_context ids = { .has_vpid = true, .has_vtid = true, .vpid = MAIN, .vtid = WORKER };
	struct event_record record = { .kind = EVENT_SCHED_SWITCH, .time_ns = 100 };

	record.word[SCHED_SWITCH__prev_tid] = OTHER;
	record.present = 1u << SCHED_SWITCH__prev_tid | 1u << SCHED_SWITCH__next_tid;
	record.thread = recording_add_ids(recording, &ids);
	feed_kernel(record, 0);
	switch_to(0, 105, IDLE, RUNNABLE, OTHER);
	start(0, worker_thread, CALLBACK, 110);
	end(0, worker_thread, CALLBACK, 125);
	expect(15, 0, 0, 0, 0);
}

static void feed_loss(unsigned int kind, unsigned int cpu, int64_t begin_ns, int64_t end_ns)
{
	feed_kernel(loss_of(kind, 0, begin_ns, end_ns), cpu);
}

/*
 * CPU 0 lost events between 145 and the gap's end at 150, so nothing is known of its thread then. At 160 the thread
 * records the end: it has run since 150 at the earliest, in a packet that lost nothing. CPU 1 has lost nothing at all.
 */
Test(execution_schedules, a_gap_of_a_cpu_makes_its_threads_unknown)
{
	switch_to(0, 100, IDLE, RUNNABLE, MAIN);
	switch_to(1, 100, IDLE, RUNNABLE, WORKER);
	start(0, main_thread, CALLBACK, 110);
	start(1, worker_thread, OTHER_CALLBACK, 110);
	feed_loss(RECORD_DISCARDED_EVENTS, 0, 145, 150);
	feed_kind(RECORD_GAP, 0, 150);
	end(0, main_thread, CALLBACK, 160);
	expect(45, 0, 0, 0, 5);
	end(1, worker_thread, OTHER_CALLBACK, 160);
	expect(50, 0, 0, 0, 0);
}

/* Whether the last switch of a packet with losses was the last one shows later: what is asked for before is unknown. */
Test(execution_schedules, in_a_packet_that_lost_events_all_is_known_up_to_the_last_switch)
{
	switch_to(0, 90, IDLE, RUNNABLE, MAIN);
	feed_loss(RECORD_DISCARDED_EVENTS, 0, 100, 200);
	switch_to(0, 105, MAIN, RUNNABLE, OTHER);
	switch_to(0, 107, OTHER, SLEEPS, MAIN);
	start(0, main_thread, CALLBACK, 110);
	switch_to(0, 120, MAIN, RUNNABLE, OTHER);
	switch_to(0, 140, OTHER, SLEEPS, MAIN);
	end(0, main_thread, CALLBACK, 160);
	/* on the CPU, too, from 107 to the start at 110, which was not certain then */
	expect(10, 20, 0, 0, 20);
	cr_expect_eq(ended.schedule.preempted_by.time_ns, 20);
}

/* The kernel lost packets of CPU 0, where WORKER may have run meanwhile although it was blocked when they began. */
Test(execution_schedules, while_packets_of_a_cpu_are_missing_only_who_runs_on_others_is_known)
{
	switch_to(0, 100, IDLE, RUNNABLE, MAIN);
	switch_to(1, 100, IDLE, RUNNABLE, WORKER);
	start(0, main_thread, CALLBACK, 105);
	start(1, worker_thread, OTHER_CALLBACK, 105);
	switch_to(1, 110, WORKER, SLEEPS, IDLE);
	feed_loss(RECORD_DISCARDED_PACKETS, 0, 120, 180);
	wake(1, 130, WORKER);
	switch_to(1, 150, IDLE, RUNNABLE, WORKER);
	switch_to(1, 160, WORKER, SLEEPS, IDLE);
	end(0, main_thread, CALLBACK, 170); /* an instant */
	expect(15, 0, 0, 0, 50);
	wake(1, 190, WORKER);
	switch_to(0, 200, MAIN, SLEEPS, IDLE);
	switch_to(1, 210, IDLE, RUNNABLE, WORKER);
	end(1, worker_thread, OTHER_CALLBACK, 220);
	/* that CPU 0 has events again shows at its first one */
	expect(5 + 10 + 10, 0, 0, 10, 80);
}

/* A program runs on a CPU of which the kernel's trace has nothing: the states of all that do not run are unknown. */
Test(execution_schedules, a_cpu_without_a_stream_of_the_kernel_is_dark)
{
	recording_set_stream_has_switches(recording, kernel_stream[0]);
	wake(0, 100, WORKER);
	switch_to(0, 100, IDLE, RUNNABLE, MAIN);
	start(0, main_thread, CALLBACK, 110);
	start(1, worker_thread, OTHER_CALLBACK, 120);
	switch_to(0, 130, MAIN, SLEEPS, IDLE);
	switch_to(0, 140, IDLE, RUNNABLE, MAIN);
	end(0, main_thread, CALLBACK, 150);
	expect(30, 0, 0, 0, 10);
	end(1, worker_thread, OTHER_CALLBACK, 160);
	expect(0, 0, 0, 0, 40);
}

/* The first packets of CPU 1 were overwritten: it has events from 150 on. */
Test(execution_schedules, before_the_first_packet_of_a_cpu_only_who_runs_on_others_is_known)
{
	recording_set_stream_has_switches(recording, kernel_stream[0]);
	recording_set_stream_has_switches(recording, kernel_stream[1]);
	recording_set_stream_lost_before(recording, kernel_stream[1], 3, 150);
	wake(0, 100, WORKER);
	switch_to(0, 100, IDLE, RUNNABLE, MAIN);
	start(0, main_thread, CALLBACK, 110);
	start(1, worker_thread, OTHER_CALLBACK, 110);
	switch_to(0, 120, MAIN, SLEEPS, IDLE);
	switch_to(0, 130, IDLE, RUNNABLE, MAIN);
	switch_to(1, 180, WORKER, RUNNABLE, OTHER);
	switch_to(1, 190, OTHER, SLEEPS, WORKER);
	end(1, worker_thread, OTHER_CALLBACK, 200);
	expect(30 + 10, 10, 0, 0, 40);
	end(0, main_thread, CALLBACK, 200);
	expect(10 + 70, 0, 0, 0, 10);
}

/* The kernel's session was stopped from 1000 to 500000000, that of the programs was not. */
Test(execution_schedules, while_the_kernels_tracer_was_off_nothing_is_known)
{
	switch_to(0, 100, IDLE, RUNNABLE, MAIN);
	switch_to(1, 100, IDLE, RUNNABLE, WORKER);
	recording_packet_ends(recording, kernel_stream[0], 1000);
	recording_packet_ends(recording, kernel_stream[1], 1000);
	start(0, main_thread, CALLBACK, 110);
	end(0, main_thread, CALLBACK, 400000000);
	expect(890, 0, 0, 0, 400000000 - 1000);
	start(0, main_thread, CALLBACK, 400000010);
	recording_packet_begins(recording, kernel_stream[0], 500000000);
	recording_packet_begins(recording, kernel_stream[1], 500000000);
	switch_to(0, 500000100, MAIN, SLEEPS, IDLE);
	switch_to(0, 500000200, IDLE, RUNNABLE, MAIN);
	end(0, main_thread, CALLBACK, 500000300);
	expect(200, 0, 0, 100, 99999990);
}

/* A state dump names threads; what they do is known from the first event of the scheduler on. */
Test(execution_schedules, a_state_dump_alone_says_nothing_of_states)
{
	feed_kind(EVENT_STATEDUMP_PROCESS_STATE, 0, 100);
	start(0, main_thread, CALLBACK, 110);
	end(0, main_thread, CALLBACK, 120);
	expect(0, 0, 0, 0, 10);
	cr_expect(ended.schedule.is_before_kernel);
}

/* The metadata of the kernel's trace tells that there will be switches. */
Test(execution_schedules, before_the_first_event_of_the_kernel_an_execution_is_unknown)
{
	recording_set_stream_has_switches(recording, kernel_stream[0]);
	start(0, main_thread, CALLBACK, 110);
	end(0, main_thread, CALLBACK, 120);
	expect(0, 0, 0, 0, 10);
	cr_expect(ended.schedule.is_before_kernel);
	start(0, main_thread, CALLBACK, 130);
	switch_to(0, 140, IDLE, RUNNABLE, MAIN);
	end(0, main_thread, CALLBACK, 150);
	cr_expect(ended.schedule.is_before_kernel);
	expect(0, 0, 0, 0, 20);
	start(0, main_thread, CALLBACK, 160);
	end(0, main_thread, CALLBACK, 170);
	cr_expect_not(ended.schedule.is_before_kernel);
	expect(10, 0, 0, 0, 0);
}

/* An interrupt moves no thread, so the end of a stream that has nothing else is not that of the host's events. */
Test(execution_schedules, a_stream_without_switches_may_end)
{
	switch_to(0, 100, IDLE, RUNNABLE, MAIN);
	feed_kind(EVENT_IRQ_HANDLER_ENTRY, 1, 101);
	feed_kind(RECORD_STREAM_END, 1, 105);
	start(0, main_thread, CALLBACK, 110);
	end(0, main_thread, CALLBACK, 120);
	expect(10, 0, 0, 0, 0);
}

/* The host's events end with the last stream that has switches: at 125, so the execution from 130 on is unknown. */
Test(execution_schedules, after_the_end_of_the_kernels_streams_nothing_is_known)
{
	switch_to(0, 100, IDLE, RUNNABLE, MAIN);
	switch_to(1, 101, IDLE, RUNNABLE, WORKER);
	feed_kind(RECORD_STREAM_END, 1, 105);
	start(0, main_thread, CALLBACK, 110);
	end(0, main_thread, CALLBACK, 120);
	expect(10, 0, 0, 0, 0);
	feed_kind(RECORD_STREAM_END, 0, 125);
	start(0, main_thread, CALLBACK, 130);
	end(0, main_thread, CALLBACK, 160);
	expect(0, 0, 0, 0, 30);
}

/* An end without start, and a start without end: neither has a schedule. */
Test(execution_schedules, an_execution_that_is_not_complete_has_none)
{
	switch_to(0, 100, IDLE, RUNNABLE, MAIN);
	end(0, main_thread, CALLBACK, 110);
	cr_expect_not(ended.is_known);
	start(0, main_thread, CALLBACK, 120);
	start(0, main_thread, CALLBACK, 130); /* ends the one before */
	cr_expect_not(ended.is_known);
	end(0, main_thread, CALLBACK, 140);
	expect(10, 0, 0, 0, 0);
}

/* --- the whole recording --- */

static struct thread_account in_range(int32_t tid)
{
	const struct thread_states *states = execution_schedules_host(schedules, 0);

	return thread_states_in_range(states, thread_tids_find(&states->tids, tid));
}

/* Running 100-140, preempted 140-148, running from there on; in the range 120-150 that is 20 + 2 and 8. */
Test(execution_schedules, a_range_cuts_the_accounts_of_threads)
{
	const struct time_range limits = { .has_begin = true, .has_end = true, .begin_ns = 120, .end_ns = 150 };
	struct thread_account account;

	execution_schedules_set_range(schedules, &limits, true);
	switch_to(0, 100, IDLE, RUNNABLE, MAIN);
	switch_to(0, 140, MAIN, RUNNABLE, OTHER);
	switch_to(0, 148, OTHER, SLEEPS, MAIN);
	switch_to(0, 190, MAIN, SLEEPS, OTHER);
	account = in_range(MAIN);
	cr_expect_eq(account.time_ns[THREAD_RUNNING], 22);
	cr_expect_eq(account.time_ns[THREAD_PREEMPTED], 8);
	cr_expect_eq(thread_account_total(&account), 30);
}

/* The begin is set a second time when it is known: 110, after the first event. */
Test(execution_schedules, a_range_may_be_known_later)
{
	struct time_range limits = { .has_begin = true };

	execution_schedules_set_range(schedules, &limits, false);
	switch_to(0, 100, IDLE, RUNNABLE, MAIN);
	limits.begin_ns = 110;
	execution_schedules_set_range(schedules, &limits, true);
	switch_to(0, 140, MAIN, SLEEPS, IDLE);
	cr_expect_eq(in_range(MAIN).time_ns[THREAD_RUNNING], 30);
}

Test(execution_schedules, the_last_executions_of_a_callback_are_kept)
{
	const struct model_callback *callback;

	execution_schedules_keep(schedules);
	switch_to(0, 5, IDLE, RUNNABLE, MAIN);
	for (int64_t i = 1; i <= EXECUTION_SCHEDULES_KEPT + 1; i++) {
		start(0, main_thread, CALLBACK, 10 * i);
		end(0, main_thread, CALLBACK, 10 * i + i % 10);
	}
	callback = object_model_callback(model, process_of(main_thread), CALLBACK, 10);
	cr_expect_null(execution_schedules_find(schedules, callback, 10), "the oldest one gave way");
	cr_assert_not_null(execution_schedules_find(schedules, callback, 20));
	cr_expect_eq(execution_schedules_find(schedules, callback, 20)->end_ns, 22);
	cr_expect_null(execution_schedules_find(schedules, callback, 25), "none started then");
}

/* --- events that readers join, or that say nothing new --- */

static void feed_calls(unsigned int cpu, const struct kernel_call *calls, size_t count)
{
	struct event_record record = { .kind = RECORD_CALLS, .thread = RECORDING_NONE, .time_ns = calls[0].time_ns };

	record.word[RECORD__count] = count;
	record.word[RECORD__calls] = (uintptr_t)calls;
	feed_kernel(record, cpu);
}

/* The read is over before the callback; of both others, 30-40 and 50-70, the callback has 30 ns. It blocks in the last.
 */
Test(execution_schedules, joined_calls_count_like_those_that_are_not)
{
	const char *futex = string_pool_intern(pool, "futex"), *read = string_pool_intern(pool, "read");
	const struct kernel_call before[] = { { 12, read }, { 14, NULL }, { 15, NULL } };
	const struct kernel_call within[] = { { 30, futex }, { 40, NULL }, { 50, futex }, { 70, NULL }, { 75, read } };

	switch_to(0, 10, IDLE, RUNNABLE, MAIN);
	feed_calls(0, before, G_N_ELEMENTS(before));
	start(0, main_thread, CALLBACK, 20);
	feed_calls(0, within, G_N_ELEMENTS(within));
	switch_to(0, 80, MAIN, SLEEPS, IDLE);
	wake(1, 90, MAIN);
	switch_to(0, 95, IDLE, RUNNABLE, MAIN);
	end(0, main_thread, CALLBACK, 100);
	expect(65, 0, 5, 10, 0);
	cr_expect_eq(ended.schedule.call_count, 2);
	cr_expect_eq(ended.schedule.call_ns, 30);
	expect_cause(&ended.schedule.blocked_in, "read", 0, 10);
}

/* Between callbacks only the call counts that the thread is in at last. */
Test(execution_schedules, a_call_that_is_joined_before_a_callback_goes_on_in_it)
{
	const char *futex = string_pool_intern(pool, "futex"), *read = string_pool_intern(pool, "read");
	const struct kernel_call before[] = { { 12, read }, { 14, NULL }, { 15, futex } };
	const struct kernel_call within[] = { { 30, NULL } };

	switch_to(0, 10, IDLE, RUNNABLE, MAIN);
	feed_calls(0, before, G_N_ELEMENTS(before));
	start(0, main_thread, CALLBACK, 20);
	feed_calls(0, within, G_N_ELEMENTS(within));
	end(0, main_thread, CALLBACK, 100);
	cr_expect_eq(ended.schedule.call_count, 1);
	expect_cause(&ended.schedule.call, "futex", 0, 10);
}

/* They are the first events of the kernel, which begin its account. */
Test(execution_schedules, joined_calls_begin_a_host)
{
	const char *futex = string_pool_intern(pool, "futex");
	const struct kernel_call first[] = { { 5, futex }, { 6, NULL } };

	feed_calls(0, first, G_N_ELEMENTS(first));
	start(0, main_thread, CALLBACK, 20);
	switch_to(0, 50, MAIN, RUNNABLE, OTHER);
	switch_to(0, 60, OTHER, RUNNABLE, MAIN);
	end(0, main_thread, CALLBACK, 100);
	cr_expect_not(ended.schedule.is_before_kernel);
}

static void wake_up(unsigned int cpu, int64_t time_ns, uint64_t tid, const char *name)
{
	struct event_record record = { .kind = EVENT_SCHED_WAKEUP, .thread = RECORDING_NONE, .time_ns = time_ns };

	record.word[SCHED_WAKEUP__tid] = tid;
	record.word[SCHED_WAKEUP__comm] = text(name);
	record.present = 1u << SCHED_WAKEUP__tid | 1u << SCHED_WAKEUP__comm;
	feed_kernel(record, cpu);
}

/* The time since sched_waking is that of the wake-up; a thread that blocks in between is woken again. */
Test(execution_schedules, the_wakeup_after_its_waking_changes_nothing)
{
	switch_to(0, 10, IDLE, RUNNABLE, MAIN);
	start(0, main_thread, CALLBACK, 20);
	switch_to(0, 30, MAIN, SLEEPS, IDLE);
	wake(0, 40, MAIN);
	wake_up(0, 45, MAIN, "node");
	switch_to(0, 60, IDLE, RUNNABLE, MAIN);
	switch_to(0, 70, MAIN, SLEEPS, IDLE);
	wake_up(0, 80, MAIN, "node");
	switch_to(0, 85, IDLE, RUNNABLE, MAIN);
	end(0, main_thread, CALLBACK, 100);
	expect(35, 0, 25, 20, 0);
}

Test(execution_schedules, the_wakeup_of_another_thread_after_a_waking_counts)
{
	switch_to(1, 8, IDLE, RUNNABLE, WORKER);
	switch_to(1, 9, WORKER, SLEEPS, IDLE);
	switch_to(0, 10, IDLE, RUNNABLE, MAIN);
	start(0, main_thread, CALLBACK, 20);
	switch_to(0, 30, MAIN, SLEEPS, IDLE);
	wake(0, 40, WORKER);
	wake_up(0, 45, MAIN, "node");
	switch_to(0, 60, IDLE, RUNNABLE, MAIN);
	end(0, main_thread, CALLBACK, 100);
	expect(50, 0, 15, 15, 0);
}

Test(execution_schedules, the_kernels_events_are_wanted_and_no_others)
{
	struct event_interest interest = { 0 };

	execution_schedules_add_interest(&interest);
	cr_expect(interest.wants[EVENT_SCHED_SWITCH]);
	cr_expect(interest.wants[EVENT_STATEDUMP_PROCESS_PID_NS]);
	cr_expect(interest.wants[EVENT_IRQ_SOFTIRQ_EXIT]);
	cr_expect(interest.wants[EVENT_SYSCALL_ENTRY]);
	cr_expect(interest.joins_calls);
	cr_expect_not(interest.wants[EVENT_CALLBACK_START]);
}
