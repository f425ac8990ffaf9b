/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/analyses/timers/timer_rule.h"
#include "core/analyses/timers/timer_schedule.h"
#include "ros2bt/events/event_record.h"

#define US INT64_C(1000)
#define MS INT64_C(1000000)
#define PERIOD (20 * MS)
#define CREATED (1000 * MS)
#define SLOT(number) (CREATED + (number)*PERIOD) /* from 1 */

static struct timer_schedule schedule;
static struct timer_call_facts facts; /* of the next call */
static int executions[64];	      /* their addresses */

static void setup(void)
{
	timer_schedule_init(&schedule, PERIOD, &(struct timer_creation){ CREATED, 0 });
	facts = (struct timer_call_facts){
		.idle_ns = INT64_MIN,
		.seems_idle_ns = INT64_MIN,
		.may_be_idle_ns = INT64_MIN,
		.pause_ns = INT64_MAX,
		.silent_since_ns = INT64_MAX,
		.has_executor = true,
	};
}

TestSuite(timer_schedule, .init = setup);

/* A call whose execution has ended; NULL if it is not judged yet, or calls before it are not. */
static void call_at(int64_t now_ns)
{
	facts.start_ns = facts.now_ns = now_ns;
	facts.earliest_ns = now_ns - US;
	timer_schedule_call(&schedule, &facts);
}

/* False: there is none. */
static bool try_take(bool is_forced, struct timer_call *call)
{
	const struct timer_call *taken = timer_schedule_take(&schedule, is_forced);

	if (taken) {
		*call = *taken;
	}
	return taken != NULL;
}

static struct timer_call take(void)
{
	struct timer_call call;

	cr_assert(try_take(false, &call));
	return call;
}

static void expect_nothing(void)
{
	cr_assert_null(timer_schedule_take(&schedule, false));
}

#define expect_call(expected, misses)                                                                                  \
	do {                                                                                                           \
		struct timer_call taken_ = take();                                                                     \
		cr_assert(taken_.has_expected);                                                                        \
		cr_assert_not(taken_.is_early);                                                                        \
		cr_assert_eq(taken_.expected_ns, (expected), "%ld", (long)(taken_.expected_ns - (expected)));          \
		cr_assert_eq(taken_.missed, (uint64_t)(misses));                                                       \
	} while (0)

Test(timer_schedule, the_first_call_is_expected_a_period_after_the_creation)
{
	call_at(SLOT(1) + 70 * US);
	expect_call(SLOT(1), 0);
	call_at(SLOT(2) + 70 * US);
	expect_call(SLOT(2), 0);
}

Test(timer_schedule, slots_that_have_passed_are_missed_and_the_phase_stays)
{
	facts.held_ns = 65 * MS;
	call_at(SLOT(1) + 65 * MS);
	expect_call(SLOT(1), 3);
	call_at(SLOT(5) + 1 * MS);
	expect_call(SLOT(5), 0);
	/* exactly at a slot */
	facts.held_ns = PERIOD;
	call_at(SLOT(7));
	facts.held_ns = 0;
	call_at(SLOT(8));
	expect_call(SLOT(6), 1);
	expect_call(SLOT(8), 0);
}

Test(timer_schedule, a_late_call_waits_for_one_on_time_if_nothing_explains_it)
{
	call_at(SLOT(1) + 50 * MS);
	expect_nothing();
	call_at(SLOT(4));
	expect_call(SLOT(1), 2);
	expect_call(SLOT(4), 0);
}

Test(timer_schedule, a_call_right_before_a_slot_has_missed_it_if_the_timer_was_not_due_then)
{
	call_at(SLOT(1));
	expect_call(SLOT(1), 0);
	/* the creation is recorded some µs after rcl has read its clock */
	facts.held_ns = PERIOD;
	call_at(SLOT(3) - 2 * US);
	expect_nothing();
	facts.idle_ns = SLOT(3) + 5 * MS;
	facts.held_ns = 0;
	call_at(SLOT(4));
	expect_call(SLOT(2), 1);
	expect_call(SLOT(4) - 2 * US, 0);
	/* it has not if that is not known */
	facts.held_ns = PERIOD;
	call_at(SLOT(6) - 4 * US);
	facts.held_ns = 0;
	call_at(SLOT(6) - 2 * US);
	expect_call(SLOT(5) - 2 * US, 0);
	expect_call(SLOT(6) - 2 * US, 0);
}

/* The thread was preempted for a few µs between rcl's look at its clock and the event: no event lies in between. */
Test(timer_schedule, so_has_one_as_long_before_a_slot_as_its_thread_may_have_been_preempted_at_the_creation)
{
	timer_schedule_init(&schedule, PERIOD, &(struct timer_creation){ CREATED, 14 * US });
	call_at(SLOT(1));
	expect_call(SLOT(1), 0);
	facts.held_ns = PERIOD;
	call_at(SLOT(3) - 12 * US);
	expect_nothing();
	facts.idle_ns = SLOT(3) + 5 * MS;
	facts.held_ns = 0;
	call_at(SLOT(4));
	expect_call(SLOT(2), 1);
	expect_call(SLOT(4) - 12 * US, 0);
}

Test(timer_schedule, a_timer_that_was_not_due_has_a_new_schedule)
{
	call_at(SLOT(1));
	take();
	facts.wake_up_ns = 60 * US;
	facts.idle_ns = SLOT(5);
	/* the first calls are late, the fourth is the earliest */
	for (int64_t i = 0; i < TIMER_CALLS_HELD; i++) {
		call_at(SLOT(7 + i) + 5 * MS + (i == 3 ? 80 * US : 2 * MS));
		facts.idle_ns = INT64_MIN;
		if (i < TIMER_CALLS_HELD - 1) {
			expect_nothing();
		}
	}
	for (int64_t i = 0; i < TIMER_CALLS_HELD; i++) {
		struct timer_call call = take();

		cr_assert_eq(call.expected_ns, SLOT(7 + i) + 5 * MS + 20 * US);
		cr_assert_eq(call.missed, 0);
		cr_assert_eq(call.begins_anew, i == 0);
	}
	/* the phase was guessed: a call before it corrects it */
	call_at(SLOT(15) + 4 * MS);
	expect_call(SLOT(15) + 4 * MS, 0);
	call_at(SLOT(16) + 4 * MS);
	expect_call(SLOT(16) + 4 * MS, 0);
}

Test(timer_schedule, one_call_of_a_new_schedule_that_is_late_does_not_make_its_phase)
{
	facts.idle_ns = SLOT(3);
	call_at(SLOT(5) + 18 * MS);
	facts.idle_ns = INT64_MIN;
	call_at(SLOT(6) + 1 * MS);
	for (int64_t i = 2; i < TIMER_CALLS_HELD; i++) {
		call_at(SLOT(5 + i) + 1 * MS);
	}
	cr_assert_eq(take().expected_ns, SLOT(5) + 1 * MS);
	cr_assert_eq(take().expected_ns, SLOT(6) + 1 * MS);
}

