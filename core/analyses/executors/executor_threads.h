/* SPDX-License-Identifier: MIT */
/* What the analysis executors knows of each thread that executes callbacks (see executors.c). */
#ifndef ROS2BT_EXECUTOR_THREADS_H
#define ROS2BT_EXECUTOR_THREADS_H

#include "core/analyses/executors/executor_counts.h"

void executor_thread_note_callback(struct executor_thread *thread, const struct model_callback *callback);

/*
 * The threads of one executor, which no event records: threads of a process that run an executor and executed callbacks
 * of the same node. A thread whose way to execute callbacks records no events is alone.
 */
struct executor {
	uint32_t process;
	bool has_events;
	GPtrArray *threads; /* owned; struct executor_thread *, by vtid */
	GPtrArray *nodes;   /* owned; const char *, in the pool, by name */
	const char *type;   /* as CARET names it, NULL if unknown */
};

/*
 * The executors of the recording, as known now (struct executor *, owned by the array), by host, name of the process,
 * vpid and first thread. None where no thread recorded events of an executor: then nothing is known of any.
 */
GPtrArray *executors_find(const struct executors *executors);

#endif
