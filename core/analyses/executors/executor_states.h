/* SPDX-License-Identifier: MIT */
/*
 * What a thread that runs an executor of rclcpp does, by its events (rclcpp's Executor, since Humble):
 *
 *   rclcpp_executor_wait_for_work   WAIT     until the next get_next_ready
 *   rclcpp_executor_get_next_ready  FIND     until it executes something or waits
 *   rclcpp_executor_execute         EXECUTE  until the last callback_end before the next get_next_ready or wait, or
 *   callback_start                           until these if no end was recorded
 *   callback_end                    GAP      until the next of these events: bookkeeping, in a MultiThreadedExecutor
 * the wait for its lock while another thread waits or looks for work
 *
 * - pause, a part of GAP: from the last get_next_ready of a spin_some() to the next wait with a timeout of 0, if that
 *   comes more than EXECUTOR_PAUSE_MIN_NS later. The program does something else then.
 * - A callback that itself spins: when it goes on (callback_end after a get_next_ready) this was executing.
 * - The states add up to the time from the first to the last of these events, exactly. Time in which events may have
 * been lost is in no state (unknown_ns).
 * - spin: from one wait to the next. It is empty if no callback_start lies between.
 *
 * O(1) per event.
 */
#ifndef ROS2BT_EXECUTOR_STATES_H
#define ROS2BT_EXECUTOR_STATES_H

#include "ros2bt/duration_statistics.h"
#include "ros2bt/poll.h"

#define EXECUTOR_PAUSE_MIN_NS INT64_C(1000000)

enum executor_state {
	EXECUTOR_NONE, /* before the first event */
	EXECUTOR_WAIT,
	EXECUTOR_FIND,
	EXECUTOR_EXECUTE,
	EXECUTOR_GAP,
	EXECUTOR_STATES,
};

struct executor_states {
	enum executor_state state;
	bool has_events;   /* of an executor; without, the thread executes callbacks in a way of its own */
	bool has_wait;	   /* last_wait_ns, and nothing was lost since then */
	bool has_executed; /* since the last wait */
	bool is_last_find; /* the last event was get_next_ready */
	int64_t since_ns;  /* in this state */
	int64_t last_ns;   /* of the last event */
	int64_t last_wait_ns;
	int64_t time_ns[EXECUTOR_STATES]; /* without that since since_ns */
	int64_t pause_ns;
	int64_t unknown_ns;
	uint64_t spins, empty_spins, executions;
	struct duration_statistics spin; /* period */
};

/* Its memory lives as long as the arena. */
void executor_states_init(struct executor_states *states, struct arena *arena);

/* Events in order of time; one that seems earlier counts as at the time of the last one. */
void executor_states_poll(struct executor_states *states, const struct poll *polls, size_t count);
void executor_states_execute(struct executor_states *states, int64_t time_ns); /* rclcpp_executor_execute */
void executor_states_start(struct executor_states *states, int64_t time_ns);   /* callback_start */
void executor_states_end(struct executor_states *states, int64_t time_ns);     /* callback_end */

/* Events may have been lost between the last one and the next, which is at time_ns and follows. */
void executor_states_lose(struct executor_states *states, int64_t time_ns);

/* The time in a state up to the last event. */
int64_t executor_states_time(const struct executor_states *states, enum executor_state state);

/* The time in all states. */
int64_t executor_states_span(const struct executor_states *states);

#endif
