/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include <stdio.h>

#include "ros2bt/base/definition_set.h"

static struct definition_set *set;

static void setup(void)
{
	set = definition_set_create();
}

static void teardown(void)
{
	definition_set_destroy(set);
}

TestSuite(definition_set, .init = setup, .fini = teardown);

Test(definition_set, without_window_a_copy_is_one_at_any_time)
{
	cr_expect(definition_set_add(set, "a", 1, 5, INT64_MAX));
	cr_expect_not(definition_set_add(set, "a", 1, 5, INT64_MAX));
	cr_expect_not(definition_set_add(set, "a", 1, INT64_MAX, INT64_MAX));
	cr_expect_not(definition_set_add(set, "a", 1, INT64_MIN, INT64_MAX));
}

Test(definition_set, contents_are_compared_exactly)
{
	cr_expect(definition_set_add(set, "a\0b", 3, 0, INT64_MAX));
	cr_expect(definition_set_add(set, "a\0c", 3, 0, INT64_MAX));
	cr_expect(definition_set_add(set, "a", 1, 0, INT64_MAX));
	cr_expect(definition_set_add(set, "", 0, 0, INT64_MAX));
	cr_expect_not(definition_set_add(set, "a\0c", 3, 0, INT64_MAX));
	cr_expect_not(definition_set_add(set, "", 0, 0, INT64_MAX));
}

Test(definition_set, within_the_window_of_the_first_it_is_a_copy)
{
	cr_expect(definition_set_add(set, "a", 1, 1000, 10));
	cr_expect_not(definition_set_add(set, "a", 1, 1010, 10));
	cr_expect_not(definition_set_add(set, "a", 1, 990, 10));
	cr_expect_not(definition_set_add(set, "a", 1, 1000, 0));
}

Test(definition_set, beyond_the_window_it_is_a_new_first)
{
	cr_expect(definition_set_add(set, "a", 1, 1000, 10));
	cr_expect(definition_set_add(set, "a", 1, 1011, 10));
	cr_expect_not(definition_set_add(set, "a", 1, 1021, 10));
	cr_expect(definition_set_add(set, "a", 1, 1022, 10));
}

Test(definition_set, copies_do_not_move_the_window)
{
	cr_expect(definition_set_add(set, "a", 1, 0, 10));
	cr_expect_not(definition_set_add(set, "a", 1, 8, 10));
	cr_expect(definition_set_add(set, "a", 1, 16, 10));
}

Test(definition_set, times_may_be_as_far_apart_as_they_can)
{
	cr_expect(definition_set_add(set, "a", 1, INT64_MIN, INT64_MAX - 1));
	cr_expect(definition_set_add(set, "a", 1, INT64_MAX, INT64_MAX - 1));
}

Test(definition_set, many)
{
	char text[32];

	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 20000; i++) {
			int size = snprintf(text, sizeof(text), "%d", i);

			cr_expect_eq(definition_set_add(set, text, (size_t)size, i, INT64_MAX), round == 0);
		}
	}
}