/* Another call while it seems that the timer was not due after slot `number`. */
static void call_though_idle_at(int64_t number, int64_t now_ns)
{
	facts.seems_idle_ns = SLOT(number) + 2 * MS;
	call_at(now_ns);
	facts.seems_idle_ns = INT64_MIN;
}

/* The same if that is only possible. */
static void call_though_perhaps_idle_at(int64_t number, int64_t now_ns)
{
	facts.may_be_idle_ns = SLOT(number) + 2 * MS;
	call_at(now_ns);
	facts.may_be_idle_ns = INT64_MIN;
}

static void expect_unknown(void)
{
	struct timer_call call = take();

	cr_assert_not(call.has_expected);
	cr_assert_eq(call.missed, 0);
	cr_assert_not(call.begins_anew);
}

Test(timer_schedule, a_thread_that_was_preempted_seems_idle_and_a_call_on_time_shows_that_it_was_not)
{
	call_though_idle_at(1, SLOT(2) + 5 * MS);
	expect_nothing();
	call_at(SLOT(3) + 4 * MS);
	expect_nothing();
	call_at(SLOT(4) + 70 * US);
	expect_call(SLOT(1), 1);
	expect_call(SLOT(3), 0);
	expect_call(SLOT(4), 0);
}

Test(timer_schedule, without_further_calls_it_is_not_known_when_one_that_seemed_idle_was_expected)
{
	call_at(SLOT(1) + 3 * MS);
	call_though_idle_at(2, SLOT(3) + 5 * MS);
	call_at(SLOT(4) + 9 * MS);
	timer_schedule_settle(&schedule);
	expect_call(SLOT(1), 0);
	expect_unknown();
	expect_unknown();
}

/* A new schedule would have any phase, at which a call may be late for a known reason, too. */
Test(timer_schedule, a_call_late_for_a_known_reason_does_not_show_that_a_timer_was_due_that_may_not_have_been)
{
	call_though_perhaps_idle_at(1, SLOT(2) + 5 * MS);
	facts.held_ns = 4 * MS;
	call_at(SLOT(3) + 4 * MS);
	expect_nothing();
	facts.held_ns = 0;
	call_at(SLOT(4) + 70 * US);
	expect_call(SLOT(1), 1);
}

Test(timer_schedule, if_none_is_on_time_they_are_unknown)
{
	call_at(SLOT(1) + 3 * MS);
	call_though_perhaps_idle_at(2, SLOT(3) + 5 * MS);
	for (int64_t i = 2; i < TIMER_CALLS_HELD; i++) {
		expect_nothing();
		call_at(SLOT(2 + i) + i % 2 * 9 * MS + 2 * MS);
	}
	expect_call(SLOT(1), 0);
	for (int64_t i = 1; i < TIMER_CALLS_HELD; i++) {
		expect_unknown();
	}
}

Test(timer_schedule, they_are_if_it_is_not_due_later)
{
	call_though_perhaps_idle_at(1, SLOT(2) + 5 * MS);
	expect_nothing();
	facts.idle_ns = SLOT(3) + 15 * MS;
	call_at(SLOT(4) + 1 * MS);
	expect_unknown();
}

/* Its executor may have thrown and forgotten it again and again, or another one have waited. */
Test(timer_schedule, a_timer_that_may_have_been_idle_again_and_again_need_not_have_a_new_schedule)
{
	call_at(SLOT(1));
	take();
	for (int64_t i = 0; i < TIMER_CALLS_HELD; i++) {
		facts.held_ns = 20 * MS;
		facts.may_be_idle_ns = SLOT(2 + i) + 1 * MS;
		call_at(SLOT(2 + i) + (2 + 2 * i) * MS);
	}
	for (int64_t i = 0; i < TIMER_CALLS_HELD; i++) {
		expect_unknown();
	}
}

Test(timer_schedule, it_has_one_if_they_are_late_alike)
{
	struct timer_call call;

	call_at(SLOT(1));
	take();
	facts.may_be_idle_ns = SLOT(2) + 2 * MS;
	for (int64_t i = 0; i < TIMER_CALLS_HELD; i++) {
		call_at(SLOT(3 + i) + 5 * MS);
	}
	call = take();
	cr_assert(call.begins_anew);
	cr_assert_eq(call.expected_ns, SLOT(3) + 5 * MS);
}

Test(timer_schedule, calls_that_are_late_alike_after_one_that_seemed_idle_have_a_new_schedule)
{
	call_at(SLOT(1));
	take();
	call_though_idle_at(2, SLOT(3) + 5 * MS);
	for (int64_t i = 1; i < TIMER_CALLS_HELD; i++) {
		expect_nothing();
		call_at(SLOT(3 + i) + 5 * MS + i * US);
	}
	for (int64_t i = 0; i < TIMER_CALLS_HELD; i++) {
		struct timer_call call = take();

		cr_assert_eq(call.expected_ns, SLOT(3 + i) + 5 * MS);
		cr_assert_eq(call.missed, 0);
		cr_assert_eq(call.begins_anew, i == 0);
	}
}

Test(timer_schedule, so_have_those_before_it_that_are_late_by_the_same_time)
{
	call_at(SLOT(1));
	take();
	for (int64_t i = 0; i < TIMER_CALLS_HELD; i++) {
		if (i == 4) {
			call_though_idle_at(2 + i, SLOT(2 + i) + 5 * MS);
		} else {
			call_at(SLOT(2 + i) + 5 * MS);
		}
	}
	for (int64_t i = 0; i < TIMER_CALLS_HELD; i++) {
		struct timer_call call = take();

		cr_assert_eq(call.expected_ns, SLOT(2 + i) + 5 * MS);
		cr_assert_eq(call.begins_anew, i == 0);
	}
}

Test(timer_schedule, a_timer_that_seems_idle_again_and_again_has_a_new_schedule)
{
	call_at(SLOT(1));
	take();
	for (int64_t i = 0; i < TIMER_CALLS_HELD; i++) {
		/* a callback delays each by another time */
		facts.held_ns = 20 * MS;
		call_though_idle_at(2 + i, SLOT(2 + i) + (i % 2 ? 7 : 5) * MS);
	}
	for (int64_t i = 0; i < TIMER_CALLS_HELD; i++) {
		cr_assert_eq(take().expected_ns, SLOT(2 + i) + 5 * MS);
	}
}

