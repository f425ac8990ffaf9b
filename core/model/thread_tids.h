/* SPDX-License-Identifier: MIT */
/*
 * The threads of one host by their tids: which thread has a tid now, which event is that of a new one, and what remains
 * of those that had it before.
 *
 * - A thread ends with the switch that says so (prev_state), which comes some time after sched_process_exit: until then
 *   it may be preempted, block and move to other CPUs. Its tid is then free. A fork, a sched_wakeup_new or a switch to
 *   the tid is the first event of another thread; wake-ups and exits of a free tid are late events, and ignored.
 * - A thread of which neither fork nor sched_wakeup_new is recorded before its first event began with one that comes
 *   less than TID_REUSE_MIN_NS later: events of two CPUs may change places, but no kernel gives a tid away that soon.
 * - A thread other than the main thread that executes another program takes the tid of that one (sched_process_exec).
 * - A thread whose tid is given to another one keeps its ids, and the other one starts without any (kernel_threads.h).
 *
 * Cost: O(1) with a hash. Memory: the threads, including those that have ended.
 */
#ifndef ROS2BT_THREAD_TIDS_H
#define ROS2BT_THREAD_TIDS_H

#include <glib.h>

#include "core/base/arena.h"
#include "core/model/kernel_threads.h"
#include "core/model/scheduled_thread.h"
#include "ros2bt/base/u64_map.h"

/* A tid is used again when all others have been: the range has at least 301, and a fork takes 10 us or more. */
#define TID_REUSE_MIN_NS 1000000

struct thread_tids {
	struct arena *arena;		   /* borrowed */
	struct thread_doubt doubt;	   /* of the host: the threads refer to it */
	struct thread_watch watch;	   /* so do they to this one; passed NULL: nobody watches */
	struct kernel_threads *identities; /* borrowed; NULL: none */
	uint32_t host;			   /* in identities */
	struct u64_map by_tid;		   /* → struct scheduled_thread * */
	GPtrArray *threads; /* struct scheduled_thread *, in the arena, in order of appearance, including those gone */
};

void thread_tids_init(struct thread_tids *tids, struct arena *arena);
void thread_tids_clear(struct thread_tids *tids);

/* Where the ids of the threads of this host are known. */
void thread_tids_set_identities(struct thread_tids *tids, struct kernel_threads *identities, uint32_t host);

/* The thread that has a tid, or that had it last and is gone; NULL: none so far. */
static inline struct scheduled_thread *thread_tids_find(const struct thread_tids *tids, int32_t tid)
{
	return u64_map_get_pointer(&tids->by_tid, (uint32_t)tid);
}

/* An event names a tid, and says nothing else of its thread. */
void thread_tids_meet(const struct thread_tids *tids, int32_t tid);

/* Adds a thread of unknown state since a time, first seen now; it takes the tid from the one that has it. */
struct scheduled_thread *thread_tids_add(struct thread_tids *tids, int32_t tid, int64_t since_ns, int64_t now_ns);

/*
 * The thread that begins at a time, by a fork (THREAD_FORKED) or a sched_wakeup_new (THREAD_BEGUN): the one that has
 * the tid if these events are its beginning, else a new one.
 */
struct scheduled_thread *thread_tids_begin(struct thread_tids *tids, int32_t tid, int64_t time_ns,
					   enum thread_beginning what);

/* sched_process_exec: the thread old_tid has this tid now. */
void thread_tids_exec(struct thread_tids *tids, int32_t tid, int32_t old_tid);

/* Whether no other thread has had its tid since. */
static inline bool thread_tids_is_latest(const struct thread_tids *tids, const struct scheduled_thread *thread)
{
	return thread_tids_find(tids, thread->tid) == thread;
}

#endif
