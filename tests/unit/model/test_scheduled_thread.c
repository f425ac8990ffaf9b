/* SPDX-License-Identifier: MIT */
#include "core/model/scheduled_thread.h"

#include <criterion/criterion.h>

static struct arena *arena;
static struct thread_doubt doubt;
static struct scheduled_thread *thread;

static void setup(void)
{
	arena = arena_create();
	thread = scheduled_thread_create(arena, &doubt, 7, 100);
}

static void teardown(void)
{
	arena_destroy(arena);
}

TestSuite(scheduled_thread, .init = setup, .fini = teardown);

Test(scheduled_thread, a_thread_begins_with_nothing_known)
{
	cr_expect_eq(thread->tid, 7);
	cr_expect_str_eq(thread->name, "");
	cr_expect_eq(thread->state, THREAD_UNKNOWN);
	cr_expect_eq(scheduled_thread_account(thread, 130).time_ns[THREAD_UNKNOWN], 30);
}

Test(scheduled_thread, it_keeps_its_name_where_an_event_has_none)
{
	scheduled_thread_set_name(thread, "node");
	scheduled_thread_set_name(thread, NULL);
	scheduled_thread_set_name(thread, "");
	cr_expect_str_eq(thread->name, "node");
}

/* Counted up to 150, so a state from 140 on begins at 150: unknown 100-120, running 120-150, blocked from there on. */
Test(scheduled_thread, what_is_counted_does_not_change)
{
	struct thread_account account;

	scheduled_thread_set_state(thread, THREAD_RUNNING, 120);
	scheduled_thread_count(thread, 150);
	scheduled_thread_set_state(thread, THREAD_BLOCKED, 140);
	cr_expect_eq(thread->state_since_ns, 150);
	account = scheduled_thread_account(thread, 190);
	cr_expect_eq(account.time_ns[THREAD_UNKNOWN], 20);
	cr_expect_eq(account.time_ns[THREAD_RUNNING], 30);
	cr_expect_eq(account.time_ns[THREAD_BLOCKED], 40);
}

Test(scheduled_thread, a_thread_that_is_gone_has_no_time)
{
	struct thread_account account;

	scheduled_thread_set_state(thread, THREAD_GONE, 120);
	scheduled_thread_set_state(thread, THREAD_GONE, 150);
	account = scheduled_thread_account(thread, 190);
	cr_expect_eq(thread_account_total(&account), 20);
}

/* Interrupts count with the running time that they are in; those of a state that was none of running are dropped. */
Test(scheduled_thread, interrupts_count_with_the_time_that_is_counted)
{
	scheduled_thread_set_state(thread, THREAD_RUNNING, 100);
	thread->uncounted_irq_ns = 5;
	cr_expect_eq(scheduled_thread_account(thread, 110).irq_ns, 5);
	scheduled_thread_count(thread, 110);
	thread->uncounted_irq_ns = 3;
	scheduled_thread_set_state(thread, THREAD_UNKNOWN, 110);
	cr_expect_eq(scheduled_thread_account(thread, 120).irq_ns, 5);
}

/*
 * In a system call from 110 to 160; the outer span is open from 100 on, the inner one from 130 on. The call is 50 of
 * the outer and 30 of the inner span. Blocked 120-150 in it: 30 of the outer, 20 of the inner span.
 */
Test(scheduled_thread, causes_and_calls_count_in_each_open_span_for_their_part_in_it)
{
	struct thread_span outer, inner;

	scheduled_thread_open_span(thread, &outer, 100);
	scheduled_thread_set_state(thread, THREAD_RUNNING, 100);
	thread->call = "ppoll";
	thread->call_since_ns = 110;
	scheduled_thread_set_state(thread, THREAD_BLOCKED, 120);
	scheduled_thread_open_span(thread, &inner, 130);
	scheduled_thread_set_state(thread, THREAD_RUNNING, 150);
	scheduled_thread_count_call(thread, 160);
	scheduled_thread_close_span(thread, &inner, 170);
	scheduled_thread_close_span(thread, &outer, 180);
	cr_expect_eq(outer.call_ns, 50);
	cr_expect_eq(inner.call_ns, 30);
	cr_expect_eq(outer.call_count, 1);
	cr_expect_eq(thread_causes_longest(&outer.calls)->time_ns, 50);
	cr_expect_str_eq(thread_causes_longest(&outer.blocked_in)->name, "ppoll");
	cr_expect_eq(thread_causes_longest(&outer.blocked_in)->time_ns, 30);
	cr_expect_eq(thread_causes_longest(&inner.blocked_in)->time_ns, 20);
	cr_expect_eq(outer.account.time_ns[THREAD_RUNNING], 50); /* 100-120, 150-180 */
	cr_expect_eq(outer.account.time_ns[THREAD_BLOCKED], 30);
	cr_expect_eq(inner.account.time_ns[THREAD_RUNNING], 20);
	cr_expect_eq(inner.account.time_ns[THREAD_BLOCKED], 20);
}

Test(scheduled_thread, spans_close_in_any_order)
{
	struct thread_span outer, inner;

	scheduled_thread_open_span(thread, &outer, 100);
	scheduled_thread_open_span(thread, &inner, 110);
	scheduled_thread_close_span(thread, &outer, 120);
	cr_expect_eq(thread->innermost, &inner);
	scheduled_thread_close_span(thread, &inner, 140);
	cr_expect_null(thread->innermost);
	cr_expect_eq(outer.account.time_ns[THREAD_UNKNOWN], 20);
	cr_expect_eq(inner.account.time_ns[THREAD_UNKNOWN], 30);
}

/* Counted up to 150 already: 20 of the span 140-160 are more than the account has since it was opened; unknown. */
Test(scheduled_thread, a_span_adds_up_to_its_duration_whatever_is_counted)
{
	struct thread_span span;
	int64_t known;

	scheduled_thread_set_state(thread, THREAD_RUNNING, 100);
	scheduled_thread_count(thread, 150);
	scheduled_thread_open_span(thread, &span, 140);
	scheduled_thread_close_span(thread, &span, 160);
	known = span.account.time_ns[THREAD_RUNNING];
	cr_expect_eq(known, 10);
	cr_expect_eq(span.account.time_ns[THREAD_UNKNOWN], 10);
	cr_expect_eq(thread_account_total(&span.account), 20);
	/* the other way round: 160-190 was counted in a span of 10 */
	scheduled_thread_open_span(thread, &span, 160);
	scheduled_thread_count(thread, 190);
	scheduled_thread_close_span(thread, &span, 170);
	cr_expect_eq(span.account.time_ns[THREAD_RUNNING], 0);
	cr_expect_eq(span.account.time_ns[THREAD_UNKNOWN], 10);
}

Test(scheduled_thread, a_wakeup_lasts_from_the_waking_to_the_cpu)
{
	scheduled_thread_set_state(thread, THREAD_WOKEN, 120);
	scheduled_thread_note_wakeup(thread, 135);
	cr_expect(thread->has_wakeup);
	cr_expect_eq(thread->waking_ns, 120);
	cr_expect_eq(thread->switch_in_ns, 135);
}
