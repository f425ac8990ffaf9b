/* SPDX-License-Identifier: MIT */
#include "core/output/prometheus/exposition_text.h"

#include "core/base/text/utf8.h"

#define DIGITS_MAX 40 /* of 128 bits, or of the decimals if these are more */

static void append_escaped(GString *labels, const char *piece, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		switch (piece[i]) {
		case '\n':
			g_string_append(labels, "\\n");
			break;
		case '\\':
		case '"':
			g_string_append_c(labels, '\\');
			/* fallthrough */
		default:
			g_string_append_c(labels, piece[i]);
		}
	}
}

void exposition_append_label(GString *labels, const char *name, const char *text)
{
	const char *piece;
	size_t length;

	g_string_append_printf(labels, "%s%s=\"", labels->len > 0 ? "," : "", name);
	while ((length = utf8_next_piece(&text, &piece))) {
		append_escaped(labels, piece, length);
	}
	g_string_append_c(labels, '"');
}

void exposition_append_decimal(GString *text, int128 value, unsigned int decimals)
{
	uint128 rest = value < 0 ? -(uint128)value : (uint128)value;
	char digits[DIGITS_MAX]; /* the last first */
	unsigned int count = 0, zeros = 0;

	while (rest > 0 || count <= decimals) {
		digits[count++] = (char)('0' + (int)(rest % 10));
		rest /= 10;
	}
	while (zeros < decimals && digits[zeros] == '0') {
		zeros++;
	}
	if (value < 0) {
		g_string_append_c(text, '-');
	}
	while (count > zeros) {
		g_string_append_c(text, digits[--count]);
		if (count == decimals && count > zeros) {
			g_string_append_c(text, '.');
		}
	}
}
