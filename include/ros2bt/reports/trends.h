/* SPDX-License-Identifier: MIT */
/*
 * How the series of a system change over several recordings of it: a table `thing_trends` for the table `things`, with
 * a row for each series (names and statistic) that at least two recordings have with TREND_SAMPLES samples or more. For
 * p50 and p99:
 * - early, late: the median of the first and of the last third of these recordings, in order of time;
 * - the change from early to late in percent;
 * - trend: `rising` or `falling` if chance would give such an order of the values in one of 20 cases or fewer
 *   (Mann-Kendall, two-sided; without a correction for equal values, which makes it more cautious), else `none`;
 *   `unknown` for fewer than TREND_RECORDINGS recordings, which cannot show a trend.
 *
 *
 * Memory: three words for each series and recording.
 */
#ifndef ROS2BT_TRENDS_H
#define ROS2BT_TRENDS_H

#include "ros2bt/reports/merged_table.h"

#define TREND_SAMPLES 10
#define TREND_RECORDINGS 5

struct trends;

/* The schema is borrowed. */
struct trends *trends_create(const struct table_schema *schema);
void trends_destroy(struct trends *trends); /* NULL is allowed */

/* Whether somebody asked for the table. */
bool trends_open(struct trends *trends, struct table_output *tables);

/*
 * Notes in a row of `all`, the table over all recordings, what the same row of one recording holds, which began at
 * `begin_ns`.
 */
void trends_add(struct trends *trends, struct merged_table *all, struct merged_row *row, int64_t begin_ns,
		const struct merged_row *of_recording);

/* Writes the notes of the rows of the table. False if no series has enough for a row. */
bool trends_write(struct trends *trends, const struct merged_table *all);

#endif
