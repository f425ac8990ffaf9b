/* SPDX-License-Identifier: MIT */
#include "core/analyses/timers/timer_schedule.h"

#include <glib.h>

#include "core/analyses/timers/timer_held.h"
#include "core/analyses/timers/timer_order.h"
#include "core/analyses/timers/timer_queue.h"
#include "core/analyses/timers/timer_rule.h"
#include "core/analyses/timers/timer_slack.h"
#include "core/base/int128.h"

#define EARLY_NS INT64_C(50000) /* a call that precedes its slot by less than this counts as on time */
#define STOP_PERIODS 10		/* a timer that was not called for so many was stopped */
#define EVEN_EARLY_CALLS_MAX 4

void timer_schedule_init(struct timer_schedule *schedule, int64_t period_ns, const struct timer_creation *creation)
{
	g_assert(period_ns > 0 && period_ns <= TIMER_PERIOD_MAX_NS);
	*schedule = (struct timer_schedule){
		.period_ns = period_ns,
		.expected_ns = timer_phase_slot(creation->time_ns, 1, period_ns),
		.close_ns =
			creation->slack_ns <= EARLY_NS ? MAX(creation->slack_ns, TIMER_CREATION_NS) : TIMER_CREATION_NS,
		.slack_ns = creation->slack_ns <= EARLY_NS ? 0 : MIN(creation->slack_ns, TIMER_CREATION_LATE_MAX_NS),
	};
}

void timer_schedule_init_unknown(struct timer_schedule *schedule)
{
	*schedule = (struct timer_schedule){ 0 };
}

void timer_schedule_settle(struct timer_schedule *schedule)
{
	timer_held_settle(schedule);
}

/* --- a call --- */

/* The call becomes the newest of those in the ring. */
static void append(struct timer_schedule *schedule, bool is_judged)
{
	if (!is_judged && schedule->calls.held == 0) {
		schedule->held_after_ns = schedule->has_last ? schedule->last_ns : INT64_MIN;
	}
	struct timer_call *call = timer_ring_at(&schedule->calls, schedule->calls.count++);

	if (is_judged) {
		timer_held_decide(schedule, call);
	}
	schedule->calls.held += !is_judged;
}

/* Judges the calls held but the newest ones. */
static void judge_but(struct timer_schedule *schedule, size_t left)
{
	for (size_t i = 0; i + left < schedule->calls.held; i++) {
		timer_held_decide(schedule, timer_ring_held(&schedule->calls, i));
		schedule->held_after_ns = timer_ring_held(&schedule->calls, i)->facts.now_ns;
	}
	schedule->calls.held = left;
}

/* How many of the newest calls held have the phase of a call. */
static size_t count_of_phase(struct timer_schedule *schedule, const struct timer_call *call)
{
	size_t count = 0;

	while (count < schedule->calls.held &&
	       timer_phase_is_near(schedule->period_ns,
				   timer_ring_held(&schedule->calls, schedule->calls.held - 1 - count)->facts.now_ns,
				   call->facts.now_ns)) {
		count++;
	}
	return count;
}

/* Of the late calls before a call of a new schedule, keeps those that follow the new schedule already. */
static void leave_of_phase(struct timer_schedule *schedule, const struct timer_call *call)
{
	bool follows = call->facts.now_ns - schedule->last_ns < 2 * schedule->period_ns;

	judge_but(schedule, follows ? count_of_phase(schedule, call) : 0);
}

/* To be called whenever a call is held that was not. */
static void decide_if_full(struct timer_schedule *schedule)
{
	if (schedule->calls.held < TIMER_CALLS_HELD) {
		return;
	}
	if (schedule->mode == TIMER_RESTARTED ||
	    (schedule->suspect_calls >= TIMER_CALLS_SHIFTED && timer_held_are_late_alike(schedule, TIMER_CALLS_HELD))) {
		schedule->suspect_calls = 0;
		timer_held_begin_anew(schedule);
	} else {
		timer_queue_doubt(schedule);
		timer_held_doubt(schedule, timer_held_first_vague(schedule));
		timer_held_accept(schedule);
	}
}

