/* SPDX-License-Identifier: MIT */
/*
 * Polls: the two events of an executor's loop (class POLL in the table of events). Most events of many traces are
 * polls, so they are not handled one by one: a reader joins successive polls of a thread into one record
 * (RECORD_POLLS), and an analysis receives all of them in one call (feed_polls in analysis.h).
 */
#ifndef ROS2BT_POLL_H
#define ROS2BT_POLL_H

#include "ros2bt/events/event_record.h"

enum poll_kind {
	POLL_NONE,
	POLL_FIND,    /* rclcpp_executor_get_next_ready: the executor looks for ready work */
	POLL_WAIT,    /* rclcpp_executor_wait_for_work: it is about to wait */
	POLL_LOOK_UP, /* the same with a timeout of 0: it checks what is ready without waiting */
};

struct poll {
	int64_t time_ns; /* since the Unix epoch */
	enum poll_kind kind;
};

/* Takes polls of a thread, the earliest first; they are borrowed during the call. */
typedef void (*poll_taker)(void *data, uint32_t thread, const struct poll *polls, size_t count);

/* The kind of poll of an event; `timeout` is the field of rclcpp_executor_wait_for_work. */
static inline enum poll_kind poll_kind_of(enum event_kind kind, uint64_t timeout)
{
	return kind == EVENT_RCLCPP_EXECUTOR_WAIT_FOR_WORK ? (timeout == 0 ? POLL_LOOK_UP : POLL_WAIT) : POLL_FIND;
}

/* The poll of a record of a single event. */
static inline struct poll poll_of(const struct event_record *record)
{
	return (struct poll){
		.time_ns = record->time_ns,
		.kind = poll_kind_of((enum event_kind)record->kind,
				     record->word[RCLCPP_EXECUTOR_WAIT_FOR_WORK__timeout]),
	};
}

/* The polls of a RECORD_POLLS, RECORD__count of them. */
static inline const struct poll *record_polls(const struct event_record *record)
{
	return (const struct poll *)(uintptr_t)record->word[RECORD__polls];
}

#endif
