/* SPDX-License-Identifier: MIT */
/*
 * The last THREAD_HISTORY_LENGTH periods of a thread: outermost executions that have ended, and times in which it may
 * have executed anything. They are in order and do not overlap, and lie next to each other. Cost: O(1), and 24 bytes to
 * move for each. Memory: 12 KB. Times in ns.
 */
#ifndef ROS2BT_THREAD_PERIODS_H
#define ROS2BT_THREAD_PERIODS_H

#include <glib.h>
#include <string.h>

#include "ros2bt/model/object_model.h"

/* A message may wait for as many executions as the depth of its queue times the callbacks of its executor. */
#define THREAD_HISTORY_LENGTH 256

#define OPEN_END INT64_MAX

struct thread_period {
	struct model_callback *callback; /* NULL: it is not known what */
	int64_t start_ns;
	int64_t end_ns; /* OPEN_END: until the next execution starts */
};

struct thread_periods {
	uint64_t count;	  /* so far */
	bool is_open;	  /* the last one has no end yet: OPEN_END */
	uint32_t end;	  /* of the list */
	uint32_t unknown; /* behind the last one without callback that is in the list; 0: none is */
	/* The first one is before any time, so that a walk back ends there. The last ones are at the end, behind which
	 * thread_history.c puts the open execution while it looks at them. */
	struct thread_period list[1 + 2 * THREAD_HISTORY_LENGTH + 1];
};

/* There are none. */
static inline void thread_periods_init(struct thread_periods *periods)
{
	periods->count = 0;
	periods->is_open = false;
	periods->end = 1;
	periods->list[0] = (struct thread_period){ NULL, INT64_MIN, INT64_MIN };
}

/* The oldest of those that are kept. */
static inline const struct thread_period *thread_periods_oldest(const struct thread_periods *periods)
{
	return &periods->list[periods->end - MIN(periods->end - 1, THREAD_HISTORY_LENGTH)];
}

/* NULL: none so far. */
static inline struct thread_period *thread_periods_last(struct thread_periods *periods)
{
	return periods->end > 1 ? &periods->list[periods->end - 1] : NULL;
}

/* Whether the next one makes room first. */
static inline bool thread_periods_are_full(const struct thread_periods *periods)
{
	return periods->end == G_N_ELEMENTS(periods->list) - 1;
}

/* With an end. The last one has one, too. */
static inline void thread_periods_add(struct thread_periods *periods, struct model_callback *callback, int64_t start_ns,
				      int64_t end_ns)
{
	if (G_UNLIKELY(thread_periods_are_full(periods))) {
		memmove(periods->list + 1, thread_periods_oldest(periods),
			THREAD_HISTORY_LENGTH * sizeof(periods->list[0]));
		periods->unknown -= MIN(periods->unknown, periods->end - (THREAD_HISTORY_LENGTH + 1));
		periods->end = THREAD_HISTORY_LENGTH + 1;
	}
	periods->list[periods->end++] = (struct thread_period){ callback, start_ns, end_ns };
	periods->count++;
	if (G_UNLIKELY(!callback)) {
		periods->unknown = periods->end;
	}
}

/* From a time on, it is not known what the thread executes. */
static inline void thread_periods_open(struct thread_periods *periods, int64_t start_ns)
{
	thread_periods_add(periods, NULL, start_ns, OPEN_END);
	periods->is_open = true;
}

/* An execution starts. */
static inline void thread_periods_close(struct thread_periods *periods, int64_t time_ns)
{
	if (periods->is_open) {
		thread_periods_last(periods)->end_ns = time_ns;
		periods->is_open = false;
	}
}

#endif
