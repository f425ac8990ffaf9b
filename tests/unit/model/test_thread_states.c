/* SPDX-License-Identifier: MIT */
#include "core/model/thread_losses.h"

#include <criterion/criterion.h>

static struct arena *arena;
static struct thread_states states;
static struct scheduled_cpu *cpu0, *cpu1;

#define SLEEPS 1
#define PREEMPTED 256
#define DEAD 16

static void setup(void)
{
	arena = arena_create();
	thread_states_init(&states, arena);
	cpu0 = thread_states_cpu(&states, 0);
	cpu1 = thread_states_cpu(&states, 1);
	cpu0->has_stream = cpu1->has_stream = true;
}

static void teardown(void)
{
	thread_states_clear(&states);
	arena_destroy(arena);
}

TestSuite(thread_states, .init = setup, .fini = teardown);

static const char *const names[] = { "idle", "one", "two", "three", "four" };

static void change(struct scheduled_cpu *cpu, int64_t time_ns, int32_t prev, int64_t prev_state, int32_t next)
{
	thread_states_switch(&states, cpu, time_ns,
			     &(struct thread_switch){
				     .prev_tid = prev,
				     .next_tid = next,
				     .prev_name = names[prev],
				     .next_name = names[next],
				     .prev_state = prev_state,
			     });
}

/* Begins a system call, or ends the last one (NULL). */
static void call(struct scheduled_cpu *cpu, int64_t time_ns, const char *name)
{
	thread_states_pass_calls(&states, cpu, &(struct kernel_call){ time_ns, name }, 1);
}

static void wake(struct scheduled_cpu *cpu, int64_t time_ns, int32_t tid)
{
	thread_states_wake(&states, cpu, time_ns, tid, names[tid]);
}

static void expect(int32_t tid, int64_t time_ns, int64_t running, int64_t preempted, int64_t woken, int64_t blocked,
		   int64_t unknown)
{
	struct thread_account account = scheduled_thread_account(thread_states_thread(&states, tid), time_ns);

	cr_expect_eq(account.time_ns[THREAD_RUNNING], running, "running %d", (int)account.time_ns[THREAD_RUNNING]);
	cr_expect_eq(account.time_ns[THREAD_PREEMPTED], preempted, "preempted %d",
		     (int)account.time_ns[THREAD_PREEMPTED]);
	cr_expect_eq(account.time_ns[THREAD_WOKEN], woken, "woken %d", (int)account.time_ns[THREAD_WOKEN]);
	cr_expect_eq(account.time_ns[THREAD_BLOCKED], blocked, "blocked %d", (int)account.time_ns[THREAD_BLOCKED]);
	cr_expect_eq(account.time_ns[THREAD_UNKNOWN], unknown, "unknown %d", (int)account.time_ns[THREAD_UNKNOWN]);
}

Test(thread_states, a_thread_runs_is_preempted_blocks_and_is_woken)
{
	change(cpu0, 100, 0, 0, 1);
	change(cpu0, 110, 1, PREEMPTED, 2);
	change(cpu0, 130, 2, 0, 1);
	change(cpu0, 135, 1, SLEEPS, 2);
	wake(cpu1, 175, 1);
	change(cpu1, 182, 0, 0, 1);
	expect(1, 190, 10 + 5 + 8, 20, 7, 40, 0);
	cr_expect_eq(thread_states_thread(&states, 1)->account.preemptions, 1);
	cr_expect_eq(thread_states_thread(&states, 1)->account.blocks, 1);
	expect(2, 190, 20 + 55, 5, 0, 0, 10);
	cr_expect_eq(thread_states_thread(&states, 2)->account.preemptions, 1, "it yielded");
	cr_expect_eq(thread_states_thread(&states, 1)->waking_ns, 175);
	cr_expect_eq(thread_states_thread(&states, 1)->switch_in_ns, 182);
	cr_expect_eq(duration_statistics_totals(&thread_states_thread(&states, 1)->wakeup).sum_ns, 7);
	cr_expect_null(thread_states_thread(&states, 0), "the idle threads are none");
}

Test(thread_states, waking_what_is_awake_changes_nothing)
{
	change(cpu0, 100, 0, 0, 1);
	wake(cpu1, 105, 1);
	change(cpu0, 110, 1, PREEMPTED, 2);
	wake(cpu1, 115, 1);
	change(cpu0, 120, 2, SLEEPS, 1);
	change(cpu0, 130, 1, SLEEPS, 0);
	wake(cpu1, 140, 1);
	wake(cpu1, 145, 1); /* sched_wakeup after sched_waking */
	change(cpu0, 150, 0, 0, 1);
	expect(1, 150, 20, 10, 10, 10, 0);
}

