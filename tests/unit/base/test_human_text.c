/* SPDX-License-Identifier: MIT */
#include "core/base/text/human_text.h"

#include <criterion/criterion.h>

#include "ros2bt/base/time_units.h"

static void expect_duration(int64_t duration_ns, const char *expected)
{
	char buffer[HUMAN_TEXT_SIZE];

	cr_expect_str_eq(human_text_duration(buffer, duration_ns), expected);
}

static void expect_real_duration(double duration_ns, const char *expected)
{
	char buffer[HUMAN_TEXT_SIZE];

	cr_expect_str_eq(human_text_real_duration(buffer, duration_ns), expected);
}

static void expect_bytes(int64_t bytes, const char *expected)
{
	char buffer[HUMAN_TEXT_SIZE];

	cr_expect_str_eq(human_text_bytes(buffer, bytes), expected);
}

static void expect_time(int64_t time_ns, const char *expected)
{
	char buffer[HUMAN_TEXT_SIZE];

	cr_expect_str_eq(human_text_time(buffer, time_ns), expected);
}

static void expect_moment(int64_t since_begin_ns, const char *expected)
{
	char buffer[HUMAN_TEXT_SIZE];

	cr_expect_str_eq(human_text_moment(buffer, since_begin_ns), expected);
}

Test(human_text, moments_are_seconds_with_a_sign)
{
	expect_moment(0, "+0.000 s");
	expect_moment(97749000, "+0.098 s");
	expect_moment(-1500 * NS_PER_MS, "-1.500 s");
	expect_moment(3600 * NS_PER_S, "+3600.000 s");
	expect_moment(INT64_MAX, "+9223372036.855 s");
}

Test(human_text, durations_have_three_significant_digits_in_a_unit_that_fits)
{
	expect_duration(0, "0 ns");
	expect_duration(812, "812 ns");
	expect_duration(999, "999 ns");
	expect_duration(1000, "1.00 µs");
	expect_duration(1234, "1.23 µs");
	expect_duration(45650, "45.7 µs");
	expect_duration(999499, "999 µs");
	expect_duration(-1500000, "-1.50 ms");
	expect_duration(123 * NS_PER_S, "123 s");
	expect_duration(3600 * NS_PER_S, "3600 s");
	expect_duration(INT64_MIN, "-9223372037 s");
}

/* 9.995 has two decimals if it rounds to 9.99, and one if it rounds to 10.0; 999.5 is the next unit. */
Test(human_text, rounding_goes_on_to_the_next_digit_and_unit)
{
	expect_duration(9994, "9.99 µs");
	expect_duration(9995, "10.0 µs");
	expect_duration(99949, "99.9 µs");
	expect_duration(99950, "100 µs");
	expect_duration(999500, "1.00 ms");
}

Test(human_text, amounts_of_memory_are_in_powers_of_1000)
{
	expect_bytes(0, "0 B");
	expect_bytes(812, "812 B");
	expect_bytes(1230, "1.23 kB");
	expect_bytes(45600000, "45.6 MB");
	expect_bytes(-2000, "-2.00 kB");
}

Test(human_text, times_are_dates_in_utc_to_the_nanosecond)
{
	expect_time(0, "1970-01-01 00:00:00.000000000");
	expect_time(INT64_C(1714566896123456789), "2024-05-01 12:34:56.123456789");
	expect_time(-1, "1969-12-31 23:59:59.999999999");
	expect_time(-NS_PER_DAY, "1969-12-31 00:00:00.000000000");
	expect_time(INT64_MIN, "1677-09-21 00:12:43.145224192");
	expect_time(INT64_MAX, "2262-04-11 23:47:16.854775807");
}

Test(human_text, a_clean_text_has_no_control_characters_and_is_valid)
{
	static const struct {
		const char *text, *clean;
	} cases[] = {
		{ "/chatter", "/chatter" },
		{ "", "" },
		{ "µ…", "µ…" },
		{ "a\x1b[31mb", "a\xEF\xBF\xBD[31mb" },
		{ "a\nb\x7f", "a\xEF\xBF\xBD"
			      "b\xEF\xBF\xBD" },
		{ "a\xff"
		  "b",
		  "a\xEF\xBF\xBD"
		  "b" },
		{ "\xE2\x80\x8Bx", "\xEF\xBF\xBDx" }, /* zero width space */
		{ "\xE2\x80\xA8", "\xEF\xBF\xBD" },   /* line separator */
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *clean = human_text_clean(cases[i].text);

		cr_expect_str_eq(clean, cases[i].clean);
		cr_expect(g_utf8_validate(clean, -1, NULL));
	}
}

/* A wide character takes two columns, a combining one none. */
Test(human_text, the_width_is_in_terminal_columns)
{
	cr_expect_eq(human_text_width("/chatter"), 8);
	cr_expect_eq(human_text_width("µs…"), 3);
	cr_expect_eq(human_text_width("漢a"), 3);
	cr_expect_eq(human_text_width("e\xCC\x81"), 1);
}

Test(human_text, the_width_of_a_part)
{
	const char *text = "µ漢a";

	cr_expect_eq(human_text_width_to(text, text), 0);
	cr_expect_eq(human_text_width_to(text, text + 2), 1);
	cr_expect_eq(human_text_width_to(text, text + 5), 3);
	cr_expect_eq(human_text_fitting(text, 2), text + 2);
	cr_expect_eq(human_text_fitting(text, 3), text + 5);
	cr_expect_eq(human_text_fitting(text, 9), text + 6);
}

static void expect_short(const char *text, size_t width, const char *expected)
{
	g_autofree char *shorter = human_text_shorten(text, width);

	cr_expect_str_eq(shorter, expected);
	cr_expect_leq(human_text_width(shorter), width);
}

Test(human_text, a_long_text_loses_its_middle)
{
	expect_short("abcdefgh", 8, "abcdefgh");
	expect_short("abcdefgh", 7, "abc…fgh");
	expect_short("abcdefgh", 4, "a…gh");
	expect_short("abcdefgh", 1, "…");
	expect_short("漢漢漢漢", 6, "漢…漢"); /* a third one would take the seventh column */
}

Test(human_text, a_mean_is_rounded_once)
{
	expect_real_duration(1154.636, "1.15 µs");
	expect_real_duration(1155, "1.16 µs");
	expect_real_duration(1154.999, "1.15 µs");
	expect_real_duration(-1154.636, "-1.15 µs");
	expect_real_duration(812.4, "812 ns");
	expect_real_duration(812.5, "813 ns");
	expect_real_duration(999.4, "999 ns");
	expect_real_duration(999.7, "1.00 µs");
	expect_real_duration(9994.9, "9.99 µs");
	expect_real_duration(9995.2, "10.0 µs");
	expect_real_duration(999499.9, "999 µs");
	expect_real_duration(999500.1, "1.00 ms");
	expect_real_duration(1e300, "9223372037 s");
	expect_real_duration(-1e300, "-9223372037 s");
}
