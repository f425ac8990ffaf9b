/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "ros2bt/events/directory_walk.h"

static char *top;
static GPtrArray *seen;	    /* char *: relative paths, in their order */
static GPtrArray *left_out; /* char * */
static char *reason;
static guint allowed; /* visits before the walk is stopped */

static char *below(const char *name)
{
	return g_build_filename(top, name, NULL);
}

static void make(const char *name)
{
	g_autofree char *path = below(name);

	cr_assert_eq(g_mkdir_with_parents(path, 0700), 0);
}

static void join(const char *name, const char *target)
{
	g_autofree char *path = below(name);

	cr_assert_eq(symlink(target, path), 0);
}

static void remove_all(const char *path)
{
	g_autoptr(GPtrArray) names = g_file_test(path, G_FILE_TEST_IS_SYMLINK) ? NULL : directory_entries(path, NULL);

	for (guint i = 0; names && i < names->len; i++) {
		g_autofree char *child = g_build_filename(path, g_ptr_array_index(names, i), NULL);

		remove_all(child);
	}
	g_remove(path);
}

static void setup(void)
{
	top = g_dir_make_tmp("ros2bt-walk-XXXXXX", NULL);
	cr_assert_not_null(top);
	seen = g_ptr_array_new_with_free_func(g_free);
	left_out = g_ptr_array_new_with_free_func(g_free);
	reason = NULL;
}

static void teardown(void)
{
	directory_walk_watch(NULL);
	remove_all(top);
	g_free(top);
	g_free(reason);
	g_ptr_array_unref(seen);
	g_ptr_array_unref(left_out);
}

TestSuite(directory_walk, .init = setup, .fini = teardown);

/* Traces are called t, and not looked into. */
static bool enters(const char *path, const char *relative_path, void *data)
{
	g_autofree char *name = g_path_get_basename(path);

	g_ptr_array_add(seen, g_strdup(relative_path));
	return strcmp(name, "t") != 0;
}

static bool walk(void)
{
	const struct directory_walk walk = { .enters = enters, .left_out = left_out };

	return directory_walk(&walk, top, &reason);
}

static void expect_seen(const char *expected)
{
	g_autofree char *text = NULL;

	g_ptr_array_add(seen, NULL);
	text = g_strjoinv(" ", (char **)seen->pdata);
	cr_assert_str_eq(text, expected);
}

Test(directory_walk, goes_through_all_directories_in_order)
{
	make("b/t/inside");
	make("a/c");
	join("file", "nowhere");
	cr_assert(walk());
	expect_seen(" a a/c b b/t");
}

Test(directory_walk, links_that_lead_back_end)
{
	make("a/b");
	join("a/here", ".");
	join("a/again", ".");
	join("a/b/up", "..");
	join("a/b/top", "../..");
	cr_assert(walk());
	expect_seen(" a a/again a/b a/b/top a/b/up a/here");
}

/* 2^40 paths lead to the last one. */
Test(directory_walk, many_links_to_one_place_cost_no_more_than_that_place)
{
	for (int i = 0; i < 40; i++) {
		g_autofree char *name = g_strdup_printf("%d", i), *next = g_strdup_printf("../%d", i + 1);
		g_autofree char *left = g_build_filename(name, "left", NULL),
				*right = g_build_filename(name, "right", NULL);

		make(name);
		join(left, next);
		join(right, next);
	}
	make("40");
	cr_assert(walk());
	cr_assert_eq(seen->len, 1 + 41 + 2 * 40);
}

/* It is not looked into, so it may be met more than once. */
Test(directory_walk, a_trace_is_met_at_each_of_its_paths)
{
	make("a/t");
	make("b");
	join("b/t", "../a/t");
	cr_assert(walk());
	expect_seen(" a a/t b b/t");
}

static bool is_enough(void)
{
	return seen->len >= allowed;
}

Test(directory_walk, stops_when_told)
{
	make("a");
	make("b");
	make("c");
	allowed = 3;
	directory_walk_watch(is_enough);
	cr_assert_not(walk());
	cr_assert_not_null(strstr(reason, "/c: interrupted in the search for traces"));
	expect_seen(" a b");
}

Test(directory_walk, nesting_has_a_limit)
{
	g_autoptr(GString) deep = g_string_new("0");

	for (int i = 1; i < 70; i++) {
		g_string_append_printf(deep, "/%d", i);
	}
	make(deep->str);
	cr_assert_not(walk());
	cr_assert_not_null(strstr(reason, "nested too deep"));
}
