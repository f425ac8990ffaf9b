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
	struct arena *arena = arena_create();
	struct few_buckets *few = NULL;

	for (int i = 0; i < FEW_BUCKETS_MAX; i++) {
		few = few_buckets_make_room(few, 1, arena);
		*few_buckets_at(few, few->count++) = (int16_t)(i % 3 == 0 ? -28672 + i : i * 7919 % 28673);
	}
	cr_assert_null(few_buckets_make_room(few, 1, arena), "they are not few any more");
	few_buckets_sort(few);
	for (uint32_t i = 1; i < few->count; i++) {
		cr_assert_leq(*few_buckets_at(few, i - 1), *few_buckets_at(few, i));
	}
	cr_assert_eq(*few_buckets_at(few, 0), -28672);
	few_buckets_destroy(few, arena);
	arena_destroy(arena);
}

Test(few_buckets, the_extremes_of_durations_are_in_order)
{
	static const int64_t durations_ns[] = { INT64_MAX, -1, INT64_MIN, 0, 1, 1000000, INT64_MAX / 2, -1000000 };
	struct arena *arena = arena_create();
	struct duration_histogram *histogram = duration_histogram_create(arena);
	int64_t last_ns = INT64_MIN;

	duration_histogram_add(histogram, durations_ns, G_N_ELEMENTS(durations_ns));
	cr_expect(duration_histogram_value_at(histogram, 1) < -(int128)9000000000000000000);
	cr_expect(duration_histogram_value_at(histogram, 8) > (int128)9000000000000000000);
	duration_histogram_each(histogram, take_ascending, &last_ns);
	duration_histogram_destroy(histogram);
	arena_destroy(arena);
}
