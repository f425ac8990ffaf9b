/* SPDX-License-Identifier: MIT */
/*
 * What a page draws of instances over time: for each row of a main table (the id in the first column of the instances)
 * and each of their columns of durations (or, where there is none, from their first moment to their last one), the
 * count, least, mean and greatest of each piece of time, and the worst instances with their moments.
 *
 * The pieces of a series are equally long, a power of two of ns, and begin at multiples of it. Where a series outgrows
 * its room, pairs of them become one, so that extremes stay exact. Memory: at most PAGE_SERIES_PIECES pieces of each
 * series and PAGE_PIECES of all, whatever the length of the recording. O(1) amortized per instance.
 */
#ifndef ROS2BT_PAGE_SERIES_H
#define ROS2BT_PAGE_SERIES_H

#include "ros2bt/table.h"

struct json_writer;
struct page_series;
struct page_series_table;

#define PAGE_SERIES_PIECES 256
#define PAGE_PIECES ((size_t)1 << 20)
#define PAGE_WORST 5

/* All series of a page. */
struct page_series *page_series_create(void);
void page_series_destroy(struct page_series *series);

/*
 * The writer of a table of instances, borrowed; NULL if it has nothing to draw: no durations and not two moments, or no
 * ids in the first column. The schema is borrowed.
 */
struct table_writer *page_series_open(struct page_series *series, const struct table_schema *schema);

/* An array with an object for each column of durations that has series. Durations are numbers of buckets
 * (page_bucket.h) but those of the worst. */
void page_series_write(const struct page_series *series, struct json_writer *json);

#endif
