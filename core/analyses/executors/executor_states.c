/* SPDX-License-Identifier: MIT */
#include "core/analyses/executors/executor_states.h"

#include "core/base/time_units.h"

void executor_states_init(struct executor_states *states, struct arena *arena)
{
	*states = (struct executor_states){ .state = EXECUTOR_NONE };
	duration_statistics_init(&states->spin, arena);
}

/* Counts the time since since_ns for a state. */
static inline void attribute(struct executor_states *states, enum executor_state of, int64_t time_ns)
{
	states->time_ns[of] += time_ns - states->since_ns;
	states->since_ns = time_ns;
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
	states->is_last_find = true;
}

static inline void end_spin(struct executor_states *states, int64_t time_ns)
{
	if (states->has_wait) {
		duration_statistics_add(&states->spin, time_ns - states->last_wait_ns, states->last_wait_ns);
		states->empty_spins += !states->has_executed;
	}
	states->spins++;
	states->has_wait = true;
	states->has_executed = false;
	states->last_wait_ns = time_ns;
}

static void end_pause(struct executor_states *states, int64_t time_ns)
{
	attribute(states, EXECUTOR_FIND, states->last_ns);
	states->pause_ns += time_ns - states->last_ns;
	attribute(states, EXECUTOR_GAP, time_ns);
}

static inline void wait(struct executor_states *states, enum poll_kind kind, int64_t time_ns)
{
	if (G_UNLIKELY(kind == POLL_LOOK_UP && states->is_last_find &&
		       time_ns - states->last_ns > EXECUTOR_PAUSE_MIN_NS)) {
		end_pause(states, time_ns);
	} else {
		attribute(states, states->state, time_ns);
	}
	states->state = EXECUTOR_WAIT;
	states->is_last_find = false;
	end_spin(states, time_ns);
}

void executor_states_poll(struct executor_states *states, const struct poll *polls, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int64_t time_ns = begin_event(states, polls[i].time_ns);

		if (polls[i].kind == POLL_FIND) {
			find(states, time_ns);
		} else {
			wait(states, polls[i].kind, time_ns);
		}
		states->last_ns = time_ns;
	}
	states->has_events = true;
}

/* A callback that follows another one without a look for work in between belongs to the same execution. */
static void execute(struct executor_states *states, int64_t time_ns)
{
	attribute(states, states->state == EXECUTOR_GAP ? EXECUTOR_EXECUTE : states->state, time_ns);
	states->state = EXECUTOR_EXECUTE;
	states->is_last_find = false;
	states->last_ns = time_ns;
}

void executor_states_execute(struct executor_states *states, int64_t time_ns)
{
	execute(states, begin_event(states, time_ns));
	states->has_events = true;
}

void executor_states_start(struct executor_states *states, int64_t time_ns)
{
	execute(states, begin_event(states, time_ns));
	states->has_executed = true;
	states->executions++;
}

void executor_states_end(struct executor_states *states, int64_t time_ns)
{
	time_ns = begin_event(states, time_ns);
	attribute(states, states->state == EXECUTOR_NONE ? EXECUTOR_NONE : EXECUTOR_EXECUTE, time_ns);
	states->state = EXECUTOR_GAP;
	states->is_last_find = false;
	states->last_ns = time_ns;
}

void executor_states_lose(struct executor_states *states, int64_t time_ns)
{
	if (states->state == EXECUTOR_NONE || time_ns < states->last_ns) {
		return;
	}
	attribute(states, states->state, states->last_ns);
	states->unknown_ns = add_saturated(states->unknown_ns, time_ns - states->last_ns);
	states->since_ns = states->last_ns = time_ns;
	states->has_wait = false;
}

int64_t executor_states_time(const struct executor_states *states, enum executor_state state)
{
	return states->time_ns[state] + (state == states->state ? states->last_ns - states->since_ns : 0);
}

int64_t executor_states_span(const struct executor_states *states)
{
	int64_t span_ns = 0;

	for (enum executor_state state = EXECUTOR_WAIT; state < EXECUTOR_STATES; state++) {
		span_ns += executor_states_time(states, state);
	}
	return span_ns;
}
