/* SPDX-License-Identifier: MIT */
#include "core/base/yaml/yaml_text.h"

#include <stdbool.h>

#include "core/base/text/utf8.h"

/* Printable, and neither a line break nor a byte order mark. */
static bool is_printable(gunichar character)
{
	return (character >= 0x20 && character <= 0x7e) ||
	       (character > 0xa0 && character != 0x2028 && character != 0x2029 && character != 0xfeff &&
		character != 0xfffe && character != 0xffff);
}

static void append_character(GString *yaml, gunichar character)
{
	if (character == '"' || character == '\\') {
		g_string_append_c(yaml, '\\');
	}
	if (is_printable(character)) {
		g_string_append_unichar(yaml, character);
	} else {
		g_string_append_printf(yaml, character <= 0xff ? "\\x%02X" : "\\u%04X", character);
	}
}

void yaml_text_append_quoted(GString *yaml, const char *text)
{
	const char *piece;
	size_t length;

	g_string_append_c(yaml, '"');
	while ((length = utf8_next_piece(&text, &piece)) > 0) {
		for (const char *p = piece; p < piece + length; p = g_utf8_next_char(p)) {
			append_character(yaml, g_utf8_get_char(p));
		}
	}
	g_string_append_c(yaml, '"');
}
