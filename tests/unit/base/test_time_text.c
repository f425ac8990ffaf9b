/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <time.h>

#include "core/base/text/time_text.h"

static void assert_moment(const char *text, enum moment_origin expected_origin, int64_t expected_ns)
{
	struct moment moment = { MOMENT_FROM_EPOCH, -1 };

	cr_assert(time_text_parse(text, &moment), "%s", text);
	cr_assert_eq(moment.origin, expected_origin, "%s", text);
	cr_assert_eq(moment.ns, expected_ns, "%s", text);
}

static void assert_time(const char *text, int64_t expected_ns)
{
	assert_moment(text, MOMENT_FROM_EPOCH, expected_ns);
}

Test(time_text, seconds_are_exact_to_the_nanosecond)
{
	assert_time("0", 0);
	assert_time("1700000000", 1700000000000000000);
	assert_time("1700000000.000000001", 1700000000000000001);
	assert_time("1700000000.5", 1700000000500000000);
}

Test(time_text, days_and_times_are_utc_wherever_one_is)
{
	setenv("TZ", "XXX-1", 1);
	tzset();
	assert_time("2023-11-14 22:13:20", 1700000000000000000);
	assert_time("2023-11-14 22:13:20 UTC", 1700000000000000000);
	assert_time("2023-11-14 22:13:20UTC", 1700000000000000000);
	assert_time("2023-11-14 22:13:20Z", 1700000000000000000);
	assert_time("2023-11-14T22:13:20.000000007Z", 1700000000000000007);
	assert_time("1970-01-01 00:01", 60000000000);
	assert_time("1970-01-02", 86400000000000);
	assert_time("1970-01-02Z", 86400000000000);
}

Test(time_text, another_zone_is_an_offset)
{
	assert_time("2023-11-14T23:13:20+01:00", 1700000000000000000);
	assert_time("2023-11-14 12:43:20.5 -09:30", 1700000000500000000);
	assert_time("1970-01-01 00:00:00+01:00", -3600000000000);
}

Test(time_text, a_time_of_day_is_of_the_day_of_the_start)
{
	assert_moment("01:53:45", MOMENT_FROM_DAY, 6825000000000);
	assert_moment("01:53:45.5 UTC", MOMENT_FROM_DAY, 6825500000000);
	assert_moment("23:59Z", MOMENT_FROM_DAY, 86340000000000);
}

Test(time_text, a_sign_is_a_distance_from_the_start_or_the_end)
{
	assert_moment("+5s", MOMENT_FROM_START, 5000000000);
	assert_moment("+1.5 ms", MOMENT_FROM_START, 1500000);
	assert_moment("-2min", MOMENT_FROM_END, -120000000000);
	assert_moment("-0s", MOMENT_FROM_END, 0);
}

Test(time_text, what_is_no_time_is_refused_and_changes_nothing)
{
	static const char *const texts[] = { "",
					     "-1",
					     "+5",
					     "+",
					     "-",
					     "+-5s",
					     "+5 parsecs",
					     "abc",
					     "1.",
					     "1.0000000001",
					     "24:00:00",
					     "12:60",
					     "12:00:60",
					     "12:00 +01:00",
					     "1 2",
					     "2023-13-01",
					     "2023-02-30",
					     "2023-01-01 25:00",
					     "99999999999",
					     "2023-01-01 ",
					     "2023-01-01 10",
					     "2023-01-01 10:00 CET",
					     "2023-01-01 10:00+1",
					     "2023-01-01 10:00+24:00",
					     "1e9",
					     "2023-1-1x" };
	struct moment moment = { MOMENT_FROM_END, 42 };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		cr_assert_not(time_text_parse(texts[i], &moment), "%s", texts[i]);
	}
	cr_assert_eq(moment.origin, MOMENT_FROM_END);
	cr_assert_eq(moment.ns, 42);
}