Test(timer_schedule, an_executor_that_did_not_wait_called_no_timer)
{
	facts.has_wait = true;
	for (int64_t i = 0; i < 3 * TIMER_CALLS_SHIFTED; i++) {
		/* it looks now and then, always 5 ms late */
		facts.wait_begin_ns = facts.wait_end_ns = SLOT(1 + i) + 5 * MS;
		call_at(SLOT(1 + i) + 5 * MS);
		expect_call(SLOT(1 + i), 0);
	}
	/* … and was elsewhere for seconds */
	facts.wait_begin_ns = facts.wait_end_ns = SLOT(900) + 5 * MS;
	call_at(SLOT(900) + 5 * MS);
	expect_call(SLOT(1 + 3 * TIMER_CALLS_SHIFTED), 900 - 1 - 3 * TIMER_CALLS_SHIFTED);
}

Test(timer_schedule, a_first_call_before_its_time_was_of_a_timer_whose_creation_was_recorded_late)
{
	for (int64_t i = 0; i < TIMER_CALLS_HELD; i++) {
		/* 5 ms before the time that the creation shows, later ones 30 µs more, or late */
		expect_nothing();
		call_at(SLOT(1 + i) - 5 * MS - (i == 4 ? 30 * US : 0) + (i % 4 == 3 ? 12 * MS : 0));
	}
	for (int64_t i = 0; i < TIMER_CALLS_HELD; i++) {
		struct timer_call call = take();

		cr_assert_eq(call.expected_ns, SLOT(1 + i) - 5 * MS - 30 * US);
		cr_assert_eq(call.missed, 0);
		cr_assert_eq(call.begins_anew, i == 0);
		cr_assert_eq(call.is_first, i == 0);
	}
}

Test(timer_schedule, it_may_have_been_recorded_late_by_most_of_a_period_and_that_call_have_been_late)
{
	call_at(SLOT(1) - 15 * MS + 8 * MS);
	for (int64_t i = 1; i < TIMER_CALLS_HELD; i++) {
		call_at(SLOT(1 + i) - 15 * MS);
	}
	/* of the first one it is not known: there may have been slots before it */
	cr_assert_not(take().has_expected);
	for (int64_t i = 1; i < TIMER_CALLS_HELD; i++) {
		expect_call(SLOT(1 + i) - 15 * MS, 0);
	}
}

Test(timer_schedule, if_a_thread_was_preempted_after_one_of_the_next_calls_that_missed_nothing)
{
	for (int64_t i = 0; i < TIMER_CALLS_HELD; i++) {
		int64_t slot_ns = SLOT(1 + i) - 5 * MS;

		if (i == 4) {
			/* rcl called it in time, and 35 ms later the callback began: the next slot has passed … */
			facts.start_ns = facts.now_ns = slot_ns + 35 * MS;
			facts.earliest_ns = slot_ns;
			timer_schedule_call(&schedule, &facts);
		} else {
			/* … and was taken by the next call */
			call_at(slot_ns + (i == 5 ? 16 * MS : 0));
		}
	}
	take();
	for (int64_t i = 1; i < TIMER_CALLS_HELD; i++) {
		expect_call(SLOT(1 + i) - 5 * MS, 0);
	}
}

/* The creation may have been recorded late by up to this, and the calls are late by a callback before them. */
static void create_late(int64_t slack_ns)
{
	timer_schedule_init(&schedule, PERIOD, &(struct timer_creation){ CREATED, slack_ns });
	facts.held_ns = 19 * MS;
}

Test(timer_schedule, a_creation_that_may_have_been_recorded_late_is_confirmed_by_a_call_that_its_executor_waited_for)
{
	create_late(5 * MS);
	call_at(SLOT(1) + 8 * MS);
	expect_nothing();
	facts.has_wait = true;
	facts.wait_begin_ns = SLOT(2) - 30 * US;
	facts.wait_end_ns = SLOT(2);
	call_at(SLOT(2) + 50 * US);
	expect_call(SLOT(1), 0);
	expect_call(SLOT(2), 0);
}

/* … and was preempted: the wait may have found the timer due at its begin. */
Test(timer_schedule, nor_by_one_after_a_wait_that_lasted_longer_behind_the_slot_than_before)
{
	create_late(5 * MS);
	facts.held_ns = 0;
	facts.has_wait = true;
	facts.wait_begin_ns = SLOT(1) - 150 * US;
	facts.wait_end_ns = SLOT(1) + 440 * US;
	call_at(SLOT(1) + 440 * US);
	timer_schedule_settle(&schedule);
	expect_unknown();
}

/* What its wait has found was due at the end of that: before its slot, as it seems. */
Test(timer_schedule, but_not_by_one_that_its_executor_had_found_before)
{
	create_late(5 * MS);
	facts.held_ns = 50 * US;
	facts.has_wait = true;
	facts.wait_begin_ns = SLOT(1) - 60 * US;
	facts.wait_end_ns = SLOT(1) - 50 * US;
	call_at(SLOT(1));
	timer_schedule_settle(&schedule);
	expect_unknown();
}

Test(timer_schedule, until_then_nothing_is_known)
{
	create_late(5 * MS);
	for (int64_t i = 1; i <= TIMER_CALLS_HELD; i++) {
		expect_nothing();
		call_at(SLOT(i) + 8 * MS);
	}
	for (int64_t i = 1; i <= TIMER_CALLS_HELD; i++) {
		expect_unknown();
	}
	/* the timer was not due 1 ms before its slot, so that slots are earlier by a tenth of a period at most */
	facts.idle_ns = SLOT(9) - 1 * MS;
	call_at(SLOT(9) + 8 * MS);
	expect_call(SLOT(9), 0);
}

Test(timer_schedule, it_matters_where_a_call_is_just_before_a_slot)
{
	create_late(2 * MS);
	call_at(SLOT(1) + 8 * MS);
	expect_call(SLOT(1), 0);
	/* the call was after slot 3 if that was earlier by more than 1 ms, as the idle executor shows that follows */
	call_at(SLOT(3) - 1 * MS);
	expect_nothing();
	facts.idle_ns = SLOT(3) + 10 * MS;
	call_at(SLOT(4) + 8 * MS);
	expect_unknown();
	expect_call(SLOT(4) - 1 * MS, 0);
}

Test(timer_schedule, a_call_before_its_slot_shows_that_it_was)
{
	create_late(5 * MS);
	call_at(SLOT(1) + 1 * MS);
	call_at(SLOT(2) - 4 * MS);
	expect_unknown();
	expect_call(SLOT(2) - 4 * MS, 0);
}

/* A call before what the creation shows, which was late as all that follow: behind another callback. */
static void create_late_by_more_than_a_period(int64_t idle_ns)
{
	create_late(28 * MS);
	facts.pause_ns = 10 * US;
	for (int64_t i = 0; i < TIMER_CALLS_HELD; i++) {
		call_at(SLOT(i) + 1 * MS);
		facts.idle_ns = idle_ns;
	}
	for (int64_t i = 0; i < TIMER_CALLS_HELD; i++) {
		cr_assert_not(take().has_expected);
	}
}

