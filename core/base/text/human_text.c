/* SPDX-License-Identifier: MIT */
#include "core/base/text/human_text.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/base/text/utf8.h"
#include "ros2bt/base/time_units.h"

#define ELLIPSIS "…"
#define FIRST_COMBINING_CHARACTER 0x300
#define EPOCH_JULIAN_DAY 719163 /* 1970-01-01 as a day of GDate */

static char *prepend_text(char *at, const char *text)
{
	size_t length = strlen(text);

	return memcpy(at - length, text, length);
}

/* `digits`: the minimum, filled up with zeros. */
static char *prepend_number(char *at, uint64_t number, int digits)
{
	while (number || digits > 0) {
		*--at = (char)('0' + number % 10);
		number /= 10;
		digits--;
	}
	return at;
}

/* A number of thousandths, rounded to three digits. */
static char *prepend_thousandths(char *at, uint64_t thousandths)
{
	if (thousandths < 9995) {
		at = prepend_number(at, (thousandths + 5) % 1000 / 10, 2);
		*--at = '.';
		return prepend_number(at, (thousandths + 5) / 1000, 1);
	}
	if (thousandths < 99950) {
		at = prepend_number(at, (thousandths + 50) % 1000 / 100, 1);
		*--at = '.';
		return prepend_number(at, (thousandths + 50) / 1000, 1);
	}
	return prepend_number(at, (thousandths + 500) / 1000, 1);
}

/* The units are a thousand times one another. `at` is the last byte of the buffer. */
static const char *quantity_text(char *at, int64_t quantity, const char *const *units, size_t unit_count)
{
	uint64_t magnitude = quantity < 0 ? -(uint64_t)quantity : (uint64_t)quantity, scale = 1;
	size_t unit = 0;

	/* From 999.5 on, three digits round up to the next unit. */
	while (unit + 1 < unit_count && magnitude >= scale * 1000 - scale / 2) {
		scale *= 1000;
		unit++;
	}
	*at = '\0';
	at = prepend_text(at, units[unit]);
	at = unit == 0 ? prepend_number(at, magnitude, 1) : prepend_thousandths(at, magnitude / (scale / 1000));
	if (quantity < 0) {
		*--at = '-';
	}
	return at;
}

const char *human_text_moment(char buffer[HUMAN_TEXT_SIZE], int64_t since_begin_ns)
{
	g_ascii_formatd(buffer, HUMAN_TEXT_SIZE - 2, "%+.3f", (double)since_begin_ns / (double)NS_PER_S);
	g_strlcat(buffer, " s", HUMAN_TEXT_SIZE);
	return buffer;
}

const char *human_text_bytes(char buffer[HUMAN_TEXT_SIZE], int64_t bytes)
{
	static const char *const units[] = { " B", " kB", " MB", " GB", " TB", " PB" };

	return quantity_text(buffer + HUMAN_TEXT_SIZE - 1, bytes, units, G_N_ELEMENTS(units));
}

static const char *const duration_units[] = { " ns", " µs", " ms", " s" };

const char *human_text_duration(char buffer[HUMAN_TEXT_SIZE], int64_t duration_ns)
{
	return quantity_text(buffer + HUMAN_TEXT_SIZE - 1, duration_ns, duration_units, G_N_ELEMENTS(duration_units));
}

const char *human_text_real_duration(char buffer[HUMAN_TEXT_SIZE], double duration_ns)
{
	double magnitude = fabs(duration_ns);
	/* From 1 us on, the digits that are rounded away begin at the last whole ns or before it. */
	double kept = magnitude < 1000 ? round(magnitude) : trunc(magnitude);
	int64_t whole_ns = kept < 0x1p63 ? (int64_t)kept : INT64_MAX;

	return quantity_text(buffer + HUMAN_TEXT_SIZE - 1, duration_ns < 0 ? -whole_ns : whole_ns, duration_units,
			     G_N_ELEMENTS(duration_units));
}

