/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>

#include "core/base/text/path_list.h"

static void assert_text(const char *const *paths, size_t count, const char *expected)
{
	g_autofree char *text = path_list_text(paths, count);

	cr_assert_str_eq(text, expected);
}

Test(path_list, names_what_the_user_gave)
{
	assert_text((const char *const[]){ "trace" }, 1, "trace");
	assert_text((const char *const[]){ "a", "b c" }, 2, "a, b c");
}

Test(path_list, long_lists_end_with_a_number)
{
	assert_text((const char *const[]){ "a", "b", "c", "d" }, 4, "a, b, c, d");
	assert_text((const char *const[]){ "a", "b", "c", "d", "e", "f" }, 6, "a, b, c, d and 2 more");
}

Test(path_list, no_path_plays_with_the_terminal)
{
	assert_text((const char *const[]){ "a\x1b[2J" }, 1, "a\xef\xbf\xbd[2J");
}
