/* SPDX-License-Identifier: MIT */
#include "core/analyses/timeline/timeline_ids.h"

#include <criterion/criterion.h>

#include "records.h"

static struct timeline_ids ids;

static void teardown(void)
{
	timeline_ids_clear(&ids);
	recording_teardown();
}

TestSuite(timeline_ids, .init = recording_setup, .fini = teardown);

static void check_different(const GArray *numbers, struct u64_map *seen)
{
	for (guint i = 0; i < numbers->len; i++) {
		int32_t number = g_array_index(numbers, int32_t, i);

		cr_assert_gt(number, 0);
		cr_assert_eq(u64_map_get(seen, (uint64_t)number), U64_MAP_NONE, "%d twice", number);
		u64_map_set(seen, (uint64_t)number, 0);
	}
}

Test(timeline_ids, ids_stay_unless_another_has_them)
{
	uint32_t trace = add_trace("one");

	add_thread(trace, 7, 7);
	add_thread(trace, 8, 8);
	add_thread(trace, 8, 7);
	timeline_ids_init(&ids, recording);
	cr_expect_eq(timeline_ids_pid(&ids, 0), 7);
	cr_expect_eq(timeline_ids_tid(&ids, 0), 7);
	cr_expect_eq(timeline_ids_tid(&ids, 1), 8);
	cr_expect_eq(timeline_ids_tid(&ids, 2), 7 + (1 << 22));
	cr_expect_eq(timeline_ids_find(&ids, 1, 7), 7 + (1 << 22));
	cr_expect_eq(timeline_ids_find(&ids, 1, 9), 0);
}

/* As of containers, of which each has a thread 7; there are only 512 numbers that differ by those that Linux gives. */
Test(timeline_ids, any_number_of_threads_may_have_the_same_id)
{
	uint32_t trace = add_trace("one");
	struct u64_map seen;

	for (int32_t i = 0; i < 3000; i++) {
		add_thread(trace, 1000 + i, i % 2 ? 7 : (1 << 22) - 1);
	}
	timeline_ids_init(&ids, recording);
	u64_map_init(&seen);
	check_different(ids.pids, &seen);
	check_different(ids.tids, &seen);
	u64_map_clear(&seen);
}
