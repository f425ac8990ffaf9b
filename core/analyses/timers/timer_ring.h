/* SPDX-License-Identifier: MIT */
/* The calls that a schedule keeps, in order: those that are judged, then those that are held. Zeros are empty. */
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

/* The times of the newest calls held, of a timer of this period. */
static inline struct timer_phase_calls timer_ring_newest(struct timer_ring *calls, size_t count, int64_t period_ns)
{
	struct timer_phase_calls newest = { .period_ns = period_ns, .count = count };

	g_assert(count <= G_N_ELEMENTS(newest.times_ns));
	for (size_t i = 0; i < count; i++) {
		newest.times_ns[i] = timer_ring_held(calls, calls->held - count + i)->facts.now_ns;
	}
	return newest;
}

#endif
