/* SPDX-License-Identifier: MIT */
#include "core/base/text/number_text.h"

#include <glib.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Returns where the first digit is. `least`: the fewest digits, filled up with zeros. */
static char *prepend_digits(char *at, uint64_t value, int least)
{
	for (; value > 0 || least > 0; least--) {
		*--at = (char)('0' + value % 10);
		value /= 10;
	}
	return at;
}

/* Not by snprintf(), which takes ten times as long: rows of instances are mostly integers. */
const char *number_text_unsigned(char buffer[NUMBER_TEXT_SIZE], uint64_t value)
{
	buffer[NUMBER_TEXT_SIZE - 1] = '\0';
	return prepend_digits(&buffer[NUMBER_TEXT_SIZE - 1], value, 1);
}

const char *number_text_integer(char buffer[NUMBER_TEXT_SIZE], int64_t value)
{
	char *digits = (char *)number_text_unsigned(buffer, value < 0 ? -(uint64_t)value : (uint64_t)value);

	if (value < 0) {
		*--digits = '-';
	}
	return digits;
}

const char *number_text_address(char buffer[NUMBER_TEXT_SIZE], uint64_t value)
{
	snprintf(buffer, NUMBER_TEXT_SIZE, "0x%" PRIx64, value);
	return buffer;
}

/* Doubles from here on are whole numbers. */
#define MANTISSA_BITS 53
#define MANTISSA_END 0x1p53

/* A number below MANTISSA_END in thousandths: the exact value rounded to the nearest, halves to even, as by printf().
 */
static uint64_t thousandths_of(double magnitude)
{
	int exponent;
	uint64_t product = (uint64_t)(frexp(magnitude, &exponent) * MANTISSA_END) * 1000; /* less than 2^63 */
	int shift = MANTISSA_BITS - exponent;
	uint64_t whole, rest, half;

	if (shift >= 64) {
		return 0;
	}
	whole = product >> shift;
	rest = product - (whole << shift);
	half = (UINT64_C(1) << shift) / 2;
	return whole + (rest > half || (rest == half && half > 0 && whole % 2 == 1));
}

/* Not by printf(), see above. */
static const char *moderate_real(char buffer[NUMBER_TEXT_SIZE], double value)
{
	uint64_t thousandths = thousandths_of(fabs(value));
	char *at = prepend_digits(&buffer[NUMBER_TEXT_SIZE - 1], thousandths % 1000, 3);

	buffer[NUMBER_TEXT_SIZE - 1] = '\0';
	*--at = '.';
	at = prepend_digits(at, thousandths / 1000, 1);
	if (signbit(value)) {
		*--at = '-';
	}
	return at;
}

const char *number_text_real(char buffer[NUMBER_TEXT_SIZE], double value)
{
	if (fabs(value) < MANTISSA_END) {
		return moderate_real(buffer, value);
	}
	buffer[0] = '\0';
	if (isfinite(value)) {
		g_ascii_formatd(buffer, NUMBER_TEXT_SIZE, "%.3f", value);
	}
	return buffer;
}
