/* SPDX-License-Identifier: MIT */
/*
 * ROS 2 systems made by hand, event by event, for unit tests of what listens to the flow linker: definitions of
 * numbered objects, and the runtime events of publish, take and callbacks, STEP_NS apart. Include it in one file of a
 * test only.
 */
#ifndef TESTS_UNIT_FLOW_RECORDS_H
#define TESTS_UNIT_FLOW_RECORDS_H

#include <criterion/criterion.h>

#include "records.h"
#include "ros2bt/events/event_schema.h"
#include "ros2bt/flow/pipeline.h"

#define STEP_NS INT64_C(1000)
#define MS INT64_C(1000000)

/* Addresses: the kind, plus the object's number. */
enum {
	NODE = 0x1000,
	RMW_NODE = 0x1100,
	PUBLISHER = 0x2000,
	RMW_PUBLISHER = 0x2100,
	SUBSCRIPTION = 0x3000,
	RMW_SUBSCRIPTION = 0x3100,
	OBJECT = 0x3200,
	INTRA_OBJECT = 0x3300,
	IPB = 0x3400,
	BUFFER = 0x3500,
	TIMER = 0x4000,
	SERVICE = 0x5000,
	RMW_SERVICE = 0x5100,
	CLIENT = 0x6000,
	RMW_CLIENT = 0x6100,
	SUBSCRIPTION_CALLBACK = 0x7000,
	INTRA_CALLBACK = 0x7100,
	TIMER_CALLBACK = 0x7200,
	SERVICE_CALLBACK = 0x7300,
	MESSAGE = 0x9000,
};

static struct pipeline *pipeline;
static struct pipeline *second_pipeline; /* NULL, or it is fed the same records */
static struct object_model *model;	 /* these four are the pipeline's */
static struct diagnostics *diagnostics;
static struct executions *executions;
static struct flow_linker *linker;
static uint32_t talker, talker_2, listener, listener_2; /* threads: two processes, the first one with two threads */
static int64_t now_ns;
static GArray *script; /* not NULL: records are written into it and not fed */

static inline void flow_setup_recording(void)
{
	recording_setup();
	add_trace("trace");
	for (int i = 0; i < 3; i++) {
		recording_add_stream(recording, 0);
	}
	talker = add_thread(0, 1, 1);
	talker_2 = add_thread(0, 1, 2);
	listener = add_thread(0, 3, 3);
	listener_2 = add_thread(0, 3, 4);
	now_ns = 1000 * MS;
}

static inline void flow_setup_analysis(void)
{
	pipeline = pipeline_create(recording, PIPELINE_FLOWS | PIPELINE_INFERRED);
	model = pipeline->model;
	diagnostics = pipeline->diagnostics;
	executions = pipeline->executions;
	linker = pipeline->flows;
}

static inline void flow_teardown_analysis(void)
{
	g_clear_pointer(&pipeline, pipeline_destroy);
	g_clear_pointer(&second_pipeline, pipeline_destroy);
}

static inline void feed(struct event_record record)
{
	if (script) {
		g_array_append_val(script, record);
		return;
	}
	pipeline_feed(pipeline, &record);
	if (second_pipeline) {
		pipeline_feed(second_pipeline, &record);
	}
}

static inline void finish(void)
{
	pipeline_finish(pipeline);
	if (second_pipeline) {
		pipeline_finish(second_pipeline);
	}
}

/* The last record of the script once more. */
static inline void repeat(void)
{
	struct event_record last = g_array_index(script, struct event_record, script->len - 1);

	g_array_append_val(script, last);
}

#define NEXT(kind, thread, ...) feed(RECORD(kind, (thread), now_ns += STEP_NS, __VA_ARGS__))

/* --- definitions --- */

static inline void define_node(uint32_t thread, const char *name)
{
	NEXT(RCL_NODE_INIT, thread, NODE, RMW_NODE, text(name), text("/"));
}

static inline void define_publisher(uint32_t thread, uint64_t number, const char *topic)
{
	NEXT(RCL_PUBLISHER_INIT, thread, PUBLISHER + number, NODE, RMW_PUBLISHER + number, text(topic), 10);
}

static inline void define_subscription(uint32_t thread, uint64_t number, const char *topic)
{
	NEXT(RCL_SUBSCRIPTION_INIT, thread, SUBSCRIPTION + number, NODE, RMW_SUBSCRIPTION + number, text(topic), 10);
	NEXT(RCLCPP_SUBSCRIPTION_INIT, thread, SUBSCRIPTION + number, OBJECT + number);
	NEXT(RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, thread, OBJECT + number, SUBSCRIPTION_CALLBACK + number);
}

/* The same of another node of the process, of a hidden name. */
static inline void define_hidden_subscription(uint32_t thread, uint64_t number, const char *topic)
{
	NEXT(RCL_NODE_INIT, thread, NODE + 1, RMW_NODE + 1, text("_hidden"), text("/"));
	NEXT(RCL_SUBSCRIPTION_INIT, thread, SUBSCRIPTION + number, NODE + 1, RMW_SUBSCRIPTION + number, text(topic),
	     10);
	NEXT(RCLCPP_SUBSCRIPTION_INIT, thread, SUBSCRIPTION + number, OBJECT + number);
	NEXT(RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, thread, OBJECT + number, SUBSCRIPTION_CALLBACK + number);
}

