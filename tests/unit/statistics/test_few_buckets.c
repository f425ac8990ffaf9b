/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>

#include "core/statistics/duration_histogram.h"
#include "core/statistics/few_buckets.h"

static void take_ascending(int64_t duration_ns, uint64_t hits, void *data)
{
	int64_t *last_ns = data;

	cr_expect_geq(duration_ns, *last_ns);
	cr_expect_eq(hits, 1);
	*last_ns = duration_ns;
}

Test(few_buckets, buckets_are_sorted_whatever_their_sign_and_size)
{
	struct few_buckets few = { .count = FEW_BUCKETS_MAX };

	for (int i = 0; i < FEW_BUCKETS_MAX; i++) {
		few.buckets[i] = (int16_t)(i % 3 == 0 ? -28672 + i : i * 7919 % 28673);
	}
	few_buckets_sort(&few);
	for (int i = 1; i < FEW_BUCKETS_MAX; i++) {
		cr_assert_leq(few.buckets[i - 1], few.buckets[i]);
	}
	cr_assert_eq(few.buckets[0], -28672);
}

Test(few_buckets, the_extremes_of_durations_are_in_order)
{
	static const int64_t durations_ns[] = { INT64_MAX, -1, INT64_MIN, 0, 1, 1000000, INT64_MAX / 2, -1000000 };
	struct arena *arena = arena_create();
	struct duration_histogram histogram = { .arena = arena };
	int64_t last_ns = INT64_MIN;

	duration_histogram_add(&histogram, durations_ns, G_N_ELEMENTS(durations_ns));
	cr_expect(duration_histogram_value_at(&histogram, 1) < -(int128)9000000000000000000);
	cr_expect(duration_histogram_value_at(&histogram, 8) > (int128)9000000000000000000);
	duration_histogram_each(&histogram, take_ascending, &last_ns);
	duration_histogram_clear(&histogram);
	arena_destroy(arena);
}
