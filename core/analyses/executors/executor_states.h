/* SPDX-License-Identifier: MIT */
/*
 * What a thread that runs an executor of rclcpp does, by its events (rclcpp's Executor, since Humble):
 *
 *   event                           state    until
 *   rclcpp_executor_wait_for_work   WAIT     the next get_next_ready
 *   rclcpp_executor_get_next_ready  FIND     the thread executes something or waits
 *   rclcpp_executor_execute,        EXECUTE  the last callback_end before the next get_next_ready or wait; until that
 *   callback_start                           event itself where no end is recorded
 *   callback_end                    GAP      the next of these events
 *
 * - GAP is bookkeeping; in a MultiThreadedExecutor also the wait for its lock while another thread waits or looks for
 *   work.
 * - pause is a part of GAP: from the last get_next_ready of a spin_some() to the next wait with a timeout of 0, if that
 *   wait is more than EXECUTOR_PAUSE_MIN_NS later. The program does something else in between.
 * - If a callback spins and then continues (a callback_end after a get_next_ready), it was executing all the time.
 * - The states add up exactly to the time from the first to the last of these events, within the limits. Time in which
 *   events may have been lost is unknown only.
 * - spin: from one wait to the next, where both count. A spin is empty if there is no callback_start in between.
 * - Limits: only what lies in the part that the report is about counts, which no event of the thread has to begin or
 *   end. What crosses a limit is divided there. The end of the recording moves on until nothing follows it; then all
 *   events that came before lie within the recording.
 *
 * Cost: O(1) per event; no memory but the struct. Times in ns.
 */
#ifndef ROS2BT_EXECUTOR_STATES_H
#define ROS2BT_EXECUTOR_STATES_H

#include "core/statistics/duration_statistics.h"
#include "ros2bt/events/poll.h"

#define EXECUTOR_PAUSE_MIN_NS INT64_C(1000000)

enum executor_state {
	EXECUTOR_WAIT,
	EXECUTOR_FIND,
	EXECUTOR_EXECUTE,
	EXECUTOR_GAP, /* in struct executor_totals without pauses */
	EXECUTOR_STATES,
	EXECUTOR_PAUSE = EXECUTOR_STATES,
	EXECUTOR_UNKNOWN,
	EXECUTOR_NONE, /* before the first event */
	EXECUTOR_TIMES,
};

/* What a thread did between the limits. */
struct executor_totals {
	uint64_t spins, empty_spins, executions;
	bool has_events; /* of an executor; without them nothing is known but callbacks */
	int64_t time_ns[EXECUTOR_TIMES];
};

struct executor_states {
	int64_t since_ns; /* when the state began, or was last counted */
	int64_t last_ns;  /* of the last event */
	int64_t last_wait_ns;
	int64_t cut_ns; /* time behind this crosses a limit */
	int64_t end_ns, ended_ns;
	uint8_t state;		       /* enum executor_state */
	bool has_wait;		       /* last_wait_ns is known, and nothing was lost since then */
	bool has_executed;	       /* since the last wait */
	bool had_events;	       /* of an executor, before the last limit that was crossed */
	bool has_begun;		       /* an event at or after begin_ns has come */
	bool is_limited;	       /* one after limit_ns has come */
	bool has_limits;	       /* without them, nothing happened since the recording began */
	struct executor_totals totals; /* from begin_ns, or from the first event, to since_ns */
	int64_t begin_ns, limit_ns;
	struct executor_totals limited;	   /* to limit_ns, if is_limited */
	struct executor_totals ended;	   /* to ended_ns, where end_ns was when it was crossed */
	struct duration_statistics spin;   /* period */
	struct duration_statistics behind; /* those that end behind end_ns */
};

enum executor_event {
	EXECUTOR_EXECUTES, /* rclcpp_executor_execute */
	EXECUTOR_STARTS,   /* callback_start */
	EXECUTOR_ENDS,	   /* callback_end */
};

/* Its memory is the arena's; NULL: spins are counted, their distribution is not kept, and a pause may count as FIND. */
void executor_states_init(struct executor_states *states, struct arena *arena);

/* Events in order of time. One that seems earlier counts as if it were at the time of the last one. */
void executor_states_poll(struct executor_states *states, const struct poll *poll);
void executor_states_take(struct executor_states *states, enum executor_event event, int64_t time_ns);

/*
 * Once there was an event: whether further ones from first_ns to last_ns are as nearly all are, none of which seems
 * earlier than the last one, or crosses a limit. For these, the two functions below do what those above do.
 */
static inline bool executor_states_are_usual(const struct executor_states *states, int64_t first_ns, int64_t last_ns)
{
	return first_ns >= states->last_ns && last_ns <= states->cut_ns;
}

/* Of usual polls, without an arena. */
void executor_states_spin(struct executor_states *states, const struct poll *polls, size_t count);

/* The state that an event ends. A callback that follows another one without a look for work is of that execution. */
static inline enum executor_state executor_state_until(const struct executor_states *states, enum executor_event event)
{
	return event == EXECUTOR_ENDS || states->state == EXECUTOR_GAP ? EXECUTOR_EXECUTE
								       : (enum executor_state)states->state;
}

/* Of a usual event. */
static inline void executor_states_go_on(struct executor_states *states, enum executor_event event, int64_t time_ns)
{
	states->totals.time_ns[executor_state_until(states, event)] += time_ns - states->since_ns;
	states->since_ns = states->last_ns = time_ns;
	states->state = event == EXECUTOR_ENDS ? EXECUTOR_GAP : EXECUTOR_EXECUTE;
	if (event == EXECUTOR_EXECUTES) {
		states->totals.has_events = true;
	} else if (event == EXECUTOR_STARTS) {
		states->has_executed = true;
		states->totals.executions++;
	}
}

/* Events may have been lost between the last one and the next one, which follows and is at time_ns. */
void executor_states_lose(struct executor_states *states, int64_t time_ns);

/* Sets the begin and the end of what counts: nothing so far. Before the first event that is not earlier than the begin.
 */
void executor_states_limit(struct executor_states *states, int64_t begin_ns, int64_t limit_ns);
/* Sets the end, or moves it on behind all events so far. Before the first event that is later. */
void executor_states_end_at(struct executor_states *states, int64_t end_ns);

/* Whether events are behind the end that was set last. */
static inline bool executor_states_are_behind(const struct executor_states *states)
{
	return states->ended_ns == states->end_ns;
}

/* What happened up to the last event, within the limits. */
struct executor_totals executor_states_totals(const struct executor_states *states);

/* The time in a state; that in gaps includes pauses. */
int64_t executor_totals_time(const struct executor_totals *totals, enum executor_state state);

/* The time in all states. */
int64_t executor_totals_span(const struct executor_totals *totals);

#endif