Test(timer_schedule, a_creation_may_have_been_recorded_late_by_more_than_the_period_and_the_time_to_a_first_call)
{
	create_late_by_more_than_a_period(INT64_MIN);
}

Test(timer_schedule, when_it_was_not_due_after_that_call_does_not_show_its_slots)
{
	create_late_by_more_than_a_period(SLOT(0) + 3 * MS);
}

Test(timer_schedule, an_executor_that_was_idle_before_the_slot_proves_nothing)
{
	facts.idle_ns = SLOT(1) + 40 * US;
	call_at(SLOT(1) + 100 * US);
	expect_call(SLOT(1), 0);
}

Test(timer_schedule, late_calls_of_the_phase_of_a_new_schedule_belong_to_it)
{
	call_at(SLOT(1) + 13 * MS);
	expect_nothing();
	facts.idle_ns = SLOT(2) + 5 * MS;
	call_at(SLOT(2) + 14 * MS);
	timer_schedule_settle(&schedule);
	cr_assert(take().begins_anew);
	expect_call(SLOT(2) + 13 * MS, 0);
}

Test(timer_schedule, with_these_a_new_schedule_may_have_enough_calls_at_once)
{
	for (int64_t i = 1; i < TIMER_CALLS_HELD; i++) {
		call_at(SLOT(i) + 13 * MS);
	}
	expect_nothing();
	facts.idle_ns = SLOT(TIMER_CALLS_HELD) + 5 * MS;
	call_at(SLOT(TIMER_CALLS_HELD) + 13 * MS);
	cr_assert_eq(schedule.calls.held, 0);
	cr_assert(take().begins_anew);
	for (int64_t i = 2; i <= TIMER_CALLS_HELD; i++) {
		expect_call(SLOT(i) + 13 * MS, 0);
	}
}

Test(timer_schedule, late_calls_of_another_phase_do_not)
{
	call_at(SLOT(1) + 6 * MS);
	facts.idle_ns = SLOT(2) + 5 * MS;
	call_at(SLOT(2) + 14 * MS);
	timer_schedule_settle(&schedule);
	expect_call(SLOT(1), 0);
	cr_assert(take().begins_anew);
}

Test(timer_schedule, a_long_pause_is_a_stop_unless_a_callback_explains_it)
{
	facts.held_ns = 1200 * MS;
	call_at(SLOT(1) + 1210 * MS);
	facts.held_ns = 0;
	call_at(SLOT(62));
	expect_call(SLOT(1), 60);
	expect_call(SLOT(62), 0);
	call_at(SLOT(63) + 1210 * MS);
	timer_schedule_settle(&schedule);
	cr_assert(take().begins_anew);
}

/* Of which none took most of it. */
Test(timer_schedule, if_callbacks_of_several_threads_may_explain_it_in_turn_it_is_not_known)
{
	call_at(SLOT(1));
	take();
	facts.held_ns = 50 * MS;
	facts.in_turn_ns = 1100 * MS;
	call_at(SLOT(2) + 1210 * MS);
	expect_unknown();
	facts.held_ns = facts.in_turn_ns = 0;
	call_at(SLOT(63));
	expect_call(SLOT(63), 0);
}

Test(timer_schedule, unless_an_executor_that_looks_only_within_a_callback_calls_it)
{
	facts.is_nested = true;
	call_at(SLOT(1));
	call_at(SLOT(2) + 1210 * MS);
	call_at(SLOT(63));
	expect_call(SLOT(1), 0);
	expect_call(SLOT(2), 60);
	expect_call(SLOT(63), 0);
}

Test(timer_schedule, after_a_pause_a_call_at_a_slot_may_be_of_the_old_schedule)
{
	call_at(SLOT(1));
	take();
	call_at(SLOT(100) + 70 * US);
	expect_unknown();
	call_at(SLOT(101) + 70 * US);
	expect_call(SLOT(101), 0);
}

Test(timer_schedule, a_new_schedule_begins_after_the_last_call_however_late_the_thread_wakes_up)
{
	struct timer_call call;

	call_at(SLOT(1) + 70 * US);
	take();
	facts.idle_ns = SLOT(2) + 3 * MS;
	facts.wake_up_ns = 6648 * MS;
	call_at(SLOT(2) + 4 * MS);
	timer_schedule_settle(&schedule);
	call = take();
	cr_assert(call.begins_anew);
	cr_assert_eq(call.missed, 0);
	cr_assert_gt(call.expected_ns, SLOT(1) + 70 * US);
	cr_assert_gt(call.expected_ns, SLOT(2) + 4 * MS - PERIOD);
}

Test(timer_schedule, a_schedule_begins_anew_after_many_calls_that_are_late_alike)
{
	struct timer_call call;
	int64_t taken = 0;

	for (int64_t i = 1; i <= TIMER_CALLS_SHIFTED; i++) {
		call_at(SLOT(i) + 7 * MS + i % 3 * 100 * US);
		while (try_take(false, &call)) {
			taken++;
			cr_assert_eq(call.begins_anew, taken == TIMER_CALLS_SHIFTED - TIMER_CALLS_HELD + 1);
		}
	}
	cr_assert_eq(taken, TIMER_CALLS_SHIFTED);
	cr_assert_eq(call.expected_ns, SLOT(TIMER_CALLS_SHIFTED) + 7 * MS);
}

Test(timer_schedule, calls_that_are_late_by_different_times_are_late)
{
	for (int64_t i = 1; i <= 2 * TIMER_CALLS_SHIFTED; i++) {
		call_at(SLOT(i) + (i % 2 ? 3 * MS : 9 * MS));
		while (schedule.calls.count >= TIMER_CALLS_HELD) {
			struct timer_call call;

			cr_assert(try_take(false, &call));
			cr_assert_not(call.begins_anew);
		}
	}
}

Test(timer_schedule, a_call_just_before_its_slot_corrects_the_phase)
{
	call_at(SLOT(1) - 30 * US);
	expect_call(SLOT(1) - 30 * US, 0);
	call_at(SLOT(2) - 30 * US);
	expect_call(SLOT(2) - 30 * US, 0);
}

Test(timer_schedule, a_call_before_its_time_is_early_and_takes_a_slot)
{
	struct timer_call call;

	call_at(SLOT(1));
	call_at(SLOT(1) + 4 * MS);
	call_at(SLOT(1) + 5 * MS);
	take();
	call = take();
	cr_assert(call.is_early);
	cr_assert_eq(call.expected_ns, SLOT(2));
	cr_assert_eq(call.missed, 0);
	call = take();
	cr_assert(call.is_early);
	cr_assert_eq(call.expected_ns, SLOT(3));
	call_at(SLOT(4));
	expect_call(SLOT(4), 0);
}

