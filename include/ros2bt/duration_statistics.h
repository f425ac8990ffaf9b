/* SPDX-License-Identifier: MIT */
/*
 * Statistics of a series of durations (ns, may be negative between hosts): count, exact sum, min and max, mean and
 * sample standard deviation from exact sums, quantiles within 0.1 % of the exact value from a log-linear histogram.
 * Bounded memory: up to DURATION_STATISTICS_SAMPLES samples as they are, then only the parts of the histogram that are
 * in use. Embedded: init; all other memory is that of an arena.
 *
 * Adding a sample only writes it down; samples are worked up DURATION_STATISTICS_SAMPLES at a time. So a series that
 * gets a sample now and then takes up little of the cache in between.
 *
 * Any 64-bit durations may come, hostile ones too. Where the squared distances may not fit 128 bits (a
 * thousand durations that differ by decades) the standard deviation is that of the histogram, within about 0.1 %; a sum
 * of more than 64 bits is an empty cell.
 */
#ifndef ROS2BT_DURATION_STATISTICS_H
#define ROS2BT_DURATION_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "ros2bt/table.h"

#define DURATION_STATISTICS_SAMPLES 64

struct duration_record;

struct duration_statistics {
	int64_t *next;			/* where the next sample goes */
	const int64_t *end;		/* of the room for samples */
	struct duration_record *record; /* in the arena: the room, and what was worked up; NULL without samples */
	struct arena *arena;		/* borrowed */
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

/* O(1) amortized, no allocation once the parts of the histogram in use are there. */
static inline void duration_statistics_add(struct duration_statistics *statistics, int64_t duration_ns)
{
	if (statistics->next == statistics->end) {
		duration_statistics_make_room(statistics);
	}
	*statistics->next++ = duration_ns;
}

struct duration_totals duration_statistics_totals(const struct duration_statistics *statistics);

/* The value at quantile 0 … 1 (nearest rank); 0 without samples. */
int64_t duration_statistics_quantile(const struct duration_statistics *statistics, double quantile);

/* 0 without samples. */
double duration_statistics_mean(const struct duration_statistics *statistics);

/* Of a sample; 0 with fewer than two. */
double duration_statistics_standard_deviation(const struct duration_statistics *statistics);

/*
 * What a quantile is called in column names: "p" and its percentage; one with a fraction has two digits before the
 * decimal point, which is left out. 0.5 is p50, 0.05 p5, 1 p100, 0.999 p999, 0.005 p005. Up to 12 decimals of the
 * quantile.
 */
char *duration_statistics_quantile_name(double quantile);

/* The columns X_sum_ns … X_max_ns of a statistic named X: how many, their descriptions, and their cells. */
size_t duration_statistics_column_count(size_t quantile_count);
/*
 * `columns` and their names (allocated in `names`, which owns them: it frees by g_free). The text output shows mean,
 * the lowest quantile, the highest up to 0.99, and max; more where there is room; an analysis may change the roles.
 */
void duration_statistics_columns(const char *name, const double *quantiles, size_t quantile_count,
				 struct table_column *columns, GPtrArray *names);
/* Of the columns of a statistic, only mean and max are shown where there is little room, and nothing is marked. */
void duration_statistics_columns_reduce(struct table_column *columns, size_t quantile_count);
void duration_statistics_cells(const struct duration_statistics *statistics, const double *quantiles,
			       size_t quantile_count, struct cell *cells);

#endif