Test(thread_states, without_wakings_a_thread_blocks_until_it_runs)
{
	change(cpu0, 100, 0, 0, 1);
	change(cpu0, 110, 1, SLEEPS, 0);
	change(cpu0, 150, 0, 0, 1);
	expect(1, 150, 10, 0, 0, 40, 0);
	cr_expect_not(states.has_wakings);
	cr_expect_not(thread_states_thread(&states, 1)->has_wakeup);
}

Test(thread_states, before_its_first_event_a_thread_is_unknown)
{
	change(cpu0, 100, 0, 0, 1);
	change(cpu1, 120, 2, SLEEPS, 0);
	expect(2, 150, 0, 0, 0, 30, 20);
	wake(cpu0, 160, 3);
	expect(3, 170, 0, 0, 10, 0, 60);
}

Test(thread_states, a_missed_switch_to_a_thread_was_at_its_waking_or_the_last_switch_of_the_cpu)
{
	change(cpu0, 100, 0, 0, 1);
	change(cpu0, 110, 1, SLEEPS, 0);
	wake(cpu1, 150, 1);
	change(cpu0, 190, 1, SLEEPS, 0); /* nothing put it on the CPU */
	expect(1, 190, 10 + 40, 0, 0, 40, 0);
	wake(cpu1, 200, 1);
	change(cpu0, 220, 0, 0, 2);
	change(cpu0, 230, 2, SLEEPS, 0);
	change(cpu0, 260, 1, SLEEPS, 0);
	expect(1, 260, 50 + 30, 0, 30, 40 + 10, 0);
	cr_expect_eq(states.missed_switches, 2);
	cr_expect_eq(duration_statistics_totals(&thread_states_thread(&states, 1)->wakeup).count, 0,
		     "when it came is not known well enough");
}

Test(thread_states, a_thread_that_records_an_event_runs)
{
	struct scheduled_thread *thread;

	change(cpu0, 100, 0, 0, 1);
	change(cpu0, 110, 1, SLEEPS, 0);
	wake(cpu1, 150, 1);
	thread = thread_states_thread(&states, 1);
	thread_states_see(&states, thread, cpu0, 170);
	expect(1, 170, 10 + 20, 0, 0, 40, 0);
	change(cpu0, 190, 1, SLEEPS, 0);
	expect(1, 190, 10 + 40, 0, 0, 40, 0);
	cr_expect_eq(states.missed_switches, 1);
}

Test(thread_states, what_was_asked_for_does_not_change)
{
	struct scheduled_thread *thread;

	change(cpu0, 100, 0, 0, 1);
	change(cpu0, 110, 1, SLEEPS, 0);
	thread = thread_states_thread(&states, 1);
	thread_states_see(&states, thread, NULL, 140); /* on a CPU that is not known: since then */
	expect(1, 140, 10, 0, 0, 30, 0);
	change(cpu0, 150, 1, SLEEPS, 0);
	expect(1, 150, 20, 0, 0, 30, 0);
}

Test(thread_states, who_leaves_no_trace_when_another_one_has_its_cpu_is_unknown_since_it_came)
{
	change(cpu0, 100, 0, 0, 1);
	change(cpu0, 150, 2, SLEEPS, 3);
	expect(1, 160, 0, 0, 0, 0, 60);
	expect(2, 160, 50, 0, 0, 10, 0);
}

Test(thread_states, who_comes_to_two_cpus_has_left_the_first_nobody_knows_when)
{
	change(cpu0, 100, 0, 0, 1);
	change(cpu1, 130, 0, 0, 1);
	change(cpu1, 140, 1, SLEEPS, 0);
	expect(1, 140, 10, 0, 0, 0, 30);
	change(cpu0, 150, 0, 0, 2);
	expect(1, 160, 10, 0, 0, 20, 30);
}

static struct scheduled_thread *thread_at(guint index)
{
	cr_assert_lt(index, states.tids.threads->len);
	return states.tids.threads->pdata[index];
}

static int64_t lifetime_ns(guint index)
{
	return thread_account_total(&thread_at(index)->account);
}

