/* SPDX-License-Identifier: MIT */
/*
 * The threads of each process, by when they executed a callback last: those that may have executed one since a time are
 * found without a look at all others.
 *
 * A thread is in one of two lists of its process: it has open executions, or the one that ended an execution last comes
 * first. Ends may be reported late, so each thread of the second list keeps a time that none of its executions, nor any
 * of those behind it, reached beyond: the latest end in the process when its own was reported.
 *
 * Questions are rare, so starts and ends only note that a thread is touched: a question puts those that were touched
 * since the last one into their places. Between the first and the next ones for the same threads nothing may start.
 *
 * Cost: O(1) per execution; of a question O(n log n) for n threads that were touched since the last one. Memory: 40
 * bytes for each thread, 24 for each process. Times in ns.
 */
#ifndef ROS2BT_RECENT_THREADS_H
#define ROS2BT_RECENT_THREADS_H

#include <glib.h>
#include <stdint.h>

#include "core/base/arena.h"

struct recent_threads {
	GArray *threads;   /* struct recent_thread by index */
	GArray *processes; /* struct recent_process by index */
	GArray *order;	   /* uint32_t: for a while, threads in the order of their last touches */
	uint64_t touches;  /* starts and ends of outermost executions so far */
};

void recent_threads_init(struct recent_threads *recent, struct arena *arena);

/* An execution of a thread starts; or one ends, at a time. An end without a start is none of these. */
void recent_threads_started(struct recent_threads *recent, uint32_t process, uint32_t thread);
void recent_threads_ended(struct recent_threads *recent, uint32_t process, uint32_t thread, int64_t end_ns);

/*
 * Each thread of the process that executed something after since_ns, and maybe others; RECORDING_NONE: no more.
 *
 *   for (thread = recent_threads_first(…); thread != RECORDING_NONE; thread = recent_threads_next(…, thread, …))
 */
uint32_t recent_threads_first(const struct recent_threads *recent, uint32_t process, int64_t since_ns);
uint32_t recent_threads_next(const struct recent_threads *recent, uint32_t process, uint32_t thread, int64_t since_ns);

#endif