Test(timer_schedule, early_calls_at_the_period_begin_it_anew)
{
	for (int64_t i = 0; i < 10; i++) {
		call_at(SLOT(1) + i * MS);
		take();
	}
	/* reset: the next would be expected at slot 11 */
	for (int64_t i = 0; i < 5; i++) {
		call_at(SLOT(3 + i) + 5 * MS);
	}
	for (int i = 0; i < 4; i++) {
		cr_assert(take().is_early);
	}
	timer_schedule_settle(&schedule);
	cr_assert(take().begins_anew);
	call_at(SLOT(8) + 5 * MS);
	expect_call(SLOT(8) + 5 * MS, 0);
}

/* rclcpp calls a timer again and again before its time, in place of others, which seem not to be due. */
Test(timer_schedule, calls_that_fit_no_new_schedule_leave_it_as_it_was)
{
	facts.idle_ns = SLOT(1) + 10 * MS;
	call_at(SLOT(1) + 15 * MS);
	facts.idle_ns = INT64_MIN;
	for (int64_t i = 1; i < TIMER_CALLS_HELD; i++) {
		call_at(SLOT(1) + 15 * MS + i * 200 * US);
	}
	expect_call(SLOT(1), 0);
	for (int64_t i = 1; i < TIMER_CALLS_HELD; i++) {
		struct timer_call call = take();

		cr_assert(call.is_early);
		cr_assert_eq(call.expected_ns, SLOT(1 + i));
	}
}

/* They were late: by the phase of the earliest one, the last one would be before its slot. */
Test(timer_schedule, unless_they_are_not_more_than_there_are_slots)
{
	facts.idle_ns = SLOT(1) + 10 * MS;
	call_at(SLOT(2) + 15 * MS);
	facts.idle_ns = INT64_MIN;
	facts.held_ns = 15 * MS;
	call_at(SLOT(2) + 37 * MS);
	call_at(SLOT(2) + 45 * MS);
	timer_schedule_settle(&schedule);
	cr_assert(schedule.is_guess);
	for (int64_t i = 0; i < 3; i++) {
		struct timer_call call = take();

		cr_assert_not(call.has_expected);
		cr_assert_not(call.is_early);
		cr_assert_eq(call.missed, 0);
		cr_assert_eq(call.begins_anew, i == 0);
	}
}

Test(timer_schedule, rcl_may_have_read_its_clock_just_before_a_slot)
{
	facts.held_ns = 41 * MS;
	facts.start_ns = facts.now_ns = SLOT(3) + 10 * US;
	facts.earliest_ns = SLOT(3) - 90 * US;
	timer_schedule_call(&schedule, &facts);
	expect_nothing();
	/* it did: slot 3 is due at once */
	facts.held_ns = 300 * US;
	call_at(SLOT(3) + 300 * US);
	expect_call(SLOT(1), 1);
	expect_call(SLOT(3), 0);
}

Test(timer_schedule, or_before_several_slots)
{
	facts.held_ns = 41 * MS;
	facts.start_ns = facts.now_ns = SLOT(5) + 10 * US;
	facts.earliest_ns = SLOT(3) - 90 * US;
	timer_schedule_call(&schedule, &facts);
	facts.held_ns = 3 * MS;
	call_at(SLOT(5) + 3 * MS);
	timer_schedule_settle(&schedule);
	/* the second call was expected at slot 3, 4 or 5, and three were missed in any case */
	expect_call(SLOT(1), 3);
	expect_unknown();
	call_at(SLOT(6));
	expect_call(SLOT(6), 0);
}

Test(timer_schedule, only_what_was_missed_for_certain_counts_of_the_last_call)
{
	facts.held_ns = 41 * MS;
	facts.start_ns = facts.now_ns = SLOT(5) + 10 * US;
	facts.earliest_ns = SLOT(3) - 90 * US;
	timer_schedule_call(&schedule, &facts);
	timer_schedule_settle(&schedule);
	expect_call(SLOT(1), 1);
}

Test(timer_schedule, it_may_not_have)
{
	facts.held_ns = 41 * MS;
	facts.start_ns = facts.now_ns = SLOT(3) + 10 * US;
	facts.earliest_ns = SLOT(3) - 90 * US;
	timer_schedule_call(&schedule, &facts);
	facts.held_ns = 0;
	call_at(SLOT(4) + 70 * US);
	expect_call(SLOT(1), 2);
	expect_call(SLOT(4), 0);
}

/* A call that rcl made after a look at its clock, some time before its callback started. */
static void call_looked_at(int64_t look_ns, int64_t now_ns)
{
	facts.start_ns = facts.now_ns = now_ns;
	facts.earliest_ns = look_ns;
	timer_schedule_call(&schedule, &facts);
}

Test(timer_schedule, a_thread_may_start_a_callback_later_than_another_one_that_of_the_next_slot)
{
	facts.silent_since_ns = SLOT(1) - 5 * MS;
	call_at(SLOT(2) + 40 * US);
	call_at(SLOT(3) + 40 * US);
	expect_nothing();
	facts.silent_since_ns = INT64_MAX;
	call_looked_at(SLOT(1) + 50 * US, SLOT(3) + 12 * MS);
	expect_call(SLOT(2), 0);
	expect_call(SLOT(3), 0);
	expect_call(SLOT(1), 0);
	call_at(SLOT(4) + 40 * US);
	expect_call(SLOT(4), 0);
}

Test(timer_schedule, if_it_does_not_before_the_end_nothing_is_known_of_the_call_that_seems_to_have_missed_slots)
{
	facts.silent_since_ns = SLOT(1) - 5 * MS;
	call_at(SLOT(2) + 40 * US);
	call_at(SLOT(3) + 40 * US);
	timer_schedule_settle(&schedule);
	expect_unknown();
	expect_call(SLOT(3), 0);
}

Test(timer_schedule, both_may_have_missed_slots)
{
	facts.silent_since_ns = SLOT(1) - 5 * MS;
	call_at(SLOT(5) + 40 * US);
	facts.silent_since_ns = INT64_MAX;
	call_looked_at(SLOT(3) + 50 * US, SLOT(5) + 12 * MS);
	call_at(SLOT(6) + 40 * US);
	expect_call(SLOT(4), 1);
	expect_call(SLOT(1), 2);
	expect_call(SLOT(6), 0);
}

Test(timer_schedule, a_call_out_of_order_does_not_show_that_the_schedule_goes_on)
{
	call_though_idle_at(1, SLOT(2) + 5 * MS);
	call_looked_at(SLOT(1) + 50 * US, SLOT(2) + 6 * MS);
	/* what it shows is that the one before it was expected later, and so did not seem idle */
	expect_nothing();
	call_at(SLOT(3) + 5 * MS);
	expect_nothing();
	call_at(SLOT(4) + 70 * US);
	expect_call(SLOT(2), 0);
	expect_call(SLOT(1), 0);
	expect_call(SLOT(3), 0);
	expect_call(SLOT(4), 0);
}

