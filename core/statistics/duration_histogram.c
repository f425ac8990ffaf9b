/* SPDX-License-Identifier: MIT */
#include "core/statistics/duration_histogram.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

#include "core/statistics/few_buckets.h"

#define OCTAVE_BITS 9 /* 512 buckets an octave */
#define OCTAVE_BUCKETS (1 << OCTAVE_BITS)
#define BLOCK_BUCKETS 64
#define COUNTER_HITS 256 /* per overflow of a counter */
#define OCTAVES_MAX 64	 /* of one sign: buckets are of 16 bits */

/* What a series of a recording that goes on gets when its durations become many: octaves beside each of those of the
 * first ones, and room for carries. */
#define OCTAVES_BELOW 2
#define OCTAVES_ABOVE 3
#define LASTING_CARRIES 32

struct histogram_octave {
	uint8_t *counters; /* OCTAVE_BUCKETS of them; NULL: none so far, so no bucket was hit */
	uint64_t hits;	   /* of all its buckets together */
};

/* The bucket of a magnitude: 0 … 1023 have their own, then there are 512 per octave. Those below 512 are shifted as
 * those of the octave above, so that it takes no branch. */
static inline int32_t bucket_of_magnitude(uint64_t magnitude)
{
	unsigned int shift = ((unsigned int)__builtin_clzll(magnitude | OCTAVE_BUCKETS) ^ 63) - OCTAVE_BITS;

	return (int32_t)(shift * OCTAVE_BUCKETS + (uint32_t)(magnitude >> shift));
}

static inline int32_t bucket_of_duration(int64_t duration_ns)
{
	return G_UNLIKELY(duration_ns < 0) ? -bucket_of_magnitude(-(uint64_t)duration_ns)
					   : bucket_of_magnitude((uint64_t)duration_ns);
}

/* The value in the middle of a bucket. */
static int128 bucket_value(int32_t bucket)
{
	uint32_t magnitude_bucket = (uint32_t)(bucket < 0 ? -bucket : bucket);
	unsigned int shift;
	int128 magnitude;

	if (magnitude_bucket < 2 * OCTAVE_BUCKETS) {
		return bucket;
	}
	shift = MIN(magnitude_bucket / OCTAVE_BUCKETS - 1, 63);
	magnitude = ((int128)(magnitude_bucket - shift * OCTAVE_BUCKETS) << shift) + (((int128)1 << shift) >> 1);
	return bucket < 0 ? -magnitude : magnitude;
}

struct duration_histogram duration_histogram_copy(const struct duration_histogram *other, struct arena *arena)
{
	struct duration_histogram histogram = *other;

	histogram.arena = arena;
	histogram.few = arena_copy(arena, other->few, sizeof(*other->few));
	histogram.octaves = arena_copy(arena, other->octaves, other->octave_count * sizeof(*other->octaves));
	for (uint32_t i = 0; i < other->octave_count; i++) {
		histogram.octaves[i].counters = arena_copy(arena, other->octaves[i].counters, OCTAVE_BUCKETS);
	}
	histogram_carries_copy(&histogram.carries, &other->carries, arena);
	return histogram;
}

void duration_histogram_clear(struct duration_histogram *histogram)
{
	struct arena *arena = histogram->arena;

	arena_give(arena, histogram->few, sizeof(*histogram->few));
	for (uint32_t i = 0; i < histogram->octave_count; i++) {
		if (histogram->octaves[i].counters) {
			arena_give(arena, histogram->octaves[i].counters, OCTAVE_BUCKETS);
		}
	}
	arena_give(arena, histogram->octaves, histogram->octave_count * sizeof(*histogram->octaves));
	histogram_carries_free(&histogram->carries, arena);
}

static int32_t octave_of(int32_t bucket)
{
	return bucket >> OCTAVE_BITS;
}

