/* SPDX-License-Identifier: MIT */
/*
 * Statistics of a series of durations in ns (which may be negative between hosts): count, exact sum, min and max; mean
 * and sample standard deviation from exact sums; quantiles within 0.1 % of the exact value from a log-linear histogram;
 * and when the longest duration began, the first of equal ones.
 *
 * Embedded: init; all other memory belongs to an arena. Memory is bounded: up to DURATION_STATISTICS_SAMPLES samples,
 * then the parts of the histogram that are in use (core/statistics/duration_histogram.h).
 *
 * Adding a sample only stores it; samples enter the sums and the histogram DURATION_STATISTICS_SAMPLES at a time. A
 * series that gets a sample now and then therefore occupies little of the cache in between.
 *
 * A series may be brief as soon as another one has samples, or from its first sample on: of it only what needs no more
 * than count, sum and max is known. If it gets its samples by duration_statistics_add_briefly(), it is then added up:
 * all that is kept is in the struct, which is not moved or copied, and duration_statistics_add() is no longer allowed.
 * If it only gets them by that, all samples are kept as ever, which costs more and tells the same.
 *
 * Any 64-bit durations are allowed, hostile ones included. Where the squared distances may not fit 128 bits (a thousand
 * durations that differ by decades), the standard deviation is computed from the histogram, within about 0.1 %.
 */
#ifndef ROS2BT_DURATION_STATISTICS_H
#define ROS2BT_DURATION_STATISTICS_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/int128.h"
#include "core/statistics/duration_bucket.h"

#define DURATION_STATISTICS_SAMPLES 64
#define DURATION_TIME_UNKNOWN INT64_MIN /* of the longest duration, where only a difference of series is known */

struct duration_record {
	struct duration_sums *sums; /* NULL as long as there is room for all samples */
	int64_t samples[];	    /* not yet added to the totals */
};

/* What each sample touches comes first: 32 bytes, or 40 of a series that may be brief. */
struct duration_statistics {
	union {
		struct {
			struct duration_record *record; /* in the arena; NULL without samples */
			struct arena *arena;		/* borrowed */
		};
		int128 sum_ns __attribute__((packed, aligned(8))); /* once it is added up; aligned as all else is */
	};
	union {
		struct {
			uint32_t stored, room; /* how many samples the record has, and has room for */
		};
		uint64_t count; /* once it is added up */
	};
	int64_t longest_ns;			  /* so far; INT64_MIN without samples */
	const struct duration_statistics *beside; /* the series that makes this one brief, borrowed; itself once it is
						     added up; NULL: it is never brief */
	int64_t longest_at_ns; /* when it began, or DURATION_TIME_UNKNOWN; meaningless without samples */
};

struct duration_totals {
	uint64_t count;
	int64_t min_ns, max_ns;	    /* meaningless without samples; the min also of a brief series */
	int128 sum_ns;		    /* exact */
	uint128 sum_of_squares_ns2; /* exact modulo 2^128; not of a brief series */
};

void duration_statistics_init(struct duration_statistics *statistics, struct arena *arena);

/* It is brief as soon as `other` has samples, which is never brief; itself: at once. To be called before the first
 * sample. */
void duration_statistics_set_beside(struct duration_statistics *statistics, const struct duration_statistics *other);

/* Forgets all samples of a series that is never brief, and gives their memory back to the arena. */
void duration_statistics_clear(struct duration_statistics *statistics);

/* For duration_statistics_keep(), where there is no room. */
void duration_statistics_keep_more(struct duration_statistics *statistics, int64_t duration_ns);

/* Whether its samples are only added up from now on, and those before are too. */
static inline bool duration_statistics_is_added_up(const struct duration_statistics *statistics)
{
	return statistics->beside == statistics;
}

static inline bool duration_statistics_is_brief(const struct duration_statistics *statistics)
{
	return statistics->beside && (duration_statistics_is_added_up(statistics) || statistics->beside->record);
}

/* What duration_statistics_add_briefly() does as long as the series is not added up. */
void duration_statistics_add_first(struct duration_statistics *statistics, int64_t duration_ns);

static inline void duration_statistics_note_longest(struct duration_statistics *statistics, int64_t duration_ns,
						    int64_t at_ns)
{
	if (G_UNLIKELY(duration_ns > statistics->longest_ns)) {
		statistics->longest_ns = duration_ns;
		statistics->longest_at_ns = at_ns;
	}
}

