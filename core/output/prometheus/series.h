/* SPDX-License-Identifier: MIT */
/*
 * The series of a table, one for each combination of labels: rows that are equal in all of them are added up, since
 * Prometheus refuses a file with doubles.
 *
 * Counters and sums are exact. A histogram counts a duration as the middle of its bucket of 0.1 %
 * (core/statistics/duration_bucket.h), as quantiles do.
 *
 * Memory: 150 bytes and the labels for each row and statistic.
 */
#ifndef ROS2BT_SERIES_H
#define ROS2BT_SERIES_H

#include "core/base/int128.h"
#include "core/output/prometheus/metrics.h"

#define SERIES_BOUNDS 14

/* The inclusive upper bounds of the buckets, from 100 µs to 10 s; a last bucket has none. */
extern const int64_t series_bounds_ns[SERIES_BOUNDS];

struct series_value {
	bool is_known; /* else the trace does not tell, or there was no sample */
	/* Of a counter: */
	int128 whole;
	double real; /* to be added */
	/* Of a histogram: */
	uint64_t count;
	int128 sum_ns;
	uint64_t buckets[SERIES_BOUNDS]; /* those of the bounds, each without the ones before it */
};

struct series {
	char *labels, *hosts;	     /* owned; `hosts` is "" where no host is known */
	struct series_value *values; /* owned; one for each metric */
};

struct series *series_create(const struct metrics *metrics, const struct cell *cells);
void series_destroy(struct series *series);

/* Adds the values of another row with the same labels. */
void series_add(struct series *series, const struct series *other, const struct metrics *metrics);

/* Whether nothing happened. */
bool series_is_idle(const struct series *series, const struct metrics *metrics);

#endif