Test(thread_states, a_thread_begins_and_ends_and_its_tid_is_given_to_another_one)
{
	change(cpu0, 100, 0, 0, 1);
	thread_states_begin_thread(&states, cpu0, 110, 2, "two");
	change(cpu1, 120, 0, 0, 2);
	thread_states_end_thread(&states, cpu1, 130, 2);
	change(cpu1, 140, 2, DEAD, 0);
	expect(1, 150, 50, 0, 0, 0, 0);
	cr_assert_eq(states.tids.threads->len, 2);
	cr_expect_eq(lifetime_ns(1), 30);
	thread_states_begin_thread(&states, cpu0, 200, 2, "four");
	cr_assert_eq(states.tids.threads->len, 3);
	expect(2, 210, 0, 0, 10, 0, 0);
	cr_expect_str_eq(thread_states_thread(&states, 2)->name, "four");
	cr_expect(thread_tids_is_latest(&states.tids, states.tids.threads->pdata[2]));
	cr_expect_not(thread_tids_is_latest(&states.tids, states.tids.threads->pdata[1]));
	change(cpu1, 220, 0, 0, 2);
	change(cpu1, 230, 2, DEAD, 0);
	change(cpu1, 250, 0, 0, 2); /* one whose beginning is not recorded: since the last event */
	cr_expect_eq(states.tids.threads->len, 4);
	expect(2, 260, 10, 0, 0, 0, 0);
}

Test(thread_states, a_thread_that_has_called_exit_is_one_thread_until_it_has_ended)
{
	change(cpu0, 100, 0, 0, 1);
	thread_states_end_thread(&states, cpu0, 110, 1);
	change(cpu0, 120, 1, PREEMPTED, 2); /* by the thread that waits for its end */
	change(cpu1, 130, 0, 0, 1);	    /* on another CPU */
	change(cpu1, 140, 1, 2, 0);	    /* exit closes a file, for instance */
	wake(cpu0, 150, 1);
	change(cpu0, 160, 2, SLEEPS, 1);
	change(cpu0, 170, 1, DEAD, 0);
	cr_assert_eq(states.tids.threads->len, 2);
	cr_expect_eq(thread_at(0)->state, THREAD_GONE);
	cr_expect_eq(thread_at(0)->account.time_ns[THREAD_RUNNING], 20 + 10 + 10);
	cr_expect_eq(thread_at(0)->account.time_ns[THREAD_PREEMPTED], 10);
	cr_expect_eq(lifetime_ns(0), 70);
}

Test(thread_states, before_linux_4_14_threads_end_parked)
{
	change(cpu0, 100, 0, 0, 1);
	change(cpu0, 110, 1, 64, 0);
	cr_expect_eq(thread_at(0)->state, THREAD_BLOCKED, "it is parked");
	change(cpu0, 120, 0, 0, 1);
	thread_states_end_thread(&states, cpu0, 130, 1);
	change(cpu0, 140, 1, 64, 0);
	cr_expect_eq(thread_at(0)->state, THREAD_GONE);
	cr_expect_eq(states.tids.threads->len, 1);
}

Test(thread_states, late_events_of_a_thread_that_has_ended_make_no_thread)
{
	change(cpu0, 100, 0, 0, 1);
	change(cpu0, 110, 1, DEAD, 0);
	wake(cpu1, 115, 1);
	thread_states_end_thread(&states, cpu1, 120, 1);
	cr_expect_eq(states.tids.threads->len, 1);
}

Test(thread_states, a_fork_begins_a_thread_once)
{
	change(cpu0, 100, 0, 0, 1);
	thread_states_fork(&states, cpu0, 150, 2, "one");
	thread_states_begin_thread(&states, cpu0, 160, 2, "two");
	change(cpu1, 170, 0, 0, 2);
	cr_assert_eq(states.tids.threads->len, 2);
	expect(2, 200, 30, 0, 10, 0, 0);
	thread_states_fork(&states, cpu0, 210, 3, "one"); /* its sched_wakeup_new is not recorded */
	change(cpu0, 220, 1, SLEEPS, 3);
	cr_assert_eq(states.tids.threads->len, 3);
	expect(3, 230, 10, 0, 0, 0, 10);
}

