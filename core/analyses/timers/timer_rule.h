/* SPDX-License-Identifier: MIT */
/*
 * A schedule, as timer_schedule.h infers it, and rcl's rule: which slot a call takes, which ones it misses, and how
 * many of these it may not have missed. Times in ns. Cost: O(1); of a replay, the calls held.
 */
#ifndef ROS2BT_TIMER_RULE_H
#define ROS2BT_TIMER_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/analyses/timers/timer_call.h"
#include "core/analyses/timers/timer_phase.h"
#include "core/analyses/timers/timer_ring.h"
#include "ros2bt/base/time_units.h"

enum timer_schedule_mode {
	TIMER_SETTLED,
	TIMER_SUSPECT,	 /* the calls held are late and nothing explains that; a call on time confirms the schedule */
	TIMER_RESTARTED, /* the calls held are the first of a new schedule, and decide its phase */
};

struct timer_schedule {
	int64_t period_ns;
	int64_t expected_ns; /* the next call */
	int64_t last_ns;     /* the last call */
	int64_t slack_ns;    /* its slots may be earlier by up to this: the creation may have been recorded late, … */
	int64_t close_ns; /* they may be by this in any case: a call that precedes one by no more may have missed it */
	int64_t held_after_ns; /* the call before those that are held; INT64_MIN: none */
	bool has_last;
	bool is_unsure;	       /* … so that the last call may have missed the slot at expected_ns */
	bool is_guess;	       /* the phase is inferred from calls */
	bool is_ambiguous;     /* the next call was expected at expected_ns or at a slot before */
	bool is_queued;	       /* callbacks wait in a queue, after rcl has called the timer */
	bool is_queue_unknown; /* which slots wait in a queue, if there is one, is not known */
	bool shows_queue;      /* of the thread of the last call: they do, … */
	bool shows_none;       /* … or do not */
	uint32_t queue_calls;  /* the last ones, which may have waited in a queue since one seemed to miss slots, … */
	uint32_t queue_signs;  /* … and the last ones of them, which look as if nothing did */
	int64_t queue_slot_ns; /* that of the next call if they have */
	enum timer_schedule_mode mode;
	bool is_new;		   /* restarted, as its executor has shown, and not as calls only seem to show */
	uint32_t even_early_calls; /* in a row, at multiples of the period */
	uint32_t suspect_calls;	   /* in a row, late for unknown reasons, … */
	uint32_t idle_calls;	   /* … and those of them that seem to have been reset */
	struct timer_ring calls;
};

static inline bool timer_schedule_is_known(const struct timer_schedule *schedule)
{
	return schedule->period_ns > 0;
}

#define TIMER_QUEUE_PAUSE_NS INT64_C(200000) /* between two callbacks of a queue at most */

/* An executor that waited for less may have found what had been due before. */
#define TIMER_AWAITED_NS INT64_C(20000)

/* A timer that is not called for so long was stopped, if that is many periods. */
#define TIMER_STOP_NS NS_PER_S

/* A creation is recorded late by this at most: a first call that is earlier runs by another clock. */
#define TIMER_CREATION_LATE_MAX_NS INT64_C(50000000)

/* Schedules that differ by less are the same. */
#define TIMER_SHIFT_NS INT64_C(1000000)

/*
 * rcl reads its clock for a creation at most this before its event, unless its thread was preempted: then since the
 * thread's event before at most.
 */
#define TIMER_CREATION_NS INT64_C(5000)

/* A call that precedes its slot by up to this, if that is inferred from calls, was at the slot. */
static inline int64_t timer_schedule_near_ns(const struct timer_schedule *schedule)
{
	return MIN(TIMER_SHIFT_NS, schedule->period_ns / 4);
}

/* Lateness up to this proves that the schedule holds. */
static inline int64_t timer_schedule_on_time_ns(const struct timer_schedule *schedule)
{
	return MIN(INT64_C(500000), schedule->period_ns / 10);
}

/* Whether callbacks wait in a queue, and have one slot after another. */
bool timer_rule_is_queued(const struct timer_schedule *schedule);

/* … and that of the call did, as its thread had not paused since the last slot. */
bool timer_rule_was_queued(const struct timer_schedule *schedule, const struct timer_call *call);

/* When the call was expected, what it missed, and when the next one is expected. */
void timer_rule_apply(struct timer_schedule *schedule, struct timer_call *call);

/*
 * How many slots that the last call seems to have missed it may not have missed: those before which rcl may have read
 * its clock, all if there may be a queue.
 */
uint64_t timer_rule_doubtful(const struct timer_schedule *schedule, const struct timer_call *call);

/*
 * Whether the slot after the call is so close that the call may have missed it: all slots may be earlier by
 * close_ns, as the creation is. A timer with a period of that or less is never known to be on time.
 */
bool timer_rule_is_close(const struct timer_schedule *schedule, const struct timer_call *call);

/*
 * Whether the last call missed fewer slots than it seemed to, as a call before the expected time shows: then that is
 * expected at one of these. Of several, it is not known at which, but it makes no difference to what both calls missed.
 */
bool timer_rule_correct(struct timer_schedule *schedule, struct timer_call *last, const struct timer_call *call);

/* Applies the rule to the calls held, as rcl made them; returns how many of them are early. */
size_t timer_rule_replay(struct timer_schedule *schedule, int64_t expected_ns);

#endif
