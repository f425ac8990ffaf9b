/* SPDX-License-Identifier: MIT */
#include "core/statistics/duration_difference.h"

static struct duration_bucket *bucket_at(const GArray *buckets, guint index)
{
	return &g_array_index(buckets, struct duration_bucket, index);
}

/*
 * `buckets` has those of `now` and behind them, from `first_before` on, those of `before`, both in order. Leaves those
 * that gained samples, with what they gained. False if one has fewer than before.
 */
static bool subtract(GArray *buckets, guint first_before)
{
	guint before = first_before, kept = 0;

	for (guint now = 0; now < first_before; now++) {
		struct duration_bucket bucket = *bucket_at(buckets, now);

		if (before < buckets->len && bucket_at(buckets, before)->low_ns == bucket.low_ns) {
			uint64_t count = bucket_at(buckets, before++)->count;

			if (count > bucket.count) {
				return false;
			}
			bucket.count -= count;
		}
		if (bucket.count > 0) {
			*bucket_at(buckets, kept++) = bucket;
		}
	}
	if (before < buckets->len) {
		return false;
	}
	g_array_set_size(buckets, kept);
	return kept > 0;
}

static struct duration_totals subtract_totals(const struct duration_totals *now, const struct duration_totals *before,
					      const GArray *buckets)
{
	struct duration_totals gained = {
		.count = now->count - before->count,
		.min_ns = now->min_ns,
		.max_ns = now->max_ns,
		.sum_ns = now->sum_ns - before->sum_ns,
		.sum_of_squares_ns2 = now->sum_of_squares_ns2 - before->sum_of_squares_ns2,
	};

	if (now->max_ns == before->max_ns) {
		gained.max_ns = MAX(bucket_at(buckets, buckets->len - 1)->low_ns, now->min_ns);
	}
	if (now->min_ns == before->min_ns) {
		gained.min_ns = MIN(bucket_at(buckets, 0)->high_ns - 1, gained.max_ns);
	}
	return gained;
}

bool duration_difference(struct duration_statistics *gained, const struct duration_statistics *now,
			 const struct duration_statistics *before, GArray *scratch)
{
	struct duration_totals now_totals = duration_statistics_totals(now);
	struct duration_totals before_totals = duration_statistics_totals(before);
	struct duration_totals totals;
	guint first_before;

	duration_statistics_clear(gained);
	if (before_totals.count == 0) {
		duration_statistics_add_all(gained, now);
		return true;
	}
	if (now_totals.count <= before_totals.count) {
		return now_totals.count == before_totals.count;
	}
	g_array_set_size(scratch, 0);
	duration_statistics_buckets(now, DURATION_BUCKETS_FINEST, scratch);
	first_before = scratch->len;
	duration_statistics_buckets(before, DURATION_BUCKETS_FINEST, scratch);
	if (!subtract(scratch, first_before)) {
		return false;
	}
	totals = subtract_totals(&now_totals, &before_totals, scratch);
	duration_statistics_add_buckets(
		gained, &totals, now->longest_ns > before->longest_ns ? now->longest_at_ns : DURATION_TIME_UNKNOWN,
		(const struct duration_bucket *)(void *)scratch->data, scratch->len, DURATION_BUCKETS_FINEST);
	return true;
}
