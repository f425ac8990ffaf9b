/* SPDX-License-Identifier: MIT */
#include "core/analyses/timers/timer_schedule.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/compare_numbers.h"
#include "core/base/time_units.h"

#define EARLY_NS INT64_C(50000)	   /* a call less than this before a slot is at the slot */
#define ON_TIME_NS INT64_C(500000) /* lateness up to this proves that the schedule holds */
#define SHIFT_NS INT64_C(1000000)  /* schedules that differ by less are the same */
#define STOP_NS NS_PER_S	   /* a timer that is not called for so long was stopped, … */
#define STOP_PERIODS 10		   /* … and for this many periods */
#define EVEN_EARLY_CALLS_MAX 4
#define QUEUE_PAUSE_NS INT64_C(200000) /* between two callbacks of a queue at most */

static int64_t slot_after(int64_t expected_ns, int64_t periods, int64_t period_ns)
{
	__int128 slot_ns = expected_ns + (__int128)periods * period_ns;

	return slot_ns < TIMER_EXPECTED_MAX_NS ? (int64_t)slot_ns : TIMER_EXPECTED_MAX_NS;
}

void timer_schedule_init(struct timer_schedule *schedule, int64_t period_ns, int64_t created_ns)
{
	g_assert(period_ns > 0 && period_ns <= TIMER_PERIOD_MAX_NS);
	*schedule = (struct timer_schedule){
		.period_ns = period_ns,
		.expected_ns = slot_after(created_ns, 1, period_ns),
	};
}

void timer_schedule_init_unknown(struct timer_schedule *schedule)
{
	*schedule = (struct timer_schedule){ 0 };
}

static struct timer_call *call_at(struct timer_schedule *schedule, size_t index)
{
	return &schedule->ring[(schedule->first + index) % TIMER_CALLS_KEPT];
}

/* A call that is not judged yet. These are the newest ones; 0 is the oldest of them. */
static struct timer_call *held_call(struct timer_schedule *schedule, size_t index)
{
	return call_at(schedule, schedule->count - schedule->held + index);
}

static int64_t late_ns(const struct timer_call *call)
{
	return call->facts.now_ns - call->expected_ns;
}

/* The part of a call's lateness that nothing explains. */
static int64_t unexplained_ns(const struct timer_call *call)
{
	return MAX(0, late_ns(call) - MAX(0, MIN(call->facts.held_ns, late_ns(call))));
}

/* Whether the callback waited in a queue after rcl had called the timer. */
static bool was_queued(const struct timer_schedule *schedule, const struct timer_call *call)
{
	return schedule->is_queued && call->facts.pause_ns <= QUEUE_PAUSE_NS;
}

/* rcl's rule: when the call was expected, what it missed, and when the next one is expected. */
static void apply_rule(struct timer_schedule *schedule, struct timer_call *call)
{
	int64_t late;

	call->has_expected = true;
	call->expected_ns = schedule->expected_ns;
	late = late_ns(call);
	call->is_early = late < 0;
	call->missed = late < 0 || was_queued(schedule, call) ? 0 : (uint64_t)(late / schedule->period_ns);
	schedule->expected_ns = slot_after(call->expected_ns, (int64_t)call->missed + 1, schedule->period_ns);
}

/*
 * How many slots that the last call seems to have missed it may not have missed: the last slot if rcl may have read its
 * clock just before, all if there may be a queue.
 */
static uint64_t doubtful_misses(const struct timer_schedule *schedule, const struct timer_call *call)
{
	if (!call->has_expected || call->missed == 0) {
		return 0;
	}
	if (!call->facts.has_executor) {
		return call->missed;
	}
	return call->facts.earliest_ns < schedule->expected_ns - schedule->period_ns;
}

/* --- calls that are held --- */

static void accept(struct timer_schedule *schedule)
{
	for (size_t i = 0; i < schedule->held; i++) {
		held_call(schedule, i)->is_judged = true;
	}
	schedule->held = 0;
	schedule->mode = TIMER_SETTLED;
}

