/* SPDX-License-Identifier: MIT */
#include "core/base/text/number_text.h"

#include <criterion/criterion.h>
#include <float.h>
#include <glib.h>
#include <math.h>

static char buffer[NUMBER_TEXT_SIZE];

Test(number_text, integers_of_64_bits)
{
	cr_expect_str_eq(number_text_integer(buffer, 0), "0");
	cr_expect_str_eq(number_text_integer(buffer, -7), "-7");
	cr_expect_str_eq(number_text_integer(buffer, INT64_MIN), "-9223372036854775808");
	cr_expect_str_eq(number_text_integer(buffer, INT64_MAX), "9223372036854775807");
	cr_expect_str_eq(number_text_unsigned(buffer, 0), "0");
	cr_expect_str_eq(number_text_unsigned(buffer, UINT64_MAX), "18446744073709551615");
}

Test(number_text, addresses_are_hexadecimal)
{
	cr_expect_str_eq(number_text_address(buffer, 0), "0x0");
	cr_expect_str_eq(number_text_address(buffer, UINT64_MAX), "0xffffffffffffffff");
}

Test(number_text, reals_have_three_decimals_if_they_are_finite)
{
	cr_expect_str_eq(number_text_real(buffer, 0.0625), "0.062");
	cr_expect_str_eq(number_text_real(buffer, -1234.5), "-1234.500");
	cr_expect_str_eq(number_text_real(buffer, (double)NAN), "");
	cr_expect_str_eq(number_text_real(buffer, -(double)INFINITY), "");
}

static void expect_as_printed(double value)
{
	char printed[NUMBER_TEXT_SIZE];

	g_ascii_formatd(printed, sizeof(printed), "%.3f", value);
	cr_assert_str_eq(number_text_real(buffer, value), printed, "%a", value);
}

/* The exact value is rounded, halves to the even digit, where products and quotients of doubles are rounded before. */
Test(number_text, reals_are_rounded_as_printf_does)
{
	static const double values[] = { 0,	 0.0005,   0.0015,     0.0025,	0.9995,	      0.99949999999999994,
					 1.0005, 0x1p-11,  0x1.8p-10,  0x1p-64, 0x1p-1074,    4.9995e-4,
					 1e12,	 1e15 + 1, 0x1p53 - 1, 0x1p53,	0x1p53 - 0.5, 0x1p52 + 0.5 };

	for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
		expect_as_printed(values[i]);
		expect_as_printed(-values[i]);
	}
}

Test(number_text, reals_of_every_size_are_rounded_as_printf_does)
{
	GRand *random = g_rand_new_with_seed(1);

	for (int i = 0; i < 100000; i++) {
		int exponent = g_rand_int_range(random, -80, 70);

		expect_as_printed(ldexp(g_rand_double(random), exponent));
		/* in the middle between two of three decimals, or next to it */
		expect_as_printed((double)g_rand_int_range(random, 0, 1 << 30) / 16 + 1.0 / 2000);
		expect_as_printed((double)g_rand_int(random) / 1024);
	}
	g_rand_free(random);
}

/* 1.8e308: a sign, 309 digits, a point and three decimals. */
Test(number_text, the_longest_real_fits)
{
	cr_expect_eq(strlen(number_text_real(buffer, -DBL_MAX)), 1 + 309 + 1 + 3);
}
