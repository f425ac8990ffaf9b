/* SPDX-License-Identifier: MIT */
/*
 * How executions of callbacks spent their time, where the recording has the kernel's events: what their threads did
 * between callback_start and callback_end (thread_states.h), and the wake-up before it.
 *
 * - The states of an execution add up to its duration, exactly. That of a thread that the kernel's events do not name,
 *   or before the first and after the last of the host's kernel events, is unknown.
 * - An execution within another one is a part of that one, too.
 * - wake-up: the last time that the thread came from waiting outside any callback to a CPU. It led to the execution
 *   (is_fresh) if the thread has executed nothing since.
 *
 * To be fed with all events of class SYSTEM, and records about the recording itself; listens to executions. Costs one
 * comparison an execution in a recording without events of the kernel. Memory: the threads and CPUs of the kernel's
 * events, and EXECUTION_SCHEDULES_KEPT executions of each callback once execution_schedules_keep() was called.
 */
#ifndef ROS2BT_EXECUTION_SCHEDULES_H
#define ROS2BT_EXECUTION_SCHEDULES_H

#include "core/model/host_schedules.h"
#include "ros2bt/executions.h"

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
	struct thread_cause preempted_by; /* the one that did so longest, as of the next two; name NULL: none */
	struct thread_cause blocked_in;	  /* a system call */
	struct thread_cause call;	  /* the system call that took longest in all */
	uint64_t call_count;		  /* system calls that ended within */
	int64_t call_ns;
	struct thread_wakeup wakeup;
};

/* All are borrowed and must outlive it; before any listener that asks about executions. */
struct execution_schedules *execution_schedules_create(struct recording *recording, struct executions *executions);
void execution_schedules_destroy(struct execution_schedules *schedules);

/*
 * The limits of what thread_states_in_range() is about, borrowed. Their begin is known later if it is relative to the
 * start of the recording: then they are set twice.
 */
void execution_schedules_set_range(struct execution_schedules *schedules, const struct time_range *limits,
				   bool is_known);

/* Adds the kinds of events that it is to be fed with. */
void execution_schedules_add_interest(struct event_interest *interest);
void execution_schedules_feed(struct execution_schedules *schedules, const struct event_record *record);

/*
 * Within `ended` of a listener to executions: how the complete execution that ends spent its time; NULL if its host has
 * no event of the kernel so far. `span`, unless NULL: all that is known of it.
 */
const struct execution_schedule *execution_schedules_ended(const struct execution_schedules *schedules,
							   const struct thread_span **span);

/* From now on, the last executions of each callback are kept; find() gives NULL for others. */
void execution_schedules_keep(struct execution_schedules *schedules);
const struct execution_schedule *execution_schedules_find(const struct execution_schedules *schedules,
							  const struct model_callback *callback, int64_t start_ns);

/* What is known of the threads of a host; NULL: no event of its kernel. */
const struct thread_states *execution_schedules_host(const struct execution_schedules *schedules, uint32_t host);

/* The threads of the kernel, and of user space. */
const struct kernel_threads *execution_schedules_threads(const struct execution_schedules *schedules);

#endif
