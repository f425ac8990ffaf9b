/* SPDX-License-Identifier: MIT */
/*
 * Traversals of paths, hop by hop, as a page draws them one by one: of tables of parts of instances (MEANS_INSTANCE)
 * that have moments. For each row of the main table, a sample and the PAGE_WORST longest.
 *
 * The sample is made of runs of PAGE_FLOW_RUN traversals in a row, so that what follows what is seen: all runs at
 * first, then, whenever there are too many, every second of those. Memory: at most PAGE_FLOW_TRAVERSALS of a row and
 * PAGE_FLOW_PARTS hops of all. If more rows have traversals than fit, each has fewer, down to PAGE_FLOW_LEAST; then
 * the half of the rows whose longest is shortest have none, and the page says so. O(1) amortized per hop.
 */
#ifndef ROS2BT_PAGE_FLOWS_H
#define ROS2BT_PAGE_FLOWS_H

#include "core/tables/table.h"

#define PAGE_FLOW_RUN 8
#define PAGE_FLOW_TRAVERSALS 64
#define PAGE_FLOW_LEAST 16
#define PAGE_FLOW_PARTS ((size_t)1 << 16)
#define PAGE_FLOW_MOMENTS 4 /* of a hop */

struct json_writer;
struct page_choice;
struct page_flows;

/* Of one traversal: the moments of its hops in turn. */
struct page_traversal {
	uint64_t instance;
	int64_t begin_ns, end_ns; /* the first moment and the last one */
	size_t count;		  /* of hops */
	int64_t moments[];	  /* PAGE_FLOW_MOMENTS for each; INT64_MIN: not known */
};

#define PAGE_NO_MOMENT INT64_MIN

struct page_flows *page_flows_create(void);
void page_flows_destroy(struct page_flows *flows);

/* The writer of a table of instances, borrowed; NULL if it is not one of parts with moments. The schema is borrowed. */
struct table_writer *page_flows_open(struct page_flows *flows, const struct table_schema *schema);

/* The traversal of a row of the table `main` that lasted from `begin_ns` to `end_ns`, if it is one of the longest; or
 * NULL. Borrowed: it stays, as all rows have come. */
const struct page_traversal *page_flows_find(const struct page_flows *flows, const char *main, uint64_t id,
					     int64_t begin_ns, int64_t end_ns);

/* Writes an array with an object for each table; times are since `begin_ns`. Called once. */
void page_flows_write(struct page_flows *flows, struct json_writer *json, int64_t begin_ns,
		      const struct page_choice *choice);

#endif
