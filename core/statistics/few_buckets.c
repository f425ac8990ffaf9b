/* SPDX-License-Identifier: MIT */
#include "core/statistics/few_buckets.h"

/* Any bucket is within +- 2^15 (duration_histogram.c). */
#define DIGITS 256
#define LOW_DIGIT(bucket) ((uint16_t)(bucket) % DIGITS)
#define HIGH_DIGIT(bucket) ((uint16_t)(bucket) / DIGITS ^ DIGITS / 2)

/* By radix, in two passes: in the order of the low digit, then of the high one, those of equal digit as before. There
 * are as many sorts as series, and qsort() would be a tenth of a report's instructions. */
void few_buckets_sort(struct few_buckets *few)
{
	int16_t other[FEW_BUCKETS_MAX];
	uint8_t low_ends[DIGITS] = { 0 }, high_ends[DIGITS] = { 0 }; /* behind those of a digit */

	if (few->sorted == few->count) {
		return;
	}
	for (uint32_t i = 0; i < few->count; i++) {
		low_ends[LOW_DIGIT(few->buckets[i])]++;
		high_ends[HIGH_DIGIT(few->buckets[i])]++;
	}
	for (uint32_t digit = 1; digit < DIGITS; digit++) {
		low_ends[digit] = (uint8_t)(low_ends[digit] + low_ends[digit - 1]);
		high_ends[digit] = (uint8_t)(high_ends[digit] + high_ends[digit - 1]);
	}
	for (uint32_t i = few->count; i-- > 0;) {
		other[--low_ends[LOW_DIGIT(few->buckets[i])]] = few->buckets[i];
	}
	for (uint32_t i = few->count; i-- > 0;) {
		few->buckets[--high_ends[HIGH_DIGIT(other[i])]] = other[i];
	}
	few->sorted = few->count;
}
