/* SPDX-License-Identifier: MIT */
/*
 * The threads of the kernel of each host, from its events of class SYSTEM (event_table.h): which thread of user space
 * each one is, its name, and which one runs on each CPU.
 *
 * The kernel identifies a thread by its tid in the initial pid namespace, user space by (vpid, vtid) in its own
 * namespace. Without namespaces, the vtid is the tid. What relates the two, in order of trust:
 *
 *   - the contexts vpid, vtid and pid_ns of the kernel's events, which are those of the running thread;
 *   - the fields vtids, child_pid and child_ns_inum of sched_process_fork;
 *   - the state dump (process_state up to LTTng 2.11, process_pid_ns from 2.12 on), which has the innermost namespace
 *     first;
 *   - with none of these, the assumption that the vtid of a thread is its tid.
 *
 * Threads have dense indexes, one per host and tid. A new thread with the tid of an older one has the same index, so
 * memory is bounded by the number of tids. The idle threads (tid 0) have no index. A tid that is reused without a
 * recorded sched_process_fork is not recognized as such, unless somebody else tells (kernel_threads_begin()).
 *
 * Cost: O(1) per event. Memory: 50 bytes per tid, plus three hash tables per host.
 */
#ifndef ROS2BT_KERNEL_THREADS_H
#define ROS2BT_KERNEL_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "ros2bt/events/event_record.h"
#include "ros2bt/events/recording.h"

#define KERNEL_THREAD_NONE UINT32_MAX

struct kernel_threads;

struct kernel_thread {
	uint32_t host;
	int32_t tid;
	int32_t pid;	    /* of its process, in the initial namespace; -1: unknown */
	int32_t vpid, vtid; /* as user space records them; -1: unknown */
	uint64_t ns_inum;   /* their pid namespace; 0: unknown */
	const char *name;   /* the latest comm, in the pool; NULL: unknown */
};

/* What runs on a CPU. */
struct kernel_running {
	bool is_known;	 /* false: before the first switch of the CPU, and after a loss up to the next one */
	int32_t tid;	 /* 0: idle */
	uint32_t thread; /* its index; KERNEL_THREAD_NONE if idle or unknown */
};

/* The recording is borrowed and must outlive the threads. */
struct kernel_threads *kernel_threads_create(struct recording *recording);
void kernel_threads_destroy(struct kernel_threads *threads);

/* The kinds of events to be fed. A recording must have at least sched_switch. */
/* clang-format off */
#define KERNEL_THREADS_KINDS \
	EVENT_SCHED_SWITCH, EVENT_SCHED_WAKING, EVENT_SCHED_WAKEUP, EVENT_SCHED_WAKEUP_NEW, EVENT_SCHED_PROCESS_FORK, \
	EVENT_SCHED_PROCESS_EXEC, EVENT_SCHED_PROCESS_EXIT, EVENT_STATEDUMP_PROCESS_STATE, \
	EVENT_STATEDUMP_PROCESS_PID_NS
/* clang-format on */

/*
 * Takes an event of the kernel, before questions about it; also RECORD_DISCARDED_EVENTS, RECORD_DISCARDED_PACKETS and
 * RECORD_GAP of its streams. Ignores all others.
 */
void kernel_threads_feed(struct kernel_threads *threads, const struct event_record *record);

/* The thread with a tid is another one than before, of which nothing is known; as a sched_process_fork shows, too. */
void kernel_threads_begin(struct kernel_threads *threads, uint32_t host, int32_t tid);

/*
 * For who follows the threads, and asks neither for names nor for what runs: what is left of switches and wake-ups, of
 * which none needs to be fed then. An event names a tid that none has named before; and the contexts of an event are
 * those of the thread with a tid.
 */
void kernel_threads_meet(struct kernel_threads *threads, uint32_t host, int32_t tid);
void kernel_threads_learn(struct kernel_threads *threads, uint32_t host, int32_t tid,
			  const struct event_record *record);

/* The thread that has a tid now; KERNEL_THREAD_NONE if no event of the kernel has named it yet. One hash. */
uint32_t kernel_threads_find(const struct kernel_threads *threads, uint32_t host, int32_t tid);

/*
 * The kernel thread of a thread of user space (index in the recording) as of now. KERNEL_THREAD_NONE if no event of the
 * kernel has named it yet, or if several namespaces have its ids and user space does not record its own (context
 * pid_ns). O(namespaces) hashes.
 */
uint32_t kernel_threads_of_user(const struct kernel_threads *threads, uint32_t thread);

/*
 * What runs on a CPU as of the events fed so far; after a sched_switch, the next thread. The CPU of a record is
 * recording_stream_cpu(recording, record->stream).
 */
struct kernel_running kernel_threads_running(const struct kernel_threads *threads, uint32_t host, uint32_t cpu);

/* Borrowed until the next feed. */
const struct kernel_thread *kernel_thread_at(const struct kernel_threads *threads, uint32_t index);

/*
 * Whether a thread that leaves its CPU in a state (sched_switch.prev_state) is ready to run: it was preempted, or it
 * yields. The bits from 256 on only qualify how it is blocked or, alone, mark a preemption (event_table.h).
 */
static inline bool kernel_state_is_runnable(int64_t prev_state)
{
	return (prev_state & 0xff) == 0;
}

#endif
