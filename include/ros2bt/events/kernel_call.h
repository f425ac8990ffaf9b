/* SPDX-License-Identifier: MIT */
/*
 * Beginnings and ends of system calls, which are most events of many traces of a kernel, while little depends on one of
 * them: only what a thread does within callbacks, and in which call it leaves its CPU. A reader may join those of a
 * stream that follow each other to one record (RECORD_CALLS), if no event of another stream lies between them.
 */
#ifndef ROS2BT_KERNEL_CALL_H
#define ROS2BT_KERNEL_CALL_H

#include "ros2bt/events/event_record.h"
#include "ros2bt/events/recording.h"

struct kernel_call {
	int64_t time_ns;  /* since the Unix epoch */
	const char *name; /* of the call that begins, in the pool; NULL: the last one of the thread ends */
};

/* Those of a RECORD_CALLS, RECORD__count of them, the earliest first. */
static inline const struct kernel_call *record_calls(const struct event_record *record)
{
	return (const struct kernel_call *)(uintptr_t)record->word[RECORD__calls];
}

/* The event itself that one of a RECORD_CALLS was, without the ids of its thread and the value that the call returned.
 */
static inline struct event_record record_call(const struct event_record *record, const struct kernel_call *call)
{
	struct event_record event = {
		.time_ns = call->time_ns,
		.thread = RECORDING_NONE,
		.stream = record->stream,
		.kind = call->name ? EVENT_SYSCALL_ENTRY : EVENT_SYSCALL_EXIT,
		.present = call->name ? 1u << SYSCALL_ENTRY__call : 0,
	};

	event.word[SYSCALL_ENTRY__call] = (uintptr_t)call->name;
	return event;
}

#endif
