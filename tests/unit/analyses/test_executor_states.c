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
	executor_states_poll(&states, &(struct poll){ .time_ns = time_ns, .kind = kind });
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
			executor_states_take(&states, EXECUTOR_EXECUTES, time_ns);
			break;
		case 'S':
			executor_states_take(&states, EXECUTOR_STARTS, time_ns);
			break;
		default:
			executor_states_take(&states, EXECUTOR_ENDS, time_ns);
			break;
		}
		events = rest + (*rest == ' ');
	}
}

static void expect_times(int64_t wait_ns, int64_t find_ns, int64_t execute_ns, int64_t gap_ns)
{
	struct executor_totals totals = executor_states_totals(&states);

	cr_assert_eq(executor_totals_time(&totals, EXECUTOR_WAIT), wait_ns);
	cr_assert_eq(executor_totals_time(&totals, EXECUTOR_FIND), find_ns);
	cr_assert_eq(executor_totals_time(&totals, EXECUTOR_EXECUTE), execute_ns);
	cr_assert_eq(executor_totals_time(&totals, EXECUTOR_GAP), gap_ns);
	cr_assert_eq(executor_totals_span(&totals), wait_ns + find_ns + execute_ns + gap_ns);
}

Test(executor_states, a_round_of_a_single_threaded_executor)
{
	happens("G100 W110 G200 X203 S205 E255 G260 W265 G300");
	expect_times(90 + 35, 10 + 3 + 5, 52, 5);
	cr_assert_eq(states.totals.executions, 1);
	cr_assert_eq(states.totals.spins, 2);
	cr_assert_eq(states.totals.empty_spins, 0);
}

Test(executor_states, the_last_state_lasts_to_the_last_event)
{
	happens("W10 G20 G50");
	expect_times(10, 30, 0, 0);
}

Test(executor_states, a_spin_without_a_callback_is_empty)
{
	happens("W0 G10 G12 W13 G20 G22 W23 G30 S31 E32 G33 W40");
	cr_assert_eq(states.totals.spins, 4);
	cr_assert_eq(states.totals.empty_spins, 2);
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
	cr_assert_eq(states.totals.time_ns[EXECUTOR_PAUSE], 5000000);
	cr_assert_eq(states.totals.spins, 3);
}

Test(executor_states, a_wait_with_a_timeout_follows_at_once)
{
	happens("W0 G5 W5000005 G5000006");
	expect_times(5 + 1, 5000000, 0, 0);
	cr_assert_eq(states.totals.time_ns[EXECUTOR_PAUSE], 0);
}

Test(executor_states, time_in_which_events_were_lost_is_in_no_state)
{
	happens("W0 G10 S12 E20");
	executor_states_lose(&states, 1000);
	happens("W1000 G1010 W1012");
	expect_times(20, 2 + 2, 8, 0);
	cr_assert_eq(states.totals.time_ns[EXECUTOR_UNKNOWN], 980);
	cr_assert_eq(duration_statistics_totals(&states.spin).count, 1, "not across the loss");
	cr_assert_eq(states.totals.empty_spins, 1);
}

Test(executor_states, a_loss_before_the_first_event_is_none)
{
	executor_states_lose(&states, 100);
	happens("E200 G210");
	expect_times(0, 0, 0, 10);
	cr_assert_eq(states.totals.time_ns[EXECUTOR_UNKNOWN], 0);
}

Test(executor_states, time_does_not_go_back)
{
	happens("W100 G50 S60 E70 G200");
	expect_times(0, 0, 0, 100);
}

Test(executor_states, callbacks_alone_are_no_events_of_an_executor)
{
	happens("S0 E10 S20 E30");
	cr_assert_not(states.totals.has_events);
	cr_assert_eq(states.totals.executions, 2);
	happens("X40");
	cr_assert(states.totals.has_events);
}

/* --- limits --- */

Test(executor_states, a_state_that_crosses_a_limit_is_divided)
{
	executor_states_limit(&states, 15, 32);
	happens("W0 G10 S12 E20 G21 W25 G40 W41");
	/* executes from 12, waits from 25 */
	expect_times(32 - 25, 25 - 21, 20 - 15, 1);
	cr_assert_eq(executor_states_totals(&states).spins, 1);
	cr_assert_eq(executor_states_totals(&states).executions, 0);
}

Test(executor_states, what_happens_at_a_limit_counts)
{
	executor_states_limit(&states, 12, 25);
	happens("W0 G10 S12 E20 G21 W25 G40 S42");
	expect_times(0, 25 - 21, 20 - 12, 1);
	cr_assert_eq(executor_states_totals(&states).spins, 1);
	cr_assert_eq(executor_states_totals(&states).executions, 1);
}

