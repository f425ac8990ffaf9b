/* SPDX-License-Identifier: MIT */
#include "ros2bt/number_text.h"

#include <glib.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

const char *number_text_integer(char buffer[NUMBER_TEXT_SIZE], int64_t value)
{
	snprintf(buffer, NUMBER_TEXT_SIZE, "%" PRId64, value);
	return buffer;
}

const char *number_text_unsigned(char buffer[NUMBER_TEXT_SIZE], uint64_t value)
{
	snprintf(buffer, NUMBER_TEXT_SIZE, "%" PRIu64, value);
	return buffer;
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
