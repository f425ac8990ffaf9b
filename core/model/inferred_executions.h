/* SPDX-License-Identifier: MIT */
/*
 * Inferred executions: executions of callbacks of nodes without rclcpp (rclpy, rclc, …), whose client libraries record
 * none. What is recorded is the take of a message or request; its callback follows on the same thread, or later on
 * another one.
 *
 *   thread   ──take──(callback: begins up to 0.1 ms later)────────take──
 *              │                         └ publications            │
 *              start_ns                                            end_max_ns
 *
 * - A take opens one if object_model_inferred_subscription() or _service() gives a callback and a message was taken
 *   (`taken` is not 0).
 * - The next boundary of the thread closes it: a take of a known subscription, service or client, a response, the
 *   creation of a timer (in rclpy, a wait with a timeout), the start of a callback, rclcpp_executor_execute. The
 *   callback ended at some time before the boundary; the thread may have waited in between. So an inferred execution
 *   has no duration, and is none of those of executions.h.
 * - Takes less than INFERRED_BATCH_NS apart are a batch: the executor takes all that is ready before it executes
 *   (rclc's LET semantics, r2r). All of them stay open until the next boundary; the order of their callbacks is not
 *   recorded. Takes of different parts of one action are a batch at any distance: rclpy takes all that is ready of an
 *   action, then executes.
 * - If a thread starts a callback right after a take, and the callback may be that of the subscription (the trace does
 *   not say of what it is), the take belongs to that callback and opens nothing. Listeners therefore hear of a take at
 *   the next event of the thread.
 * - A loss of events or the end of the recording closes an execution without end_max_ns.
 *
 * Nothing is inferred on threads without vtid. Cost: O(1) per record. Memory: INFERRED_BATCH_MAX open executions per
 * thread.
 */
#ifndef ROS2BT_INFERRED_EXECUTIONS_H
#define ROS2BT_INFERRED_EXECUTIONS_H

#include "ros2bt/base/time_units.h"
#include "ros2bt/events/event_record.h"
#include "ros2bt/events/recording.h"
#include "ros2bt/model/object_model.h"

/* Takes of rclc are 1.3 µs apart, those of rclpy at least 50 µs: a callback lies in between. */
#define INFERRED_BATCH_NS (20 * NS_PER_US)
#define INFERRED_BATCH_MAX 16
#define INFERRED_NO_END INT64_MAX
#define INFERRED_PUBLICATIONS_MAX 8

/* Publications that may belong to an inferred execution. */
struct inferred_publications {
	uint32_t condition; /* under which they do: flow_linker_holds() */
	int64_t last_ns;
};

struct inferred_executions;

struct inferred_execution {
	struct model_callback *callback; /* of kind CALLBACK_KIND_INFERRED */
	uint32_t thread;
	int64_t start_ns;   /* its take */
	int64_t end_max_ns; /* it has ended by then; set when closed, INFERRED_NO_END: unknown */
	void *flow; /* for the flow linker, as the publications, of at most INFERRED_PUBLICATIONS_MAX publishers */
	struct inferred_publications publications[INFERRED_PUBLICATIONS_MAX];
	uint32_t publications_count;
};

/* A member that is NULL is not called. */
struct inferred_listener {
	void *data;
	void (*taken)(void *data, uint32_t thread, int64_t take_ns); /* at the take, in the order of the trace */
	void (*opened)(void *data, struct inferred_execution *execution);
	/* In the order of the takes of a thread. The execution may have moved in memory; it is invalid afterwards. */
	void (*closed)(void *data, struct inferred_execution *execution);
};

/* The recording and the model are borrowed and must outlive it. */
struct inferred_executions *inferred_executions_create(struct recording *recording, struct object_model *model);
void inferred_executions_destroy(struct inferred_executions *inferred); /* NULL is allowed */
void inferred_executions_add_listener(struct inferred_executions *inferred, const struct inferred_listener *listener);

/* To be called with every record from the first on at which object_model_inferable_count() is not 0. */
void inferred_executions_feed(struct inferred_executions *inferred, const struct event_record *record);

/* Whether that does anything with records of a kind, and with those that may open an execution, while none is. */
bool inferred_executions_take(unsigned int kind);
bool inferred_executions_may_open(unsigned int kind);

/* Whether any execution was opened so far. */
bool inferred_executions_has_any(const struct inferred_executions *inferred);

/* The end of the recording: closes all open executions. */
void inferred_executions_finish(struct inferred_executions *inferred);

/* The open batch of a thread; *count is 0 if there is none. Valid until the next record. O(1). */
struct inferred_execution *inferred_executions_open(struct inferred_executions *inferred, uint32_t thread,
						    size_t *count);

#endif