Test(thread_states, a_fork_that_is_later_than_the_first_switch_begins_no_other_thread)
{
	change(cpu0, 100, 0, 0, 1);
	change(cpu1, 200, 0, 0, 2);
	thread_states_fork(&states, cpu0, 210, 2, "two");
	thread_states_begin_thread(&states, cpu0, 220, 2, "two");
	change(cpu1, 230, 2, SLEEPS, 0);
	cr_assert_eq(states.tids.threads->len, 2);
	expect(2, 230, 30, 0, 0, 0, 100);
	change(cpu1, 240, 0, 0, 3);
	change(cpu1, 250, 3, DEAD, 0);
	thread_states_fork(&states, cpu0, 260, 3, "three"); /* of one that has ended meanwhile */
	cr_assert_eq(states.tids.threads->len, 3);
}

Test(thread_states, a_fork_with_the_tid_of_a_thread_whose_end_was_lost_begins_another_one)
{
	change(cpu0, 100, 0, 0, 1);
	change(cpu0, 110, 1, SLEEPS, 0);
	thread_states_fork(&states, cpu0, 110 + TID_REUSE_MIN_NS, 1, "two");
	cr_assert_eq(states.tids.threads->len, 2);
	cr_expect_eq(thread_at(0)->state, THREAD_GONE);
	thread_states_fork(&states, cpu0, 120 + TID_REUSE_MIN_NS, 1, "three");
	cr_expect_eq(states.tids.threads->len, 3, "nothing forks a thread twice");
}

Test(thread_states, a_thread_that_executes_a_program_takes_the_tid_of_the_main_thread)
{
	change(cpu0, 100, 0, 0, 1);
	change(cpu1, 100, 0, 0, 2);
	thread_states_end_thread(&states, cpu0, 110, 1);
	change(cpu0, 120, 1, DEAD, 0);
	thread_states_exec(&states, cpu1, 130, 1, 2);
	change(cpu1, 150, 1, SLEEPS, 0);
	cr_assert_eq(states.tids.threads->len, 2);
	expect(1, 160, 50, 0, 0, 10, 0);
	cr_expect_eq(thread_at(1), thread_states_thread(&states, 1));
	cr_expect_eq(lifetime_ns(0), 20);
	thread_states_exec(&states, cpu1, 170, 1, 1); /* the main thread does so: as before */
	cr_expect_eq(states.tids.threads->len, 2);
}

Test(thread_states, a_loss_makes_all_unknown_but_who_runs_elsewhere)
{
	change(cpu0, 100, 0, 0, 1);
	change(cpu1, 100, 0, 0, 2);
	wake(cpu1, 105, 3);
	change(cpu0, 110, 1, SLEEPS, 4);
	thread_losses_end_gap(&states, cpu0, 150);
	expect(1, 160, 10, 0, 0, 0, 50);
	expect(2, 160, 60, 0, 0, 0, 0);
	expect(3, 160, 0, 0, 5, 0, 55);
	expect(4, 160, 0, 0, 0, 0, 60);
	change(cpu0, 170, 3, SLEEPS, 0); /* it may have come at any time since the loss */
	expect(3, 170, 20, 0, 5, 0, 45);
}

Test(thread_states, after_the_end_all_is_unknown)
{
	change(cpu0, 100, 0, 0, 1);
	change(cpu1, 110, 0, 0, 2);
	change(cpu1, 120, 2, SLEEPS, 0);
	thread_states_end(&states);
	thread_states_see(&states, thread_states_thread(&states, 1), cpu0, 140);
	expect(1, 150, 20, 0, 0, 0, 30);
	expect(2, 150, 10, 0, 0, 0, 40);
}

Test(thread_states, interrupts_nest_and_are_a_part_of_running)
{
	change(cpu0, 100, 0, 0, 1);
	thread_states_enter_irq(&states, cpu0, 110);
	thread_states_enter_irq(&states, cpu0, 112); /* within a soft one */
	thread_states_leave_irq(&states, cpu0, 115);
	thread_states_leave_irq(&states, cpu0, 120);
	thread_states_leave_irq(&states, cpu0, 125); /* its beginning was missed */
	thread_states_enter_irq(&states, cpu1, 130); /* on another CPU */
	thread_states_leave_irq(&states, cpu1, 140);
	expect(1, 150, 50, 0, 0, 0, 0);
	cr_expect_eq(scheduled_thread_account(thread_states_thread(&states, 1), 150).irq_ns, 10);
	thread_states_enter_irq(&states, cpu0, 150);
	change(cpu0, 155, 1, SLEEPS, 2); /* its end was missed */
	cr_expect_eq(thread_states_thread(&states, 1)->account.irq_ns, 15);
	change(cpu0, 160, 2, SLEEPS, 0);
	cr_expect_eq(thread_states_thread(&states, 2)->account.irq_ns, 0);
}