/* The time from time_ns to a later call, minus whole periods. */
static int64_t phase_from(const struct timer_schedule *schedule, int64_t time_ns, const struct timer_call *call)
{
	int64_t rest_ns = (call->facts.now_ns - time_ns) % schedule->period_ns;

	return rest_ns < 0 ? rest_ns + schedule->period_ns : rest_ns;
}

/* The call held that the others follow soonest: its phase is the one that fits best. */
static const struct timer_call *find_phase(struct timer_schedule *schedule)
{
	const struct timer_call *best = NULL;
	__int128 least_ns = 0;

	for (size_t i = 0; i < schedule->held; i++) {
		const struct timer_call *candidate = held_call(schedule, i);
		__int128 sum_ns = 0;

		for (size_t j = 0; j < schedule->held; j++) {
			sum_ns += phase_from(schedule, candidate->facts.now_ns, held_call(schedule, j));
		}
		if (!best || sum_ns < least_ns) {
			best = candidate;
			least_ns = sum_ns;
		}
	}
	return best;
}

/* Applies the rule to the calls held; returns how many of them are early. */
static size_t replay(struct timer_schedule *schedule, int64_t expected_ns)
{
	size_t early = 0;

	schedule->expected_ns = MAX(expected_ns, -TIMER_EXPECTED_MAX_NS);
	for (size_t i = 0; i < schedule->held; i++) {
		apply_rule(schedule, held_call(schedule, i));
		early += held_call(schedule, i)->is_early;
	}
	return early;
}

/* When the first of the calls held was expected: within a period before it, and after the call before it. */
static int64_t first_slot_ns(struct timer_schedule *schedule)
{
	const struct timer_call *first = held_call(schedule, 0);
	int64_t phase_ns = phase_from(schedule, find_phase(schedule)->facts.now_ns, first);
	int64_t wake_up_ns = MIN(first->facts.wake_up_ns, schedule->period_ns - 1 - phase_ns);
	int64_t slot_ns = first->facts.now_ns - phase_ns - wake_up_ns;

	return MIN(MAX(slot_ns, schedule->held_after_ns), first->facts.now_ns);
}

/*
 * Begins the schedule anew with the calls held, of which the earliest were as late as a thread takes to wake up. If
 * they fit no schedule, the old one goes on.
 */
static void begin_anew(struct timer_schedule *schedule)
{
	struct timer_call *first = held_call(schedule, 0);
	int64_t old_expected_ns = first->expected_ns;

	if (replay(schedule, first_slot_ns(schedule)) >= MAX(schedule->held / 2, 1)) {
		replay(schedule, old_expected_ns);
	} else {
		first->begins_anew = true;
		schedule->is_guess = true;
	}
	accept(schedule);
}

/* Whether the calls held are all late by about the same time: by three times as much as they differ, or more. */
static bool is_shifted(struct timer_schedule *schedule)
{
	const struct timer_call *best = find_phase(schedule);
	int64_t phases_ns[TIMER_CALLS_HELD];
	int64_t least_ns = INT64_MAX;

	for (size_t i = 0; i < TIMER_CALLS_HELD; i++) {
		least_ns = MIN(least_ns, unexplained_ns(held_call(schedule, i)));
		phases_ns[i] = phase_from(schedule, best->facts.now_ns, held_call(schedule, i));
	}
	qsort(phases_ns, TIMER_CALLS_HELD, sizeof(*phases_ns), compare_times);
	return schedule->suspect_calls >= TIMER_CALLS_SHIFTED && least_ns >= SHIFT_NS &&
	       least_ns / 3 >= phases_ns[TIMER_CALLS_HELD / 2];
}

void timer_schedule_settle(struct timer_schedule *schedule)
{
	if (schedule->held == 0) {
		schedule->mode = TIMER_SETTLED;
	} else if (schedule->mode == TIMER_RESTARTED) {
		begin_anew(schedule);
	} else {
		accept(schedule);
	}
}

/* --- a call --- */

