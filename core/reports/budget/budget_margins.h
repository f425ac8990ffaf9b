/* SPDX-License-Identifier: MIT */
/*
 * How far the figures of another recording of the same system, of the same length, may be from those of this one by
 * chance, from how they scatter in it (block_series.h, as `ros2-latency compare` does).
 *
 * - A p99 lies between two samples in order, of as many samples as are independent. Where none is that far, and for a
 * maximum, the tail beyond the largest samples is continued: as a power of the value (Hill 1975), which is the heaviest
 * tail that latencies have, with the error of that power.
 * - A rate and losses: from their standard errors.
 *
 * What varies too slowly to be known from the recording (fewer than 20 independent blocks), or not at all like a power,
 * has no margin.
 */
#ifndef ROS2BT_BUDGET_MARGINS_H
#define ROS2BT_BUDGET_MARGINS_H

#include "core/reports/compare/block_series.h"

/* Quotients of what may be and what was; NAN: not known. */
struct budget_margins {
	double p99, max; /* 1 or more */
	double rate;	 /* 1 or less */
	double lost;	 /* more messages than there were: a difference */
};

/*
 * `key`: of a row of the series; `statistic`: a column of the table. `alpha`: the probability of being beyond a margin.
 * If the series has no such row, nothing is known. O(samples' buckets + blocks).
 */
struct budget_margins budget_margins_of(struct block_series *series, const char *key, const struct table_schema *schema,
					const char *statistic, double alpha);

#endif
