/* SPDX-License-Identifier: MIT */
#include "ros2bt/base/duration_text.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/int128.h"
#include "ros2bt/base/time_units.h"

static bool unit_parse(const char *text, int64_t *unit_ns)
{
	static const struct {
		const char *name;
		int64_t unit_ns;
	} units[] = {
		{ "ns", 1 },	   { "us", NS_PER_US },	     { "ms", NS_PER_MS },
		{ "s", NS_PER_S }, { "min", 60 * NS_PER_S }, { "h", 3600 * NS_PER_S },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
		if (strcmp(units[i].name, text) == 0) {
			*unit_ns = units[i].unit_ns;
			return true;
		}
	}
	return false;
}

/* Parses digits as a number and moves *text past them. False if there are none or the number is too large. */
static bool digits_parse(const char **text, int64_t *number)
{
	const char *start = *text;

	*number = 0;
	for (; g_ascii_isdigit(**text); (*text)++) {
		if (__builtin_mul_overflow(*number, 10, number) ||
		    __builtin_add_overflow(*number, **text - '0', number)) {
			return false;
		}
	}
	return *text != start;
}

/* Parses the digits after the point as a number of units of 1 / *scale and moves *text past them. */
static bool fraction_parse(const char **text, int64_t *number, int64_t *scale)
{
	g_autofree char *digits = NULL;
	const char *rest;
	size_t length = strspn(*text, "0123456789");

	*number = 0;
	*scale = 1;
	if (length == 0) {
		return false;
	}
	digits = g_strndup(*text, length);
	*text += length;
	while (length > 0 && digits[length - 1] == '0') {
		digits[--length] = '\0';
	}
	for (size_t i = 0; i < length; i++) {
		if (__builtin_mul_overflow(*scale, 10, scale)) {
			return false;
		}
	}
	rest = digits;
	return length == 0 || digits_parse(&rest, number);
}

bool duration_text_parse(const char *text, int64_t *duration_ns)
{
	int64_t whole, unit_ns;
	int64_t fraction = 0, scale = 1;
	int128 duration;

	if (!digits_parse(&text, &whole)) {
		return false;
	}
	if (*text == '.') {
		text++;
		if (!fraction_parse(&text, &fraction, &scale)) {
			return false;
		}
	}
	if (*text == ' ') {
		text++;
	}
	if (!unit_parse(text, &unit_ns) || (int128)fraction * unit_ns % scale != 0) {
		return false;
	}
	duration = (int128)whole * unit_ns + (int128)fraction * unit_ns / scale;
	if (duration > INT64_MAX) {
		return false;
	}
	*duration_ns = (int64_t)duration;
	return true;
}

char *duration_text(int64_t duration_ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	GString *text = g_string_new(NULL);
	int64_t unit_ns = 1;
	size_t unit = 0;

	while (unit + 1 < G_N_ELEMENTS(units) && duration_ns >= unit_ns * 1000) {
		unit_ns *= 1000;
		unit++;
	}
	g_string_append_printf(text, "%" PRIi64, duration_ns / unit_ns);
	if (duration_ns % unit_ns > 0) {
		g_string_append_printf(text, ".%0*" PRIi64, (int)(3 * unit), duration_ns % unit_ns);
		while (text->str[text->len - 1] == '0') {
			g_string_truncate(text, text->len - 1);
		}
	}
	g_string_append_printf(text, " %s", units[unit]);
	return g_string_free(text, FALSE);
}
