/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>

#include "ros2bt/base/duration_text.h"

#define REFUSED (-1)

static int64_t parse(const char *text)
{
	int64_t duration_ns = REFUSED;

	cr_expect_eq(duration_text_parse(text, &duration_ns), duration_ns != REFUSED, "%s", text);
	return duration_ns;
}

Test(duration_text, every_unit)
{
	cr_expect_eq(parse("7ns"), 7);
	cr_expect_eq(parse("7us"), 7000);
	cr_expect_eq(parse("7ms"), 7000000);
	cr_expect_eq(parse("7s"), 7000000000);
	cr_expect_eq(parse("7min"), 420000000000);
	cr_expect_eq(parse("7h"), 25200000000000);
	cr_expect_eq(parse("0s"), 0);
	cr_expect_eq(parse("100 ms"), 100000000);
}

Test(duration_text, fractions_are_exact)
{
	cr_expect_eq(parse("0.5ms"), 500000);
	cr_expect_eq(parse("1.000000001s"), 1000000001);
	cr_expect_eq(parse("2.50000000000000000000000s"), 2500000000);
	cr_expect_eq(parse("0.00000000005min"), 3);
	cr_expect_eq(parse("9007199254.740993s"), 9007199254740993000);
}

Test(duration_text, finer_than_a_nanosecond_is_refused)
{
	cr_expect_eq(parse("0.5ns"), REFUSED);
	cr_expect_eq(parse("1.0000000001s"), REFUSED);
	cr_expect_eq(parse("0.0000000000000000000000001s"), REFUSED);
}

Test(duration_text, limits)
{
	cr_expect_eq(parse("9223372036854775807ns"), INT64_MAX);
	cr_expect_eq(parse("9223372036854775808ns"), REFUSED);
	cr_expect_eq(parse("9223372036s"), 9223372036000000000);
	cr_expect_eq(parse("9223372037s"), REFUSED);
	cr_expect_eq(parse("99999999999999999999ns"), REFUSED);
}

Test(duration_text, anything_else_is_refused)
{
	static const char *const texts[] = { "",     " ",    "1",    "ms",   "-1ms", "+1ms", " 1ms", "1ms ",   "1  ms",
					     "1.ms", ".5ms", "1e3s", "0x1s", "1sec", "1S",   "1,5s", "1.2.3s", "1d" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		cr_expect_eq(parse(texts[i]), REFUSED, "%s", texts[i]);
	}
}

/* The text of a duration is exact: it parses to the same duration. */
Test(duration_text, written_and_parsed_again)
{
	static const struct {
		int64_t duration_ns;
		const char *text;
	} cases[] = {
		{ 0, "0 ns" },
		{ 999, "999 ns" },
		{ 1000, "1 us" },
		{ 67000000, "67 ms" },
		{ 66666667, "66.666667 ms" },
		{ 1050000000, "1.05 s" },
		{ 3600000000000, "3600 s" },
		{ INT64_MAX, "9223372036.854775807 s" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = duration_text(cases[i].duration_ns);

		cr_expect_str_eq(text, cases[i].text);
		cr_expect_eq(parse(text), cases[i].duration_ns);
		g_free(text);
	}
}
