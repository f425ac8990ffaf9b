/* SPDX-License-Identifier: MIT */
/*
 * The states of threads (TIMELINE_THREAD of core/tables/timeline_tables.h) as events of a scheduler, from which the
 * trace processor makes its tables `sched` and `thread_state`, and the browser its rows of CPUs and threads.
 *
 *   running    between a sched_switch to the thread and the next one from it
 *   preempted  R+; woken: R, with the thread that woke it; blocked: S
 *   ended      X; not known: N, which no thread of ROS 2 is in otherwise
 *
 * The reason of a state is its "blocked function": the system call that the thread is blocked in, the thread that took
 * its CPU, or that nothing is known. In these tables, the times of a thread in each state are exactly those of the
 * rows; a state that follows another one than running begins with a slice of no duration, on a CPU that is free then.
 * A thread that runs, nobody knows where, does so on the CPUs from PERFETTO_CPU_UNKNOWN on; of more than
 * PERFETTO_CPU_MAX - PERFETTO_CPU_UNKNOWN such threads at a time, nothing is known of the others.
 *
 * Memory: 48 bytes for each row. Embedded: init, clear.
 */
#ifndef ROS2BT_PERFETTO_SCHED_H
#define ROS2BT_PERFETTO_SCHED_H

#include "core/output/perfetto/perfetto_packets.h"

#define PERFETTO_CPU_UNKNOWN 900
#define PERFETTO_CPU_MAX 1024

struct perfetto_state {
	int64_t begin_ns, end_ns;
	uint32_t thread, by; /* indexes of their tracks; `by`: PERFETTO_NOBODY, unless woken or preempted by someone */
	uint32_t reason;     /* PERFETTO_KERNEL_SYMBOL; 0: none */
	int32_t cpu;	     /* -1: none, or not known */
	char letter;	     /* the first one of its name (TIMELINE_STATE_…) */
};

#define PERFETTO_NOBODY UINT32_MAX

struct perfetto_sched {
	GArray *states; /* struct perfetto_state */
};

/* The tid and the name of the thread of a track. */
struct perfetto_thread {
	int64_t tid;
	const char *name; /* not NULL */
	bool has_process;
};

void perfetto_sched_init(struct perfetto_sched *sched);
void perfetto_sched_clear(struct perfetto_sched *sched);

static inline void perfetto_sched_add(struct perfetto_sched *sched, const struct perfetto_state *state)
{
	g_array_append_vals(sched->states, state, 1);
}

/* Before perfetto_write_strings(): the texts that are needed. `threads` by index of the track. */
void perfetto_sched_prepare(struct perfetto_sched *sched, struct perfetto_packets *packets,
			    const struct perfetto_thread *threads);

/* After the tracks. */
void perfetto_sched_write(struct perfetto_sched *sched, struct perfetto_packets *packets,
			  const struct perfetto_thread *threads);

#endif