Test(timer_schedule, calls_of_a_new_schedule_have_their_slots_in_the_order_in_which_they_were_made)
{
	call_at(SLOT(1));
	take();
	facts.idle_ns = SLOT(5);
	call_at(SLOT(8) + 5 * MS);
	facts.idle_ns = INT64_MIN;
	call_looked_at(SLOT(7) + 5 * MS + 50 * US, SLOT(8) + 6 * MS);
	for (int64_t i = 2; i < TIMER_CALLS_HELD; i++) {
		expect_nothing();
		call_at(SLOT(7 + i) + 5 * MS);
	}
	expect_call(SLOT(8) + 5 * MS, 0);
	for (int64_t i = 0; i < TIMER_CALLS_HELD; i++) {
		if (i != 1) {
			expect_call(SLOT(7 + i) + 5 * MS, 0);
		}
	}
}

Test(timer_schedule, once_no_other_thread_may_have_it_missed_slots)
{
	facts.silent_since_ns = SLOT(1) - 5 * MS;
	call_at(SLOT(2) + 40 * US);
	facts.silent_since_ns = INT64_MAX;
	call_at(SLOT(3) + 40 * US);
	expect_call(SLOT(1), 1);
	expect_call(SLOT(3), 0);
}

/* Calls on a thread without events of its executor, before which the timer was called, as if at its creation. */
static void call_without_executor(void)
{
	facts.has_executor = false;
	schedule.has_last = true;
	schedule.last_ns = CREATED;
}

Test(timer_schedule, callbacks_that_wait_in_a_queue_miss_nothing)
{
	call_without_executor();
	facts.held_ns = TIMER_HELD_UNKNOWN;
	call_at(SLOT(1) + 65 * MS);
	facts.pause_ns = 10 * US;
	for (int64_t i = 2; i <= 4; i++) {
		call_at(SLOT(1) + 65 * MS + i * 100 * US);
	}
	for (int64_t i = 1; i <= 4; i++) {
		expect_call(SLOT(i), 0);
	}
	call_at(SLOT(5));
	expect_call(SLOT(5), 0);
	/* the next time they are expected in the queue */
	call_at(SLOT(6) + 65 * MS);
	expect_call(SLOT(6), 0);
}

Test(timer_schedule, what_rcl_missed_although_there_is_a_queue_is_unknown)
{
	call_without_executor();
	schedule.is_queued = true;
	facts.pause_ns = 5 * MS;
	/* nothing waits in the queue, or the thread was preempted, and it is chance that calls are at slots */
	for (int64_t i = 5; i <= 7; i++) {
		call_at(SLOT(i));
	}
	expect_nothing();
	call_at(SLOT(8));
	call_at(SLOT(9));
	for (int i = 0; i < 4; i++) {
		expect_unknown();
	}
	expect_call(SLOT(9), 0);
}

Test(timer_schedule, before_a_late_first_call_an_executor_without_events_may_not_have_run)
{
	facts.has_executor = false;
	facts.held_ns = 0;
	facts.pause_ns = 10 * US;
	call_at(SLOT(3) + 5 * MS);
	/* before slot 4: there is a queue, but what rcl missed before the first call is not known */
	call_at(SLOT(3) + 6 * MS);
	cr_assert(schedule.shows_queue);
	facts.pause_ns = 5 * MS;
	for (int64_t i = 4; i <= 7; i++) {
		call_at(SLOT(i));
	}
	expect_unknown();
	expect_unknown();
	for (int64_t i = 4; i <= 7; i++) {
		expect_call(SLOT(i), 0);
	}
}

Test(timer_schedule, a_call_before_a_slot_that_is_inferred_shows_no_queue)
{
	call_without_executor();
	schedule.is_guess = true;
	facts.held_ns = 45 * MS;
	facts.pause_ns = 10 * US;
	call_at(SLOT(3) + 5 * MS);
	call_at(SLOT(3) + 6 * MS);
	cr_assert_not(schedule.shows_queue);
	timer_schedule_settle(&schedule);
	expect_unknown();
	expect_unknown();
}

Test(timer_schedule, without_events_calls_that_are_early_have_waited_in_a_queue_from_which_others_were_lost)
{
	facts.has_executor = false;
	call_at(SLOT(1));
	expect_call(SLOT(1), 0);
	call_at(SLOT(1) + 2 * MS);
	expect_unknown();
	facts.pause_ns = 5 * MS;
	for (int64_t i = 2; i <= 5; i++) {
		call_at(SLOT(i));
	}
	for (int64_t i = 2; i <= 5; i++) {
		expect_call(SLOT(i), 0);
	}
}

/* Calls of a thread without events of its executor, which is busy all the time: one every 50 ms, from slot 1 on. */
static void call_without_pause(int64_t count)
{
	call_without_executor();
	facts.held_ns = 1000 * MS;
	facts.pause_ns = 10 * US;
	for (int64_t i = 0; i < count; i++) {
		call_at(SLOT(1) + 50 * MS * (i + 1));
	}
}

Test(timer_schedule, of_more_calls_than_are_held_it_is_not_known_whether_they_waited_in_a_queue)
{
	call_without_pause(TIMER_CALLS_HELD + 4);
	for (int i = 0; i < TIMER_CALLS_HELD; i++) {
		expect_unknown();
	}
	expect_nothing();
	/* before the slot that follows: they did */
	call_at(SLOT(1) + (TIMER_CALLS_HELD + 4) * 50 * MS + 1 * MS);
	for (int64_t i = 1; i <= 4; i++) {
		expect_call(SLOT(TIMER_CALLS_HELD + i), 0);
	}
	expect_call(SLOT(TIMER_CALLS_HELD + 5), 0);
	cr_assert(schedule.shows_queue);
	cr_assert_not(schedule.shows_none);
}

Test(timer_schedule, without_further_calls_neither)
{
	call_without_pause(3);
	timer_schedule_settle(&schedule);
	for (int i = 0; i < 3; i++) {
		expect_unknown();
	}
}

Test(timer_schedule, an_executor_without_a_queue_misses_slots)
{
	facts.has_no_queue = true;
	call_without_pause(TIMER_CALLS_HELD);
	expect_call(SLOT(1), 2);
	expect_call(SLOT(4), 2);
	expect_call(SLOT(7), 1);
}

