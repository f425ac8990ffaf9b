/* SPDX-License-Identifier: MIT */
/*
 * What threads did around the worst instances that a page names: from the tables of threads of a timeline
 * (core/tables/timeline_tables.h, is_of_threads), the executions on the threads of each, and the states of these
 * threads where the kernel's events were recorded.
 *
 * A window is the time of an instance and a quarter of it around. Its threads are those with an execution that begins
 * at the instance's begin or end, or at a moment of its traversal (page_flows.h). At most PAGE_WINDOWS windows, those
 * of the longest instances of all rows first, then of the second longest, and so on; of a window at most
 * PAGE_WINDOW_PARTS parts, the longest, and the number of the others. Executions and states wait in a spool, since
 * which instances are the worst is known last. Memory: the names of what was executed, and the windows.
 */
#ifndef ROS2BT_PAGE_THREADS_H
#define ROS2BT_PAGE_THREADS_H

#include "core/tables/table.h"

#define PAGE_WINDOWS 1000
#define PAGE_WINDOW_PARTS 100

struct json_writer;
struct page_threads;
struct page_traversal;
struct page_worst;

struct page_threads *page_threads_create(const char *spool_directory);
void page_threads_destroy(struct page_threads *threads);

/* The writer of a table of a timeline, borrowed; NULL if it is not about threads. */
struct table_writer *page_threads_open(struct page_threads *threads, const struct table_schema *schema);

/* Whether there are any, so that windows can be asked for. */
bool page_threads_have_any(const struct page_threads *threads);

/* Asks for a window, before they are collected. `traversal`: whose hops are looked for, borrowed until then, or NULL.
 */
void page_threads_want(struct page_threads *threads, const struct page_worst *worst,
		       const struct page_traversal *traversal);

/* Chooses the windows, sets their numbers, and collects them. Called once, when there are no more rows. */
void page_threads_collect(struct page_threads *threads);

bool page_threads_check(const struct page_threads *threads, GError **error);

/* Writes an object with the windows; times are since `begin_ns`. */
void page_threads_write(const struct page_threads *threads, struct json_writer *json, int64_t begin_ns);

#endif
