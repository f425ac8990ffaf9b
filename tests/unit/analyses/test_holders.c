/* SPDX-License-Identifier: MIT */
#include "flow_records.h"

#include "core/analyses/shared/holders.h"

static struct holders holders;

static void setup(void)
{
	flow_setup_recording();
	flow_setup_analysis();
	memset(&holders, 0, sizeof(holders));
	define_node(listener, "k1");
	define_subscription(listener, 1, "/f1");
	define_timer(listener, 1);
	define_service(listener, 1, "/srv");
}

static void teardown(void)
{
	flow_teardown_analysis();
	recording_teardown();
}

TestSuite(holders, .init = setup, .fini = teardown);

static void hold(uint64_t callback, int64_t held_ns)
{
	holders_add(&holders, object_model_callback(model, process_of(listener), callback, now_ns + MS), held_ns);
}

static void expect_longest(const char *expected)
{
	g_autofree char *got = holders_longest_text(&holders, model);

	cr_assert_str_eq(got, expected);
}

Test(holders, there_may_be_none)
{
	cr_assert_null(holders_longest_text(&holders, model));
}

Test(holders, a_callback_is_named_by_its_node_and_what_triggers_it)
{
	hold(SUBSCRIPTION_CALLBACK + 1, 1);
	expect_longest("/k1 /f1");
	hold(TIMER_CALLBACK + 1, 2);
	expect_longest("/k1 10.0 ms");
	hold(SERVICE_CALLBACK + 1, 3);
	expect_longest("/k1 /srv");
	hold(0xabc, 4);
	expect_longest("0xabc");
}

Test(holders, the_longest_is_that_in_all)
{
	hold(TIMER_CALLBACK + 1, 5 * MS);
	for (int i = 0; i < 6; i++) {
		hold(SUBSCRIPTION_CALLBACK + 1, 1 * MS);
	}
	expect_longest("/k1 /f1");
}

Test(holders, the_largest_of_many_comes_through)
{
	for (uint64_t i = 0; i < 100; i++) {
		hold(0xa00 + i, 1 * MS);
		hold(SUBSCRIPTION_CALLBACK + 1, 1 * MS);
	}
	expect_longest("/k1 /f1");
}

Test(holders, what_others_held_in_its_place_does_not_count)
{
	uint64_t i;

	for (i = 0; i < 40; i++) {
		hold(0xa00 + i, 1 * MS);
	}
	hold(SUBSCRIPTION_CALLBACK + 1, 3 * MS);
	for (; i < 48; i++) {
		hold(0xa00 + i, 1 * MS);
	}
	hold(0xa00 + i, 2 * MS);
	expect_longest("/k1 /f1");
}
