/* SPDX-License-Identifier: MIT */
/*
 * When rcl expects the calls of a timer, inferred from the calls by replaying the rule of rcl_timer_call().
 *
 * The first call is expected one period P after the creation of the timer. A call at `now` that was expected at e sets
 * the next one to e + P, or if that has passed, to the first e + k P after `now`: the slots in between are missed, and
 * the phase never drifts (rcl, src/rcl/timer.c). A call before e sets e + P as well.
 *
 * No event records that a timer is cancelled, reset, or created without being started, so its schedule may begin anew:
 *   - The caller knows a time after e at which the executor had waited and had not called the timer: it was not due.
 *   - The call is more than 10 periods and 1 s after e, and no callback delayed it for most of that time.
 *   - TIMER_CALLS_SHIFTED calls in a row are late, the last TIMER_CALLS_HELD of them by about the same time, and no
 *     callback explains that.
 *
 * Nothing is missed between two schedules, and the new one begins after the last call of the old one. The new phase is
 * that of the earliest of the next TIMER_CALLS_HELD calls, minus the time that the thread takes to wake up; a later
 * call that precedes it by less than half a period still corrects it.
 *
 * rclcpp's EventsExecutor has a thread that calls timers in time and queues their callbacks: each slot gets its
 * callback, however late. It records no events, but shows when the callback of a slot that would have been missed
 * follows at once. From then on a slot is missed only if the thread paused before the call, because the queue was empty
 * then.
 *
 * Calls wait in the schedule until these questions are decided: the calls after a restart, and late calls that nothing
 * explains, until one is on time. They are taken out in order, and not before their execution has ended.
 *
 * Times are those of the trace, in ns. The creation is recorded within microseconds after rcl has read its clock; a
 * call that precedes its slot by up to 50 µs corrects the phase. Cost: amortized O(1) per call; no memory but the
 * struct.
 */
#ifndef ROS2BT_TIMER_SCHEDULE_H
#define ROS2BT_TIMER_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TIMER_CALLS_HELD 8
#define TIMER_CALLS_KEPT 16
#define TIMER_CALLS_SHIFTED 32

#define TIMER_HELD_UNKNOWN INT64_MAX

/* Longer periods (36 years) are no schedule, so that the difference of two times fits 64 bits. */
#define TIMER_PERIOD_MAX_NS (INT64_C(1) << 60)
#define TIMER_EXPECTED_MAX_NS (INT64_C(1) << 62)

/* What is known of a call at its start. */
struct timer_call_facts {
	int64_t start_ns;    /* of the callback */
	int64_t now_ns;	     /* when rcl read its clock at the latest */
	int64_t earliest_ns; /* when rcl read its clock at the earliest */
	int64_t idle_ns;     /* when the timer was not due, as its executor shows; INT64_MIN: not known */
	int64_t pause_ns;    /* since the thread's last execution; INT64_MAX: there was none, or it is not known */
	int64_t held_ns;     /* executions that delayed the call since it was expected, or TIMER_HELD_UNKNOWN */
	int64_t wake_up_ns;  /* by how much calls on this thread were late at least */
	bool is_after_loss;  /* calls may have been lost since the last one */
	bool has_executor;   /* the thread records events of its executor */
};

struct timer_call {
	struct timer_call_facts facts;
	const void *execution; /* set by the caller, as the next two; NULL once it has ended (timer_schedule_end()) */
	uint32_t thread;
	int64_t wait_begin_ns, wait_end_ns; /* the executor's last wait for work */
	int64_t end_ns;
	bool has_end;
	bool is_judged;	   /* what follows is decided */
	bool has_expected; /* false: neither the expected time nor what was missed is known */
	bool is_early;	   /* before expected_ns */
	bool begins_anew;  /* the first call of a new schedule */
	int64_t expected_ns;
	uint64_t missed; /* slots that passed without a call: after expected_ns, before the next expected call */
};

enum timer_schedule_mode {
	TIMER_SETTLED,
	TIMER_SUSPECT,	 /* the calls held are late and nothing explains that; a call on time confirms the schedule */
	TIMER_RESTARTED, /* the calls held are the first of a new schedule, and decide its phase */
};

struct timer_schedule {
	int64_t period_ns;
	int64_t expected_ns;   /* the next call */
	int64_t last_ns;       /* the last call */
	int64_t held_after_ns; /* the call before those that are held; INT64_MIN: none */
	bool has_last;
	bool is_guess;	/* the phase is inferred from calls */
	bool is_queued; /* callbacks wait in a queue, after rcl has called the timer */
	enum timer_schedule_mode mode;
	uint32_t even_early_calls; /* in a row, at multiples of the period */
	uint32_t suspect_calls;	   /* in a row, late for unknown reasons */
	size_t first, count, held; /* calls in the ring; the last `held` of them are not judged */
	struct timer_call ring[TIMER_CALLS_KEPT];
};

/* The period lies between 1 and TIMER_PERIOD_MAX_NS. */
void timer_schedule_init(struct timer_schedule *schedule, int64_t period_ns, int64_t created_ns);

/* Without a schedule (the period is 0 or unknown) calls are kept until they have ended, and nothing is decided. */
void timer_schedule_init_unknown(struct timer_schedule *schedule);

static inline bool timer_schedule_is_known(const struct timer_schedule *schedule)
{
	return schedule->period_ns > 0;
}

/* Adds a call. There must be room for it: see timer_schedule_make_room(). */
struct timer_call *timer_schedule_call(struct timer_schedule *schedule, const struct timer_call_facts *facts);

/* Whether there are TIMER_CALLS_KEPT calls, which are then decided, so that the oldest ones can be taken out. */
bool timer_schedule_make_room(struct timer_schedule *schedule);

/* Decides on all calls by what is known so far: at the end. */
void timer_schedule_settle(struct timer_schedule *schedule);

/* The call of an execution that has ended; NULL if the call was taken out. */
struct timer_call *timer_schedule_end(struct timer_schedule *schedule, const void *execution);

/* Takes out the oldest call if it is decided and its execution has ended; `is_forced`: even if it has not. */
bool timer_schedule_take(struct timer_schedule *schedule, bool is_forced, struct timer_call *call);

#endif
