/* SPDX-License-Identifier: MIT */
/*
 * What the threads that call timers do besides: when their executors waited, when rcl read its clock for a call, and
 * which callbacks kept a timer waiting.
 *
 * - An executor looks at its timers when a wait ends (the first rclcpp_executor_get_next_ready after
 *   rclcpp_executor_wait_for_work), and calls those that are due before it waits again. So a timer that was not called
 *   between the end of a wait and the next wait of its thread was not due when the former ended.
 *   That does not hold for the threads of one executor that share their timers: a thread is taken for one of these once
 *   a callback ran on another thread before. Nor does it hold where rclcpp calls timers that are not due in place of
 *   those that are (after a timer of the executor was destroyed): from 1 s before such a call until the last one.
 * - rcl reads its clock after the last rclcpp_executor_get_next_ready and before rclcpp_executor_execute of the timer,
 *   or, where a release records neither, right before the callback.
 *
 * Cost: O(1) per event. Memory: the threads and callbacks of the recording.
 */
#ifndef ROS2BT_TIMER_THREADS_H
#define ROS2BT_TIMER_THREADS_H

#include "core/analyses/shared/thread_history.h"
#include "ros2bt/object_model.h"
#include "ros2bt/poll.h"

struct timer_threads;

/* When rcl read its clock for a call. */
struct timer_clock_reading {
	int64_t earliest_ns, latest_ns;
};

/* What kept a timer waiting. */
struct timer_hold {
	bool is_known;
	int64_t held_ns;	       /* in all */
	struct model_callback *holder; /* of most of it; NULL: none */
};

/* All are borrowed and must outlive it. */
struct timer_threads *timer_threads_create(const struct recording *recording, struct object_model *model,
					   struct executions *executions, struct thread_history *history);
void timer_threads_destroy(struct timer_threads *threads);

/* Takes rclcpp_executor_execute. */
void timer_threads_feed(struct timer_threads *threads, const struct event_record *record);
void timer_threads_feed_polls(struct timer_threads *threads, uint32_t thread, const struct poll *polls, size_t count);

/* Whether the thread has recorded any of them. */
bool timer_threads_has_executor(const struct timer_threads *threads, uint32_t thread);

struct timer_clock_reading timer_threads_clock_reading(const struct timer_threads *threads,
						       const struct execution *execution, uint64_t timer_handle);

/* A time at which no timer of the thread that was not called since was due, as late as possible; INT64_MIN: not known.
 * `since_ns`: since when the timer may have been due. */
int64_t timer_threads_idle_ns(const struct timer_threads *threads, uint32_t thread, int64_t since_ns);

/* Since when the thread has executed nothing, before an execution; INT64_MAX: it never did, or that is not known. */
int64_t timer_threads_pause_ns(const struct timer_threads *threads, const struct execution *execution);

/* The thread called a timer that was not due. */
void timer_threads_note_early(struct timer_threads *threads, uint32_t thread, int64_t time_ns);

/* A call of a timer whose schedule is certain was so late; the least of them is how long the thread takes to wake up.
 */
void timer_threads_note_late(struct timer_threads *threads, uint32_t thread, int64_t late_ns);
int64_t timer_threads_wake_up_ns(const struct timer_threads *threads, uint32_t thread);

/*
 * What was executed from from_ns until an execution of a timer starts: by its thread, and where threads share an
 * executor by others of the process, of the same node and (where the trace records groups, only CARET does) group.
 */
struct timer_hold timer_threads_hold(const struct timer_threads *threads, const struct execution *execution,
				     int64_t from_ns);

#endif
