/* SPDX-License-Identifier: MIT */
/*
 * What the threads of one host do, by the events of its kernel (sched_*, irq_*, syscall_*):
 *
 *   RUNNING    from a sched_switch to the thread, to the next one from it
 *   PREEMPTED  from a sched_switch from it that leaves it ready to go on, to the next one to it
 *   BLOCKED    from any other sched_switch from it, until it is woken; until the next one to it where that is not
 *              recorded
 *   WOKEN      from sched_waking (else sched_wakeup, sched_wakeup_new) to the next sched_switch to it
 *   UNKNOWN    before its first event, since the first event of the host; and where events may have been lost
 *
 * - Waking a thread that runs, or that is ready to, changes nothing.
 * - Tracers miss switches without counting them (interrupted idle threads, mostly). A thread that leaves a CPU, or that
 *   itself records an event, and never came to a CPU, has run since its state began or since the CPU's last switch,
 *   whichever is later: the earliest moment at which it can have come. A thread of which another one turns out to have
 *   its CPU has left it nobody knows when: its state is unknown since its last event.
 * - What was lost on one CPU makes unknown what all threads do from that CPU's last event on, but for those that run on
 *   another one.
 * - Until when an account was asked for (thread_states_account(), spans) it does not change any more.
 * - Interrupts nest on their CPU: their time counts once, for the thread that they interrupt.
 *
 * Records must be in order of time; one that seems earlier counts as of the time of the last one. O(1) an event, one
 * look-up by hash at most two threads; nothing is allocated for an event of known threads and CPUs. Memory: the
 * threads and CPUs.
 */
#ifndef ROS2BT_THREAD_STATES_H
#define ROS2BT_THREAD_STATES_H

#include <glib.h>

#include "core/base/arena.h"
#include "core/base/u64_map.h"
#include "core/model/scheduled_thread.h"

struct scheduled_cpu {
	struct scheduled_thread *current; /* NULL: none, or unknown */
	bool has_switch;
	int64_t last_switch_ns;
	int64_t last_ns; /* of its last event */
	uint32_t irq_depth;
	int64_t irq_since_ns;
};

/* The part of the recording that is asked for. */
enum thread_range {
	THREAD_RANGE_OPEN, /* now is in it */
	THREAD_RANGE_AWAITED,
	THREAD_RANGE_OVER,
};

struct thread_states {
	struct arena *arena; /* borrowed */
	bool has_begun;	     /* there was an event */
	bool is_over;	     /* and there will be none any more, as far as is known */
	bool has_wakings;    /* they are recorded */
	enum thread_range range;
	int64_t begin_ns, now_ns;      /* of the first and the last event */
	int64_t range_begin_ns;	       /* INT64_MIN: has no begin */
	int64_t range_end_ns;	       /* once it is over */
	uint64_t missed_switches;      /* switches to a thread that the trace does not have */
	struct u64_map by_tid, cpu_of; /* → struct scheduled_thread *, struct scheduled_cpu * */
	GPtrArray *threads; /* struct scheduled_thread *, in the arena, in order of appearance; with those gone */
	GPtrArray *cpus;    /* struct scheduled_cpu *, in the arena */
};

void thread_states_init(struct thread_states *states, struct arena *arena);
void thread_states_clear(struct thread_states *states);

/*
 * The range of thread_states_in_range(), which begins with the recording otherwise: to be called with the range
 * AWAITED, when no event so far is later; and its end.
 */
void thread_states_begin_range(struct thread_states *states, int64_t time_ns);
void thread_states_end_range(struct thread_states *states, int64_t time_ns);

/* The CPU of that number, made at the first call. */
struct scheduled_cpu *thread_states_cpu(struct thread_states *states, uint64_t number);

/* The thread of that id as of now, made at the first call; NULL for idle threads (tid 0). */
struct scheduled_thread *thread_states_thread(struct thread_states *states, int32_t tid);

/* --- events; names may be NULL --- */

struct thread_switch {
	int32_t prev_tid, next_tid;
	const char *prev_name, *next_name;
	int64_t prev_state; /* as sched_switch records it */
};

void thread_states_switch(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns,
			  const struct thread_switch *one);
void thread_states_wake(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns, int32_t tid,
			const char *name);
/* sched_wakeup_new */
void thread_states_begin_thread(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns, int32_t tid,
				const char *name);
/* sched_process_exit */
void thread_states_end_thread(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns, int32_t tid);

/* Interrupts of both kinds. */
void thread_states_enter_irq(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns);
void thread_states_leave_irq(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns);

/* System calls of the thread that runs on the CPU. */
void thread_states_enter_call(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns,
			      const char *name);
void thread_states_leave_call(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns);

/* Events of the CPU may have been lost between its last one and time_ns. */
void thread_states_lose(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns);
/* No more events: all is unknown from the last one on. */
void thread_states_end(struct thread_states *states);

/* --- questions --- */

/* Whether no other thread has got its tid since. */
static inline bool thread_states_is_latest(const struct thread_states *states, const struct scheduled_thread *thread)
{
	return u64_map_get_pointer(&states->by_tid, (uint32_t)thread->tid) == thread;
}

/* The thread itself recorded an event on this CPU (NULL: unknown), so it runs. */
void thread_states_see(struct thread_states *states, struct scheduled_thread *thread, struct scheduled_cpu *cpu,
		       int64_t time_ns);

/* The part of it that lies in the range, as of the last event. */
struct thread_account thread_states_in_range(const struct thread_states *states, const struct scheduled_thread *thread);

#endif
