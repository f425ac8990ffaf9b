/* SPDX-License-Identifier: MIT */
/*
 * The open executions of a thread, and the waits before each: after its end, they are again those of the executor that
 * called it (timer_threads.h). Few threads wait within executions, so these waits are kept only once they differ from
 * the latest ones: timer_frames_keep() comes before every change of those. Zeros are empty. Memory: in an arena.
 */
#ifndef ROS2BT_TIMER_FRAMES_H
#define ROS2BT_TIMER_FRAMES_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/analyses/timers/timer_waits.h"
#include "core/base/arena.h"
#include "core/model/execution.h"

struct timer_frame {
	const struct execution *execution;
	struct timer_waits before; /* of those that are kept */
};

struct timer_frames {
	struct timer_frame *list; /* the outermost one first */
	size_t depth, room;
	size_t kept; /* of how many the waits are kept; those before the others are the latest ones */
};

/* An execution starts. */
void timer_frames_push(struct timer_frames *frames, struct arena *arena, const struct execution *execution);

/* Whether it started last. */
static inline bool timer_frames_is_last(const struct timer_frames *frames, const struct execution *execution)
{
	return frames->depth > 0 && frames->list[frames->depth - 1].execution == execution;
}

/* Whether the last one began since then. */
static inline bool timer_frames_began_since(const struct timer_frames *frames, int64_t since_ns)
{
	return frames->depth > 0 && frames->list[frames->depth - 1].execution->start_ns >= since_ns;
}

/*
 * When the one around the last one began, TIMER_NEVER if there is none: an executor within it, which called the last
 * one, has waited only since then.
 */
static inline int64_t timer_frames_around_ns(const struct timer_frames *frames)
{
	return frames->depth > 1 ? frames->list[frames->depth - 2].execution->start_ns : TIMER_NEVER;
}

/*
 * An execution ends; `now`: the latest waits of its thread. If it was left and has ended nevertheless, the waits within
 * it were those of another executor. If it threw, they may have been: what they show is only possible. So it is if the
 * execution had seemed to have thrown before (timer_frames_drop()), and has not.
 */
void timer_frames_pop(struct timer_frames *frames, const struct execution *execution, bool has_end,
		      struct timer_waits *now);

/* The latest waits, `now`, are about to change. */
void timer_frames_keep(struct timer_frames *frames, const struct timer_waits *now);

/* The waits before the outermost execution; `now` if there is none. */
static inline const struct timer_waits *timer_frames_outer(const struct timer_frames *frames,
							   const struct timer_waits *now)
{
	return frames->kept > 0 ? &frames->list[0].before : now;
}

/*
 * All executions that were left have thrown: an executor within them may have made the waits since then. There is one.
 */
void timer_frames_drop(struct timer_frames *frames, struct timer_waits *now);

#endif
