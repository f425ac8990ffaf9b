/* SPDX-License-Identifier: MIT */
#include "core/text/number_text.h"

#include <glib.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Not by snprintf(), which takes ten times as long: rows of instances are mostly integers. */
const char *number_text_unsigned(char buffer[NUMBER_TEXT_SIZE], uint64_t value)
{
	char *at = &buffer[NUMBER_TEXT_SIZE - 1];

	*at = '\0';
	do {
		*--at = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	return at;
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

const char *number_text_real(char buffer[NUMBER_TEXT_SIZE], double value)
{
	buffer[0] = '\0';
	if (isfinite(value)) {
		g_ascii_formatd(buffer, NUMBER_TEXT_SIZE, "%.3f", value);
	}
	return buffer;
}
