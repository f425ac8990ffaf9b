/* SPDX-License-Identifier: MIT */
/*
 * Instances over time, as a page draws them. For each row of a main table (the id in the first column of the instances)
 * and each of its columns of durations (or, without any, the time from the first moment to the last), a series holds
 * the count, least, mean and greatest value in each piece of time, and the worst instances with their moments.
 *
 * The pieces of a series are equally long, a power of two of ns, and begin at multiples of their length. When a series
 * outgrows its room, neighbours are joined, so extremes stay exact. Memory: at most PAGE_SERIES_PIECES pieces for each
 * series and PAGE_PIECES for all, whatever the length of the recording; none for a series of at most PAGE_WORST
 * instances, which takes no room from those of others. O(1) amortized per instance.
 */
#ifndef ROS2BT_PAGE_SERIES_H
#define ROS2BT_PAGE_SERIES_H

#include "core/tables/table.h"

struct json_writer;
struct page_choice;
struct page_series;
struct page_series_table;

#define PAGE_SERIES_PIECES 256
#define PAGE_PIECES ((size_t)1 << 19)

/* All series of a page. */
struct page_series *page_series_create(void);
void page_series_destroy(struct page_series *series);

/*
 * The writer of a table of instances, borrowed; NULL if there is nothing to draw: no durations and not two moments, or
 * no ids in the first column. The schema is borrowed.
 */
struct table_writer *page_series_open(struct page_series *series, const struct table_schema *schema);

/* One of the worst instances of a row. */
struct page_worst {
	const struct table_schema *instances;
	uint64_t id;
	size_t rank; /* from 0 */
	int64_t at_ns, duration_ns;
	uint32_t *window; /* to be set to the number of its window (page_threads.h), from 1; 0: it has none */
};

/* Calls `visit` with all worst instances of chosen rows. */
void page_series_each_worst(struct page_series *series, const struct page_choice *choice,
			    void (*visit)(void *data, const struct page_worst *worst), void *data);

/*
 * Writes an array with an object for each column of durations that has series, of chosen rows. Durations are numbers of
 * buckets (page_bucket.h), except those of the worst instances, which come with their moment and window. Called once.
 */
void page_series_write(struct page_series *series, struct json_writer *json, const struct page_choice *choice);

#endif
