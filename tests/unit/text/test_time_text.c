/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <time.h>

#include "core/text/time_text.h"

static void assert_time(const char *text, int64_t expected_ns)
{
	int64_t time_ns = -1;

	cr_assert(time_text_parse(text, &time_ns), "%s", text);
	cr_assert_eq(time_ns, expected_ns, "%s", text);
}

Test(time_text, seconds_are_exact_to_the_nanosecond)
{
	assert_time("0", 0);
	assert_time("1700000000", 1700000000000000000);
	assert_time("1700000000.000000001", 1700000000000000001);
	assert_time("1700000000.5", 1700000000500000000);
}

Test(time_text, days_and_times_are_utc_with_a_z_and_local_without)
{
	assert_time("2023-11-14 22:13:20Z", 1700000000000000000);
	assert_time("2023-11-14T22:13:20.000000007Z", 1700000000000000007);
	assert_time("1970-01-01 00:01Z", 60000000000);
	assert_time("1970-01-02Z", 86400000000000);
	setenv("TZ", "XXX-1", 1);
	tzset();
	assert_time("1970-01-01 01:00:00", 0);
}

Test(time_text, what_is_no_time_is_refused_and_changes_nothing)
{
	static const char *const texts[] = { "",
					     "-1",
					     "abc",
					     "1.",
					     "1.0000000001",
					     "12:00:00",
					     "1 2",
					     "2023-13-01",
					     "2023-02-30",
					     "2023-01-01 25:00",
					     "99999999999",
					     "2023-01-01 ",
					     "2023-01-01 10",
					     "1e9",
					     "2023-1-1x" };
	int64_t time_ns = 42;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		cr_assert_not(time_text_parse(texts[i], &time_ns), "%s", texts[i]);
	}
	cr_assert_eq(time_ns, 42);
}