Test(executor_states, the_state_at_a_limit_may_be_known_later)
{
	/* between the two callbacks the thread looks for no work: it executes */
	executor_states_end_at(&states, 22);
	happens("S12 E20 S30 E40");
	expect_times(0, 0, 22 - 12, 0);
}

Test(executor_states, consecutive_parts_add_up)
{
	static const int64_t limits[] = { INT64_MIN, 3, 11, 12, 19, 20, 24, 33, 34, 2000040, INT64_MAX };
	int64_t sum_ns[EXECUTOR_TIMES] = { 0 };
	struct executor_totals whole;

	for (size_t i = 0; i + 1 < G_N_ELEMENTS(limits); i++) {
		struct executor_totals part;

		executor_states_init(&states, arena);
		executor_states_limit(&states, limits[i], limits[i + 1]);
		happens("W0 G10 X11 S12 E20 G21 L25 G40 L2000045 G2000050");
		part = executor_states_totals(&states);
		for (size_t j = 0; j < EXECUTOR_TIMES; j++) {
			sum_ns[j] += part.time_ns[j];
		}
	}
	executor_states_init(&states, arena);
	happens("W0 G10 X11 S12 E20 G21 L25 G40 L2000045 G2000050");
	whole = executor_states_totals(&states);
	for (size_t j = 0; j < EXECUTOR_TIMES; j++) {
		cr_assert_eq(sum_ns[j], whole.time_ns[j], "%zu: %d, not %d", j, (int)sum_ns[j], (int)whole.time_ns[j]);
	}
}

Test(executor_states, the_end_moves_on)
{
	executor_states_end_at(&states, 5);
	happens("W0 G10 W12");
	executor_states_end_at(&states, 20);
	happens("G18 W30");
	expect_times(10 + 18 - 12, 2 + 2, 0, 0);
}

Test(executor_states, nothing_counts_before_the_begin)
{
	executor_states_limit(&states, 100, INT64_MAX);
	happens("W0 G10 W12 G99");
	expect_times(0, 0, 0, 0);
	cr_assert_not(executor_states_totals(&states).has_events);
}

Test(executor_states, an_end_that_moves_on_stops_at_the_limit)
{
	executor_states_limit(&states, 0, 25);
	executor_states_end_at(&states, 5);
	happens("W0 G10 W12 G18 W30");
	expect_times(5, 0, 0, 0);
	executor_states_end_at(&states, 40);
	expect_times(10 + 18 - 12, 2 + 25 - 18, 0, 0);
}

static void expect_spins(uint64_t spins, uint64_t periods, int64_t sum_ns)
{
	struct duration_totals totals = duration_statistics_totals(&states.spin);

	cr_assert_eq(executor_states_totals(&states).spins, spins);
	cr_assert_eq(totals.count, periods);
	cr_assert(totals.sum_ns == sum_ns);
}

Test(executor_states, a_spin_counts_between_two_waits_that_count)
{
	executor_states_limit(&states, 15, 32);
	happens("W0 G10 W20 G25 W30 G31 W40 G41 W50");
	expect_spins(2, 1, 10);
}

Test(executor_states, a_spin_before_the_recording_does_not_count)
{
	executor_states_end_at(&states, INT64_MIN);
	happens("W0 G5 W10 G11");
	executor_states_limit(&states, 15, INT64_MAX);
	executor_states_end_at(&states, 25);
	happens("W20 G21 W30");
	executor_states_end_at(&states, 40);
	happens("G35 W40");
	expect_spins(3, 2, 20);
}

Test(executor_states, a_spin_that_ends_behind_the_recording_counts_when_it_goes_on)
{
	executor_states_end_at(&states, 25);
	happens("W0 G10 W20 G22 W30 G31 W40");
	expect_spins(2, 1, 20);
	executor_states_end_at(&states, 25);
	expect_spins(2, 1, 20);
	executor_states_end_at(&states, 50);
	expect_spins(4, 3, 40);
	happens("G55 W60 G61 W100");
	expect_spins(4, 3, 40);
	cr_assert_eq(states.spin.longest_ns, 20);
	executor_states_end_at(&states, 100);
	expect_spins(6, 5, 100);
	cr_assert_eq(states.spin.longest_at_ns, 60);
}

