/* SPDX-License-Identifier: MIT */
/*
 * Integers of 128 bits: sums of durations and of their squares are exact.
 *
 * Compilers for 32-bit machines have no __int128. clang has _BitInt(128) there, from version 16 on, but its conversions
 * from and to double are missing: without the functions below, a program does not link there.
 */
#ifndef ROS2BT_INT128_H
#define ROS2BT_INT128_H

#include <stdint.h>

#ifdef __SIZEOF_INT128__

typedef __int128 int128;
typedef unsigned __int128 uint128;

static inline double uint128_to_double(uint128 value)
{
	return (double)value;
}

static inline uint128 uint128_from_double(double value)
{
	return (uint128)value;
}

#else

typedef _BitInt(128) int128;
typedef unsigned _BitInt(128) uint128;

/* Rounded once: what the upper 64 bits leave is one bit of theirs, which says whether anything is left. */
static inline double uint128_to_double(uint128 value)
{
	uint64_t upper = (uint64_t)(value >> 64);
	int left = upper ? 64 - __builtin_clzll(upper) : 0;
	uint64_t bits = (uint64_t)(value >> left);

	return __builtin_ldexp((double)(bits | ((uint128)bits << left != value)), left);
}

/* From 0 to below 2^128. A double that is 2^64 or more has no bits below 2^11. */
static inline uint128 uint128_from_double(double value)
{
	int left = value < 0x1p64 ? 0 : 64;
	double upper = __builtin_floor(__builtin_ldexp(value, -left));

	return left ? ((uint128)(uint64_t)upper << 64) + (uint64_t)(value - __builtin_ldexp(upper, 64))
		    : (uint64_t)upper;
}

#endif

static inline double int128_to_double(int128 value)
{
	return value < 0 ? -uint128_to_double(-(uint128)value) : uint128_to_double((uint128)value);
}

static inline int128 int128_from_double(double value)
{
	return value < 0 ? -(int128)uint128_from_double(-value) : (int128)uint128_from_double(value);
}

/* Of `count` numbers, at least one, with this sum. */
static inline double int128_mean(int128 sum, uint64_t count)
{
	return int128_to_double(sum / count) + int128_to_double(sum % count) / (double)count;
}

#endif
