/* SPDX-License-Identifier: MIT */
#include "core/base/text/utf8.h"

#include <criterion/criterion.h>
#include <glib.h>

/* All pieces of a text, each followed by "|". */
static char *pieces_of(const char *text)
{
	GString *all = g_string_new(NULL);
	const char *piece;
	size_t length;

	while ((length = utf8_next_piece(&text, &piece))) {
		g_string_append_len(all, piece, (gssize)length);
		g_string_append_c(all, '|');
	}
	return g_string_free(all, FALSE);
}

Test(utf8, valid_text_is_one_piece_and_each_other_byte_one_of_its_own)
{
	static const struct {
		const char *text, *pieces;
	} cases[] = {
		{ "", "" },
		{ "/chatter µ", "/chatter µ|" },
		{ "a\xff\xfe"
		  "b",
		  "a|" UTF8_REPLACEMENT "|" UTF8_REPLACEMENT "|b|" },
		{ "\xC2", UTF8_REPLACEMENT "|" },			   /* cut within a character */
		{ "\xC0\xAF", UTF8_REPLACEMENT "|" UTF8_REPLACEMENT "|" }, /* "/" in two bytes */
		{ "\xED\xA0\x80", UTF8_REPLACEMENT "|" UTF8_REPLACEMENT "|" UTF8_REPLACEMENT "|" }, /* a surrogate */
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *pieces = pieces_of(cases[i].text);

		cr_expect_str_eq(pieces, cases[i].pieces, "case %zu: %s", i, pieces);
	}
}
