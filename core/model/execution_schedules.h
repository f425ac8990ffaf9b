/* SPDX-License-Identifier: MIT */
/*
 * How executions of callbacks spent their time, if the recording has events of the kernel: what their threads did
 * between callback_start and callback_end (thread_states.h), and the wake-up before.
 *
 * - The states of an execution add up to its duration, exactly. The state is unknown if the kernel's events do not name
 *   the thread, and before the first and after the last event of the host's kernel.
 * - The time of an execution within another one counts in both.
 * - The wake-up is the last time that the thread was woken outside callbacks and came to a CPU. It led to the execution
 *   (is_fresh) if the thread executed nothing in between.
 *
 * Feed it with all events of class SYSTEM and the records about the recording itself; it listens to executions. Cost:
 * one comparison per execution in a recording without events of the kernel. Memory: the threads and CPUs of the
 * kernel's events, and EXECUTION_SCHEDULES_KEPT executions per callback after execution_schedules_keep().
 */
#ifndef ROS2BT_EXECUTION_SCHEDULES_H
#define ROS2BT_EXECUTION_SCHEDULES_H

#include "core/model/executions.h"
#include "core/model/host_schedules.h"

#define EXECUTION_SCHEDULES_KEPT 32

struct execution_schedules;

/* When a thread was woken, and when it came to a CPU after that. */
struct thread_wakeup {
	bool is_known;
	bool is_fresh;
	int64_t blocked_since_ns; /* INT64_MAX: not known */
	int64_t waking_ns, switch_in_ns;
};

struct execution_schedule {
	int64_t start_ns, end_ns;
	struct thread_account account;
	/* The causes with the longest times; name NULL: none. */
	struct thread_cause preempted_by; /* a thread */
	struct thread_cause blocked_in;	  /* a system call */
	struct thread_cause call;	  /* a system call, blocked or not */
	uint64_t call_count;		  /* system calls that ended during the execution */
	int64_t call_ns;
	struct thread_wakeup wakeup;
	bool is_before_kernel; /* it started before the host's first event of the kernel */
};

/*
 * The recording and the executions are borrowed and must outlive it. Create it before the listeners that ask it about
 * executions: listeners are called in order of creation.
 */
struct execution_schedules *execution_schedules_create(struct recording *recording, struct executions *executions);
void execution_schedules_destroy(struct execution_schedules *schedules);

/*
 * Sets the range of thread_states_in_range(), borrowed. If its begin is relative to the start of the recording, it is
 * not known at first (is_known false); call this again when it is.
 */
void execution_schedules_set_range(struct execution_schedules *schedules, const struct time_range *limits,
				   bool is_known);

/* See host_schedules_watch(). */
void execution_schedules_watch(struct execution_schedules *schedules, const struct thread_watch *watch);

/* Adds the kinds of events to be fed. */
void execution_schedules_add_interest(struct event_interest *interest);
void execution_schedules_feed(struct execution_schedules *schedules, const struct event_record *record);

/*
 * To be called by listeners in `ended`: how the execution that ends spent its time. NULL if it is not complete or its
 * host has no event of the kernel so far, and none that may come. `span`, unless NULL, receives all causes and system
 * calls.
 */
const struct execution_schedule *execution_schedules_ended(const struct execution_schedules *schedules,
							   const struct thread_span **span);

/* From now on, keeps the last executions of each callback for execution_schedules_find(), which gives NULL for others.
 */
void execution_schedules_keep(struct execution_schedules *schedules);
const struct execution_schedule *execution_schedules_find(const struct execution_schedules *schedules,
							  const struct model_callback *callback, int64_t start_ns);

/* The threads of a host; NULL: no event of its kernel so far, and none that may come. */
const struct thread_states *execution_schedules_host(const struct execution_schedules *schedules, uint32_t host);

/* Adds the CPUs whose events of the kernel end before those of others. */
void execution_schedules_diagnose(const struct execution_schedules *schedules, struct diagnostics *findings);

/* The threads of the kernels, and which threads of user space they are. */
const struct kernel_threads *execution_schedules_threads(const struct execution_schedules *schedules);

#endif
