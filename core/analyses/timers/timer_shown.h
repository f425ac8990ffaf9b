/* SPDX-License-Identifier: MIT */
/*
 * What calls of timers have shown of a thread: how long it takes to wake up, and where its executor records no events,
 * whether callbacks wait in a queue (timer_queue.h). Zeros are nothing; of a trace without vtids nothing is known, and
 * the functions get NULL. Times in ns.
 */
#ifndef ROS2BT_TIMER_SHOWN_H
#define ROS2BT_TIMER_SHOWN_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "ros2bt/base/time_units.h"

/* A thread that takes longer is kept from running by something else than the way from the clock to the callback. */
#define TIMER_WAKE_UP_MAX_NS NS_PER_MS

/* So often it was shown that there is no queue. */
#define TIMER_QUEUE_SHOWN 3

struct timer_shown {
	int64_t wake_up_ns; /* the least lateness */
	bool has_wake_up, has_queue;
	uint8_t without_queue; /* how often calls have shown that there is none, up to TIMER_QUEUE_SHOWN */
};

/* A call of a timer whose schedule is certain was late. */
static inline void timer_shown_note_late(struct timer_shown *shown, int64_t late_ns)
{
	if (shown && late_ns <= TIMER_WAKE_UP_MAX_NS && (!shown->has_wake_up || late_ns < shown->wake_up_ns)) {
		shown->has_wake_up = true;
		shown->wake_up_ns = late_ns;
	}
}

/* 0: not known. */
static inline int64_t timer_shown_wake_up_ns(const struct timer_shown *shown)
{
	return shown ? shown->wake_up_ns : 0;
}

static inline void timer_shown_note_queue(struct timer_shown *shown, bool has_queue, bool has_none)
{
	if (shown) {
		shown->has_queue |= has_queue;
		shown->without_queue += has_none && shown->without_queue < TIMER_QUEUE_SHOWN;
	}
}

/* It never was shown to have one. */
static inline bool timer_shown_has_no_queue(const struct timer_shown *shown)
{
	return shown && shown->without_queue == TIMER_QUEUE_SHOWN && !shown->has_queue;
}

#endif
