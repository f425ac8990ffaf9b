/* SPDX-License-Identifier: MIT */
/* Who hears of executions (executions.h), and for which recordings. */
#ifndef ROS2BT_EXECUTION_LISTENERS_H
#define ROS2BT_EXECUTION_LISTENERS_H

#include <stddef.h>

#include "core/model/execution.h"
#include "ros2bt/events/recording.h"

/* Members that are NULL are not called. */
struct executions_listener {
	void *data;
	/*
	 * Ended by EVENT_KIND_COUNT: it hears nothing if no trace declares events of these kinds (recording_lacks()).
	 * NULL: it hears in any case.
	 */
	const enum event_kind *only_with;
	/* The execution is open. It may be kept until `ended`. */
	void (*started)(void *data, struct execution *execution);
	/* The execution is invalid afterwards. One without start was never `started`. */
	void (*ended)(void *data, struct execution *execution, enum execution_outcome outcome);
	/*
	 * A context was initialized, after `ended` of what it cuts: as far as the trace shows, the process may be
	 * another one, that has the ids of an older one.
	 */
	void (*may_be_new)(void *data, uint32_t process, int64_t time_ns);
};

/*
 * Removes the listeners that have nothing to hear in a recording, when its reader has told what the traces declare.
 * Returns how many are left.
 */
size_t execution_listeners_choose(struct executions_listener *listeners, size_t count,
				  const struct recording *recording);

/* Those that hear of starts, and of ends; ended by NULL. */
struct execution_hearers {
	struct {
		void (*call)(void *data, struct execution *execution);
		void *data;
	} * started; /* owned */
	struct {
		void (*call)(void *data, struct execution *execution, enum execution_outcome outcome);
		void *data;
	} * ended; /* owned */
};

/* Replaces the lists, which are NULL at first. */
void execution_hearers_set(struct execution_hearers *hearers, const struct executions_listener *listeners,
			   size_t count);
void execution_hearers_clear(struct execution_hearers *hearers);

#endif
