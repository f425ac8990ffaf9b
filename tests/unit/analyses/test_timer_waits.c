/* SPDX-License-Identifier: MIT */
#include "core/analyses/timers/timer_waits.h"

#include <criterion/criterion.h>
#include <glib.h>

static void take(struct timer_waits *waits, const struct poll *polls, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (polls[i].kind == POLL_FIND) {
			timer_waits_end(waits, polls[i].time_ns);
		} else {
			timer_waits_begin(waits, &polls[i], false);
		}
	}
}

Test(timer_waits, polls_that_are_skipped_change_nothing)
{
	GRand *rand = g_rand_new_with_seed(1);
	struct timer_waits all = TIMER_NO_WAITS, few = TIMER_NO_WAITS;
	int64_t time_ns = 0;
	size_t skipped = 0;

	for (int round = 0; round < 2000; round++) {
		struct poll polls[20];
		size_t count = (size_t)g_rand_int_range(rand, 1, G_N_ELEMENTS(polls) + 1), first;

		for (size_t i = 0; i < count; i++) {
			polls[i].kind = (enum poll_kind)g_rand_int_range(rand, POLL_FIND, POLL_LOOK_UP + 1);
			polls[i].time_ns = time_ns += g_rand_int_range(rand, 0, 20) * (NS_PER_S / 200);
		}
		first = timer_waits_skip(&few, polls, count);
		skipped += first;
		take(&all, polls, count);
		take(&few, &polls[first], count - first);
		cr_assert_eq(few.waits_ns, all.waits_ns);
		cr_assert_eq(few.woke_ns, all.woke_ns);
		cr_assert_eq(few.is_look_up, all.is_look_up);
		cr_assert_eq(few.idle.certain_ns, all.idle.certain_ns);
		cr_assert_eq(few.idle.likely_ns, all.idle.likely_ns);
		cr_assert_eq(few.idle.possible_ns, all.idle.possible_ns);
		cr_assert_eq(few.marks_ns[0], all.marks_ns[0]);
		cr_assert_eq(few.marks_ns[1], all.marks_ns[1]);
	}
	cr_assert_gt(skipped, 100);
	g_rand_free(rand);
}
