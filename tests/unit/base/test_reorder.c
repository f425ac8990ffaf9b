/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>

#include "ros2bt/base/reorder.h"

static struct reorder *reorder;

static void setup(void)
{
	reorder = reorder_create();
}

static void teardown(void)
{
	reorder_destroy(reorder);
}

TestSuite(reorder, .init = setup, .fini = teardown);

/* Everything due at the limit, as a string of one-letter contents. */
static const char *take(int64_t limit_ns)
{
	static char text[256];
	size_t length = 0;
	struct reorder_item item;

	while (reorder_take(reorder, limit_ns, &item)) {
		text[length++] = *(const char *)item.content;
	}
	text[length] = '\0';
	return text;
}

Test(reorder, what_is_in_order_stays)
{
	reorder_keep(reorder, 1, "a");
	reorder_keep(reorder, 1, "b");
	reorder_keep(reorder, 2, "c");
	cr_expect_str_eq(take(INT64_MAX), "abc");
	cr_expect_str_eq(take(INT64_MAX), "");
}

Test(reorder, nothing_leaves_before_it_is_due)
{
	reorder_keep(reorder, 10, "a");
	reorder_keep(reorder, 20, "b");
	reorder_move(reorder, 15, "m");
	cr_expect_str_eq(take(9), "");
	cr_expect_str_eq(take(14), "a");
	cr_expect_eq(reorder_kept_count(reorder), 1);
	cr_expect_str_eq(take(15), "m");
	cr_expect_str_eq(take(20), "b");
}

Test(reorder, moved_comes_first_at_equal_times_in_order_of_arrival)
{
	reorder_keep(reorder, 10, "a");
	reorder_move(reorder, 10, "m");
	reorder_move(reorder, 10, "n");
	reorder_move(reorder, 9, "l");
	cr_expect_str_eq(take(INT64_MAX), "lmna");
}

Test(reorder, moved_before_everything)
{
	reorder_keep(reorder, 10, "a");
	cr_expect_eq(reorder_move(reorder, INT64_MIN + 1, "m"), 0);
	cr_expect_str_eq(take(10), "ma");
}

Test(reorder, what_comes_too_late_goes_as_far_as_possible_and_says_by_how_much)
{
	struct reorder_item item;

	reorder_keep(reorder, 10, "a");
	reorder_keep(reorder, 20, "b");
	cr_expect_str_eq(take(10), "a");
	cr_expect_eq(reorder_move(reorder, 3, "m"), 7);
	cr_expect_eq(reorder_move(reorder, 10, "n"), 0);
	cr_expect(reorder_take(reorder, INT64_MAX, &item));
	cr_expect(item.is_moved);
	cr_expect_eq(item.time_ns, 10);
	cr_expect_str_eq(take(INT64_MAX), "nb");
}

Test(reorder, lateness_may_be_as_large_as_it_can)
{
	reorder_keep(reorder, INT64_MAX, "a");
	cr_expect_str_eq(take(INT64_MAX), "a");
	cr_expect_eq(reorder_move(reorder, INT64_MIN, "m"), UINT64_MAX);
}

Test(reorder, timeless_items_keep_their_place)
{
	reorder_keep_timeless(reorder, "a");
	reorder_keep(reorder, 10, "b");
	reorder_keep_timeless(reorder, "c");
	reorder_keep(reorder, 11, "d");
	reorder_move(reorder, 11, "m");
	cr_expect_eq(reorder_now(reorder), 11);
	cr_expect_str_eq(take(10), "abc");
	cr_expect_str_eq(take(11), "md");
}

Test(reorder, time_that_goes_back_is_taken_as_the_last)
{
	struct reorder_item item;

	reorder_keep(reorder, 10, "a");
	reorder_keep(reorder, 5, "b");
	cr_expect_str_eq(take(9), "");
	cr_expect(reorder_take(reorder, 10, &item));
	cr_expect(reorder_take(reorder, 10, &item));
	cr_expect_eq(item.time_ns, 10);
}

/* Random sequences: everything comes out once, in order of time, whatever the limits in between. */
Test(reorder, output_is_a_sorted_permutation)
{
	enum { ITEMS = 5000 };
	static int contents[ITEMS];
	static int seen[ITEMS];
	g_autoptr(GRand) random = g_rand_new_with_seed(7);

	for (int round = 0; round < 20; round++) {
		int64_t now_ns = 0, last_ns = INT64_MIN;
		int out = 0;
		struct reorder_item item;

		reorder_destroy(reorder);
		reorder = reorder_create();
		memset(seen, 0, sizeof(seen));
		for (int i = 0; i < ITEMS; i++) {
			contents[i] = i;
			now_ns += g_rand_int_range(random, 0, 3);
			if (g_rand_int_range(random, 0, 4) == 0) {
				reorder_move(reorder, now_ns - g_rand_int_range(random, 0, 200), &contents[i]);
			} else {
				reorder_keep(reorder, now_ns, &contents[i]);
			}
			while (reorder_take(reorder, now_ns - 50 * (round % 4), &item)) {
				cr_assert_geq(item.time_ns, last_ns);
				last_ns = item.time_ns;
				seen[*(const int *)item.content]++;
				out++;
			}
		}
		while (reorder_take(reorder, INT64_MAX, &item)) {
			cr_assert_geq(item.time_ns, last_ns);
			last_ns = item.time_ns;
			seen[*(const int *)item.content]++;
			out++;
		}
		cr_assert_eq(out, ITEMS);
		for (int i = 0; i < ITEMS; i++) {
			cr_assert_eq(seen[i], 1);
		}
	}
}