Test(thread_states, interrupts_of_a_time_that_is_unknown_are_so_too)
{
	struct thread_account account;

	change(cpu0, 100, 0, 0, 1);
	thread_states_enter_irq(&states, cpu0, 110);
	thread_states_leave_irq(&states, cpu0, 120);
	change(cpu0, 150, 2, SLEEPS, 3);
	account = scheduled_thread_account(thread_states_thread(&states, 1), 160);
	cr_expect_eq(account.irq_ns, 0);
	cr_expect_eq(account.time_ns[THREAD_UNKNOWN], 60);
}

Test(thread_states, a_span_has_what_happens_within_and_who_did_it)
{
	struct thread_span outer, inner;
	struct scheduled_thread *thread;
	const struct thread_cause *cause;

	change(cpu0, 100, 0, 0, 1);
	thread = thread_states_thread(&states, 1);
	scheduled_thread_open_span(thread, &outer, 110);
	call(cpu0, 112, "futex");
	change(cpu0, 115, 1, SLEEPS, 0);
	wake(cpu1, 135, 1);
	change(cpu0, 136, 0, 0, 1);
	call(cpu0, 140, NULL);
	scheduled_thread_open_span(thread, &inner, 150);
	change(cpu0, 160, 1, PREEMPTED, 2);
	change(cpu0, 190, 2, SLEEPS, 1);
	change(cpu0, 191, 1, PREEMPTED, 3);
	change(cpu0, 195, 3, SLEEPS, 1);
	scheduled_thread_close_span(thread, &inner, 200);
	scheduled_thread_close_span(thread, &outer, 210);
	cr_expect_eq(thread_account_total(&outer.account), 100);
	cr_expect_eq(outer.account.time_ns[THREAD_RUNNING], 45);
	cr_expect_eq(outer.account.time_ns[THREAD_BLOCKED], 20);
	cr_expect_eq(outer.account.time_ns[THREAD_WOKEN], 1);
	cr_expect_eq(outer.account.time_ns[THREAD_PREEMPTED], 34);
	cr_expect_eq(outer.account.blocks, 1);
	cr_expect_eq(inner.account.time_ns[THREAD_RUNNING], 16);
	cr_expect_eq(inner.account.blocks, 0);
	cr_expect_eq(inner.account.preemptions, 2);
	cause = thread_causes_longest(&inner.preempted_by);
	cr_expect_str_eq(cause->name, "two");
	cr_expect_eq(cause->tid, 2);
	cr_expect_eq(cause->time_ns, 30);
	cr_expect_eq(cause->count, 1);
	cause = thread_causes_longest(&outer.blocked_in);
	cr_expect_str_eq(cause->name, "futex");
	cr_expect_eq(cause->time_ns, 20);
	cause = thread_causes_longest(&outer.calls);
	cr_expect_str_eq(cause->name, "futex");
	cr_expect_eq(cause->time_ns, 28);
	cr_expect_eq(outer.call_count, 1);
	cr_expect_null(thread_causes_longest(&inner.calls));
	cr_expect_null(thread->innermost);
}

Test(thread_states, a_span_adds_up_even_if_its_thread_ends_within)
{
	struct thread_span span;
	struct scheduled_thread *thread;

	change(cpu0, 100, 0, 0, 1);
	thread = thread_states_thread(&states, 1);
	scheduled_thread_open_span(thread, &span, 110);
	change(cpu0, 120, 1, DEAD, 0);
	scheduled_thread_close_span(thread, &span, 150);
	cr_expect_eq(thread_account_total(&span.account), 40);
	cr_expect_eq(span.account.time_ns[THREAD_UNKNOWN], 30);
}

Test(thread_states, a_range_has_what_lies_in_it)
{
	struct thread_account account;
	struct scheduled_thread *thread;

	states.range = THREAD_RANGE_AWAITED;
	change(cpu0, 100, 0, 0, 1);
	thread = thread_states_thread(&states, 1);
	wake(cpu1, 105, 2);
	change(cpu1, 108, 0, 0, 2);
	cr_expect_eq(duration_statistics_totals(&thread_states_thread(&states, 2)->wakeup).count, 0);
	thread_states_begin_range(&states, 120);
	change(cpu0, 130, 1, SLEEPS, 0);
	wake(cpu0, 150, 3);
	account = thread_states_in_range(&states, thread);
	cr_expect_eq(account.time_ns[THREAD_RUNNING], 10);
	cr_expect_eq(account.time_ns[THREAD_BLOCKED], 20);
	account = thread_states_in_range(&states, thread_states_thread(&states, 3));
	cr_expect_eq(account.time_ns[THREAD_UNKNOWN], 30);
	thread_states_end_range(&states, 160);
	wake(cpu0, 170, 1);
	account = thread_states_in_range(&states, thread);
	cr_expect_eq(account.time_ns[THREAD_BLOCKED], 30);
	cr_expect_eq(account.time_ns[THREAD_WOKEN], 0);
}