Test(timer_schedule, it_shows_that_after_callbacks_of_the_thread_kept_a_call_waiting)
{
	call_without_pause(1);
	facts.held_ns = 0;
	facts.pause_ns = 5 * MS;
	for (int64_t i = 4; i <= 6; i++) {
		call_at(SLOT(i));
	}
	cr_assert_not(schedule.shows_none);
	call_at(SLOT(7));
	cr_assert(schedule.shows_none);
	expect_call(SLOT(1), 2);
	for (int64_t i = 4; i <= 7; i++) {
		expect_call(SLOT(i), 0);
	}
	schedule.shows_none = false;
	/* not kept waiting: rcl was late */
	for (int64_t i = 10; i <= 14; i++) {
		call_at(SLOT(i));
	}
	cr_assert_not(schedule.shows_none);
	expect_call(SLOT(8), 2);
}

Test(timer_schedule, calls_at_slots_now_and_then_do_not_show_that)
{
	call_without_pause(1);
	facts.held_ns = 0;
	for (int64_t i = 4; i <= 6; i++) {
		facts.pause_ns = 5 * MS;
		call_at(SLOT(2 * i));
		facts.pause_ns = 10 * US;
		call_at(SLOT(2 * i + 1) + 15 * MS);
	}
	timer_schedule_settle(&schedule);
	cr_assert_not(schedule.shows_none);
	for (int i = 0; i < 7; i++) {
		expect_unknown();
	}
}

Test(timer_schedule, what_a_queue_contained_when_calls_were_lost_is_not_known)
{
	facts.has_executor = false;
	facts.held_ns = 0;
	facts.pause_ns = 10 * US;
	schedule.is_queued = true;
	facts.is_after_loss = true;
	call_at(SLOT(5) + 5 * MS);
	expect_unknown();
	facts.is_after_loss = false;
	call_at(SLOT(5) + 7 * MS);
	/* three that were lost had slots of their own */
	facts.pause_ns = 9 * MS;
	for (int64_t i = 9; i <= 12; i++) {
		call_at(SLOT(i));
	}
	expect_nothing();
	call_at(SLOT(13));
	expect_unknown();
	expect_unknown();
	for (int64_t i = 10; i <= 13; i++) {
		expect_call(SLOT(i), 0);
	}
}

Test(timer_schedule, a_thread_that_pauses_after_a_slot_is_preempted_and_the_queue_not_empty)
{
	facts.has_executor = false;
	facts.held_ns = TIMER_HELD_UNKNOWN;
	schedule.is_queued = true;
	facts.pause_ns = 10 * US;
	call_at(SLOT(1) + 15 * MS);
	facts.pause_ns = 4 * MS;
	call_at(SLOT(3) + 5 * MS);
	facts.pause_ns = 10 * US;
	call_at(SLOT(4) + 15 * MS);
	timer_schedule_settle(&schedule);
	for (int64_t i = 1; i <= 3; i++) {
		expect_call(SLOT(i), 0);
	}
}

Test(timer_schedule, a_queue_may_show_only_several_calls_later)
{
	call_without_executor();
	facts.held_ns = 65 * MS;
	facts.pause_ns = 10 * US;
	/* as if slots 2 and 3 were missed, until the fourth call comes before slot 6 */
	call_at(SLOT(3) + 10 * MS);
	call_at(SLOT(4) + 5 * MS);
	call_at(SLOT(5) + 5 * MS);
	expect_nothing();
	call_at(SLOT(5) + 8 * MS);
	facts.held_ns = 0;
	facts.pause_ns = 9 * MS;
	call_at(SLOT(5) + 18 * MS);
	call_at(SLOT(6));
	for (int64_t i = 1; i <= 6; i++) {
		expect_call(SLOT(i), 0);
	}
}

Test(timer_schedule, after_a_loss_only_the_phase_is_known)
{
	struct timer_call call;

	call_at(SLOT(1));
	take();
	facts.is_after_loss = true;
	call_at(SLOT(9) + 3 * MS);
	call = take();
	cr_assert_not(call.has_expected);
	cr_assert_eq(call.missed, 0);
	facts.is_after_loss = false;
	call_at(SLOT(10));
	expect_call(SLOT(10), 0);
}

/* A call 20 µs before a slot after a loss, and one on time. */
static void call_before_slot_after_loss(void)
{
	call_at(SLOT(1));
	take();
	facts.is_after_loss = true;
	call_at(SLOT(9) - 20 * US);
	take();
	facts.is_after_loss = false;
	call_at(SLOT(10) + 50 * US);
}

Test(timer_schedule, after_a_loss_a_call_just_before_a_slot_takes_it_if_the_creation_may_be_recorded_as_late)
{
	timer_schedule_init(&schedule, PERIOD, &(struct timer_creation){ CREATED, 30 * US });
	call_before_slot_after_loss();
	expect_call(SLOT(10) - 20 * US, 0);
}

/* rcl calls no timer before its slot. */
Test(timer_schedule, or_else_it_was_late_for_the_slot_before)
{
	struct timer_call call;

	call_before_slot_after_loss();
	timer_schedule_settle(&schedule);
	call = take();
	cr_assert_eq(call.expected_ns, SLOT(9));
	cr_assert_eq(call.missed, 1);
}

Test(timer_schedule, a_call_is_taken_out_once_its_execution_has_ended)
{
	struct timer_call *call;

	call_at(SLOT(1));
	schedule.calls.list[0].execution = &executions[0];
	expect_nothing();
	cr_assert_null(timer_schedule_end(&schedule, &executions[1]));
	call = timer_schedule_end(&schedule, &executions[0]);
	cr_assert_eq(call, &schedule.calls.list[0]);
	expect_call(SLOT(1), 0);
}

Test(timer_schedule, calls_that_do_not_end_make_room)
{
	struct timer_call call;

	for (int i = 0; i < TIMER_CALLS_KEPT; i++) {
		cr_assert_not(timer_schedule_make_room(&schedule));
		call_at(SLOT(1 + i));
		schedule.calls.list[i].execution = &executions[i];
	}
	cr_assert(timer_schedule_make_room(&schedule));
	cr_assert(try_take(true, &call));
	cr_assert_eq(call.expected_ns, SLOT(1));
	cr_assert_not(timer_schedule_make_room(&schedule));
}

Test(timer_schedule, nothing_is_known_without_a_period)
{
	timer_schedule_init_unknown(&schedule);
	call_at(SLOT(1));
	cr_assert_not(take().has_expected);
}

