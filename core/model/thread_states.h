/* SPDX-License-Identifier: MIT */
/*
 * What the threads of one host do, from the events of its kernel (sched_*, irq_*, syscall_*):
 *
 *   RUNNING    from a sched_switch to the thread until the next one from it
 *   PREEMPTED  from a sched_switch from it that leaves it ready to run, until the next one to it
 *   BLOCKED    from any other sched_switch from it until it is woken, or if that is not recorded, until the next one to
 * it WOKEN      from sched_waking (else sched_wakeup, sched_wakeup_new) until the next sched_switch to it UNKNOWN from
 * the first event of the host until the first one of the thread, and where events may have been lost
 *
 * - Waking a thread that is running or ready changes nothing.
 * - Tracers miss switches without counting them, mostly those from interrupted idle threads. A thread that leaves a CPU
 *   or records an event although no switch to it was recorded has run since its state began or since the last switch of
 *   the CPU, whichever is later; that is the earliest possible moment. A thread whose CPU turns out to be another
 *   thread's left it at an unknown time, so its state is unknown since its last event.
 * - thread_tids.h tells which thread begins, has a tid, and ends.
 * - Where events are missing: thread_losses.h.
 * - The account up to a time for which it was requested (spans, ranges) does not change any more.
 * - Interrupts on a CPU nest; their time counts once, for the interrupted thread.
 *
 * Records must be in order of time; one that seems earlier counts at the time of the last one. Cost: O(1) per event
 * with a hash for each thread in it, O(threads) for a loss; no allocation for known threads and CPUs. Memory: the
 * threads and CPUs.
 */
#ifndef ROS2BT_THREAD_STATES_H
#define ROS2BT_THREAD_STATES_H

#include <glib.h>

#include "core/base/arena.h"
#include "core/model/scheduled_thread.h"
#include "core/model/thread_tids.h"
#include "ros2bt/base/u64_map.h"
#include "ros2bt/events/kernel_call.h"

/* Where the recording is with respect to the range of thread_states_in_range(). */
enum thread_range {
	THREAD_RANGE_OPEN,    /* in it */
	THREAD_RANGE_AWAITED, /* before it */
	THREAD_RANGE_OVER,    /* after it */
};

struct thread_states {
	struct arena *arena; /* borrowed */
	bool has_begun;	     /* there was an event */
	bool is_over;	     /* no more events are expected */
	bool is_off;	     /* tracing is off */
	bool has_wakings;    /* wake-ups are recorded */
	enum thread_range range;
	int64_t begin_ns, now_ns; /* of the first and the last event */
	int64_t range_begin_ns;	  /* INT64_MIN: the range has no begin */
	int64_t range_end_ns;	  /* set when the range is over */
	uint64_t missed_switches; /* switches to a thread that are missing in the trace */
	struct thread_tids tids;
	struct u64_map cpu_of; /* → struct scheduled_cpu * */
	GPtrArray *cpus;       /* struct scheduled_cpu *, in the arena */
};

void thread_states_init(struct thread_states *states, struct arena *arena);

void thread_states_clear(struct thread_states *states);

/*
 * The begin of the range of thread_states_in_range(), to be called with the range AWAITED and before any event that is
 * later (otherwise the range begins with the recording); and its end.
 */
void thread_states_begin_range(struct thread_states *states, int64_t time_ns);
void thread_states_end_range(struct thread_states *states, int64_t time_ns);

/* The CPU of a number, added by the first call. */
struct scheduled_cpu *thread_states_cpu(struct thread_states *states, uint64_t number);

/* The thread that has a tid now, added by the first call; NULL for idle threads (tid 0). */
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
/* An event that changes no state. */
void thread_states_pass(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns);
/* sched_process_fork of a child, to be called before kernel_threads_feed() */
void thread_states_fork(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns, int32_t tid,
			const char *name);
/* sched_process_exec: the thread old_tid has this tid now */
void thread_states_exec(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns, int32_t tid,
			int32_t old_tid);
/* sched_wakeup_new */
void thread_states_begin_thread(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns, int32_t tid,
				const char *name);
/* sched_process_exit */
void thread_states_end_thread(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns, int32_t tid);

/* Interrupts of both kinds. */
void thread_states_enter_irq(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns);
void thread_states_leave_irq(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns);

/*
 * Beginnings and ends of system calls of the thread that runs on the CPU, at least one, between which nothing else
 * happens on the host; several only after another event. O(1) for a thread without open spans.
 */
void thread_states_pass_calls(struct thread_states *states, struct scheduled_cpu *cpu, const struct kernel_call *calls,
			      size_t count);

/* There are no more events: all states are unknown from the last one on. */
void thread_states_end(struct thread_states *states);

/* --- questions --- */

/* The thread recorded an event in user space, so it runs; `cpu`: where, NULL if unknown. */
void thread_states_see(struct thread_states *states, struct scheduled_thread *thread, struct scheduled_cpu *cpu,
		       int64_t time_ns);

/* The account of the part of the range that has passed as of the last event. */
struct thread_account thread_states_in_range(const struct thread_states *states, const struct scheduled_thread *thread);

#endif
