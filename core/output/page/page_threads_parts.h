/* SPDX-License-Identifier: MIT */
/* What page_threads.c collects, page_threads_choose.c chooses and page_threads_write.c writes. */
#ifndef ROS2BT_PAGE_THREADS_PARTS_H
#define ROS2BT_PAGE_THREADS_PARTS_H

#include "core/output/page/page_series.h"
#include "core/tables/table.h"
#include "ros2bt/base/u64_map.h"

struct output_stream;
struct page_traversal;

/* What a thread did for a while: executed a callback, or was in a state. */
struct thread_part {
	int64_t begin_ns, end_ns;
	uint32_t track, label; /* indexes */
	uint32_t by;	       /* the track of the thread that woke or preempted it, + 1; 0: none */
	uint32_t is_state;
};

struct thread_track {
	uint64_t parent; /* id; 0: none */
	char *name;	 /* owned; NULL: no row has described it */
	int64_t pid, tid;
	bool has_executed;
	uint32_t thread;    /* the index of the track that stands for all of this thread */
	GArray *windows;    /* uint32_t: their indexes, by begin; NULL: none */
	int64_t longest_ns; /* of them */
};

struct thread_label {
	char *name, *state, *call; /* owned; NULL: none */
};

struct thread_window {
	int64_t at_ns, end_ns;	/* of the instance */
	int64_t from_ns, to_ns; /* of the window */
	const char *main;	/* borrowed: the table of the instance's row */
	bool is_of_hops;
	GArray *parts; /* struct thread_part */
	uint64_t left; /* parts that are left out */
};

struct wanted_window {
	struct page_worst worst;
	const struct page_traversal *traversal; /* borrowed, or NULL */
	guint place;				/* among those of its table and rank */
};

/* An execution that begins at a moment belongs to windows: a list. */
struct window_link {
	uint32_t window, next; /* index in the array of links + 1; 0: the last one */
};

struct page_threads {
	GPtrArray *writers;	     /* struct threads_table, owned */
	struct output_stream *spool; /* owned; struct thread_part */
	struct u64_map track_indexes, label_indexes;
	GArray *tracks;	 /* struct thread_track */
	GArray *labels;	 /* struct thread_label */
	GArray *wanted;	 /* struct wanted_window */
	GArray *windows; /* struct thread_window */
	uint64_t part_count;
};

/*
 * The windows of what is wanted, without their parts, and the lists of those at each moment: by moment, the index of
 * the first link + 1. Two instances of one table with the same beginning have the same window.
 */
void page_threads_choose(struct page_threads *threads, struct u64_map *moments, GArray *links);

#endif