/* Sanitizers find what overflows. */
Test(timer_schedule, any_times_may_come)
{
	static const int64_t times[] = { TIMER_EXPECTED_MAX_NS - 1, 1 - TIMER_EXPECTED_MAX_NS, 0, 5, 1 };
	static const int64_t periods[] = { 1, 3, 20 * MS, TIMER_PERIOD_MAX_NS };

	for (size_t i = 0; i < sizeof(periods) / sizeof(*periods); i++) {
		for (uint32_t seed = 0; seed < 3000; seed++) {
			struct timer_call call;

			if (seed % 100 == 0) {
				timer_schedule_init(
					&schedule, periods[i],
					&(struct timer_creation){ times[seed / 100 % 5], times[seed / 100 % 3] });
			}
			facts.start_ns = facts.now_ns = times[seed * 7919 % 31 % 5];
			facts.earliest_ns = facts.now_ns - US;
			facts.idle_ns = seed % 5 ? INT64_MIN : times[seed % 3];
			facts.seems_idle_ns = seed % 3 ? INT64_MIN : times[seed % 4];
			facts.may_be_idle_ns = seed % 5 ? INT64_MIN : times[seed % 4];
			facts.has_wait = seed % 13 < 5;
			facts.wait_begin_ns = times[seed % 4];
			facts.wait_end_ns = times[seed % 5];
			facts.held_ns = seed % 7 ? 0 : TIMER_HELD_UNKNOWN;
			facts.has_executor = seed % 2;
			facts.pause_ns = seed % 3 ? 0 : INT64_MAX;
			facts.is_after_loss = seed % 11 == 0;
			timer_schedule_call(&schedule, &facts);
			while (try_take(false, &call) || timer_schedule_make_room(&schedule)) {}
		}
	}
}

/* Times of a hostile trace: so early that the distance from the expected one has no 64 bits. */
Test(timer_schedule, a_call_at_the_begin_of_time_corrects_nothing)
{
	struct timer_call last = { .has_expected = true, .missed = 3 };
	struct timer_call call = { .facts = { .now_ns = INT64_MIN } };

	schedule.expected_ns = SLOT(5);
	cr_assert_not(timer_rule_correct(&schedule, &last, &call));
	cr_assert_eq(schedule.expected_ns, SLOT(5));
	cr_assert_eq(last.missed, 3);
	call.facts.now_ns = SLOT(3);
	cr_assert(timer_rule_correct(&schedule, &last, &call));
	cr_assert_eq(schedule.expected_ns, SLOT(3));
	cr_assert_eq(last.missed, 1);
}

Test(timer_schedule, slots_stay_within_the_range_of_times)
{
	cr_assert_eq(timer_phase_slot(-TIMER_EXPECTED_MAX_NS, -1, TIMER_PERIOD_MAX_NS), -TIMER_EXPECTED_MAX_NS);
	cr_assert_eq(timer_phase_slot(TIMER_EXPECTED_MAX_NS, 1, TIMER_PERIOD_MAX_NS), TIMER_EXPECTED_MAX_NS);
	cr_assert_eq(timer_phase_before(1 - TIMER_EXPECTED_MAX_NS, MS), -TIMER_EXPECTED_MAX_NS);
	cr_assert_eq(timer_phase_before(MS, 2 * MS), -MS);
}

static int64_t between(GRand *random, int64_t first_ns, int64_t last_ns)
{
	uint64_t number = (uint64_t)g_rand_int(random) << 32 | g_rand_int(random);

	return first_ns + (int64_t)(number % ((uint64_t)last_ns - (uint64_t)first_ns + 1));
}

/* Up to a time: near to it, anywhere before, or where times begin. */
static int64_t some_time_until(GRand *random, int64_t last_ns)
{
	int64_t near_ns = last_ns - between(random, 0, 200 * MS);

	switch (g_rand_int_range(random, 0, 4)) {
	case 0:
		return 1 - RECORD_TIME_MAX_NS;
	case 1:
		return between(random, 1 - RECORD_TIME_MAX_NS, last_ns);
	default:
		return MAX(1 - RECORD_TIME_MAX_NS, near_ns);
	}
}

static struct timer_call_facts some_facts(GRand *random, int64_t now_ns)
{
	int64_t longest_ns = now_ns + RECORD_TIME_MAX_NS; /* what began before */

	return (struct timer_call_facts){
		.start_ns = now_ns,
		.now_ns = now_ns,
		.earliest_ns = some_time_until(random, now_ns),
		.idle_ns = g_rand_boolean(random) ? INT64_MIN : some_time_until(random, now_ns),
		.seems_idle_ns = g_rand_boolean(random) ? INT64_MIN : some_time_until(random, now_ns),
		.may_be_idle_ns = g_rand_boolean(random) ? INT64_MIN : some_time_until(random, now_ns),
		.has_wait = g_rand_boolean(random),
		.wait_begin_ns = some_time_until(random, now_ns),
		.wait_end_ns = now_ns,
		.pause_ns = g_rand_boolean(random) ? INT64_MAX : between(random, 0, longest_ns),
		.held_ns = g_rand_boolean(random) ? TIMER_HELD_UNKNOWN : between(random, 0, longest_ns),
		.in_turn_ns = g_rand_boolean(random) ? 0 : between(random, 0, longest_ns),
		.silent_since_ns = g_rand_boolean(random) ? INT64_MAX : some_time_until(random, RECORD_TIME_MAX_NS),
		.overtaken = g_rand_int_range(random, 0, 4) == 0,
		.wake_up_ns = g_rand_boolean(random) ? 0 : between(random, 0, longest_ns),
		.is_after_loss = g_rand_int_range(random, 0, 20) == 0,
		.has_executor = g_rand_boolean(random),
		.has_no_queue = g_rand_boolean(random),
	};
}

static int64_t later(GRand *random, int64_t now_ns, int64_t period_ns)
{
	int64_t left_ns = RECORD_TIME_MAX_NS - now_ns;
	int64_t step_ns = g_rand_int_range(random, 0, 3) * period_ns + between(random, 0, period_ns);

	return g_rand_int_range(random, 0, 8) == 0 ? between(random, now_ns, RECORD_TIME_MAX_NS)
						   : now_ns + MIN(left_ns, step_ns);
}

/* Facts that fit each other. Sanitizers find what overflows. */
Test(timer_schedule, times_at_the_ends_of_their_range_overflow_nothing)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(1);
	struct timer_call call;

	for (int run = 0; run < 2000; run++) {
		int64_t period_ns = between(random, 1, run % 2 ? 50 * MS : TIMER_PERIOD_MAX_NS);
		int64_t now_ns = some_time_until(random, RECORD_TIME_MAX_NS);

		timer_schedule_init(&schedule, period_ns,
				    &(struct timer_creation){ now_ns, between(random, 0, RECORD_TIME_MAX_NS) });
		for (int i = 0; i < 40; i++) {
			now_ns = later(random, now_ns, period_ns);
			facts = some_facts(random, now_ns);
			(void)timer_schedule_make_room(&schedule);
			timer_schedule_call(&schedule, &facts);
			while (try_take(false, &call)) {
				cr_assert_leq(call.missed, (uint64_t)INT64_MAX);
			}
		}
	}
}
