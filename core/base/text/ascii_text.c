/* SPDX-License-Identifier: MIT */
#include "ros2bt/base/ascii_text.h"

#include <glib.h>
#include <langinfo.h>
#include <locale.h>
#include <string.h>

/* Answers of g_utf8_get_char_validated() */
#define INVALID ((gunichar)-1)
#define INCOMPLETE ((gunichar)-2)

static const struct replacement {
	gunichar character;
	char ascii;
} replacements[] = {
	{ 0xB5, 'u' },	 /* µ */
	{ 0xD7, 'x' },	 /* × */
	{ 0x2026, '~' }, /* … */
	{ 0x2500, '-' }, /* ─ */
};

/* The name of the locale of characters, as setlocale() finds it. */
static const char *locale_name(void)
{
	static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < G_N_ELEMENTS(variables); i++) {
		const char *value = g_getenv(variables[i]);

		if (value && *value) {
			return value;
		}
	}
	return "C";
}

static bool is_utf8(const char *charset)
{
	return g_ascii_strncasecmp(charset, "UTF-8", 5) == 0 || g_ascii_strncasecmp(charset, "UTF8", 4) == 0;
}

bool ascii_text_is_needed(void)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	const char *dot;
	bool is_needed;

	if (!locale) {
		dot = strchr(locale_name(), '.');
		return !dot || !is_utf8(dot + 1);
	}
	is_needed = !is_utf8(nl_langinfo_l(CODESET, locale));
	freelocale(locale);
	return is_needed;
}

static char *append_ascii(char *end, gunichar character)
{
	size_t columns = g_unichar_iszerowidth(character) ? 0 : g_unichar_iswide(character) ? 2 : 1;

	for (size_t i = 0; i < G_N_ELEMENTS(replacements); i++) {
		if (replacements[i].character == character) {
			*end = replacements[i].ascii;
			return end + 1;
		}
	}
	memset(end, '?', columns);
	return end + columns;
}

size_t ascii_text_convert(char *text, size_t *size)
{
	const char *at = text, *text_end = text + *size;
	char *end = text;
	size_t rest;

	while (at < text_end) {
		gunichar character = (guchar)*at < 0x80 ? (guchar)*at : g_utf8_get_char_validated(at, text_end - at);

		if (character < 0x80) {
			*end++ = *at++;
		} else if (character == INCOMPLETE) {
			break;
		} else {
			at = character == INVALID ? at + 1 : g_utf8_next_char(at);
			end = append_ascii(end, character);
		}
	}
	rest = (size_t)(text_end - at);
	memmove(end, at, rest);
	*size = (size_t)(end - text);
	return rest;
}