/* Makes room for an octave. */
static void histogram_reach(struct duration_histogram *histogram, int32_t octave)
{
	const size_t size = sizeof(*histogram->octaves);
	int32_t first = octave, last = octave;
	struct histogram_octave *octaves;
	uint32_t count;

	if (histogram->octave_count > 0) {
		first = MIN(first, histogram->first);
		last = MAX(last, histogram->first + (int32_t)histogram->octave_count - 1);
	}
	count = (uint32_t)(last - first + 1);
	if (count == histogram->octave_count) {
		return;
	}
	octaves = arena_take(histogram->arena, count * size);
	if (histogram->octave_count > 0) {
		memcpy(octaves + (histogram->first - first), histogram->octaves, histogram->octave_count * size);
		arena_give(histogram->arena, histogram->octaves, histogram->octave_count * size);
	}
	histogram->octaves = octaves;
	histogram->octave_count = count;
	histogram->first = first;
}

static struct histogram_octave *make_octave(struct duration_histogram *histogram, int32_t bucket)
{
	struct histogram_octave *octave;

	histogram_reach(histogram, octave_of(bucket));
	octave = &histogram->octaves[octave_of(bucket) - histogram->first];
	if (!octave->counters) {
		octave->counters = arena_take(histogram->arena, OCTAVE_BUCKETS);
	}
	return octave;
}

/* The counter of a bucket that is hit. */
static inline uint8_t *counter_to_hit(struct duration_histogram *histogram, int32_t bucket, uint64_t hits)
{
	uint32_t index = (uint32_t)(octave_of(bucket) - histogram->first);
	struct histogram_octave *octave =
		G_LIKELY(index < histogram->octave_count && histogram->octaves[index].counters)
			? &histogram->octaves[index]
			: make_octave(histogram, bucket);

	octave->hits += hits;
	return &octave->counters[bucket & (OCTAVE_BUCKETS - 1)];
}

/* --- a few durations --- */

/*
 * What a long series is likely to need, by its first durations: neighbours of the octaves that these are in, so that
 * outliers far away cost little. Without this, it would go on to reach one octave after the other, the rarer the longer
 * it is, and memory would not stay the same.
 */
static void prepare_for_many(struct duration_histogram *histogram, const int16_t *buckets, uint32_t count)
{
	bool is_hit[2 * OCTAVES_MAX] = { false };

	for (uint32_t i = 0; i < count; i++) {
		is_hit[octave_of(buckets[i]) + OCTAVES_MAX] = true;
	}
	for (int32_t octave = -OCTAVES_MAX; octave < OCTAVES_MAX; octave++) {
		int32_t near = octave < 0 ? octave - OCTAVES_ABOVE : MAX(octave - OCTAVES_BELOW, 0);

		for (; is_hit[octave + OCTAVES_MAX] && near <= octave + OCTAVES_ABOVE; near++) {
			make_octave(histogram, near * OCTAVE_BUCKETS);
		}
	}
	histogram_carries_make_room(&histogram->carries, LASTING_CARRIES, histogram->arena);
}

_Static_assert(FEW_BUCKETS_MAX < COUNTER_HITS, "no counter overflows that begins with them");

/* They become too many. */
static void count_few(struct duration_histogram *histogram)
{
	struct few_buckets *few = histogram->few;

	if (!few) {
		return;
	}
	histogram->few = NULL;
	if (few->count > 0 && arena_is_lasting(histogram->arena)) {
		prepare_for_many(histogram, few->buckets, few->count);
	}
	for (uint32_t i = 0; i < few->count; i++) {
		(*counter_to_hit(histogram, few->buckets[i], 1))++;
	}
	arena_give(histogram->arena, few, sizeof(*few));
}

static bool add_to_few(struct duration_histogram *histogram, const int64_t *durations_ns, size_t count)
{
	struct few_buckets *few = histogram->few;

	if (count + (few ? few->count : 0) > FEW_BUCKETS_MAX) {
		return false;
	}
	if (!few) {
		few = histogram->few = arena_take(histogram->arena, sizeof(*few));
	}
	for (size_t i = 0; i < count; i++) {
		few->buckets[few->count + i] = (int16_t)bucket_of_duration(durations_ns[i]);
	}
	few->count += (uint32_t)count;
	return true;
}