static void hold_as_restarted(struct timer_schedule *schedule, struct timer_call *call, bool is_certain)
{
	if (schedule->mode == TIMER_SUSPECT) {
		timer_queue_doubt(schedule);
		timer_held_doubt(schedule, timer_held_first_vague(schedule));
		leave_of_phase(schedule, call);
	} else {
		timer_schedule_settle(schedule);
	}
	append(schedule, false);
	timer_rule_apply(schedule, call);
	schedule->mode = TIMER_RESTARTED;
	schedule->is_new = is_certain;
	schedule->even_early_calls = 0;
	schedule->queue_calls = 0;
	/* as long as the phase is not known */
	schedule->expected_ns = timer_phase_slot(call->facts.now_ns, 1, schedule->period_ns);
	decide_if_full(schedule);
}

/* Whether the timer was not due at a time when it should have been. A guess may be too early by the time to wake up. */
static bool was_idle(const struct timer_schedule *schedule, const struct timer_call *call, int64_t expected_ns,
		     int64_t idle_ns)
{
	return idle_ns > add_saturated(expected_ns + EARLY_NS, schedule->is_guess ? call->facts.wake_up_ns : 0);
}

static bool may_have_been_idle(const struct timer_schedule *schedule, const struct timer_call *call,
			       int64_t expected_ns)
{
	return was_idle(schedule, call, expected_ns, MAX(call->facts.seems_idle_ns, call->facts.may_be_idle_ns));
}

/* Whether the timer was not called for so long that it was probably stopped, and nothing else explains that. */
static bool was_paused(const struct timer_schedule *schedule, const struct timer_call *call)
{
	int64_t late = call->facts.now_ns - schedule->expected_ns;
	bool is_explained = (call->facts.held_ns != TIMER_HELD_UNKNOWN || call->facts.has_wait) &&
			    timer_call_unexplained_since(call, schedule->expected_ns) <= late / 2;
	bool is_held = is_explained || timer_rule_was_queued(schedule, call) || call->facts.is_nested;

	return late > TIMER_STOP_NS && late / STOP_PERIODS > schedule->period_ns && !is_held;
}

static bool is_at_a_slot(const struct timer_schedule *schedule, const struct timer_call *call)
{
	return timer_phase_rest(schedule->period_ns, schedule->expected_ns, call->facts.now_ns) <=
	       timer_schedule_on_time_ns(schedule);
}

/* The time since the last call is one or more periods. */
static bool is_even(const struct timer_schedule *schedule, const struct timer_call *call)
{
	return schedule->has_last && call->facts.now_ns - schedule->last_ns > schedule->period_ns / 2 &&
	       timer_phase_is_near(schedule->period_ns, schedule->last_ns, call->facts.now_ns);
}

static bool correct_last(struct timer_schedule *schedule, const struct timer_call *call)
{
	return schedule->calls.held > 0 &&
	       timer_rule_correct(schedule, timer_ring_held(&schedule->calls, schedule->calls.held - 1), call);
}

/* A call before it is expected: corrects the schedule if that is wrong, and returns whether it was. */
static bool correct_schedule(struct timer_schedule *schedule, const struct timer_call *call)
{
	int64_t early_ns = schedule->expected_ns - call->facts.now_ns;
	int64_t half_ns = schedule->period_ns / 2;
	bool is_near = early_ns < half_ns && call->facts.now_ns - schedule->last_ns >= half_ns;
	bool is_inexact = early_ns <= MAX(EARLY_NS, schedule->slack_ns) || (schedule->is_guess && is_near);

	if (schedule->mode != TIMER_RESTARTED &&
	    (timer_call_may_be_queued(call) ? !is_inexact && timer_queue_correct(schedule, call)
					    : correct_last(schedule, call))) {
		return true;
	}
	if (schedule->mode != TIMER_RESTARTED && schedule->has_last && early_ns <= schedule->slack_ns) {
		timer_schedule_settle(schedule);
		timer_slack_take(schedule, early_ns);
		return true;
	}
	if (schedule->mode == TIMER_RESTARTED || early_ns <= EARLY_NS || (schedule->is_guess && is_near)) {
		schedule->expected_ns = call->facts.now_ns;
		return true;
	}
	return false;
}

