/* SPDX-License-Identifier: MIT */
/*
 * The open executions of a thread, and the waits before each: after its end, they are again those of the executor that
 * called it (timer_threads.h). Zeros are empty. Memory: in an arena.
 */
#ifndef ROS2BT_TIMER_FRAMES_H
#define ROS2BT_TIMER_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/analyses/timers/timer_waits.h"
#include "core/base/arena.h"
#include "core/model/execution.h"

struct timer_frame {
	const struct execution *execution;
	struct timer_waits before;
};

struct timer_frames {
	struct timer_frame *list; /* the outermost one first */
	size_t depth, room;
};

/* An execution starts; `now`: the waits of its thread. */
void timer_frames_push(struct timer_frames *frames, struct arena *arena, const struct execution *execution,
		       const struct timer_waits *now);

/*
 * An execution ends. If it was left and has ended nevertheless, the waits within it were those of another executor. If
 * it threw, they may have been: what they show is forgotten. So it is if the execution had seemed to have thrown
 * before.
 */
void timer_frames_pop(struct timer_frames *frames, const struct execution *execution, bool has_end,
		      struct timer_waits *now);

/*
 * All executions that were left have thrown: an executor within them may have made the waits since then. There is one.
 */
void timer_frames_drop(struct timer_frames *frames, struct timer_waits *now);

#endif
