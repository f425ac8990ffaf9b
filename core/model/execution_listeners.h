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
	 * Ended by EVENT_KIND_COUNT: it hears nothing if no trace declares events of these kinds
	 * (recording_lacks_all()). NULL: it hears in any case.
	 */
	const enum event_kind *only_with;
	/*
	 * It hears of executions of these callbacks only: 1 << enum callback_kind for each kind, as known when the
	 * execution starts or before. 0: all. One whose kind is not known yet may turn out to be of any.
	 */
	unsigned int callback_kinds;
	/* It hears only of starts and ends that thread_past.h does not note, and of all on watched threads
	 * (executions_watch()). */
	bool only_unusual;
	/* An execution of the callback is the first one, of which `started` or `ended` follows. */
	void (*began)(void *data, struct model_callback *callback);
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

/* Lists are found by sets of kinds of callbacks, and by whether a start or an end is unusual. */
#define EXECUTION_UNUSUAL (1U << (CALLBACK_KIND_INFERRED + 1))
#define EXECUTION_HEARER_LISTS (2 * EXECUTION_UNUSUAL)

struct started_hearer {
	void (*call)(void *data, struct execution *execution); /* NULL: the end of the list */
	void *data;
};

struct ended_hearer {
	void (*call)(void *data, struct execution *execution, enum execution_outcome outcome); /* likewise */
	void *data;
};

/* Those that hear of starts, and of ends, of callbacks that were of any of these kinds so far, and | EXECUTION_UNUSUAL.
 */
struct execution_hearers {
	struct started_hearer *started[EXECUTION_HEARER_LISTS]; /* owned, as the next one */
	struct ended_hearer *ended[EXECUTION_HEARER_LISTS];
};

/* Replaces the lists, which are NULL at first. */
void execution_hearers_set(struct execution_hearers *hearers, const struct executions_listener *listeners,
			   size_t count);
void execution_hearers_clear(struct execution_hearers *hearers);

/*
 * Tells those that hear of a callback that was of these kinds so far. The loops are unrolled: a processor that expects
 * each call to go where it went the last time is mostly right about the first four hearers, and hardly ever about a
 * single call.
 */
static inline void execution_hearers_tell_started(const struct execution_hearers *hearers, unsigned int kinds,
						  struct execution *execution)
{
#pragma GCC unroll 4
	for (const struct started_hearer *hearer = hearers->started[kinds]; hearer->call; hearer++) {
		hearer->call(hearer->data, execution);
	}
}

static inline void execution_hearers_tell_ended(const struct execution_hearers *hearers, unsigned int kinds,
						struct execution *execution, enum execution_outcome outcome)
{
#pragma GCC unroll 4
	for (const struct ended_hearer *hearer = hearers->ended[kinds]; hearer->call; hearer++) {
		hearer->call(hearer->data, execution, outcome);
	}
}

/* Tells all listeners what is rare. */
void execution_listeners_tell_began(const struct executions_listener *listeners, size_t count,
				    struct model_callback *callback);
void execution_listeners_tell_may_be_new(const struct executions_listener *listeners, size_t count, uint32_t process,
					 int64_t time_ns);

#endif