/* What a watch hears: by thread and state; and what is pending. */
static struct {
	int64_t ns[8192][THREAD_STATES], pending_ns[8192][THREAD_STATES], last_ns[8192];
} heard;

static guint number_of(const struct scheduled_thread *thread)
{
	guint number = 0;

	cr_assert(g_ptr_array_find(states.tids.threads, thread, &number));
	cr_assert_lt(number, G_N_ELEMENTS(heard.ns));
	return number;
}

static void hear(const struct thread_watch *watch, const struct scheduled_thread *thread, int64_t from_ns,
		 int64_t to_ns, bool is_pending)
{
	guint number = number_of(thread);

	cr_expect_lt(from_ns, to_ns);
	cr_expect_geq(from_ns, heard.last_ns[number]);
	heard.last_ns[number] = to_ns;
	(is_pending ? heard.pending_ns : heard.ns)[number][thread->state] += to_ns - from_ns;
}

static void hear_settled(const struct thread_watch *watch, const struct scheduled_thread *thread, bool is_certain)
{
	guint number = number_of(thread);

	for (int state = 0; state < THREAD_STATES; state++) {
		heard.ns[number][is_certain ? state : THREAD_UNKNOWN] += heard.pending_ns[number][state];
		heard.pending_ns[number][state] = 0;
	}
}

/* Whatever comes in whatever order: all accounts add up, and CPUs are not used twice. */
Test(thread_states, accounts_add_up_whatever_the_events_are)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(7);
	int64_t now_ns = 1000, running_ns = 0;
	bool is_doubtful = false;

	states.tids.watch = (struct thread_watch){ .passed = hear, .settled = hear_settled };
	change(cpu0, now_ns, 0, 0, 1);
	for (int i = 0; i < 100000; i++) {
		struct scheduled_cpu *cpu = g_rand_boolean(random) ? cpu0 : cpu1;
		int32_t tid = g_rand_int_range(random, 1, 5);

		now_ns += g_rand_int_range(random, 0, 20);
		switch (g_rand_int_range(random, 0, 12)) {
		case 0:
			wake(cpu, now_ns, tid);
			break;
		case 1:
			thread_states_see(&states, thread_states_thread(&states, tid), cpu, now_ns);
			break;
		case 2:
			thread_states_enter_irq(&states, cpu, now_ns);
			break;
		case 3:
			thread_states_leave_irq(&states, cpu, now_ns);
			break;
		case 4:
			if (i % 64 == 0) {
				thread_losses_end_gap(&states, cpu, now_ns);
			} else if (i % 64 == 1) {
				(is_doubtful ? thread_losses_trust(&states, cpu1)
					     : thread_losses_doubt(&states, cpu1, MAX(now_ns, states.now_ns)));
				is_doubtful = !is_doubtful;
			}
			break;
		default:
			change(cpu, now_ns, g_rand_boolean(random) && cpu->current ? cpu->current->tid : tid,
			       g_rand_boolean(random) ? SLEEPS : PREEMPTED, g_rand_int_range(random, 0, 5));
			break;
		}
	}
	thread_states_end(&states);
	for (guint i = 0; i < states.tids.threads->len; i++) {
		struct thread_account account = scheduled_thread_account(states.tids.threads->pdata[i], states.now_ns);

		for (int state = THREAD_RUNNING; state < THREAD_STATES; state++) {
			cr_expect_eq(heard.ns[i][state], account.time_ns[state], "thread %u, state %d", i, state);
			cr_expect_eq(heard.pending_ns[i][state], 0);
		}
		cr_expect_eq(thread_account_total(&account), now_ns - 1000);
		cr_expect_leq(account.irq_ns, account.time_ns[THREAD_RUNNING]);
		cr_expect_geq(account.irq_ns, 0);
		running_ns += account.time_ns[THREAD_RUNNING];
	}
	cr_expect_leq(running_ns, 4 * (now_ns - 1000));
}
