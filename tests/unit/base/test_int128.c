/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>
#include <math.h>

#include "core/base/int128.h"

/* Bit by bit, to the nearest double, and to the even one of two. */
static double rounded(uint128 value)
{
	uint64_t kept = 0;
	int cut = 0;
	uint128 rest;

	while (value >> cut >= (uint128)1 << 53) {
		cut++;
	}
	kept = (uint64_t)(value >> cut);
	rest = value - ((uint128)kept << cut);
	if (cut > 0 && (rest > (uint128)1 << (cut - 1) || (rest == (uint128)1 << (cut - 1) && kept % 2 == 1))) {
		kept++;
	}
	return ldexp((double)kept, cut);
}

static uint128 random_number(GRand *random)
{
	uint128 value = 0;

	for (int i = 0; i < 4; i++) {
		value = value << 32 | g_rand_int(random);
	}
	return value >> g_rand_int_range(random, 0, 128);
}

static void check_number(uint128 value)
{
	double expected = rounded(value), actual = uint128_to_double(value);

	cr_assert_eq(actual, expected, "%016" G_GINT64_MODIFIER "x%016" G_GINT64_MODIFIER "x: %a is not %a",
		     (uint64_t)(value >> 64), (uint64_t)value, actual, expected);
	if (expected < 0x1p128) {
		cr_assert_eq(uint128_to_double(uint128_from_double(expected)), expected);
	}
	if (!(value >> 127)) {
		cr_assert_eq(int128_to_double((int128)value), expected);
		cr_assert_eq(int128_to_double(-(int128)value), -expected);
	}
}

Test(int128, doubles)
{
	GRand *random = g_rand_new_with_seed(128);

	for (int bit = 0; bit < 128; bit++) {
		uint128 power = (uint128)1 << bit;

		check_number(power);
		check_number(power - 1);
		check_number(power + 1);
		/* halfway between two doubles, and beside it */
		for (int below = 53; below <= 54 && below <= bit; below++) {
			uint128 half = power | power >> below;

			check_number(half);
			check_number(half - 1);
			check_number(half + 1);
			check_number(half | power >> 52);
		}
	}
	for (int i = 0; i < 100000; i++) {
		check_number(random_number(random));
	}
	g_rand_free(random);
}

Test(int128, of_doubles)
{
	cr_expect(uint128_from_double(0) == 0);
	cr_expect(uint128_from_double(0.999) == 0);
	cr_expect(uint128_from_double(4503599627370495.5) == UINT64_C(4503599627370495));
	cr_expect(uint128_from_double(0x1.fffffffffffffp63) == UINT64_C(0xfffffffffffff800));
	cr_expect(uint128_from_double(0x1p64) == (uint128)1 << 64);
	cr_expect(uint128_from_double(0x1.0000000000001p64) == ((uint128)1 << 64) + 4096);
	cr_expect(uint128_from_double(0x1.fffffffffffffp127) == ((uint128)UINT64_C(0x1fffffffffffff) << 75));
	cr_expect(int128_from_double(-1.5) == -1);
	cr_expect(int128_from_double(-0x1p100) == -((int128)1 << 100));
}

Test(int128, means)
{
	cr_expect_eq(int128_mean(7, 2), 3.5);
	cr_expect_eq(int128_mean(-7, 2), -3.5);
	cr_expect_eq(int128_mean(((int128)1 << 100) + 3, 2), 0x1p99);
	cr_expect_eq(int128_mean((int128)INT64_MAX * 3 + 1, UINT64_C(3)), 0x1p63);
}
