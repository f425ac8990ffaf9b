/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

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
