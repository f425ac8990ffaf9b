/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>

#include "core/base/name_filter.h"

static bool passes(const char *const *globs, const char *first, const char *second)
{
	struct name_filter *filter = name_filter_create(globs);
	bool does_pass = name_filter_passes(filter, (const char *const[]){ first, second }, 2);

	name_filter_destroy(filter);
	return does_pass;
}

#define GLOBS(...) ((const char *const[]){ __VA_ARGS__, NULL })

Test(name_filter, without_globs_everything_passes)
{
	cr_assert(passes(NULL, "/a", "/b"));
	cr_assert(passes((const char *const[]){ NULL }, NULL, NULL));
}

Test(name_filter, one_of_the_names_has_to_match_one_of_the_globs)
{
	cr_assert(passes(GLOBS("/a", "/c*"), "/x", "/c/d"));
	cr_assert(passes(GLOBS("/?"), "/x", NULL));
	cr_assert_not(passes(GLOBS("/a", "/c*"), "/ab", "/b"));
	cr_assert_not(passes(GLOBS("*"), NULL, NULL), "an unknown name matches nothing");
}

Test(name_filter, none_of_the_names_may_match_an_exclusion)
{
	cr_assert(passes(GLOBS("!/a"), "/b", NULL));
	cr_assert_not(passes(GLOBS("!/a"), "/b", "/a"));
	cr_assert_not(passes(GLOBS("/*", "!/a*"), "/ab", "/b"));
	cr_assert(passes(GLOBS("!/a"), NULL, NULL), "and so it cannot be excluded");
}

Test(name_filter, globs_that_match_nothing_are_known_afterwards)
{
	struct name_filter *filter = name_filter_create_remembering(GLOBS("talker", "/c*", "/nosuch", "!/never"));
	g_autofree const char **before = name_filter_unmatched(filter), **after = NULL, **names = NULL;
	size_t count = 0;

	cr_assert_null(before[0], "no name was checked");
	cr_assert(name_filter_passes(filter, (const char *const[]){ "/talker", "/chat", NULL }, 3));
	cr_assert_not(name_filter_passes(filter, (const char *const[]){ "/listener", "/talker" }, 2));
	after = name_filter_unmatched(filter);
	cr_assert_str_eq(after[0], "talker");
	cr_assert_str_eq(after[1], "/nosuch");
	cr_assert_null(after[2], "an exclusion may match nothing");
	names = name_filter_names(filter, &count);
	cr_assert_eq(count, 3);
	cr_assert_str_eq(names[0], "/chat");
	cr_assert_str_eq(names[1], "/listener");
	cr_assert_str_eq(names[2], "/talker");
	name_filter_destroy(filter);
}

Test(name_filter, without_a_filter_nothing_is_unmatched)
{
	g_autofree const char **globs = name_filter_unmatched(NULL);

	cr_assert_null(globs[0]);
}

Test(name_filter, a_glob_of_a_name_that_exists_is_not_misspelt)
{
	const char *const globs[] = { "/lidar*", "/lidra*", "!/b*", NULL };
	struct name_filter *filter = name_filter_create_remembering(globs);
	const char *other = "/other";
	g_autofree const char **unmatched = NULL;

	cr_expect_not(name_filter_passes(filter, &other, 1));
	name_filter_note(filter, "/lidar_1");
	name_filter_note(filter, NULL);
	unmatched = name_filter_unmatched(filter);
	cr_assert_str_eq(unmatched[0], "/lidra*");
	cr_expect_null(unmatched[1]);
	cr_expect(name_filter_excludes(filter, "/bar"));
	cr_expect_not(name_filter_excludes(filter, "/lidra"));
	cr_expect_not(name_filter_excludes(NULL, "/bar"));
	name_filter_destroy(filter);
}
