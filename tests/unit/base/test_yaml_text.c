/* SPDX-License-Identifier: MIT */
#include "core/base/yaml/yaml_text.h"

#include <criterion/criterion.h>

static void expect_quoted(const char *text, const char *expected)
{
	g_autoptr(GString) yaml = g_string_new(NULL);

	yaml_text_append_quoted(yaml, text);
	cr_assert_str_eq(yaml->str, expected);
}

Test(yaml_text, what_ends_or_escapes_a_scalar_is_escaped)
{
	expect_quoted("", "\"\"");
	expect_quoted("/scan: #1", "\"/scan: #1\"");
	expect_quoted("a\"b\\c", "\"a\\\"b\\\\c\"");
}

Test(yaml_text, what_cannot_be_printed_is_escaped)
{
	expect_quoted("a\n\x7f", "\"a\\x0A\\x7F\"");
	expect_quoted("\xE2\x80\xA8", "\"\\u2028\"");
	expect_quoted("\xC3\xA9", "\"\xC3\xA9\"");
}

Test(yaml_text, bytes_that_are_not_utf8_are_replaced)
{
	expect_quoted("a\xFF", "\"a\xEF\xBF\xBD\"");
}