static void each_of_few(struct few_buckets *few, void (*take)(int64_t duration_ns, uint64_t hits, void *data),
			void *data)
{
	few_buckets_sort(few);
	for (uint32_t first = 0, end; first < few->count; first = end) {
		int32_t bucket = few->buckets[first];

		end = first;
		while (end < few->count && few->buckets[end] == bucket) {
			end++;
		}
		take((int64_t)CLAMP(bucket_value(bucket), INT64_MIN, INT64_MAX), end - first, data);
	}
}

/* Their counters were not needed for a while: all are fetched before the first one is increased. */
void duration_histogram_add(struct duration_histogram *histogram, const int64_t *durations_ns, size_t count)
{
	uint8_t *counters[FEW_BUCKETS_MAX];

	if (G_UNLIKELY(histogram->octave_count == 0)) {
		if (add_to_few(histogram, durations_ns, count)) {
			return;
		}
		count_few(histogram);
	}
	for (size_t i = 0; i < count; i++) {
		counters[i] = counter_to_hit(histogram, bucket_of_duration(durations_ns[i]), 1);
		__builtin_prefetch(counters[i], 1);
	}
	for (size_t i = 0; i < count; i++) {
		if (G_UNLIKELY(++*counters[i] == 0)) {
			histogram_carries_add(&histogram->carries, bucket_of_duration(durations_ns[i]), 1,
					      histogram->arena);
		}
	}
}

void duration_histogram_add_hits(struct duration_histogram *histogram, int64_t duration_ns, uint64_t hits)
{
	int32_t bucket = bucket_of_duration(duration_ns);
	uint8_t *counter;
	uint64_t sum;

	count_few(histogram);
	counter = counter_to_hit(histogram, bucket, hits);
	sum = *counter + hits % COUNTER_HITS;
	*counter = (uint8_t)sum;
	if (hits / COUNTER_HITS + sum / COUNTER_HITS > 0) {
		histogram_carries_add(&histogram->carries, bucket, hits / COUNTER_HITS + sum / COUNTER_HITS,
				      histogram->arena);
	}
}

/* The carried hits of the buckets up to `last_bucket`, from carry *index on, which moves past them. */
static uint64_t carried_hits(const struct duration_histogram *histogram, int32_t last_bucket, uint32_t *index)
{
	return COUNTER_HITS * histogram_carries_up_to(&histogram->carries, last_bucket, index);
}

/* Of `count` counters, a multiple of eight up to BLOCK_BUCKETS: eight are added at once, in lanes of 16 bits. */
static inline uint64_t sum_of_counters(const uint8_t *counters, size_t count)
{
	const uint64_t low_bytes = UINT64_C(0x00ff00ff00ff00ff), lanes = UINT64_C(0x0001000100010001);
	uint64_t sums = 0;

	for (size_t i = 0; i < count; i += sizeof(uint64_t)) {
		uint64_t eight;

		memcpy(&eight, counters + i, sizeof(eight));
		sums += (eight & low_bytes) + (eight >> 8 & low_bytes);
	}
	return sums * lanes >> 48;
}

/* On the way to the hit number `rank` behind `bucket`. */
struct position {
	const uint8_t *counters; /* of the bucket */
	int32_t bucket;
	uint32_t carry; /* the first that is not of a bucket before */
	uint64_t rank;
};

/* Goes on to the `count` buckets, of as many, in which the hit lies. */
static inline void go_on(const struct duration_histogram *histogram, struct position *position, int32_t count)
{
	for (;;) {
		uint32_t carry = position->carry;
		uint64_t hits = count > 1 ? sum_of_counters(position->counters, (size_t)count) : *position->counters;

		hits += carried_hits(histogram, position->bucket + count - 1, &carry);
		if (position->rank <= hits) {
			return;
		}
		position->rank -= hits;
		position->carry = carry;
		position->counters += count;
		position->bucket += count;
	}
}

