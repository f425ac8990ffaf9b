/* SPDX-License-Identifier: MIT */
/* What page_series.c collects and page_series_write.c writes. */
#ifndef ROS2BT_PAGE_SERIES_PARTS_H
#define ROS2BT_PAGE_SERIES_PARTS_H

#include "core/tables/table.h"
#include "ros2bt/base/u64_map.h"

#define PAGE_WORST 5

struct piece {
	uint64_t count;
	int64_t min_ns, max_ns;
	double sum_ns;
};

struct worst {
	int64_t at_ns, duration_ns;
	uint32_t window; /* the number of its window, from 1; 0: none */
};

struct one_series {
	uint64_t id;	      /* of the row in the main table */
	unsigned int shift;   /* a piece is 2^shift ns */
	int64_t first;	      /* the series begins at first << shift */
	size_t count, room;   /* number of pieces from the first to the last, and allocated */
	struct piece *pieces; /* owned; none as long as the worst instances are all there are */
	size_t worst_count;
	struct worst worst[PAGE_WORST]; /* the longest first; of equal ones, the earliest first */
};

/* All series of one column of durations, or of the time from one moment to another. */
struct series_column {
	size_t column;
	size_t since;	      /* the column of the earlier moment; 0: the column holds durations */
	GPtrArray *series;    /* struct one_series, owned, by first instance */
	struct u64_map by_id; /* index in `series` */
};

struct page_series_table {
	struct table_writer writer;
	struct page_series *all;	   /* borrowed */
	const struct table_schema *schema; /* borrowed */
	GArray *columns;		   /* struct series_column */
};

struct page_series {
	GPtrArray *tables;    /* struct page_series_table, owned */
	size_t piece_room;    /* allocated by all series together */
	size_t series_pieces; /* the most that a series may have */
};

/* The pieces of the worst instances, if these are all that the series has. */
void page_series_make_pieces(struct page_series *all, struct one_series *series);

#endif