Test(executor_states, spins_behind_the_recording_are_any_number)
{
	const int64_t rounds = 1000;

	happens("W0");
	for (int64_t round = 1; round <= rounds; round++) {
		executor_states_end_at(&states, 10 * round - 1);
		poll_at(POLL_FIND, 10 * round - 5);
		poll_at(POLL_WAIT, 10 * round);
	}
	executor_states_end_at(&states, 10 * rounds + 1);
	for (int64_t i = 1; i <= rounds; i++) {
		poll_at(POLL_WAIT, 10 * rounds + 7 * i);
	}
	expect_spins((uint64_t)rounds + 1, (uint64_t)rounds, 10 * rounds);
	executor_states_end_at(&states, 20 * rounds);
	expect_spins(2 * (uint64_t)rounds + 1, 2 * (uint64_t)rounds, 17 * rounds);
	cr_assert_eq(duration_statistics_quantile(&states.spin, 0.25), 7);
	cr_assert_eq(duration_statistics_quantile(&states.spin, 0.75), 10);
}

Test(executor_states, without_memory_spins_are_counted_only)
{
	executor_states_init(&states, NULL);
	happens("W0 G10 W10 S12 E20 W30 G35 W40");
	cr_assert_eq(states.totals.spins, 4);
	executor_states_end_at(&states, 35);
	happens("W50");
	executor_states_end_at(&states, 100);
	cr_assert_eq(duration_statistics_totals(&states.spin).count, 0);
	cr_assert_eq(duration_statistics_totals(&states.behind).count, 0);
}

static void take(enum executor_event event, int64_t time_ns, bool in_short)
{
	if (in_short && executor_states_are_usual(&states, time_ns, time_ns)) {
		executor_states_go_on(&states, event, time_ns);
	} else {
		executor_states_take(&states, event, time_ns);
	}
}

static void take_polls(const struct poll *polls, size_t count, bool in_short)
{
	if (in_short && states.state != EXECUTOR_NONE &&
	    executor_states_are_usual(&states, polls[0].time_ns, polls[count - 1].time_ns)) {
		executor_states_spin(&states, polls, count);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		executor_states_poll(&states, &polls[i]);
	}
}

/* Polls in order, with callbacks in between, some of them late, and limits anywhere; usual ones `in_short`, or not. */
static void happen_at_random(GRand *rand, bool in_short)
{
	struct poll polls[200];
	int64_t time_ns = 0;

	executor_states_init(&states, NULL);
	if (g_rand_boolean(rand)) {
		executor_states_limit(&states, g_rand_int_range(rand, 0, 400), g_rand_int_range(rand, 400, 4000));
	}
	executor_states_end_at(&states, g_rand_boolean(rand) ? INT64_MAX : g_rand_int_range(rand, 0, 3000));
	for (int round = 0; round < 20; round++) {
		size_t count = (size_t)g_rand_int_range(rand, 1, G_N_ELEMENTS(polls));

		time_ns += g_rand_int_range(rand, -20, 50);
		for (size_t i = 0; i < count; i++) {
			polls[i].kind = (enum poll_kind)(g_rand_int_range(rand, 0, 20) ? POLL_FIND + (i % 3 == 1)
										       : POLL_LOOK_UP);
			polls[i].time_ns = time_ns += g_rand_int_range(rand, 0, 3);
		}
		take_polls(polls, count, in_short);
		if (g_rand_boolean(rand)) {
			take(EXECUTOR_EXECUTES, time_ns - g_rand_int_range(rand, 0, 3), in_short);
			take(EXECUTOR_STARTS, time_ns, in_short);
			take(EXECUTOR_ENDS, time_ns += 5, in_short);
		}
	}
}

Test(executor_states, usual_events_count_the_same_in_short)
{
	for (guint32 seed = 0; seed < 200; seed++) {
		GRand *rand = g_rand_new_with_seed(seed);
		struct executor_totals totals;

		happen_at_random(rand, false);
		totals = executor_states_totals(&states);
		g_rand_set_seed(rand, seed);
		happen_at_random(rand, true);
		for (size_t i = 0; i < EXECUTOR_TIMES; i++) {
			cr_assert_eq(executor_states_totals(&states).time_ns[i], totals.time_ns[i], "seed %u", seed);
		}
		cr_assert_eq(executor_states_totals(&states).spins, totals.spins, "seed %u", seed);
		cr_assert_eq(executor_states_totals(&states).empty_spins, totals.empty_spins, "seed %u", seed);
		cr_assert_eq(executor_states_totals(&states).executions, totals.executions, "seed %u", seed);
		cr_assert_eq(executor_states_totals(&states).has_events, totals.has_events, "seed %u", seed);
		g_rand_free(rand);
	}
}