/* The intra-process part of a subscription, with its ring buffer. */
static inline void define_intra_process(uint32_t thread, uint64_t number)
{
	NEXT(RCLCPP_BUFFER_TO_IPB, thread, BUFFER + number, IPB + number);
	NEXT(RCLCPP_IPB_TO_SUBSCRIPTION, thread, IPB + number, INTRA_OBJECT + number);
	NEXT(RCLCPP_SUBSCRIPTION_INIT, thread, SUBSCRIPTION + number, INTRA_OBJECT + number);
	NEXT(RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, thread, INTRA_OBJECT + number, INTRA_CALLBACK + number);
}

/* Of a node without rclcpp. */
static inline void define_plain_subscription(uint32_t thread, uint64_t number, const char *topic)
{
	NEXT(RCL_SUBSCRIPTION_INIT, thread, SUBSCRIPTION + number, NODE, RMW_SUBSCRIPTION + number, text(topic), 10);
}

static inline void define_timer(uint32_t thread, uint64_t number)
{
	NEXT(RCL_TIMER_INIT, thread, TIMER + number, 10 * MS);
	NEXT(RCLCPP_TIMER_CALLBACK_ADDED, thread, TIMER + number, TIMER_CALLBACK + number);
	NEXT(RCLCPP_TIMER_LINK_NODE, thread, TIMER + number, NODE);
}

static inline void define_service(uint32_t thread, uint64_t number, const char *name)
{
	NEXT(RCL_SERVICE_INIT, thread, SERVICE + number, NODE, RMW_SERVICE + number, text(name));
	NEXT(RCLCPP_SERVICE_CALLBACK_ADDED, thread, SERVICE + number, SERVICE_CALLBACK + number);
}

static inline uint64_t gid(const char *characters)
{
	return (uint64_t)(uintptr_t)string_pool_intern_bytes(pool, characters, GID_SIZE);
}

static inline void define_client(uint32_t thread, uint64_t number, const char *name, uint64_t client_gid)
{
	NEXT(RMW_CLIENT_INIT, thread, RMW_CLIENT + number, client_gid);
	NEXT(RCL_CLIENT_INIT, thread, CLIENT + number, NODE, RMW_CLIENT + number, text(name));
}

/* --- what happens --- */

static inline void start(uint32_t thread, uint64_t callback)
{
	NEXT(CALLBACK_START, thread, callback, callback >= INTRA_CALLBACK && callback < TIMER_CALLBACK);
}

static inline void end(uint32_t thread, uint64_t callback)
{
	NEXT(CALLBACK_END, thread, callback);
}

/* All steps, with a stamp. */
static inline void publish(uint32_t thread, uint64_t number, uint64_t stamp)
{
	NEXT(RCLCPP_PUBLISH, thread, MESSAGE);
	NEXT(RCL_PUBLISH, thread, MESSAGE, PUBLISHER + number);
	NEXT(RMW_PUBLISH, thread, MESSAGE, RMW_PUBLISHER + number, stamp);
}

static inline void take(uint32_t thread, uint64_t number, uint64_t stamp)
{
	NEXT(RMW_TAKE, thread, MESSAGE, RMW_SUBSCRIPTION + number, stamp, 1);
	NEXT(RCL_TAKE, thread, MESSAGE);
	NEXT(RCLCPP_TAKE, thread, MESSAGE);
}

/* All steps of a node without rclcpp. */
static inline void publish_plain(uint32_t thread, uint64_t number, uint64_t stamp)
{
	NEXT(RCL_PUBLISH, thread, MESSAGE, PUBLISHER + number);
	NEXT(RMW_PUBLISH, thread, MESSAGE, RMW_PUBLISHER + number, stamp);
}

static inline void take_plain(uint32_t thread, uint64_t number, uint64_t stamp)
{
	NEXT(RMW_TAKE, thread, MESSAGE, RMW_SUBSCRIPTION + number, stamp, 1);
	NEXT(RCL_TAKE, thread, MESSAGE);
}

static inline void run_callback(uint32_t thread, uint64_t callback)
{
	start(thread, callback);
	end(thread, callback);
}

/* The callback publishes. */
static inline void publish_in(uint32_t thread, uint64_t callback, uint64_t number, uint64_t stamp)
{
	start(thread, callback);
	publish(thread, number, stamp);
	end(thread, callback);
}

/* Takes a message and runs its callback. */
static inline void handle(uint32_t thread, uint64_t number, uint64_t stamp)
{
	take(thread, number, stamp);
	run_callback(thread, SUBSCRIPTION_CALLBACK + number);
}

/* The same, and the callback publishes. */
static inline void pass_on(uint32_t thread, uint64_t number, uint64_t stamp, uint64_t publisher, uint64_t next_stamp)
{
	take(thread, number, stamp);
	publish_in(thread, SUBSCRIPTION_CALLBACK + number, publisher, next_stamp);
}

/* Something that has nothing to do with messages: the process runs. */
static inline void run(uint32_t thread)
{
	NEXT(RCLCPP_EXECUTOR_EXECUTE, thread, 0);
}

static inline uint64_t addresses(uint64_t first, uint64_t second)
{
	const uint64_t words[] = { second ? 2 : 1, first, second };

	return (uint64_t)(uintptr_t)string_pool_intern_bytes(pool, words, (second ? 3 : 2) * sizeof(uint64_t));
}

#endif
