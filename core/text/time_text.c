/* SPDX-License-Identifier: MIT */
#include "core/text/time_text.h"

#include <glib.h>
#include <string.h>

#define NS_PER_S 1000000000

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

/* Reads ".5" as 500000000, and nothing as 0. */
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

	if (__builtin_mul_overflow(seconds, (int64_t)NS_PER_S, &sum) ||
	    __builtin_add_overflow(sum, fraction_ns, &sum)) {
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

struct calendar_time {
	int64_t year, month, day, hour, minute, second, fraction_ns;
	bool is_utc;
};

static bool read_time_of_day(const char **text, struct calendar_time *time)
{
	if (!read_digits(text, 2, &time->hour) || !read_character(text, ':') || !read_digits(text, 2, &time->minute)) {
		return false;
	}
	return !read_character(text, ':') ||
	       (read_digits(text, 2, &time->second) && read_fraction(text, &time->fraction_ns));
}

static bool read_calendar_time(const char *text, struct calendar_time *time)
{
	*time = (struct calendar_time){ 0 };
	if (!read_digits(&text, 4, &time->year) || !read_character(&text, '-') ||
	    !read_digits(&text, 2, &time->month) || !read_character(&text, '-') || !read_digits(&text, 2, &time->day)) {
		return false;
	}
	if ((read_character(&text, ' ') || read_character(&text, 'T')) && !read_time_of_day(&text, time)) {
		return false;
	}
	time->is_utc = read_character(&text, 'Z');
	return *text == '\0';
}

static bool parse_calendar_time(const char *text, int64_t *time_ns)
{
	struct calendar_time time;
	g_autoptr(GTimeZone) zone = NULL;
	g_autoptr(GDateTime) date = NULL;

	if (!read_calendar_time(text, &time)) {
		return false;
	}
	zone = time.is_utc ? g_time_zone_new_utc() : g_time_zone_new_local();
	date = g_date_time_new(zone, (gint)time.year, (gint)time.month, (gint)time.day, (gint)time.hour,
			       (gint)time.minute, (gdouble)time.second);
	return date && sum_ns(g_date_time_to_unix(date), time.fraction_ns, time_ns);
}

bool time_text_parse(const char *text, int64_t *time_ns)
{
	return parse_seconds(text, time_ns) || parse_calendar_time(text, time_ns);
}