/*
 * Calls since the last one may not be recorded, but the phase stays. rcl calls no timer before its slot, so a call just
 * before one was either late for the slot before, or all slots are earlier, by no more than the creation allows.
 */
static void take_after_loss(struct timer_schedule *schedule, struct timer_call *call)
{
	int64_t early_ns;

	timer_schedule_settle(schedule);
	timer_queue_lose(schedule, call);
	early_ns = timer_phase_rest(schedule->period_ns, call->facts.now_ns, schedule->expected_ns);
	if (early_ns <= (schedule->is_guess ? timer_schedule_near_ns(schedule) : schedule->close_ns)) {
		timer_slack_take(schedule, early_ns);
	}
	if (call->facts.now_ns >= schedule->expected_ns) {
		timer_rule_apply(schedule, call);
	}
	timer_call_doubt(call);
	append(schedule, true);
}

/*
 * A pause alone does not tell a schedule that begins anew from one whose calls were not made, if the phase is the same,
 * or callbacks of several threads may have delayed it in turn.
 */
static void take_after_pause(struct timer_schedule *schedule, struct timer_call *call)
{
	int64_t late_ns = call->facts.now_ns - schedule->expected_ns;

	if (is_at_a_slot(schedule, call) || call->facts.in_turn_ns > late_ns / 2) {
		take_after_loss(schedule, call);
	} else {
		hold_as_restarted(schedule, call, false);
	}
}

/* A call that was late for a known reason shows that the schedule holds unless it may have begun anew at any time. */
static bool is_on_time(struct timer_schedule *schedule, const struct timer_call *call)
{
	return !call->seems_idle && !call->is_unsure && !timer_queue_is_possible(schedule) &&
	       (timer_held_first_vague(schedule) == schedule->calls.held || is_at_a_slot(schedule, call)) &&
	       timer_call_unexplained_ns(call) <= timer_schedule_on_time_ns(schedule) &&
	       timer_rule_doubtful(schedule, call) == 0 && !timer_rule_is_close(schedule, call);
}

/* A call of those held, if it is on time, shows that the others are as they seem. `newest`: what is known now. */
static bool confirm(struct timer_schedule *schedule, const struct timer_call *call, const struct timer_call *newest)
{
	if (schedule->mode != TIMER_SUSPECT || !is_on_time(schedule, call) || timer_order_is_open(schedule, newest)) {
		return false;
	}
	timer_queue_end(schedule);
	schedule->suspect_calls = 0;
	timer_held_accept(schedule);
	return true;
}

/*
 * How many calls held are those of a new schedule, as it seems: those since the timer first seemed not to be due, if
 * they agree, and any of the same phase before; 0: none.
 */
static size_t calls_of_new_schedule(struct timer_schedule *schedule)
{
	size_t count = schedule->calls.held;

	while (count > 0 && !timer_ring_held(&schedule->calls, schedule->calls.held - count)->seems_idle) {
		count--;
	}
	if (count < TIMER_CALLS_IDLE ||
	    (schedule->idle_calls < TIMER_CALLS_IDLE && !timer_held_are_late_alike(schedule, count))) {
		return 0;
	}
	return MAX(count, count_of_phase(schedule, timer_ring_held(&schedule->calls, schedule->calls.held - 1)));
}

static void hold_as_new(struct timer_schedule *schedule, size_t count)
{
	judge_but(schedule, count);
	schedule->mode = TIMER_RESTARTED;
	schedule->is_new = false;
	schedule->suspect_calls = 0;
	/* as long as the phase is not known */
	schedule->expected_ns =
		timer_phase_slot(timer_ring_made_last(&schedule->calls)->facts.now_ns, 1, schedule->period_ns);
}

static void note_suspect(struct timer_schedule *schedule, struct timer_call *call)
{
	schedule->even_early_calls = 0;
	schedule->suspect_calls++;
	call->seems_idle = !call->is_unsure && may_have_been_idle(schedule, call, call->expected_ns);
	call->is_vague = call->seems_idle && !was_idle(schedule, call, call->expected_ns, call->facts.seems_idle_ns);
	schedule->idle_calls = call->seems_idle && !call->is_vague ? schedule->idle_calls + 1 : 0;
	if (schedule->mode == TIMER_SETTLED) {
		schedule->mode = TIMER_SUSPECT;
	}
}