const char *human_text_time(char buffer[HUMAN_TEXT_SIZE], int64_t time_ns)
{
	int64_t nanoseconds = time_ns % NS_PER_S + (time_ns % NS_PER_S < 0 ? NS_PER_S : 0);
	int64_t seconds = time_ns / NS_PER_S - (time_ns % NS_PER_S < 0);
	uint64_t second_of_day = (uint64_t)(seconds % S_PER_DAY + (seconds % S_PER_DAY < 0 ? S_PER_DAY : 0));
	int64_t day = seconds / S_PER_DAY - (seconds % S_PER_DAY < 0);
	char *at = buffer + HUMAN_TEXT_SIZE - 1;
	GDate date;

	/* 64 bits of ns are the years 1677 to 2262: always a valid date */
	g_date_clear(&date, 1);
	g_date_set_julian(&date, (guint32)(day + EPOCH_JULIAN_DAY));
	*at = '\0';
	at = prepend_number(at, (uint64_t)nanoseconds, 9);
	*--at = '.';
	at = prepend_number(at, second_of_day % 60, 2);
	*--at = ':';
	at = prepend_number(at, second_of_day / 60 % 60, 2);
	*--at = ':';
	at = prepend_number(at, second_of_day / 3600, 2);
	*--at = ' ';
	at = prepend_number(at, g_date_get_day(&date), 2);
	*--at = '-';
	at = prepend_number(at, g_date_get_month(&date), 2);
	*--at = '-';
	return prepend_number(at, g_date_get_year(&date), 4);
}

static void append_without_controls(GString *clean, const char *piece, size_t length)
{
	for (const char *at = piece; at < piece + length; at = g_utf8_next_char(at)) {
		gunichar character = g_utf8_get_char(at);
		GUnicodeType type = g_unichar_type(character);

		if (type == G_UNICODE_CONTROL || type == G_UNICODE_FORMAT || type == G_UNICODE_LINE_SEPARATOR ||
		    type == G_UNICODE_PARAGRAPH_SEPARATOR) {
			g_string_append(clean, UTF8_REPLACEMENT);
		} else {
			g_string_append_unichar(clean, character);
		}
	}
}

/* The length of the printable ASCII at the start of a text, usually all of it: a byte and a column per character. */
static size_t plain_length(const char *text)
{
	size_t length = 0;

	while (text[length] >= ' ' && text[length] <= '~') {
		length++;
	}
	return length;
}

char *human_text_clean(const char *text)
{
	size_t length = plain_length(text);
	const char *piece;
	GString *clean;

	if (text[length] == '\0') {
		return g_strndup(text, length);
	}
	clean = g_string_new(NULL);
	while ((length = utf8_next_piece(&text, &piece))) {
		append_without_controls(clean, piece, length);
	}
	return g_string_free(clean, FALSE);
}

static size_t character_width(gunichar character)
{
	/* Latin letters and digits, because GLib searches tables for its answers */
	if (character < FIRST_COMBINING_CHARACTER) {
		return 1;
	}
	return g_unichar_iszerowidth(character) ? 0 : g_unichar_iswide(character) ? 2 : 1;
}

size_t human_text_width(const char *text)
{
	size_t width = plain_length(text);

	for (text += width; *text; text = g_utf8_next_char(text)) {
		width += character_width(g_utf8_get_char(text));
	}
	return width;
}

size_t human_text_width_to(const char *text, const char *end)
{
	size_t width = 0;

	for (; text < end; text = g_utf8_next_char(text)) {
		width += (unsigned char)*text < 0x80 ? 1 : character_width(g_utf8_get_char(text));
	}
	return width;
}

const char *human_text_fitting(const char *text, size_t width)
{
	while (*text) {
		bool is_ascii = (unsigned char)*text < 0x80;
		size_t character = is_ascii ? 1 : character_width(g_utf8_get_char(text));

		if (character > width) {
			break;
		}
		width -= character;
		text = is_ascii ? text + 1 : g_utf8_next_char(text);
	}
	return text;
}

char *human_text_shorten(const char *text, size_t width)
{
	const char *head_end, *tail;
	size_t rest;

	if (human_text_width(text) <= width) {
		return g_strdup(text);
	}
	head_end = human_text_fitting(text, (width - 1) / 2);
	tail = text + strlen(text);
	rest = width - 1 - (width - 1) / 2;
	while (tail > head_end) {
		const char *before = g_utf8_prev_char(tail);
		size_t character = character_width(g_utf8_get_char(before));

		if (character > rest) {
			break;
		}
		rest -= character;
		tail = before;
	}
	return g_strdup_printf("%.*s" ELLIPSIS "%s", (int)(head_end - text), text, tail);
}
