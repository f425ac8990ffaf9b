/* SPDX-License-Identifier: MIT */
/*
 * The threads that the kernel knows, by what its events record of them: which thread of user space each one is, its
 * name, and which one runs on each CPU. Fed with the events of class SYSTEM (event_table.h) of any number of hosts.
 *
 * The kernel names threads by their tid in no pid namespace, user space by (vpid, vtid) in its own. Without namespaces
 * vtid is tid and vpid is the process's. Which is which comes from, in order of trust:
 *
 *   - the contexts vpid, vtid, pid_ns of the kernel's events, which are those of the thread that runs,
 *   - sched_process_fork.vtids, child_pid, child_ns_inum,
 *   - the state dump (process_state up to LTTng 2.11, process_pid_ns from 2.12 on), which has the innermost namespace
 *     first,
 *   - with none of these, that the vtid of a thread is its tid.
 *
 * Threads have dense indexes, one for each tid of a host: a tid that is given to a new thread keeps its index, and
 * `generation` counts up. So memory is bounded by the number of tids, and who holds state by index looks whether the
 * generation is still the same. The idle threads (tid 0) have no index.
 *
 * A tid that comes back without a sched_process_fork in between cannot be told from its predecessor.
 */
#ifndef ROS2BT_KERNEL_THREADS_H
#define ROS2BT_KERNEL_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "ros2bt/event_record.h"
#include "ros2bt/recording.h"

#define KERNEL_THREAD_NONE UINT32_MAX

struct kernel_threads;

struct kernel_thread {
	uint32_t host;
	int32_t tid;
	int32_t pid;	     /* that of its process, in no namespace; -1: not known */
	int32_t vpid, vtid;  /* as user space records them; -1: not known */
	uint64_t ns_inum;    /* the pid namespace of these; 0: not known */
	const char *name;    /* the latest comm, in the pool; NULL: not known */
	uint32_t generation; /* of the tid, from 0 */
	bool is_gone;	     /* it has ended; it may still run up to its last switch */
};

/* What runs on a CPU */
struct kernel_running {
	bool is_known;	 /* false: before the first switch of the CPU, and after a loss up to the next one */
	int32_t tid;	 /* 0: idle */
	uint32_t thread; /* its index, KERNEL_THREAD_NONE if idle or not known */
};

/* The recording is borrowed. */
struct kernel_threads *kernel_threads_create(struct recording *recording);
void kernel_threads_destroy(struct kernel_threads *threads);

/* What is to be fed, ended by EVENT_KIND_COUNT; of these, a recording must have sched_switch. */
extern const enum event_kind kernel_threads_kinds[];

/*
 * Takes an event of the kernel, before whoever asks about it; also RECORD_DISCARDED_EVENTS, RECORD_DISCARDED_PACKETS
 * and RECORD_GAP of its streams. Others are ignored. O(1).
 */
void kernel_threads_feed(struct kernel_threads *threads, const struct event_record *record);

/* The thread that has this tid now; KERNEL_THREAD_NONE if the kernel's events have not named it yet. One hash. */
uint32_t kernel_threads_find(const struct kernel_threads *threads, uint32_t host, int32_t tid);

/*
 * The thread of the kernel that a thread of user space (index of the recording) is now. KERNEL_THREAD_NONE: the
 * kernel's events have not named it yet, or several namespaces have these ids and user space does not record its own
 * (context pid_ns). One hash, two where nothing is known of its vtid.
 */
uint32_t kernel_threads_of_user(const struct kernel_threads *threads, uint32_t thread);

/*
 * What runs on a CPU as of the events fed so far. Of the CPU that a record is from:
 * recording_stream_cpu(recording, record->stream). After a sched_switch it is the next thread.
 */
struct kernel_running kernel_threads_running(const struct kernel_threads *threads, uint32_t host, uint32_t cpu);

/* Indexes are less than this. */
uint32_t kernel_threads_count(const struct kernel_threads *threads);

/* Borrowed until the next feed. */
const struct kernel_thread *kernel_thread_at(const struct kernel_threads *threads, uint32_t index);

/*
 * Whether a thread that leaves its CPU in this state (sched_switch.prev_state) could have gone on: it is preempted, or
 * it yields. The bits from 256 on only say how it is blocked, or, alone, that it is preempted (event_table.h).
 */
static inline bool kernel_state_is_runnable(int64_t prev_state)
{
	return (prev_state & 0xff) == 0;
}

#endif