/* The newest call held decides nothing: whether all do. */
static void decide_if_possible(struct timer_schedule *schedule)
{
	size_t count = schedule->mode == TIMER_SUSPECT ? calls_of_new_schedule(schedule) : 0;

	if (count > 0) {
		hold_as_new(schedule, count);
	}
	decide_if_full(schedule);
}

static void take_in_time_or_late(struct timer_schedule *schedule, struct timer_call *call)
{
	timer_rule_apply(schedule, call);
	timer_slack_confirm(schedule, call);
	append(schedule, false);
	timer_queue_follow(schedule, call);
	note_suspect(schedule, call);
	if (!confirm(schedule, call, call)) {
		decide_if_possible(schedule);
	}
}

static void take_early(struct timer_schedule *schedule, struct timer_call *call)
{
	timer_schedule_settle(schedule);
	if (call->facts.now_ns >= schedule->expected_ns) {
		take_in_time_or_late(schedule, call);
		return;
	}
	if (!schedule->has_last &&
	    schedule->expected_ns - call->facts.now_ns <= MIN(TIMER_CREATION_LATE_MAX_NS, schedule->period_ns)) {
		hold_as_restarted(schedule, call, false);
		return;
	}
	schedule->even_early_calls = is_even(schedule, call) ? schedule->even_early_calls + 1 : 0;
	if (schedule->even_early_calls >= EVEN_EARLY_CALLS_MAX) {
		hold_as_restarted(schedule, call, false);
		return;
	}
	if (timer_call_may_be_queued(call)) {
		timer_queue_resume(schedule, call);
		take_after_loss(schedule, call);
		return;
	}
	timer_rule_apply(schedule, call);
	append(schedule, true);
}

/* The last call missed the slot right after it, which is held then. */
static void accept_as_close(struct timer_schedule *schedule)
{
	if (schedule->calls.held > 0) {
		timer_ring_made_last(&schedule->calls)->missed++;
	}
	timer_held_accept(schedule);
}

/* If the timer was not due at its slot, the last call may have missed that: then the slots are earlier. */
static void explain_idle(struct timer_schedule *schedule, const struct timer_call *call)
{
	int64_t earlier_ns = schedule->expected_ns - schedule->last_ns;
	bool is_close =
		schedule->slack_ns == 0 && schedule->has_last && earlier_ns >= 0 && earlier_ns <= schedule->close_ns;

	if (((schedule->is_unsure && earlier_ns <= schedule->slack_ns) || is_close) &&
	    schedule->mode != TIMER_RESTARTED && was_idle(schedule, call, schedule->expected_ns, call->facts.idle_ns)) {
		if (is_close) {
			accept_as_close(schedule);
		} else {
			timer_schedule_settle(schedule);
		}
		timer_slack_take(schedule, earlier_ns);
		schedule->expected_ns = timer_phase_slot(schedule->expected_ns, 1, schedule->period_ns);
	}
}

/* Later slots of calls held are known: they may not have seemed idle since these. */
static void review_idle(struct timer_schedule *schedule)
{
	schedule->idle_calls = 0;
	for (size_t i = 0; i < schedule->calls.held; i++) {
		struct timer_call *call = timer_ring_held(&schedule->calls, i);

		call->seems_idle &= may_have_been_idle(schedule, call, call->expected_ns);
		call->is_vague &= call->seems_idle;
	}
}

/*
 * A call that took a slot which another one, that is held, seemed to have missed. That it was late says nothing about
 * the schedule; the call that rcl made last does.
 */
static void take_out_of_order(struct timer_schedule *schedule, struct timer_call *call)
{
	append(schedule, false);
	schedule->suspect_calls++;
	review_idle(schedule);
	if (!confirm(schedule, timer_ring_made_last(&schedule->calls), call)) {
		decide_if_possible(schedule);
	}
}

