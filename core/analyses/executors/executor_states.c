/* SPDX-License-Identifier: MIT */
#include "core/analyses/executors/executor_states.h"

void executor_states_init(struct executor_states *states, struct arena *arena)
{
	*states = (struct executor_states){
		.state = EXECUTOR_NONE,
		.has_begun = true,
		.cut_ns = INT64_MAX,
		.begin_ns = INT64_MIN,
		.limit_ns = INT64_MAX,
		.end_ns = INT64_MAX,
		.ended_ns = INT64_MIN,
	};
	duration_statistics_init(&states->spin, arena);
	duration_statistics_init(&states->behind, arena);
}

/* The next limit to cross. */
static int64_t next_cut(const struct executor_states *states)
{
	int64_t cut_ns = states->is_limited ? INT64_MAX : states->limit_ns;

	return executor_states_are_behind(states) ? cut_ns : MIN(cut_ns, states->end_ns);
}

static void end(struct executor_states *states, enum executor_state of, int64_t end_ns)
{
	if (states->since_ns < end_ns) {
		states->totals.time_ns[of] += end_ns - states->since_ns;
		states->since_ns = end_ns;
	}
	if (!states->is_limited && end_ns == states->limit_ns) {
		states->limited = states->totals;
		states->is_limited = true;
	}
	if (end_ns == states->end_ns) {
		states->ended = states->totals;
		states->ended_ns = end_ns;
	}
}

/* The time since since_ns, a part of which lies behind a limit. */
static G_GNUC_NO_INLINE void cross(struct executor_states *states, enum executor_state of, int64_t time_ns)
{
	states->had_events |= states->totals.has_events;
	if (!states->has_begun) {
		states->since_ns = MAX(states->since_ns, states->begin_ns);
		states->totals = (struct executor_totals){ 0 };
		states->has_begun = true;
		states->cut_ns = next_cut(states);
	}
	while (time_ns > states->cut_ns) {
		end(states, of, states->cut_ns);
		states->cut_ns = next_cut(states);
	}
}

/* Counts the time since since_ns for a state. */
static inline void attribute(struct executor_states *states, enum executor_state of, int64_t time_ns)
{
	if (G_UNLIKELY(time_ns > states->cut_ns)) {
		cross(states, of, time_ns);
	}
	states->totals.time_ns[of] += time_ns - states->since_ns;
	states->since_ns = time_ns;
}

void executor_states_limit(struct executor_states *states, int64_t begin_ns, int64_t limit_ns)
{
	duration_statistics_clear(&states->spin);
	duration_statistics_clear(&states->behind);
	states->has_limits = true;
	states->has_begun = false;
	states->begin_ns = begin_ns;
	states->limit_ns = limit_ns;
	states->cut_ns = begin_ns > INT64_MIN ? begin_ns - 1 : begin_ns;
}

void executor_states_end_at(struct executor_states *states, int64_t end_ns)
{
	if (executor_states_are_behind(states) && end_ns > states->end_ns) {
		duration_statistics_add_all(&states->spin, &states->behind);
		duration_statistics_clear(&states->behind);
	}
	states->end_ns = end_ns;
	if (states->has_begun) {
		states->cut_ns = next_cut(states);
	}
}

static inline int64_t begin_event(struct executor_states *states, int64_t time_ns)
{
	if (G_UNLIKELY(states->state == EXECUTOR_NONE)) {
		states->since_ns = states->last_ns = time_ns;
	}
	return MAX(time_ns, states->last_ns);
}

static inline void find(struct executor_states *states, int64_t time_ns)
{
	if (states->state != EXECUTOR_FIND) {
		attribute(states, states->state, time_ns);
		states->state = EXECUTOR_FIND;
	}
}

/* Whether the last wait and the one that has just begun lie in the part that the report is about. */
static inline bool is_counted(const struct executor_states *states)
{
	return states->last_wait_ns >= states->begin_ns && !states->is_limited;
}

static inline void end_spin(struct executor_states *states, int64_t time_ns)
{
	if (states->has_wait) {
		if (states->spin.arena && G_LIKELY(is_counted(states))) {
			duration_statistics_add(executor_states_are_behind(states) ? &states->behind : &states->spin,
						time_ns - states->last_wait_ns, states->last_wait_ns);
		}
		states->totals.empty_spins += !states->has_executed;
	}
	states->totals.spins++;
	states->has_wait = true;
	states->has_executed = false;
	states->last_wait_ns = time_ns;
}

