/* SPDX-License-Identifier: MIT */
/*
 * When rcl expects the calls of a timer, inferred from the calls by replaying the rule of rcl_timer_call().
 *
 * The first call is expected one period P after the creation of the timer. A call at `now` that was expected at e sets
 * the next one to e + P, or if that has passed, to the first e + k P after `now`: the slots in between are missed, and
 * the phase never drifts (rcl, src/rcl/timer.c). A call before e sets e + P as well.
 *
 * No event records that a timer is cancelled, reset, or created without being started, so its schedule may begin anew:
 *   - The caller knows a time after e at which the timer was not due, as its executor did not call it (idle_ns).
 *   - It seems so (seems_idle_ns), for TIMER_CALLS_IDLE calls in a row, or for the first of as many that are all late
 *     by about the same time. If no such calls follow and none on time, it is not known when they were expected.
 *   - It may not have been due (may_be_idle_ns), and it is the first of as many that are all late by about the same
 *     time. A call at its slot shows that the schedule goes on; one that was late for a known reason does not, as it
 *     would be so by any schedule. If neither follows, the calls since are unknown.
 *   - The call is more than 10 periods and 1 s after e, for most of which no callback delayed it, and its executor did
 *     nothing else. If it is at a slot of the old schedule, or callbacks on several threads may have delayed it in
 *     turn, that may go on, and it is not known when the call was expected. Of a call within another execution, a
 *     pause proves nothing: its executor looks only when it is spun.
 *   - TIMER_CALLS_SHIFTED calls in a row are late, the last TIMER_CALLS_HELD of them by about the same time, while
 *     their executor waited for work, or if that is not known, while no callback delayed them.
 *   - The first call precedes e by up to 50 ms and a period: the creation was recorded late, since its thread was
 *     preempted.
 *
 * Nothing is missed between two schedules, and the new one begins after the last call of the old one. The new phase is
 * that of the earliest of the next TIMER_CALLS_HELD calls, minus the time that the thread takes to wake up; a later
 * call that precedes it by less than half a period still corrects it. Calls that fit no phase leave the old schedule as
 * it was; if it had begun anew for certain, and there are no more of them than slots, they are unknown.
 *
 * Static and events executors record no events. While one is busy, calls that seem to have missed slots may as well
 * have waited in a queue (timer_queue.h). They are held until what follows decides that, and unknown if nothing does.
 * Where callbacks wait in a queue, each call has the slot after that of the one before.
 *
 * Threads of one executor may start callbacks in another order than rcl called the timer. A call that seems to have
 * missed slots waits until no other thread may start one that rcl made before (timer_order.h), for TIMER_CALLS_HELD
 * calls at most; it is unknown then if a thread had executed the timer and not started the callback. Slots are those of
 * the order in which rcl made the calls; that one came late says nothing about the schedule.
 *
 * Calls wait in the schedule until these questions are decided: the calls after a restart, and late calls that nothing
 * explains, until one is on time. They are taken out in order, and not before their execution has ended.
 *
 * Times are those of the trace, in ns. The creation is recorded within microseconds after rcl has read its clock
 * (TIMER_CREATION_NS), or within up to 50 µs since the thread's event before, so that a call as close before a slot has
 * missed it if the timer was not due then; if the thread was preempted in between, later: at most since its event
 * before, and for 50 ms. By that slack the slots may be earlier, until a call on time, for which its executor waited,
 * shows that they are not; what depends on it is unknown. A call that precedes its slot by up to 50 µs, or by the
 * slack, corrects the phase; after a loss, only by as much as the creation may be late in any case, as it may have been
 * late for the slot before. A thread may be preempted for whole periods after rcl has read its clock for a call. Then
 * the next call shows what was missed; without one, only what certainly was. Cost: amortized O(1) per call; no memory
 * but the struct.
 */
#ifndef ROS2BT_TIMER_SCHEDULE_H
#define ROS2BT_TIMER_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/analyses/timers/timer_rule.h"

#define TIMER_CALLS_HELD TIMER_PHASE_CALLS_MAX
#define TIMER_CALLS_IDLE 3
#define TIMER_CALLS_SHIFTED 32

/* When a timer was created: at time_ns at the latest, or up to slack_ns before. */
struct timer_creation {
	int64_t time_ns, slack_ns;
};

/* The period lies between 1 and TIMER_PERIOD_MAX_NS. */
void timer_schedule_init(struct timer_schedule *schedule, int64_t period_ns, const struct timer_creation *creation);

/* Without a schedule (the period is 0 or unknown) calls are kept until they have ended, and nothing is decided. */
void timer_schedule_init_unknown(struct timer_schedule *schedule);

/* Adds a call. There must be room for it: see timer_schedule_make_room(). */
struct timer_call *timer_schedule_call(struct timer_schedule *schedule, const struct timer_call_facts *facts);

/* Whether there are TIMER_CALLS_KEPT calls, which are then decided, so that the oldest ones can be taken out. */
bool timer_schedule_make_room(struct timer_schedule *schedule);

/* Decides on all calls by what is known so far: at the end. */
void timer_schedule_settle(struct timer_schedule *schedule);

/* The call of an execution that has ended; NULL if the call was taken out. */
struct timer_call *timer_schedule_end(struct timer_schedule *schedule, const void *execution);

/*
 * Takes out the oldest call if it is decided and its execution has ended; `is_forced`: even if it has not. NULL: none.
 * Valid until a call is added.
 */
struct timer_call *timer_schedule_take(struct timer_schedule *schedule, bool is_forced);

#endif