/* The call becomes the newest of those in the ring. */
static void append(struct timer_schedule *schedule, bool is_judged)
{
	if (!is_judged && schedule->held == 0) {
		schedule->held_after_ns = schedule->has_last ? schedule->last_ns : INT64_MIN;
	}
	call_at(schedule, schedule->count++)->is_judged = is_judged;
	schedule->held += !is_judged;
}

static bool has_phase_of(const struct timer_schedule *schedule, const struct timer_call *held,
			 const struct timer_call *call)
{
	int64_t phase_ns = phase_from(schedule, held->facts.now_ns, call);

	return MIN(phase_ns, schedule->period_ns - phase_ns) <= schedule->period_ns / 8;
}

/* Of the late calls before a call of a new schedule, keeps those that follow the new schedule already. */
static void leave_of_phase(struct timer_schedule *schedule, const struct timer_call *call)
{
	bool follows = call->facts.now_ns - schedule->last_ns < 2 * schedule->period_ns;
	size_t left = 0;

	while (follows && left < schedule->held &&
	       has_phase_of(schedule, held_call(schedule, schedule->held - 1 - left), call)) {
		left++;
	}
	for (size_t i = 0; i < schedule->held - left; i++) {
		held_call(schedule, i)->is_judged = true;
		schedule->held_after_ns = held_call(schedule, i)->facts.now_ns;
	}
	schedule->held = left;
}

static void hold_as_restarted(struct timer_schedule *schedule, struct timer_call *call)
{
	if (schedule->mode == TIMER_SUSPECT) {
		leave_of_phase(schedule, call);
	} else {
		timer_schedule_settle(schedule);
	}
	append(schedule, false);
	apply_rule(schedule, call);
	schedule->mode = TIMER_RESTARTED;
	schedule->even_early_calls = 0;
	/* as long as the phase is not known */
	schedule->expected_ns = slot_after(call->facts.now_ns, 1, schedule->period_ns);
}

static bool was_stopped(const struct timer_schedule *schedule, const struct timer_call *call)
{
	int64_t late = call->facts.now_ns - schedule->expected_ns;
	bool is_held = (call->facts.held_ns != TIMER_HELD_UNKNOWN && call->facts.held_ns >= late / 2) ||
		       was_queued(schedule, call);

	if (call->facts.idle_ns > schedule->expected_ns + EARLY_NS) {
		return true;
	}
	return late > STOP_NS && late / STOP_PERIODS > schedule->period_ns && !is_held;
}

/* The time since the last call is one or more periods, within an eighth. */
static bool is_even(const struct timer_schedule *schedule, const struct timer_call *call)
{
	int64_t since_ns = call->facts.now_ns - schedule->last_ns;
	int64_t rest_ns = since_ns % schedule->period_ns;

	return schedule->has_last && since_ns > schedule->period_ns / 2 &&
	       MIN(rest_ns, schedule->period_ns - rest_ns) <= schedule->period_ns / 8;
}

/* Whether the last call missed fewer slots than it seemed to: then the next one is expected at one of these. */
static bool correct_last(struct timer_schedule *schedule, const struct timer_call *call)
{
	struct timer_call *last = schedule->held > 0 ? held_call(schedule, schedule->held - 1) : NULL;
	int64_t slots = last ? (int64_t)doubtful_misses(schedule, last) : 0;

	if (slots == 0 || call->facts.now_ns < schedule->expected_ns - slots * schedule->period_ns) {
		return false;
	}
	schedule->is_queued = !last->facts.has_executor;
	schedule->expected_ns -= slots * schedule->period_ns;
	last->missed -= (uint64_t)slots;
	return true;
}

/* A call before it is expected: corrects the schedule if that is wrong, and returns whether it was. */
static bool correct_schedule(struct timer_schedule *schedule, const struct timer_call *call)
{
	int64_t early_ns = schedule->expected_ns - call->facts.now_ns;
	int64_t half_ns = schedule->period_ns / 2;
	bool is_near = early_ns < half_ns && call->facts.now_ns - schedule->last_ns >= half_ns;

	if (schedule->mode != TIMER_RESTARTED && correct_last(schedule, call)) {
		return true;
	}
	if (schedule->mode == TIMER_RESTARTED || early_ns <= EARLY_NS || (schedule->is_guess && is_near)) {
		schedule->expected_ns = call->facts.now_ns;
		return true;
	}
	return false;
}

