/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/base/text/markdown_text.h"

static void expect_name(const char *name, const char *expected)
{
	g_autoptr(GString) line = g_string_new(NULL);

	markdown_text_append_name(line, name);
	cr_expect_str_eq(line->str, expected, "%s: %s", name, line->str);
}

Test(markdown_text, names_are_code)
{
	expect_name("/a_b/*c*", "`/a_b/*c*`");
	expect_name("@team #1 <b>", "`@team #1 <b>`");
	expect_name("", "");
}

Test(markdown_text, a_name_that_would_end_the_code_or_the_cell_is_escaped)
{
	expect_name("a|b", "a&#124;b");
	expect_name("`a`", "&#96;a&#96;");
	expect_name("a\nb", "`a�b`");
}

Test(markdown_text, sentences_are_no_markup)
{
	g_autoptr(GString) line = g_string_new("> ");

	markdown_text_append(line, "5 % of [a](b) *lost*, @x & <y>");
	cr_expect_str_eq(line->str, "> 5 % of &#91;a&#93;(b) &#42;lost&#42;, &#64;x &#38; &#60;y&#62;");
}
