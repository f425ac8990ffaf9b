/* SPDX-License-Identifier: MIT */
#include "core/analyses/executors/executor_states.h"

#include <criterion/criterion.h>

static struct arena *arena;
static struct executor_states states;

static void setup(void)
{
	arena = arena_create();
	executor_states_init(&states, arena);
}

static void teardown(void)
{
	arena_destroy(arena);
}

TestSuite(executor_states, .init = setup, .fini = teardown);

static void poll_at(enum poll_kind kind, int64_t time_ns)
{
	executor_states_poll(&states, &(struct poll){ .time_ns = time_ns, .kind = kind }, 1);
}

/* What a thread does, event by event: W(ait), L(ook up: a wait with a timeout of 0), G(et next ready), X (execute),
 * S(tart) and E(nd) of a callback, each with its time. */
static void happens(const char *events)
{
	char *rest;

	while (*events != '\0') {
		char event = *events;
		int64_t time_ns = strtoll(events + 1, &rest, 10);

		switch (event) {
		case 'W':
			poll_at(POLL_WAIT, time_ns);
			break;
		case 'L':
			poll_at(POLL_LOOK_UP, time_ns);
			break;
		case 'G':
			poll_at(POLL_FIND, time_ns);
			break;
		case 'X':
			executor_states_execute(&states, time_ns);
			break;
		case 'S':
			executor_states_start(&states, time_ns);
			break;
		default:
			executor_states_end(&states, time_ns);
			break;
		}
		events = rest + (*rest == ' ');
	}
}

static void expect_times(int64_t wait_ns, int64_t find_ns, int64_t execute_ns, int64_t gap_ns)
{
	cr_assert_eq(executor_states_time(&states, EXECUTOR_WAIT), wait_ns);
	cr_assert_eq(executor_states_time(&states, EXECUTOR_FIND), find_ns);
	cr_assert_eq(executor_states_time(&states, EXECUTOR_EXECUTE), execute_ns);
	cr_assert_eq(executor_states_time(&states, EXECUTOR_GAP), gap_ns);
	cr_assert_eq(executor_states_span(&states), wait_ns + find_ns + execute_ns + gap_ns);
}

Test(executor_states, a_round_of_a_single_threaded_executor)
{
	happens("G100 W110 G200 X203 S205 E255 G260 W265 G300");
	expect_times(90 + 35, 10 + 3 + 5, 52, 5);
	cr_assert_eq(states.executions, 1);
	cr_assert_eq(states.spins, 2);
	cr_assert_eq(states.empty_spins, 0);
}

Test(executor_states, the_last_state_lasts_to_the_last_event)
{
	happens("W10 G20 G50");
	expect_times(10, 30, 0, 0);
}

Test(executor_states, a_spin_without_a_callback_is_empty)
{
	happens("W0 G10 G12 W13 G20 G22 W23 G30 S31 E32 G33 W40");
	cr_assert_eq(states.spins, 4);
	cr_assert_eq(states.empty_spins, 2);
	cr_assert_eq(duration_statistics_totals(&states.spin).count, 3);
	cr_assert(duration_statistics_totals(&states.spin).sum_ns == 40);
	cr_assert_eq(states.spin.longest_ns, 17);
	cr_assert_eq(states.spin.longest_at_ns, 23);
}

Test(executor_states, what_follows_a_callback_without_a_look_for_work_is_executed_with_it)
{
	happens("G0 S10 E20 S25 E40 G50");
	expect_times(0, 10, 30, 10);
}

Test(executor_states, a_callback_without_end_lasts_to_the_next_look_for_work)
{
	happens("G0 X10 S11 G30 W31 G40");
	expect_times(9, 11, 20, 0);
}

Test(executor_states, services_start_without_an_execute)
{
	happens("W0 G10 S15 E25 G26");
	expect_times(10, 5, 10, 1);
}

Test(executor_states, a_callback_that_spins_goes_on_behind_what_it_spun)
{
	happens("G0 X1 S2 W10 G20 X21 S22 E30 G31 E50 G52");
	expect_times(10, 1 + 1, 9 + 9 + 19, 1 + 2);
}

Test(executor_states, the_pause_between_two_calls_of_spin_some_is_no_look_for_work)
{
	happens("L0 G5 S6 E10 G11 G12 L5000012 G5000015 G5000016 L5000500");
	expect_times(5 + 3, 1 + 1 + 485, 4, 1 + 5000000);
	cr_assert_eq(states.pause_ns, 5000000);
	cr_assert_eq(states.spins, 3);
}

Test(executor_states, a_wait_with_a_timeout_follows_at_once)
{
	happens("W0 G5 W5000005 G5000006");
	expect_times(5 + 1, 5000000, 0, 0);
	cr_assert_eq(states.pause_ns, 0);
}

Test(executor_states, time_in_which_events_were_lost_is_in_no_state)
{
	happens("W0 G10 S12 E20");
	executor_states_lose(&states, 1000);
	happens("W1000 G1010 W1012");
	expect_times(20, 2 + 2, 8, 0);
	cr_assert_eq(states.unknown_ns, 980);
	cr_assert_eq(duration_statistics_totals(&states.spin).count, 1, "not across the loss");
	cr_assert_eq(states.empty_spins, 1);
}

Test(executor_states, a_loss_before_the_first_event_is_none)
{
	executor_states_lose(&states, 100);
	happens("E200 G210");
	expect_times(0, 0, 0, 10);
	cr_assert_eq(states.unknown_ns, 0);
}

Test(executor_states, time_does_not_go_back)
{
	happens("W100 G50 S60 E70 G200");
	expect_times(0, 0, 0, 100);
}

Test(executor_states, callbacks_alone_are_no_events_of_an_executor)
{
	happens("S0 E10 S20 E30");
	cr_assert_not(states.has_events);
	cr_assert_eq(states.executions, 2);
	happens("X40");
	cr_assert(states.has_events);
}