/* Calls since the last one may not be recorded, but the phase stays. */
static void take_after_loss(struct timer_schedule *schedule, struct timer_call *call)
{
	timer_schedule_settle(schedule);
	if (call->facts.now_ns >= schedule->expected_ns) {
		apply_rule(schedule, call);
	}
	call->has_expected = false;
	call->missed = 0;
	append(schedule, true);
}

static bool is_on_time(const struct timer_schedule *schedule, const struct timer_call *call)
{
	return unexplained_ns(call) <= MIN(ON_TIME_NS, schedule->period_ns / 10) &&
	       doubtful_misses(schedule, call) == 0;
}

static void take_in_time_or_late(struct timer_schedule *schedule, struct timer_call *call)
{
	apply_rule(schedule, call);
	append(schedule, false);
	schedule->even_early_calls = 0;
	schedule->suspect_calls++;
	if (schedule->mode == TIMER_SETTLED) {
		schedule->mode = TIMER_SUSPECT;
	}
	if (schedule->mode == TIMER_SUSPECT && is_on_time(schedule, call)) {
		schedule->suspect_calls = 0;
		accept(schedule);
	} else if (schedule->held == TIMER_CALLS_HELD) {
		if (schedule->mode == TIMER_RESTARTED || is_shifted(schedule)) {
			schedule->suspect_calls = 0;
			begin_anew(schedule);
		} else {
			accept(schedule);
		}
	}
}

static void take_early(struct timer_schedule *schedule, struct timer_call *call)
{
	timer_schedule_settle(schedule);
	if (call->facts.now_ns >= schedule->expected_ns) {
		take_in_time_or_late(schedule, call);
		return;
	}
	schedule->even_early_calls = is_even(schedule, call) ? schedule->even_early_calls + 1 : 0;
	if (schedule->even_early_calls >= EVEN_EARLY_CALLS_MAX) {
		hold_as_restarted(schedule, call);
		return;
	}
	apply_rule(schedule, call);
	append(schedule, true);
}

static void judge(struct timer_schedule *schedule, struct timer_call *call)
{
	if (!timer_schedule_is_known(schedule)) {
		append(schedule, true);
	} else if (call->facts.is_after_loss) {
		take_after_loss(schedule, call);
	} else if (was_stopped(schedule, call)) {
		hold_as_restarted(schedule, call);
	} else if (call->facts.now_ns < schedule->expected_ns && !correct_schedule(schedule, call)) {
		take_early(schedule, call);
	} else {
		take_in_time_or_late(schedule, call);
	}
}

struct timer_call *timer_schedule_call(struct timer_schedule *schedule, const struct timer_call_facts *facts)
{
	struct timer_call *call = call_at(schedule, schedule->count);

	g_assert(schedule->count < TIMER_CALLS_KEPT);
	*call = (struct timer_call){ .facts = *facts };
	judge(schedule, call);
	schedule->has_last = true;
	schedule->last_ns = facts->now_ns;
	return call;
}

bool timer_schedule_make_room(struct timer_schedule *schedule)
{
	if (schedule->count < TIMER_CALLS_KEPT) {
		return false;
	}
	timer_schedule_settle(schedule);
	return true;
}

struct timer_call *timer_schedule_end(struct timer_schedule *schedule, const void *execution)
{
	for (size_t i = schedule->count; i-- > 0;) {
		struct timer_call *call = call_at(schedule, i);

		if (call->execution == execution) {
			call->execution = NULL;
			return call;
		}
	}
	return NULL;
}

bool timer_schedule_take(struct timer_schedule *schedule, bool is_forced, struct timer_call *call)
{
	const struct timer_call *oldest = call_at(schedule, 0);

	if (schedule->count == 0 || !oldest->is_judged || (oldest->execution && !is_forced)) {
		return false;
	}
	*call = *oldest;
	schedule->first = (schedule->first + 1) % TIMER_CALLS_KEPT;
	schedule->count--;
	return true;
}