/* Whether the next sample is only stored, in a series that is not added up. */
static inline bool duration_statistics_has_room(const struct duration_statistics *statistics)
{
	return statistics->stored != statistics->room;
}

static inline void duration_statistics_keep(struct duration_statistics *statistics, int64_t duration_ns)
{
	if (G_UNLIKELY(!duration_statistics_has_room(statistics))) {
		duration_statistics_keep_more(statistics, duration_ns);
	} else {
		statistics->record->samples[statistics->stored++] = duration_ns;
	}
}

/* `at_ns`: when the duration began. O(1) amortized; no allocation once the parts of the histogram in use exist. */
static inline void duration_statistics_add(struct duration_statistics *statistics, int64_t duration_ns, int64_t at_ns)
{
	duration_statistics_note_longest(statistics, duration_ns, at_ns);
	duration_statistics_keep(statistics, duration_ns);
}

/* The same for a series that is added up. */
static inline void duration_statistics_add_up(struct duration_statistics *statistics, int64_t duration_ns,
					      int64_t at_ns)
{
	duration_statistics_note_longest(statistics, duration_ns, at_ns);
	statistics->sum_ns += duration_ns;
	statistics->count++;
}

/* The same for a series that may be brief. */
static inline void duration_statistics_add_briefly(struct duration_statistics *statistics, int64_t duration_ns,
						   int64_t at_ns)
{
	if (G_LIKELY(duration_statistics_is_added_up(statistics))) {
		duration_statistics_add_up(statistics, duration_ns, at_ns);
	} else {
		duration_statistics_note_longest(statistics, duration_ns, at_ns);
		duration_statistics_add_first(statistics, duration_ns);
	}
}

struct duration_totals duration_statistics_totals(const struct duration_statistics *statistics);

/* How many samples: O(1), unlike all totals. */
uint64_t duration_statistics_count(const struct duration_statistics *statistics);

/* Mostly known without a look at what is in the arena. */
static inline bool duration_statistics_is_empty(const struct duration_statistics *statistics)
{
	return statistics->stored == 0 && duration_statistics_count(statistics) == 0;
}

/*
 * Appends the buckets with samples to an array of struct duration_bucket (core/statistics/duration_bucket.h), the
 * smallest first: none of a brief series. A series known by coarser buckets than requested gives those.
 */
void duration_statistics_buckets(const struct duration_statistics *statistics, unsigned int per_octave,
				 GArray *buckets);

/* --- merging, of series that are not brief: in any order, of any parts, the counts, sums, extremes and buckets of the
 * whole series --- */

/* The sum of squares of totals read from a report, which has the count, the sum and the standard deviation. */
uint128 duration_totals_squares(const struct duration_totals *totals, double standard_deviation_ns);

/* Adds all samples of another series. Of equally long durations, the first one's time is kept. */
void duration_statistics_add_all(struct duration_statistics *statistics, const struct duration_statistics *other);

/*
 * Adds a series known by its totals and by buckets, each of which is a whole bucket of a scale with at least
 * `per_octave` buckets per octave. From then on quantiles are the middles of buckets of that scale, unless there is
 * only one sample.
 */
void duration_statistics_add_buckets(struct duration_statistics *statistics, const struct duration_totals *totals,
				     int64_t longest_at_ns, const struct duration_bucket *buckets, size_t bucket_count,
				     unsigned int per_octave);

/* The value at quantile 0 … 1 (nearest rank); 0 without samples. Not of a brief series, as the standard deviation. */
int64_t duration_statistics_quantile(const struct duration_statistics *statistics, double quantile);

/* 0 without samples. */
double duration_statistics_mean(const struct duration_statistics *statistics);

/*
 * The same for callers that already have the totals, which all of the above compute first: O(samples not yet summed).
 */
double duration_totals_mean(const struct duration_totals *totals);
int64_t duration_statistics_quantile_of(const struct duration_statistics *statistics,
					const struct duration_totals *totals, double quantile);
/* Of a sample; 0 with fewer than two. */
double duration_statistics_standard_deviation_of(const struct duration_statistics *statistics,
						 const struct duration_totals *totals);

#endif
