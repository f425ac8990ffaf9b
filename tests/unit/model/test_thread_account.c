/* SPDX-License-Identifier: MIT */
#include "core/model/thread_account.h"

#include <criterion/criterion.h>

static struct thread_cause by_thread(int32_t tid, int64_t time_ns)
{
	return (struct thread_cause){
		.name = "thread", .tid = tid, .count = 1, .time_ns = time_ns, .longest_ns = time_ns
	};
}

static void add(struct thread_causes *causes, struct thread_cause cause)
{
	thread_causes_add(causes, &cause);
}

static const struct thread_cause *find(const struct thread_causes *causes, int32_t tid)
{
	for (size_t i = 0; i < THREAD_CAUSES_MAX; i++) {
		if (causes->list[i].name && causes->list[i].tid == tid) {
			return &causes->list[i];
		}
	}
	return NULL;
}

/* 3 - 1 of each state, 30 - 10 of interrupts, 7 - 2 and 9 - 4 times. */
Test(thread_account, what_came_to_an_account_is_the_difference)
{
	const struct thread_account before = { { 1, 1, 1, 1, 1 }, 10, 2, 4 }, now = { { 3, 3, 3, 3, 3 }, 30, 7, 9 };
	struct thread_account since = thread_account_since(&now, &before);

	for (int state = 0; state < THREAD_STATES; state++) {
		cr_expect_eq(since.time_ns[state], 2);
	}
	cr_expect_eq(thread_account_total(&since), 2 * THREAD_STATES);
	cr_expect_eq(since.irq_ns, 20);
	cr_expect_eq(since.preemptions, 5);
	cr_expect_eq(since.blocks, 5);
}

Test(thread_account, sums_of_hostile_times_stay_at_the_end_of_64_bits)
{
	struct thread_account sum = { .time_ns = { [THREAD_RUNNING] = INT64_MAX - 1, [THREAD_BLOCKED] = 5 },
				      .preemptions = 1 };
	const struct thread_account more = {
		.time_ns = { [THREAD_RUNNING] = 2, [THREAD_BLOCKED] = 6 }, .irq_ns = 3, .preemptions = 2, .blocks = 4
	};

	thread_account_add(&sum, &more);
	cr_expect_eq(sum.time_ns[THREAD_RUNNING], INT64_MAX);
	cr_expect_eq(sum.time_ns[THREAD_BLOCKED], 11);
	cr_expect_eq(sum.irq_ns, 3);
	cr_expect_eq(sum.preemptions, 3);
	cr_expect_eq(sum.blocks, 4);
}

Test(thread_account, a_cause_is_counted_by_its_thread_or_else_by_its_name)
{
	static const char futex[] = "futex", futex_elsewhere[] = "futex";
	struct thread_causes causes = { 0 };

	cr_expect_null(thread_causes_longest(&causes));
	add(&causes, by_thread(7, 10));
	add(&causes, (struct thread_cause){ "renamed", 7, 1, 30, 30, 0 });
	add(&causes, (struct thread_cause){ futex, 0, 1, 5, 5, 0 });
	add(&causes, (struct thread_cause){ futex, 0, 1, 6, 6, 0 });
	add(&causes, (struct thread_cause){ futex_elsewhere, 0, 1, 1, 1, 0 });
	cr_expect_eq(find(&causes, 7)->time_ns, 40);
	cr_expect_eq(find(&causes, 7)->count, 2);
	cr_expect_eq(find(&causes, 7)->longest_ns, 30);
	cr_expect_str_eq(find(&causes, 7)->name, "renamed", "the latest name");
	cr_expect_eq(find(&causes, 0)->time_ns, 11, "names are compared as pointers");
	cr_expect_eq(thread_causes_longest(&causes), find(&causes, 7));
	cr_expect_not(causes.has_others);
}

/*
 * Four places: 1, 2, 3 and 4 with 40, 30, 20 and 10. The fifth takes the place of 4 and its rank: 10 + 5 = 15, of which
 * 5 are its own. The sixth takes that place in turn, since 15 is still the least: 15 + 100 = 115, its own are 100.
 */
Test(thread_account, a_new_cause_takes_the_place_of_the_one_that_ranks_last)
{
	struct thread_causes causes = { 0 };

	for (int32_t tid = 1; tid <= THREAD_CAUSES_MAX; tid++) {
		add(&causes, by_thread(tid, 50 - 10 * tid));
	}
	cr_expect_not(causes.has_others);
	add(&causes, by_thread(5, 5));
	cr_expect(causes.has_others);
	cr_expect_null(find(&causes, 4));
	cr_expect_eq(find(&causes, 5)->time_ns, 5);
	cr_expect_eq(find(&causes, 5)->rank_ns, 15);
	add(&causes, by_thread(6, 100));
	cr_expect_null(find(&causes, 5));
	cr_expect_eq(find(&causes, 6)->time_ns, 100);
	cr_expect_eq(find(&causes, 6)->rank_ns, 115);
	cr_expect_eq(thread_causes_longest(&causes)->tid, 6);
}

Test(thread_account, causes_of_several_executions_add_up)
{
	struct thread_causes all = { 0 }, one = { .has_others = true };

	add(&all, by_thread(1, 10));
	add(&one, by_thread(2, 7));
	add(&one, by_thread(1, 3));
	thread_causes_add_all(&all, &one);
	cr_expect_eq(find(&all, 1)->time_ns, 13);
	cr_expect_eq(find(&all, 1)->count, 2);
	cr_expect_eq(find(&all, 2)->time_ns, 7);
	cr_expect(all.has_others);
}
