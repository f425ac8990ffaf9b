/* SPDX-License-Identifier: MIT */
/*
 * The threads of each process, by when they executed a callback last: those that may have executed one since a time are
 * found without a look at all others.
 *
 * Questions are rare, so the first start after one only notes that its thread is touched. A question puts those that
 * were touched and have nothing open any more before the others: none of their executions, nor any of those behind
 * them, reached beyond what the executions of all of them had reached by then.
 *
 * Between the first and the next ones for the same threads nothing may start or end.
 *
 * Cost: of a question O(n) for n threads that were touched since the last one or have something open. Memory: 24 bytes
 * for each thread, 8 for each process. Times in ns.
 */
#ifndef ROS2BT_RECENT_THREADS_H
#define ROS2BT_RECENT_THREADS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/slots.h"

struct recent_thread {
	bool is_touched; /* it started something, and is in no place yet */
	bool has_place;	 /* it is in the list of those that have nothing open */
	uint32_t next_touched;
	uint32_t newer, older; /* in the list; RECORDING_NONE: it is the first, or the last */
	int64_t reached_ns;
};

struct recent_threads {
	GArray *threads;    /* struct recent_thread by index */
	GArray *processes;  /* struct recent_process by index */
	int64_t reached_ns; /* the latest end of those in places so far */
	int64_t (*settle)(void *data, uint32_t thread);
	void *data;
};

#define RECENT_THREAD_IS_OPEN INT64_MAX

/*
 * settle: until when the executions of a thread reach, or RECENT_THREAD_IS_OPEN; the next start of one that has nothing
 * open is to be told.
 */
void recent_threads_init(struct recent_threads *recent, struct arena *arena,
			 int64_t (*settle)(void *data, uint32_t thread), void *data);

/* An execution of a thread starts. Returns whether it is the first one since a question put the thread in its place. */
bool recent_threads_started(struct recent_threads *recent, uint32_t process, uint32_t thread);

/* Whether recent_threads_started() would change nothing. */
bool recent_threads_is_touched(const struct recent_threads *recent, uint32_t thread);

/*
 * Each thread of the process that executed something after since_ns, and maybe others; RECORDING_NONE: no more.
 *
 *   for (thread = recent_threads_first(…); thread != RECORDING_NONE; thread = recent_threads_next(…, thread, …))
 */
uint32_t recent_threads_first(struct recent_threads *recent, uint32_t process, int64_t since_ns);
uint32_t recent_threads_next(const struct recent_threads *recent, uint32_t process, uint32_t thread, int64_t since_ns);

#endif