static G_GNUC_NO_INLINE void end_pause(struct executor_states *states, int64_t time_ns)
{
	attribute(states, EXECUTOR_FIND, states->last_ns);
	attribute(states, EXECUTOR_PAUSE, time_ns);
}

static inline void wait(struct executor_states *states, enum poll_kind kind, int64_t time_ns)
{
	if (G_UNLIKELY(kind == POLL_LOOK_UP && states->state == EXECUTOR_FIND &&
		       time_ns - states->last_ns > EXECUTOR_PAUSE_MIN_NS)) {
		end_pause(states, time_ns);
	} else {
		attribute(states, states->state, time_ns);
	}
	states->state = EXECUTOR_WAIT;
	end_spin(states, time_ns);
}

void executor_states_poll(struct executor_states *states, const struct poll *poll)
{
	int64_t time_ns = begin_event(states, poll->time_ns);

	if (poll->kind == POLL_FIND) {
		find(states, time_ns);
	} else {
		wait(states, poll->kind, time_ns);
	}
	states->last_ns = time_ns;
	states->totals.has_events = true;
}

/* Where nobody sees pauses and distributions, polls only add to sums: from one to the next is WAIT or FIND. */
void executor_states_spin(struct executor_states *states, const struct poll *polls, size_t count)
{
	const struct poll *last = &polls[count - 1];
	bool ends_waiting = last->kind != POLL_FIND;
	int64_t wait_ns = 0;
	uint64_t waits = ends_waiting;

	for (const struct poll *poll = polls; poll < last; poll++) {
		if (poll->kind != POLL_FIND) {
			wait_ns += poll[1].time_ns - poll->time_ns;
			waits++;
		}
	}
	/* both at once, and so before the one that may be either: a load right after a store of half of it waits */
	states->totals.time_ns[EXECUTOR_WAIT] += wait_ns;
	states->totals.time_ns[EXECUTOR_FIND] += last->time_ns - polls->time_ns - wait_ns;
	states->totals.time_ns[states->state] += polls->time_ns - states->since_ns;
	states->since_ns = states->last_ns = last->time_ns;
	states->state = ends_waiting ? EXECUTOR_WAIT : EXECUTOR_FIND;
	states->totals.has_events = true;
	if (waits > 0) {
		states->totals.spins += waits;
		states->totals.empty_spins += waits - (!states->has_wait || states->has_executed);
		states->has_wait = true;
		states->has_executed = false;
	}
}

void executor_states_take(struct executor_states *states, enum executor_event event, int64_t time_ns)
{
	time_ns = begin_event(states, time_ns);
	attribute(states, executor_state_until(states, event), time_ns);
	executor_states_go_on(states, event, time_ns);
}

void executor_states_lose(struct executor_states *states, int64_t time_ns)
{
	if (states->state == EXECUTOR_NONE || time_ns < states->last_ns) {
		return;
	}
	attribute(states, states->state, states->last_ns);
	attribute(states, EXECUTOR_UNKNOWN, time_ns);
	states->last_ns = time_ns;
	states->has_wait = false;
}

struct executor_totals executor_states_totals(const struct executor_states *states)
{
	struct executor_states last = *states;

	attribute(&last, last.state, last.last_ns);
	if (!last.has_begun) {
		return (struct executor_totals){ 0 };
	}
	if (last.is_limited && last.limit_ns <= last.end_ns) {
		return last.limited;
	}
	return last.ended_ns == last.end_ns ? last.ended : last.totals;
}

int64_t executor_totals_time(const struct executor_totals *totals, enum executor_state state)
{
	return totals->time_ns[state] + (state == EXECUTOR_GAP ? totals->time_ns[EXECUTOR_PAUSE] : 0);
}

int64_t executor_totals_span(const struct executor_totals *totals)
{
	int64_t span_ns = 0;

	for (enum executor_state state = EXECUTOR_WAIT; state < EXECUTOR_STATES; state++) {
		span_ns += executor_totals_time(totals, state);
	}
	return span_ns;
}
