/* SPDX-License-Identifier: MIT */
#include "core/base/text/time_text.h"

#include <glib.h>
#include <string.h>

#include "ros2bt/base/duration_text.h"
#include "ros2bt/base/time_units.h"

/* Reads 1 to `max` digits. */
static bool read_digits(const char **text, size_t max, int64_t *number)
{
	const char *begin = *text;

	*number = 0;
	while (g_ascii_isdigit(**text) && (size_t)(*text - begin) < max) {
		*number = *number * 10 + (**text - '0');
		(*text)++;
	}
	return *text != begin && !g_ascii_isdigit(**text);
}

static bool read_character(const char **text, char character)
{
	if (**text != character) {
		return false;
	}
	(*text)++;
	return true;
}

/* Reads ".5" as 500000000, and an empty fraction as 0. */
static bool read_fraction(const char **text, int64_t *fraction_ns)
{
	const char *digits;

	*fraction_ns = 0;
	if (!read_character(text, '.')) {
		return true;
	}
	digits = *text;
	if (!read_digits(text, 9, fraction_ns)) {
		return false;
	}
	for (size_t length = (size_t)(*text - digits); length < 9; length++) {
		*fraction_ns *= 10;
	}
	return true;
}

static bool sum_ns(int64_t seconds, int64_t fraction_ns, int64_t *time_ns)
{
	int64_t sum;

	if (__builtin_mul_overflow(seconds, NS_PER_S, &sum) || __builtin_add_overflow(sum, fraction_ns, &sum)) {
		return false;
	}
	*time_ns = sum;
	return true;
}

static bool parse_seconds(const char *text, int64_t *time_ns)
{
	int64_t seconds, fraction_ns;

	return read_digits(&text, 18, &seconds) && read_fraction(&text, &fraction_ns) && *text == '\0' &&
	       sum_ns(seconds, fraction_ns, time_ns);
}

struct time_of_day {
	int64_t hour, minute, second, fraction_ns;
};

static bool read_time_of_day(const char **text, struct time_of_day *time)
{
	*time = (struct time_of_day){ 0 };
	if (!read_digits(text, 2, &time->hour) || !read_character(text, ':') || !read_digits(text, 2, &time->minute)) {
		return false;
	}
	return !read_character(text, ':') ||
	       (read_digits(text, 2, &time->second) && read_fraction(text, &time->fraction_ns));
}

/* Reads "+hh:mm" as the number of seconds to subtract. */
static bool read_offset(const char **text, int64_t *offset_s)
{
	int64_t hours, minutes;
	bool is_west = **text == '-';

	(*text)++;
	if (!read_digits(text, 2, &hours) || !read_character(text, ':') || !read_digits(text, 2, &minutes) ||
	    hours > 23 || minutes > 59) {
		return false;
	}
	*offset_s = (hours * 60 + minutes) * 60 * (is_west ? -1 : 1);
	return true;
}

/* Reads the end of the text: nothing, "Z", "UTC" or an offset, optionally after a blank. */
static bool read_zone(const char *text, int64_t *offset_s)
{
	*offset_s = 0;
	if (*text == '\0') {
		return true;
	}
	read_character(&text, ' ');
	if (*text == '+' || *text == '-') {
		return read_offset(&text, offset_s) && *text == '\0';
	}
	return strcmp(text, "Z") == 0 || strcmp(text, "UTC") == 0;
}

static bool is_zone(const char *text)
{
	int64_t offset_s;

	return read_zone(text, &offset_s);
}

static bool parse_calendar_time(const char *text, int64_t *time_ns)
{
	int64_t year, month, day, offset_s;
	struct time_of_day time = { 0 };
	g_autoptr(GTimeZone) utc = g_time_zone_new_utc();
	g_autoptr(GDateTime) date = NULL;

	if (!read_digits(&text, 4, &year) || !read_character(&text, '-') || !read_digits(&text, 2, &month) ||
	    !read_character(&text, '-') || !read_digits(&text, 2, &day)) {
		return false;
	}
	if (!is_zone(text) &&
	    !((read_character(&text, ' ') || read_character(&text, 'T')) && read_time_of_day(&text, &time))) {
		return false;
	}
	if (!read_zone(text, &offset_s)) {
		return false;
	}
	date = g_date_time_new(utc, (gint)year, (gint)month, (gint)day, (gint)time.hour, (gint)time.minute,
			       (gdouble)time.second);
	return date && sum_ns(g_date_time_to_unix(date) - offset_s, time.fraction_ns, time_ns);
}

static bool parse_time_of_day(const char *text, int64_t *ns)
{
	struct time_of_day time;
	int64_t offset_s;

	return read_time_of_day(&text, &time) && read_zone(text, &offset_s) && offset_s == 0 && time.hour < 24 &&
	       time.minute < 60 && time.second < 60 &&
	       sum_ns((time.hour * 60 + time.minute) * 60 + time.second, time.fraction_ns, ns);
}

bool time_text_parse(const char *text, struct moment *moment)
{
	int64_t ns;

	if (*text == '+' || *text == '-') {
		if (!duration_text_parse(text + 1, &ns)) {
			return false;
		}
		*moment = *text == '+' ? (struct moment){ MOMENT_FROM_START, ns }
				       : (struct moment){ MOMENT_FROM_END, -ns };
		return true;
	}
	if (parse_seconds(text, &ns) || parse_calendar_time(text, &ns)) {
		*moment = (struct moment){ MOMENT_FROM_EPOCH, ns };
		return true;
	}
	if (parse_time_of_day(text, &ns)) {
		*moment = (struct moment){ MOMENT_FROM_DAY, ns };
		return true;
	}
	return false;
}
