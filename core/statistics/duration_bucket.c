/* SPDX-License-Identifier: MIT */
#include "core/statistics/duration_bucket.h"

#include <glib.h>

#include "core/base/compare_numbers.h"

bool duration_buckets_are_allowed(uint64_t per_octave)
{
	return per_octave > 0 && per_octave <= DURATION_BUCKETS_FINEST && (per_octave & (per_octave - 1)) == 0;
}

struct duration_bucket duration_bucket_of(int64_t duration_ns, unsigned int per_octave)
{
	uint64_t magnitude = duration_ns < 0 ? -(uint64_t)duration_ns : (uint64_t)duration_ns;
	unsigned int octave = magnitude ? 63 - (unsigned int)__builtin_clzll(magnitude) : 0;
	unsigned int exact_octaves = (unsigned int)__builtin_ctz(per_octave);
	unsigned int shift = octave > exact_octaves ? octave - exact_octaves : 0;
	uint64_t low = magnitude >> shift << shift, last = low + ((UINT64_C(1) << shift) - 1);

	if (duration_ns < 0) {
		return (struct duration_bucket){
			.low_ns = last > INT64_MAX ? INT64_MIN : -(int64_t)last,
			.high_ns = low > INT64_MAX ? INT64_MIN + 1 : -(int64_t)low + 1,
		};
	}
	return (struct duration_bucket){
		.low_ns = (int64_t)low,
		.high_ns = last >= INT64_MAX ? INT64_MAX : (int64_t)last + 1,
	};
}

int duration_bucket_compare(const void *a, const void *b)
{
	const struct duration_bucket *left = a, *right = b;

	return compare_integers(left->low_ns, right->low_ns);
}

int64_t duration_bucket_middle(const struct duration_bucket *bucket)
{
	int64_t half = (int64_t)(((uint64_t)bucket->high_ns - (uint64_t)bucket->low_ns) / 2);

	return bucket->low_ns < 0 ? bucket->high_ns - 1 - half : bucket->low_ns + half;
}
