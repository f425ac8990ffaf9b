/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/base/time_range.h"
#include "ros2bt/base/time_units.h"

#define S NS_PER_S
#define DAY NS_PER_DAY

Test(time_range, is_open_where_nothing_was_given)
{
	struct time_range range = { 0 };

	time_range_start(&range, 5 * S);
	cr_assert(time_range_includes(&range, INT64_MIN));
	cr_assert(time_range_includes(&range, INT64_MAX));
}

Test(time_range, both_limits_are_in_it)
{
	struct time_range range = {
		.has_begin = true, .has_end = true, .begin = { MOMENT_FROM_EPOCH, 10 }, .end = { MOMENT_FROM_START, 7 }
	};

	time_range_start(&range, 5);
	cr_assert_not(time_range_includes(&range, 9));
	cr_assert(time_range_includes(&range, 10));
	cr_assert(time_range_includes(&range, 12));
	cr_assert_not(time_range_includes(&range, 13));
}

Test(time_range, what_is_relative_to_the_end_needs_to_know_it)
{
	struct time_range range = { .has_begin = true, .begin = { MOMENT_FROM_END, -3 * S } };

	cr_assert(time_range_needs_end(&range));
	time_range_set_recording_end(&range, 100 * S);
	cr_assert_not(time_range_needs_end(&range));
	time_range_start(&range, 90 * S);
	cr_assert_eq(range.begin_ns, 97 * S);
}

Test(time_range, a_time_of_day_is_on_the_day_of_the_start)
{
	struct time_range range = { .has_begin = true, .begin = { MOMENT_FROM_DAY, 3600 * S } };

	time_range_start(&range, 10 * DAY + 7200 * S);
	cr_assert_eq(range.begin_ns, 10 * DAY + 3600 * S);
	time_range_start(&range, -1);
	cr_assert_eq(range.begin_ns, -DAY + 3600 * S);
}

Test(time_range, an_end_before_the_begin_is_on_the_next_day)
{
	struct time_range range = { .has_begin = true,
				    .has_end = true,
				    .begin = { MOMENT_FROM_DAY, DAY - 10 * S },
				    .end = { MOMENT_FROM_DAY, 10 * S } };

	time_range_start(&range, 3 * DAY - 60 * S);
	cr_assert_eq(range.end_ns - range.begin_ns, 20 * S);
}

Test(time_range, sticks_to_the_ends_of_64_bits)
{
	struct time_range range = { .has_end = true, .end = { MOMENT_FROM_START, INT64_MAX } };

	time_range_start(&range, 5);
	cr_assert_eq(range.end_ns, INT64_MAX);
}

Test(time_range, limits_a_span_to_what_both_have_in_common)
{
	struct time_range range = { .has_begin = true, .begin_ns = 10, .has_end = true, .end_ns = 20 };
	int64_t begin_ns = 5, end_ns = 15;

	time_range_limit(&range, &begin_ns, &end_ns);
	cr_assert(begin_ns == 10 && end_ns == 15);
	range = (struct time_range){ .has_end = true, .end_ns = 3 };
	time_range_limit(&range, &begin_ns, &end_ns);
	cr_assert(begin_ns == 10 && end_ns == 3, "they have nothing in common");
}
