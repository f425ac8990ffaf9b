/* SPDX-License-Identifier: MIT */
/*
 * Statistics of a series of durations (ns, may be negative between hosts): count, exact sum, min and max, mean and
 * sample standard deviation from exact sums, quantiles within 0.1 % of the exact value from a log-linear histogram; and
 * when the longest one began, the first of equal ones.
 * Bounded memory: up to DURATION_STATISTICS_SAMPLES samples as they are, then only the parts of the histogram that are
 * in use. Embedded: init; all other memory is that of an arena.
 *
 * Adding a sample only writes it down; samples are worked up DURATION_STATISTICS_SAMPLES at a time. So a series that
 * gets a sample now and then takes up little of the cache in between.
 *
 * Any 64-bit durations may come, hostile ones too. Where the squared distances may not fit 128 bits (a
 * thousand durations that differ by decades) the standard deviation is that of the histogram, within about 0.1 %.
 */
#ifndef ROS2BT_DURATION_STATISTICS_H
#define ROS2BT_DURATION_STATISTICS_H

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/duration_bucket.h"

#define DURATION_STATISTICS_SAMPLES 64

struct duration_record;

struct duration_statistics {
	int64_t *next;			/* where the next sample goes */
	const int64_t *end;		/* of the room for samples */
	struct duration_record *record; /* in the arena: the room, and what was worked up; NULL without samples */
	struct arena *arena;		/* borrowed */
	int64_t longest_ns;		/* so far; INT64_MIN without samples */
	int64_t longest_at_ns;		/* when it began; meaningless without samples */
};

struct duration_totals {
	uint64_t count;
	int64_t min_ns, max_ns;		      /* meaningless without samples */
	__int128 sum_ns;		      /* exact */
	unsigned __int128 sum_of_squares_ns2; /* exact modulo 2^128 */
};

void duration_statistics_init(struct duration_statistics *statistics, struct arena *arena);

/* Makes room for a sample. */
void duration_statistics_make_room(struct duration_statistics *statistics);

/* `at_ns`: when it began. O(1) amortized, no allocation once the parts of the histogram in use are there. */
static inline void duration_statistics_add(struct duration_statistics *statistics, int64_t duration_ns, int64_t at_ns)
{
	if (G_UNLIKELY(duration_ns > statistics->longest_ns)) {
		statistics->longest_ns = duration_ns;
		statistics->longest_at_ns = at_ns;
	}
	if (statistics->next == statistics->end) {
		duration_statistics_make_room(statistics);
	}
	*statistics->next++ = duration_ns;
}

struct duration_totals duration_statistics_totals(const struct duration_statistics *statistics);

/*
 * The buckets that were hit (core/base/duration_bucket.h), the smallest first, appended to an array of struct
 * duration_bucket. Of a series with coarser buckets than were asked for, its own.
 */
void duration_statistics_buckets(const struct duration_statistics *statistics, unsigned int per_octave,
				 GArray *buckets);

/* --- merging: in any order, of any parts, the counts, sums, extremes and buckets of the whole series --- */

void duration_totals_add(struct duration_totals *totals, const struct duration_totals *other);

/* What totals lack that were read from a report, from the count and the sum in them and the standard deviation. */
unsigned __int128 duration_totals_squares(const struct duration_totals *totals, double standard_deviation_ns);

/* Adds all samples of another series. The moment of the longest is the first of equal ones. */
void duration_statistics_add_all(struct duration_statistics *statistics, const struct duration_statistics *other);

/*
 * Adds a series of which its totals are known and its buckets, each a whole one of `per_octave` or more an octave.
 * From then on quantiles are the middles of such buckets, unless there is only one sample.
 */
void duration_statistics_add_buckets(struct duration_statistics *statistics, const struct duration_totals *totals,
				     int64_t longest_at_ns, const struct duration_bucket *buckets, size_t bucket_count,
				     unsigned int per_octave);

/* The value at quantile 0 … 1 (nearest rank); 0 without samples. */
int64_t duration_statistics_quantile(const struct duration_statistics *statistics, double quantile);

/* 0 without samples. */
double duration_statistics_mean(const struct duration_statistics *statistics);

/* Of a sample; 0 with fewer than two. */
double duration_statistics_standard_deviation(const struct duration_statistics *statistics);

/*
 * The same for callers that have the totals of the statistics already, as all of them begin with those: O(samples not
 * worked up).
 */
double duration_totals_mean(const struct duration_totals *totals);
int64_t duration_statistics_quantile_of(const struct duration_statistics *statistics,
					const struct duration_totals *totals, double quantile);
double duration_statistics_standard_deviation_of(const struct duration_statistics *statistics,
						 const struct duration_totals *totals);

#endif
