/* SPDX-License-Identifier: MIT */
/*
 * Inferred executions: callbacks of nodes whose client library records none (rclpy, rclc, …). What is recorded is the
 * take of a message or request; a callback of it follows on the same thread, or later on another one.
 *
 *   thread   ──take──(callback: begins up to 0.1 ms later)────────take──
 *              │                         └ publications            │
 *              start_ns                                            end_max_ns
 *
 * - A take opens one if object_model_inferred_subscription() or _service() gives a callback. A message that was not
 *   taken (`taken` 0) opens none. Several may be open on threads of one process.
 * - The next boundary of the thread closes it: a take of a known subscription, service or client, a response, a timer
 *   that is created (rclpy: a wait with a timeout), the start of a callback, an executor that goes on. The end of the
 *   callback lies before the boundary, how long before is not recorded: a thread may have waited meanwhile. So there
 *   is no duration, and none of these executions is one of executions.h.
 * - Takes that follow one another within INFERRED_BATCH_NS are a batch: an executor that takes all that is ready before
 *   it executes (rclc's LET semantics, r2r). All of them are open until the next boundary; the order of their callbacks
 *   is not recorded. So are takes of different parts of one action, at any distance: rclpy takes all of an action that
 *   is ready, then executes.
 * - A take whose thread starts a callback next that may be of the subscription (nothing is known of it) is that
 *   callback's: it opens nothing. It is therefore only at the thread's next event that listeners hear of a take.
 * - Where events were lost, or at the end of the recording, an execution is closed without end_max_ns.
 *
 * Of threads without vtid nothing is inferred. Memory: the open executions; INFERRED_BATCH_MAX for each thread.
 */
#ifndef ROS2BT_INFERRED_EXECUTIONS_H
#define ROS2BT_INFERRED_EXECUTIONS_H

#include "core/base/time_units.h"
#include "ros2bt/event_record.h"
#include "ros2bt/object_model.h"
#include "ros2bt/recording.h"

/* rclc takes 1.3 µs apart, rclpy at least 50 µs: a callback lies in between. */
#define INFERRED_BATCH_NS (20 * NS_PER_US)
#define INFERRED_BATCH_MAX 16
#define INFERRED_NO_END INT64_MAX
#define INFERRED_PUBLICATIONS_MAX 8

/* Publications that may be of an inferred execution. */
struct inferred_publications {
	uint32_t condition; /* on which they are: flow_linker_holds() */
	int64_t last_ns;
};

struct inferred_executions;

struct inferred_execution {
	struct model_callback *callback; /* of kind CALLBACK_KIND_INFERRED */
	uint32_t thread;
	int64_t start_ns;   /* its take */
	int64_t end_max_ns; /* it has ended by then; only when closed, INFERRED_NO_END: unknown */
	void *flow;	    /* the flow linker's, as the publications: of as many publishers as there is room for */
	struct inferred_publications publications[INFERRED_PUBLICATIONS_MAX];
	uint32_t publications_count;
};

/* A member that is NULL is not called. */
struct inferred_listener {
	void *data;
	void (*taken)(void *data, uint32_t thread, int64_t take_ns); /* at the take, in the order of the trace */
	void (*opened)(void *data, struct inferred_execution *execution);
	/* In the order of the takes of a thread. The execution may have moved in memory, and is gone afterwards. */
	void (*closed)(void *data, struct inferred_execution *execution);
};

/* All are borrowed and must outlive it. */
struct inferred_executions *inferred_executions_create(struct recording *recording, struct object_model *model);
void inferred_executions_destroy(struct inferred_executions *inferred); /* NULL is allowed */
void inferred_executions_add_listener(struct inferred_executions *inferred, const struct inferred_listener *listener);

/* To be called with every record once the model has an object to infer from (object_model_inferable_count()). */
void inferred_executions_feed(struct inferred_executions *inferred, const struct event_record *record);

/* The end of the recording: all that is open is closed. */
void inferred_executions_finish(struct inferred_executions *inferred);

/*
 * The open batch of a thread; *count is 0 if there is none. Valid until the next record. O(1).
 */
struct inferred_execution *inferred_executions_open(struct inferred_executions *inferred, uint32_t thread,
						    size_t *count);

#endif