static void judge(struct timer_schedule *schedule, struct timer_call *call)
{
	if (schedule->mode == TIMER_RESTARTED && may_have_been_idle(schedule, call, schedule->expected_ns)) {
		timer_schedule_settle(schedule); /* the calls so far decide its phase */
	}
	if (schedule->slack_ns > 0) {
		timer_slack_limit(schedule, call);
	}
	explain_idle(schedule, call);
	if (!timer_schedule_is_known(schedule)) {
		append(schedule, true);
	} else if (call->facts.is_after_loss) {
		take_after_loss(schedule, call);
	} else if (timer_order_correct(schedule, call)) {
		take_out_of_order(schedule, call);
	} else if (was_idle(schedule, call, schedule->expected_ns, call->facts.idle_ns)) {
		hold_as_restarted(schedule, call, true);
	} else if (was_paused(schedule, call)) {
		take_after_pause(schedule, call);
	} else if (call->facts.now_ns < schedule->expected_ns && !correct_schedule(schedule, call)) {
		take_early(schedule, call);
	} else {
		take_in_time_or_late(schedule, call);
	}
}

/*
 * Whether a call is as nearly all are: no question is open, and it is on time. Then judge() holds it, and its being on
 * time confirms it at once.
 */
static bool is_usual(const struct timer_schedule *schedule, const struct timer_call_facts *facts)
{
	int64_t late_ns = facts->now_ns - schedule->expected_ns;
	bool is_open = schedule->mode != TIMER_SETTLED || schedule->calls.held > 0 || schedule->slack_ns > 0 ||
		       schedule->is_unsure || schedule->is_ambiguous || schedule->is_queued ||
		       schedule->is_queue_unknown || schedule->queue_calls > 0 || facts->is_after_loss;

	return !is_open && late_ns >= 0 && late_ns <= timer_schedule_on_time_ns(schedule) &&
	       late_ns < schedule->period_ns - schedule->close_ns &&
	       MAX(MAX(facts->idle_ns, facts->seems_idle_ns), facts->may_be_idle_ns) <=
		       schedule->expected_ns + EARLY_NS;
}

static void take_usual(struct timer_schedule *schedule, struct timer_call *call)
{
	call->is_judged = call->has_expected = true;
	call->expected_ns = schedule->expected_ns;
	schedule->expected_ns = timer_phase_slot(schedule->expected_ns, 1, schedule->period_ns);
	schedule->queue_signs = schedule->even_early_calls = schedule->suspect_calls = schedule->idle_calls = 0;
	schedule->calls.count++;
}

struct timer_call *timer_schedule_call(struct timer_schedule *schedule, const struct timer_call_facts *facts)
{
	struct timer_call *call = timer_ring_at(&schedule->calls, schedule->calls.count);

	g_assert(schedule->calls.count < TIMER_CALLS_KEPT);
	*call = (struct timer_call){ .facts = *facts };
	if (G_LIKELY(is_usual(schedule, facts))) {
		take_usual(schedule, call);
	} else {
		judge(schedule, call);
	}
	schedule->last_ns = schedule->has_last ? MAX(schedule->last_ns, call->facts.now_ns) : call->facts.now_ns;
	schedule->has_last = true;
	return call;
}

bool timer_schedule_make_room(struct timer_schedule *schedule)
{
	if (schedule->calls.count < TIMER_CALLS_KEPT) {
		return false;
	}
	timer_schedule_settle(schedule);
	return true;
}

struct timer_call *timer_schedule_end(struct timer_schedule *schedule, const void *execution)
{
	for (size_t i = schedule->calls.count; i-- > 0;) {
		struct timer_call *call = timer_ring_at(&schedule->calls, i);

		if (call->execution == execution) {
			call->execution = NULL;
			return call;
		}
	}
	return NULL;
}

struct timer_call *timer_schedule_take(struct timer_schedule *schedule, bool is_forced)
{
	struct timer_call *oldest = timer_ring_at(&schedule->calls, 0);

	if (schedule->calls.count == 0 || !oldest->is_judged || (oldest->execution && !is_forced)) {
		return NULL;
	}
	schedule->calls.first = (schedule->calls.first + 1) % TIMER_CALLS_KEPT;
	schedule->calls.count--;
	return oldest;
}
