/* SPDX-License-Identifier: MIT */
#include "core/statistics/duration_bucket.h"

#include <criterion/criterion.h>
#include <glib.h>

Test(duration_bucket, a_power_of_two_up_to_the_finest_may_be_an_octave)
{
	cr_assert(duration_buckets_are_allowed(1));
	cr_assert(duration_buckets_are_allowed(32));
	cr_assert(duration_buckets_are_allowed(DURATION_BUCKETS_FINEST));
	cr_assert_not(duration_buckets_are_allowed(0));
	cr_assert_not(duration_buckets_are_allowed(48));
	cr_assert_not(duration_buckets_are_allowed(1024));
}

Test(duration_bucket, small_durations_have_one_of_their_own_and_an_octave_as_many_as_asked_for)
{
	static const struct {
		int64_t duration_ns, low_ns, high_ns;
	} of_32[] = {
		{ 0, 0, 1 },	   { 63, 63, 64 },	{ 64, 64, 66 }, { 65, 64, 66 },	   { 127, 126, 128 },
		{ 128, 128, 132 }, { 1000, 992, 1008 }, { -1, -1, 0 },	{ -64, -65, -63 }, { -1000, -1007, -991 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(of_32); i++) {
		struct duration_bucket bucket = duration_bucket_of(of_32[i].duration_ns, 32);

		cr_assert_eq(bucket.low_ns, of_32[i].low_ns, "%ld", (long)of_32[i].duration_ns);
		cr_assert_eq(bucket.high_ns, of_32[i].high_ns, "%ld", (long)of_32[i].duration_ns);
	}
}

/* Each duration is in its bucket, the next bucket begins where it ends, and it is in a coarser one as a whole. */
Test(duration_bucket, they_are_half_open_adjacent_and_nested)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(3);

	for (int i = 0; i < 100000; i++) {
		uint64_t bits = (uint64_t)g_rand_int(random) << 32 | g_rand_int(random);
		int64_t duration_ns =
			(int64_t)(bits >> g_rand_int_range(random, 1, 64)) * (g_rand_boolean(random) ? 1 : -1);
		unsigned int per_octave = 1u << g_rand_int_range(random, 0, 10);
		struct duration_bucket bucket = duration_bucket_of(duration_ns, per_octave);
		struct duration_bucket coarse = duration_bucket_of(duration_ns, MAX(per_octave / 4, 1));
		int64_t middle_ns = duration_bucket_middle(&bucket);

		cr_assert(bucket.low_ns <= duration_ns);
		cr_assert(duration_ns < bucket.high_ns || bucket.high_ns == INT64_MAX);
		cr_assert(bucket.high_ns == INT64_MAX ||
			  duration_bucket_of(bucket.high_ns, per_octave).low_ns == bucket.high_ns);
		cr_assert(coarse.low_ns <= bucket.low_ns && bucket.high_ns <= coarse.high_ns);
		cr_assert_eq(duration_bucket_of(middle_ns, per_octave).low_ns, bucket.low_ns);
		cr_assert_leq(ABS((double)middle_ns - (double)duration_ns),
			      ABS((double)duration_ns) / (2 * per_octave) + 0.5);
	}
}

Test(duration_bucket, the_greatest_durations_have_one_as_well)
{
	struct duration_bucket greatest = duration_bucket_of(INT64_MAX, 512);
	struct duration_bucket least = duration_bucket_of(INT64_MIN, 512);

	cr_assert_eq(greatest.high_ns, INT64_MAX);
	cr_assert_eq(greatest.low_ns, INT64_MAX - (INT64_C(1) << 53) + 1);
	cr_assert_eq(least.low_ns, INT64_MIN);
	cr_assert_eq(least.high_ns, INT64_MIN + 1);
}
