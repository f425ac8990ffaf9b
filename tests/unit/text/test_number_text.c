/* SPDX-License-Identifier: MIT */
#include "core/text/number_text.h"

#include <criterion/criterion.h>
#include <float.h>
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

/* 1.8e308: a sign, 309 digits, a point and three decimals. */
Test(number_text, the_longest_real_fits)
{
	cr_expect_eq(strlen(number_text_real(buffer, -DBL_MAX)), 1 + 309 + 1 + 3);
}