/* The bucket of the hit number `rank` of an octave, whose first bucket is `bucket`: first its block, then eight, then
 * itself. */
static int32_t bucket_of_rank(const struct duration_histogram *histogram, const uint8_t *counters, int32_t bucket,
			      uint64_t rank)
{
	struct position position = { counters, bucket, histogram_carries_from(&histogram->carries, bucket), rank };

	go_on(histogram, &position, BLOCK_BUCKETS);
	go_on(histogram, &position, (int32_t)sizeof(uint64_t));
	go_on(histogram, &position, 1);
	return position.bucket;
}

int128 duration_histogram_value_at(const struct duration_histogram *histogram, uint64_t rank)
{
	uint32_t i = 0;
	int32_t bucket;

	if (histogram->few) {
		few_buckets_sort(histogram->few);
		return bucket_value(histogram->few->buckets[rank - 1]);
	}
	for (; rank > histogram->octaves[i].hits; i++) {
		rank -= histogram->octaves[i].hits;
	}
	bucket = (histogram->first + (int32_t)i) * OCTAVE_BUCKETS;
	return bucket_value(bucket_of_rank(histogram, histogram->octaves[i].counters, bucket, rank));
}

/* Whether none of eight counters that start at a multiple of eight was hit, as most are. */
static bool are_eight_empty(const uint8_t *counters)
{
	uint64_t eight;

	memcpy(&eight, counters, sizeof(eight));
	return eight == 0;
}

static void each_of_octave(const struct duration_histogram *histogram, uint32_t index,
			   void (*take)(int64_t duration_ns, uint64_t hits, void *data), void *data)
{
	const uint8_t *counters = histogram->octaves[index].counters;
	int32_t first = (histogram->first + (int32_t)index) * OCTAVE_BUCKETS;
	uint32_t carry = histogram_carries_from(&histogram->carries, first);

	for (int32_t i = 0; i < OCTAVE_BUCKETS; i++) {
		bool has_carry = carry < histogram->carries.count &&
				 histogram->carries.carries[carry].bucket < first + i + (int32_t)sizeof(uint64_t);
		uint64_t hits;

		if (i % (int32_t)sizeof(uint64_t) == 0 && !has_carry && are_eight_empty(&counters[i])) {
			i += (int32_t)sizeof(uint64_t) - 1;
			continue;
		}
		hits = counters[i] + carried_hits(histogram, first + i, &carry);
		if (hits > 0) {
			take((int64_t)CLAMP(bucket_value(first + i), INT64_MIN, INT64_MAX), hits, data);
		}
	}
}

void duration_histogram_each(const struct duration_histogram *histogram,
			     void (*take)(int64_t duration_ns, uint64_t hits, void *data), void *data)
{
	if (histogram->few) {
		each_of_few(histogram->few, take, data);
	}
	for (uint32_t i = 0; i < histogram->octave_count; i++) {
		if (histogram->octaves[i].counters) {
			each_of_octave(histogram, i, take, data);
		}
	}
}

static void add_hits(int64_t duration_ns, uint64_t hits, void *histogram)
{
	duration_histogram_add_hits(histogram, duration_ns, hits);
}

void duration_histogram_add_all(struct duration_histogram *histogram, const struct duration_histogram *other)
{
	duration_histogram_each(other, add_hits, histogram);
}

struct squared_distances {
	double center_ns;
	double sum_ns2;
};

static void add_squared_distances(int64_t duration_ns, uint64_t hits, void *data)
{
	struct squared_distances *distances = data;
	double distance_ns = (double)duration_ns - distances->center_ns;

	distances->sum_ns2 += (double)hits * distance_ns * distance_ns;
}

double duration_histogram_squared_distances(const struct duration_histogram *histogram, double center_ns)
{
	struct squared_distances distances = { .center_ns = center_ns };

	duration_histogram_each(histogram, add_squared_distances, &distances);
	return distances.sum_ns2;
}
