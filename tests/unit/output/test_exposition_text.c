/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>
#include <stdint.h>

#include "core/output/prometheus/exposition_text.h"

static void check_decimal(int128 value, unsigned int decimals, const char *expected)
{
	g_autoptr(GString) text = g_string_new(NULL);

	exposition_append_decimal(text, value, decimals);
	cr_expect_str_eq(text->str, expected);
}

Test(exposition_text, decimals_are_exact)
{
	const int128 largest = (int128)(~(uint128)0 >> 1);

	check_decimal(0, 0, "0");
	check_decimal(0, 9, "0");
	check_decimal(1, 9, "0.000000001");
	check_decimal(-1, 9, "-0.000000001");
	check_decimal(250000, 9, "0.00025");
	check_decimal(10000000000, 9, "10");
	check_decimal(-1500000000, 9, "-1.5");
	check_decimal(1000, 0, "1000");
	check_decimal(INT64_MIN, 9, "-9223372036.854775808");
	check_decimal(UINT64_MAX, 0, "18446744073709551615");
	check_decimal(largest, 9, "170141183460469231731687303715.884105727");
	check_decimal(-largest - 1, 0, "-170141183460469231731687303715884105728");
}

Test(exposition_text, labels_hold_any_name)
{
	g_autoptr(GString) labels = g_string_new(NULL);

	exposition_append_label(labels, "node", "/a\"b\\c\nd");
	exposition_append_label(labels, "topic", "\xff \xc3\xa4 {},=");
	exposition_append_label(labels, "kind", "");
	cr_expect_str_eq(labels->str, "node=\"/a\\\"b\\\\c\\nd\",topic=\"\xef\xbf\xbd \xc3\xa4 {},=\",kind=\"\"");
}
