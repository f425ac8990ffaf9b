/* SPDX-License-Identifier: MIT */
/*
 * Which callbacks delayed a call of a timer: those on its thread; where threads share an executor, also those on other
 * threads of the process, of the same node, or of the same group where the trace records groups (only CARET does).
 *
 * Cost: what the threads of the process executed since the call was expected (recent_threads.h). Times in ns.
 */
#ifndef ROS2BT_TIMER_DELAYS_H
#define ROS2BT_TIMER_DELAYS_H

#include "core/analyses/timers/recent_threads.h"
#include "core/model/thread_history.h"
#include "ros2bt/model/object_model.h"

/* All are borrowed. */
struct timer_delays {
	struct object_model *model;
	struct thread_history *history;
	struct recent_threads *recent;
};

/* A call of a timer, from when it was expected to its start. */
struct timer_delay {
	struct model_callback *callback;
	uint32_t thread;
	int64_t expected_ns, start_ns;
};

/* Which callbacks delayed a timer. */
struct timer_hold {
	bool is_known;
	int64_t held_ns;	       /* in all */
	struct model_callback *holder; /* the one that did longest; NULL: none */
	int64_t holder_ns;	       /* the part of it */
};

/* `uses`: what its thread executed; `is_shared`: which is one of several threads of an executor. */
struct timer_hold timer_delays_hold(const struct timer_delays *delays, const struct timer_delay *delay,
				    const struct thread_uses *uses, bool is_shared);

/*
 * For how long callbacks that the call may have had to wait for executed, one after another on any thread. If they did
 * at the same time, which does not show, they did so for less.
 */
int64_t timer_delays_in_turn_ns(const struct timer_delays *delays, const struct timer_delay *delay);

#endif
