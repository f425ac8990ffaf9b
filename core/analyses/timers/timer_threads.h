/* SPDX-License-Identifier: MIT */
/*
 * What threads that call timers do besides: when their executors waited, when rcl read its clock for a call, and which
 * callbacks delayed a timer.
 *
 * - An executor looks at its timers when a wait ends (the first rclcpp_executor_get_next_ready after
 *   rclcpp_executor_wait_for_work), and calls those that are due before it waits again. So a timer that was not
 *   called between the end of a wait and the next wait of its thread was not due when the former began, and seems not
 *   to have been when it ended: its thread may have been preempted between the look and the event that follows.
 * - That does not hold for threads of one executor that share their timers, which wait and look one at a time. Two
 *   threads of a process may share one unless one of them did either while the other waited, and they do once a
 *   callback ran on both; before either, it is possible. Nor does it hold where rclcpp calls timers that are not due in
 * place of those that are (after a timer of the executor was destroyed): from 1 s before the first such call until the
 * last one.
 * - An execution that ends after its thread has waited contained another executor: the waits within it say nothing
 *   about the timers of the one that called it. If it threw, they may have been those of either, and so may be those
 *   before a call within an execution, since that began: what they show is possible.
 * - After an exception, an executor forgets what it has found and waits again: that does not show what was due. As a
 *   callback without a recorded end may not have thrown, but be that of a service, it is possible. A wait
 *   with a timeout of 0 (spin_some()) finds what is ready at its begin.
 * - Threads of one executor look one at a time, and rcl reads its clock while they do. So its calls are in the order of
 *   the looks, but a thread that is preempted after that starts the callback later than others start the next ones.
 * - When a context is initialized, the process may be another one with the ids of an older one: what its threads have
 *   shown before is forgotten.
 * - rcl reads its clock after the last rclcpp_executor_get_next_ready and before rclcpp_executor_execute of the timer;
 *   where a release records neither, right before the callback.
 *
 * Where more than TIMER_EXECUTORS_MAX threads of a process have recorded events of an executor, each may share its
 * executor with any other.
 *
 * Cost: nothing for executions of a thread that executes one after another (executions_watch()), O(1) for other events
 * once each thread is known to share its executor or not, before that up to TIMER_EXECUTORS_MAX for all;
 * for a late call on one of several threads of an executor, these as well and what the threads of the process executed
 * since the timer was due (recent_threads.h). Memory: the threads and callbacks of the recording, and for each process
 * the pairs of up to TIMER_EXECUTORS_MAX threads. Times in ns.
 */
#ifndef ROS2BT_TIMER_THREADS_H
#define ROS2BT_TIMER_THREADS_H

#include "core/analyses/shared/analysis.h"
#include "core/analyses/timers/timer_call.h"
#include "core/analyses/timers/timer_delays.h"
#include "core/analyses/timers/timer_shown.h"
#include "core/analyses/timers/timer_waits.h"
#include "ros2bt/events/poll.h"
#include "ros2bt/model/object_model.h"

#define TIMER_EXECUTORS_MAX 512

struct timer_threads;

/* What is known of a timer that is called. */
struct timer_asked {
	uint64_t timer_handle;
	int64_t created_ns;  /* what its thread recorded before may be of an earlier process with its ids */
	int64_t expected_ns; /* since when it may have been due */
};

/* A part of the analysis. */
struct timer_threads *timer_threads_create(struct analysis *analysis);

/* Takes rclcpp_executor_execute. */
void timer_threads_feed(struct timer_threads *threads, const struct event_record *record);
void timer_threads_feed_polls(struct timer_threads *threads, uint32_t thread, const struct poll *polls, size_t count);

/* Since when the host of a process is recorded (timer_begins.h); any_ns: the first event of all hosts but polls. */
int64_t timer_threads_begin_ns(const struct timer_threads *threads, uint32_t process, int64_t any_ns);

/* What the thread shows of a call whose execution has just started; the other members of the facts stay. */
void timer_threads_tell(struct timer_threads *threads, const struct execution *execution,
			const struct timer_asked *asked, struct timer_call_facts *facts);

/*
 * Since when another thread that may share the executor has recorded nothing but polls, which may be known later, while
 * it executes nothing: it may have looked since, and called the timer. INT64_MAX: there is none. `execution`: of the
 * timer, which has just started. O(TIMER_EXECUTORS_MAX).
 */
int64_t timer_threads_silent_since_ns(struct timer_threads *threads, const struct execution *execution);

/*
 * How many other threads began to execute a timer before a time, and have not started its callback: they were
 * preempted. `execution`: of the timer, which has just started. 0 of more than TIMER_EXECUTORS_MAX.
 */
uint32_t timer_threads_executing(struct timer_threads *threads, const struct execution *execution,
				 uint64_t timer_handle, int64_t before_ns);

/* How long ago an execution of the thread ended; INT64_MAX: there was none, or that is not known. */
int64_t timer_threads_pause_ns(const struct timer_threads *threads, uint32_t thread, int64_t time_ns);

/* The thread called a timer that was not due. */
void timer_threads_note_early(struct timer_threads *threads, uint32_t thread, int64_t time_ns);

/* Valid until a thread is seen first. */
struct timer_shown *timer_threads_shown(struct timer_threads *threads, uint32_t thread);

/* For what delayed a call that has started, and whether its thread is one of several of an executor. */
const struct timer_delays *timer_threads_delays(const struct timer_threads *threads);
bool timer_threads_is_shared(const struct timer_threads *threads, uint32_t thread);

#endif
