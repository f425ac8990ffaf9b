/* SPDX-License-Identifier: MIT */
#include "ros2bt/human_text.h"

#include <inttypes.h>
#include <string.h>

#include "ros2bt/utf8.h"

#define ELLIPSIS "…"
#define NS_PER_S 1000000000

char *human_text_duration(int64_t duration_ns)
{
	static const char *const units[] = { "ns", "µs", "ms", "s" };
	uint64_t magnitude_ns = duration_ns < 0 ? -(uint64_t)duration_ns : (uint64_t)duration_ns;
	const char *sign = duration_ns < 0 ? "-" : "";
	uint64_t unit_ns = 1, thousandths;
	size_t unit = 0;

	/* From 999.5 on, three digits round up to the next unit. */
	while (unit + 1 < G_N_ELEMENTS(units) && magnitude_ns >= unit_ns * 1000 - unit_ns / 2) {
		unit_ns *= 1000;
		unit++;
	}
	if (unit == 0) {
		return g_strdup_printf("%s%" PRIu64 " ns", sign, magnitude_ns);
	}
	thousandths = magnitude_ns / (unit_ns / 1000);
	if (thousandths < 9995) {
		thousandths += 5;
		return g_strdup_printf("%s%" PRIu64 ".%02" PRIu64 " %s", sign, thousandths / 1000,
				       thousandths % 1000 / 10, units[unit]);
	}
	if (thousandths < 99950) {
		thousandths += 50;
		return g_strdup_printf("%s%" PRIu64 ".%" PRIu64 " %s", sign, thousandths / 1000,
				       thousandths % 1000 / 100, units[unit]);
	}
	return g_strdup_printf("%s%" PRIu64 " %s", sign, (thousandths + 500) / 1000, units[unit]);
}

char *human_text_time(int64_t time_ns)
{
	int64_t seconds = time_ns / NS_PER_S - (time_ns % NS_PER_S < 0);
	g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc(seconds);
	g_autofree char *text = g_date_time_format(time, "%Y-%m-%d %H:%M:%S");

	return g_strdup_printf("%s.%09" PRId64, text, time_ns - seconds * NS_PER_S);
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

char *human_text_clean(const char *text)
{
	GString *clean = g_string_new(NULL);
	const char *piece;
	size_t length;

	while ((length = utf8_next_piece(&text, &piece))) {
		append_without_controls(clean, piece, length);
	}
	return g_string_free(clean, FALSE);
}

static size_t character_width(gunichar character)
{
	return g_unichar_iszerowidth(character) ? 0 : g_unichar_iswide(character) ? 2 : 1;
}

size_t human_text_width(const char *text)
{
	size_t width = 0;

	for (; *text; text = g_utf8_next_char(text)) {
		width += character_width(g_utf8_get_char(text));
	}
	return width;
}

/* The longest part from the start that fits. */
static const char *skip_width(const char *text, size_t width)
{
	while (*text && character_width(g_utf8_get_char(text)) <= width) {
		width -= character_width(g_utf8_get_char(text));
		text = g_utf8_next_char(text);
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
	head_end = skip_width(text, (width - 1) / 2);
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
