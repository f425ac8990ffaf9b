/* SPDX-License-Identifier: MIT */
/*
 * What becomes of open executions, those that started and whose end is not recorded so far (executions.h).
 *
 * An execution is left when its thread looks for other work, waits for it (rclcpp_executor_get_next_ready and
 * _wait_for_work), or executes something else (rclcpp_executor_execute, callback_start). Then it is over, because the
 * callback threw or because it is that of a service that responds later than it returns (a deferred response, of which
 * no end is recorded up to Jazzy); or it executes other callbacks within itself and goes on after them. No event holds
 * which executor it is of, so only what follows decides:
 *   - If its end is recorded, it went on. If its callback starts again on the thread, or the outer one ends, it was
 *     over. Until then it stays open, so that it is paired in either case.
 *   - What has to know it earlier asks executions_fate(), which goes by the callback: one whose arguments show that it
 *     responds later (object_model.h), or a service callback of which no end has been recorded, is over; otherwise it
 *     does what its earlier executions did, if these agree. In all other cases it is in doubt, at most for
 *     EXECUTION_DOUBT_NS; then it counts as over.
 * A thread whose executor records none of these events (static and events executors, releases up to Foxy) leaves no
 * execution until another callback starts. So nothing shows when a callback was over that threw or responds later:
 * until its end is recorded, the thread may be in it or not (executions_enclosing()).
 *
 * An execution without end ran until left_ns at most; its duration is not known. A service callback of which the trace
 * has lost nothing is deferred (executions_is_deferred()). If no thread has left one, and the process or the recording
 * ends while one is open, nothing shows that it was over, and none is deferred.
 *
 * Cost: one comparison for the polls of a thread between two other events of it, and for rclcpp_executor_execute. Times
 * in ns.
 */
#ifndef ROS2BT_EXECUTION_FATES_H
#define ROS2BT_EXECUTION_FATES_H

#include "core/model/execution.h"

struct executions;

/*
 * The thread looks for work or waits for it: an event of class POLL. The first one since the thread's last event of
 * another class is enough.
 */
void executions_look(struct executions *executions, uint32_t thread, int64_t time_ns);

/*
 * If polls are kept until another event of their thread follows (poll_queue.h): who keeps them. `release` passes those
 * of a thread up to a time to executions_look() and whoever takes polls, so that executions_catch_up() can ask for
 * them: it is to be called before a question about another thread than that of the last record. Cost: O(1) and that of
 * the polls.
 */
typedef void (*executions_poll_source)(void *data, uint32_t thread, int64_t until_ns);
void executions_set_polls(struct executions *executions, executions_poll_source release, void *data);
void executions_catch_up(struct executions *executions, uint32_t thread, int64_t until_ns);

/* What becomes of an open execution, as far as known at now_ns, the time of the last record or earlier. O(1). */
enum execution_fate executions_fate(const struct executions *executions, const struct execution *execution,
				    int64_t now_ns);

/*
 * The execution that a thread is in: the innermost open one that is not over. NULL if there is none, if it is in doubt,
 * if events may be lost or if the trace records no vtid. O(open frames).
 */
struct execution *executions_current(struct executions *executions, uint32_t thread, int64_t now_ns);

/*
 * The execution that a thread may be in, by what is certain alone: it is if *is_certain, that is if the thread has not
 * left it and records when it does; else it turns out to have contained what happens now if it ends with
 * EXECUTION_COMPLETE. NULL: it is in none. O(open frames).
 */
struct execution *executions_enclosing(struct executions *executions, uint32_t thread, bool *is_certain);

/* The outermost open execution of a thread, left or not; NULL: there is none. O(open frames). */
const struct execution *executions_outermost(struct executions *executions, uint32_t thread);

/*
 * Whether a thread is one of several of an executor: since its process last initialized a context, a callback has
 * started on it and on another one. O(1).
 */
bool executions_is_shared(struct executions *executions, uint32_t thread);

/* Whether a thread without a current execution may be in one that it has left. O(open frames). */
bool executions_are_in_doubt(struct executions *executions, uint32_t thread, int64_t now_ns);

/* Whether the thread has looked for work, or executed something else, since a time: what it took then is done. O(1). */
bool executions_has_looked(struct executions *executions, uint32_t thread, int64_t since_ns);

/* Whether a callback responds later than it returns, as far as known by now. Its executions end without end. */
bool executions_is_deferred(const struct executions *executions, struct model_callback *callback);

/* Whether a thread without a current execution may be in one whose start was lost. O(1). */
bool executions_may_have_lost_start(struct executions *executions, uint32_t thread);

/*
 * Whether other events of its thread may be missing before the record that executions_follow() was called with last:
 * the thread continues nothing that it had begun. False before the first loss. O(1).
 */
bool executions_is_after_loss(const struct executions *executions);

/*
 * Whether events of a thread's trace may be missing between two times that are not in the future. Where a silence ends
 * is known when its stream goes on, so the same question may be answered false later. O(1) in a trace that lost
 * nothing, else O(streams).
 */
bool executions_may_miss_events(const struct executions *executions, uint32_t thread, int64_t from_ns, int64_t to_ns);

#endif
