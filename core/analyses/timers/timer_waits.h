/* SPDX-License-Identifier: MIT */
/* The waits of an executor, as far as its timers are concerned; timer_threads.h says what they show. Times in ns. */
#ifndef ROS2BT_TIMER_WAITS_H
#define ROS2BT_TIMER_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "ros2bt/base/time_units.h"
#include "ros2bt/events/poll.h"

#define TIMER_NEVER INT64_MIN

/* If rclcpp calls a timer before it is due, waits from this long before the call on are ignored. */
#define TIMER_DISTRUST_NS NS_PER_S

/*
 * When no timer of the executor that calls one was due, except timers called since: at the latest, or TIMER_NEVER. None
 * of these is before the one above it.
 */
struct timer_idle {
	int64_t certain_ns;
	int64_t likely_ns;
	int64_t possible_ns; /* another executor may have waited, or this one have thrown and forgotten what was due */
};

struct timer_waits {
	int64_t waits_ns;	/* the last wait_for_work … */
	int64_t woke_ns;	/* … and its end; TIMER_NEVER: it goes on */
	bool is_look_up;	/* it did not wait: what is ready was found at its begin, however late it ended */
	struct timer_idle idle; /* begin and end of the last wait before after which all that was due was called */
	int64_t marks_ns[2];	/* two values of idle.certain_ns, far enough apart, the older one first */
};

#define TIMER_NO_WAITS                                                                                                 \
	{                                                                                                              \
		.waits_ns = TIMER_NEVER, .woke_ns = TIMER_NEVER, .idle = { TIMER_NEVER, TIMER_NEVER, TIMER_NEVER },    \
		.marks_ns = {                                                                                          \
			TIMER_NEVER,                                                                                   \
			TIMER_NEVER                                                                                    \
		}                                                                                                      \
	}

/* Whether a wait goes on, which a look ends. */
static inline bool timer_waits_goes_on(const struct timer_waits *waits)
{
	return waits->woke_ns == TIMER_NEVER && waits->waits_ns != TIMER_NEVER;
}

static inline bool timer_waits_contain(const struct timer_waits *waits, int64_t time_ns)
{
	return waits->woke_ns != TIMER_NEVER && waits->waits_ns < time_ns && time_ns < waits->woke_ns;
}

/* Whether a thread waited or looked while another one waited: threads that share an executor do so one at a time. */
static inline bool timer_waits_show_apart(const struct timer_waits *own, const struct timer_waits *other)
{
	return timer_waits_contain(other, own->woke_ns) || timer_waits_contain(other, own->waits_ns);
}

/*
 * A wait begins, or ends. `is_interrupted`: since the end of the one before, the thread began an execution that it has
 * not ended.
 */
void timer_waits_begin(struct timer_waits *waits, const struct poll *poll, bool is_interrupted);
void timer_waits_end(struct timer_waits *waits, int64_t time_ns);

/*
 * How many polls outside executions change nothing, because of those after them: what a wait shows is replaced once
 * another one that ended is followed by a third one. Unless so much time has passed that marks_ns may change.
 */
size_t timer_waits_skip(const struct timer_waits *waits, const struct poll *polls, size_t count);

/* An execution ends whose start is not known: the waits within it may be those of another executor. */
void timer_waits_forget(struct timer_waits *waits);

#endif
