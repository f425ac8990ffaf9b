/* SPDX-License-Identifier: MIT */
#include "core/clocks/clock_alignment.h"

#include <criterion/criterion.h>

#include "ros2bt/base/time_units.h"

/*
 * Host 0 is the reference. Host 1 is 1000 ns ahead of it, host 2 is 500 ns ahead of host 1, host 3 is on its own. A
 * message takes 100 ns at least in each direction, so the uncertainty of a relation is 100 ns, and 5 ns more because so
 * few messages may not be the fastest.
 */
static struct clock_alignment *alignment;

/*
 * Eight messages both ways in a second, each with 100 ns of latency, of a clock that is `offset_ns` ahead: the lines
 * between the bounds lie around that offset alike, so it is their mean.
 */
static struct clock_relation *relation_of(int64_t offset_ns)
{
	struct clock_bound bounds[16];

	for (size_t i = 0; i < G_N_ELEMENTS(bounds); i++) {
		bool is_upper = i % 2 == 0;

		bounds[i] = (struct clock_bound){
			.at_ns = (int64_t)(i / 2) * NS_PER_S / 7,
			.offset_ns = offset_ns + (is_upper ? 100 : -100),
			.is_upper = is_upper,
		};
	}
	return clock_relation_create(bounds, G_N_ELEMENTS(bounds));
}

static void setup(void)
{
	alignment = clock_alignment_create(3);
	clock_alignment_refer(alignment, 1, 0, relation_of(1000));
	clock_alignment_refer(alignment, 2, 1, relation_of(500));
}

static void teardown(void)
{
	clock_alignment_destroy(alignment);
}

TestSuite(clock_alignment, .init = setup, .fini = teardown);

static void expect_near(int64_t actual, int64_t expected)
{
	cr_expect_leq(ABS(actual - expected), 2, "%" G_GINT64_FORMAT " is not %" G_GINT64_FORMAT, actual, expected);
}

Test(clock_alignment, times_go_through_the_parents_to_the_reference)
{
	cr_expect_eq(clock_alignment_to_reference(alignment, 0, NS_PER_S), NS_PER_S);
	expect_near(clock_alignment_to_reference(alignment, 1, NS_PER_S + 1000), NS_PER_S);
	expect_near(clock_alignment_to_reference(alignment, 2, NS_PER_S + 1500), NS_PER_S);
	cr_expect_eq(clock_alignment_to_reference(alignment, 3, NS_PER_S), NS_PER_S, "a host that is not among them");
}

Test(clock_alignment, offsets_add_up)
{
	cr_expect_eq(clock_alignment_offset(alignment, 0, NS_PER_S), 0);
	expect_near(clock_alignment_offset(alignment, 1, NS_PER_S), 1000);
	expect_near(clock_alignment_offset(alignment, 2, NS_PER_S), 1500);
}

Test(clock_alignment, hosts_have_one_reference_if_messages_connect_them)
{
	cr_expect_eq(clock_alignment_reference(alignment, 0), 0);
	cr_expect_eq(clock_alignment_reference(alignment, 2), 0);
	cr_expect_eq(clock_alignment_reference(alignment, 3), 3);
}

/* 100 for each relation on the way: none to itself, one to the parent, two from 2 to 0. */
Test(clock_alignment, uncertainties_on_the_way_add_up)
{
	cr_expect_eq(clock_alignment_uncertainty(alignment, 2, 2), 0);
	expect_near(clock_alignment_uncertainty(alignment, 1, 0), 103);
	expect_near(clock_alignment_uncertainty(alignment, 0, 1), 103);
	expect_near(clock_alignment_uncertainty(alignment, 2, 0), 206);
	cr_expect_eq(clock_alignment_uncertainty(alignment, 2, 3), CLOCK_UNKNOWN_NS);
}

Test(clock_alignment, messages_of_one_direction_leave_the_uncertainty_unknown)
{
	struct clock_bound bounds[] = { { 0, 1100, true }, { NS_PER_S, 1100, true } };

	clock_alignment_refer(alignment, 1, 0, clock_relation_create(bounds, G_N_ELEMENTS(bounds)));
	cr_expect_eq(clock_alignment_uncertainty(alignment, 2, 0), CLOCK_UNKNOWN_NS);
	expect_near(clock_alignment_uncertainty(alignment, 2, 1), 103);
}
