/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>

#include "ros2bt/base/nearest_name.h"

static const char *const names[] = { "paths", NULL, "path_hops", "points", "hosts" };

Test(nearest_name, a_misspelt_name_has_one)
{
	cr_assert_str_eq(nearest_name("pathes", names, G_N_ELEMENTS(names)), "paths");
	cr_assert_str_eq(nearest_name("paht_hops", names, G_N_ELEMENTS(names)), "path_hops");
	cr_assert_str_eq(nearest_name("paths", names, G_N_ELEMENTS(names)), "paths");
}

Test(nearest_name, a_different_name_has_none)
{
	cr_assert_null(nearest_name("callbacks", names, G_N_ELEMENTS(names)));
	cr_assert_null(nearest_name("x", (const char *const[]){ "y" }, 1), "no character agrees");
	cr_assert_null(nearest_name("/a", (const char *const[]){ "/c" }, 1), "but the slash");
	cr_assert_str_eq(nearest_name("/ab", (const char *const[]){ "/ac" }, 1), "/ac");
	cr_assert_null(nearest_name("", names, G_N_ELEMENTS(names)));
	cr_assert_null(nearest_name("paths", NULL, 0));
}

Test(nearest_name, a_star_stands_for_anything)
{
	const char *const paths[] = { "/a > /b", "/source > /a > /echo > /b > /sink" };

	cr_assert_str_eq(nearest_name("/source > ** > /snk", paths, 2), paths[1]);
	cr_assert_str_eq(nearest_name("/b > *", paths, 2), paths[0]);
	cr_assert_str_eq(nearest_name("/? > /c", paths, 2), paths[0]);
	cr_assert_null(nearest_name("*", paths, 2));
	cr_assert_null(nearest_name("/camera*", paths, 2));
}

Test(nearest_name, choices_are_separated)
{
	g_autofree char *near = nearest_choice_hint("cvs", "text|csv|json", "|");
	g_autofree char *far = nearest_choice_hint("pdf", "text, csv, json", ", ");

	cr_assert_str_eq(near, " (did you mean \"csv\"?)");
	cr_assert_str_eq(far, "");
}
