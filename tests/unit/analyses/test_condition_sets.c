/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/analyses/paths/condition_sets.h"

static GPtrArray *sets;

static void setup(void)
{
	sets = condition_sets_create();
}

static void teardown(void)
{
	g_ptr_array_free(sets, TRUE);
}

TestSuite(condition_sets, .init = setup, .fini = teardown);

static uint32_t set_of(const uint32_t *conditions, guint count)
{
	g_autoptr(GArray) array = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	g_array_append_vals(array, conditions, count);
	return condition_sets_find_or_add(sets, array);
}

#define SET(...) set_of((const uint32_t[]){ __VA_ARGS__ }, sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

Test(condition_sets, the_empty_set_is_0)
{
	cr_assert_eq(set_of(NULL, 0), 0);
}

Test(condition_sets, order_and_repetitions_do_not_matter)
{
	uint32_t set = SET(3, 1, 2);

	cr_assert_neq(set, 0);
	cr_assert_eq(SET(1, 2, 3, 2), set);
	cr_assert_neq(SET(1, 2), set);
	cr_assert_neq(SET(1, 2, 4), set);
}

Test(condition_sets, there_is_room_for_some)
{
	for (uint32_t i = 1; i < CONDITION_SETS_MAX; i++) {
		cr_assert_eq(SET(i), i);
	}
	cr_assert_eq(SET(CONDITION_SETS_MAX), CONDITION_SETS_FULL);
	cr_assert_eq(SET(1), 1, "known sets are still found");
}
