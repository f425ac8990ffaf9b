/* SPDX-License-Identifier: MIT */
/*
 * The states of threads in the timeline (core/tables/timeline_tables.h), as the table `threads` counts them: what a
 * thread did within the options' [begin, end], and on which CPU it ran. Those of programs without ROS 2 are drawn as
 * well, since they are what runs instead. Where the state is unknown, nothing is drawn.
 *
 * CPUs of a second host are numbered from TIMELINE_CPUS_MAX on, and so on: viewers know only one set of them.
 *
 * Cost: only while a timeline is drawn: a look-up for each change of a state. Memory: 60 bytes for each thread, more
 * while events of a CPU may be missing.
 */
#ifndef ROS2BT_THREAD_TIMELINE_H
#define ROS2BT_THREAD_TIMELINE_H

#include "core/analyses/shared/analysis.h"
#include "core/model/thread_states.h"
#include "core/tables/timeline_tables.h"

#define TIMELINE_CPUS_MAX 128

extern const struct table_schema thread_track_schema, thread_label_schema, thread_event_schema;

/* What a thread did; times in ns. */
struct drawn_state {
	int64_t begin_ns, end_ns; /* end <= begin: nothing */
	uint64_t label;
	int32_t cpu; /* -1: none, or not known */
	uint32_t by; /* the thread that woke or preempted it, by number; 0: none, or not known */
};

struct thread_timeline {
	const struct analysis_context *context; /* borrowed */
	struct table_writer *events;		/* borrowed; NULL: no timeline is drawn */
	struct u64_map numbers;			/* address of the scheduled thread → its number, from 1 */
	GPtrArray *threads;			/* struct drawn_thread *, in the arena, by number - 1 */
	struct u64_map calls;			/* address of the name of a system call → number, from 1 */
	GPtrArray *call_names;			/* borrowed from the pool, by number - 1 */
};

void thread_timeline_init(struct thread_timeline *timeline, const struct analysis_context *context,
			  struct table_writer *events);

/* There are no more events: writes the last states. Only if a timeline is drawn, as the next one. */
void thread_timeline_finish(struct thread_timeline *timeline);

void thread_timeline_write_names(const struct thread_timeline *timeline, struct table_writer *tracks,
				 struct table_writer *labels);

#endif
