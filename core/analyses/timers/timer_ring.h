/* SPDX-License-Identifier: MIT */
/*
 * The calls that a schedule keeps, in the order of their starts: those that are judged, then those that are held. Zeros
 * are empty. Cost: the calls held, if rcl made them in this order.
 */
#ifndef ROS2BT_TIMER_RING_H
#define ROS2BT_TIMER_RING_H

#include <glib.h>
#include <stddef.h>

#include "core/analyses/timers/timer_call.h"
#include "core/analyses/timers/timer_phase.h"

#define TIMER_CALLS_KEPT 16

struct timer_ring {
	size_t first, count; /* the oldest call, and how many there are */
	size_t held;	     /* the last ones of them, which are not judged */
	struct timer_call list[TIMER_CALLS_KEPT];
};

static inline struct timer_call *timer_ring_at(struct timer_ring *calls, size_t index)
{
	return &calls->list[(calls->first + index) % TIMER_CALLS_KEPT];
}

/* 0: the oldest one that is held. */
static inline struct timer_call *timer_ring_held(struct timer_ring *calls, size_t index)
{
	return timer_ring_at(calls, calls->count - calls->held + index);
}

/* The newest calls held. */
struct timer_ring_calls {
	size_t count;
	struct timer_call *list[TIMER_CALLS_KEPT]; /* borrowed */
};

/* … in the order in which rcl made them, which is not always that of their starts (timer_order.h). */
static inline struct timer_ring_calls timer_ring_as_made(struct timer_ring *calls, size_t count)
{
	struct timer_ring_calls made = { .count = count };

	for (size_t i = 0; i < count; i++) {
		struct timer_call *call = timer_ring_held(calls, calls->held - count + i);
		size_t place = i;

		for (; place > 0 && made.list[place - 1]->facts.now_ns > call->facts.now_ns; place--) {
			made.list[place] = made.list[place - 1];
		}
		made.list[place] = call;
	}
	return made;
}

/* The call held that rcl made last; there is one. */
static inline struct timer_call *timer_ring_made_last(struct timer_ring *calls)
{
	return timer_ring_as_made(calls, calls->held).list[calls->held - 1];
}

/* The times of the newest calls held, of a timer of this period. */
static inline struct timer_phase_calls timer_ring_newest(struct timer_ring *calls, size_t count, int64_t period_ns)
{
	struct timer_phase_calls newest = { .period_ns = period_ns, .count = count };
	struct timer_ring_calls made = timer_ring_as_made(calls, count);

	g_assert(count <= G_N_ELEMENTS(newest.times_ns));
	for (size_t i = 0; i < count; i++) {
		newest.times_ns[i] = made.list[i]->facts.now_ns;
		newest.earliest_ns[i] = made.list[i]->facts.earliest_ns;
	}
	return newest;
}

#endif
