/* SPDX-License-Identifier: MIT */
/*
 * Most unit tests of analyses: a session of all analyses (kept_tables.h), and the records of a test (flow_records.h),
 * which are collected in `script` and fed by report(). Include it in one file of a test only.
 */
#ifndef TESTS_UNIT_SCRIPTED_SESSION_H
#define TESTS_UNIT_SCRIPTED_SESSION_H

#include "flow_records.h"
#include "kept_tables.h"

/* With kept_options as they are. */
static inline void begin_scripted_session(void)
{
	begin_session();
	script = g_array_new(FALSE, FALSE, sizeof(struct event_record));
}

/* The processes and threads of flow_records.h, nothing defined. */
static inline void scripted_setup(void)
{
	kept_options = (struct analysis_options){ 0 };
	flow_setup_recording();
	begin_scripted_session();
}

/* Times of runtime events, once a few objects are defined from time 0 on. */
#define BEGIN_NS MS

/* The node /talker with the timers 1 and 2, 10 ms each: events of their callbacks are at BEGIN_NS or later. */
static inline void scripted_setup_timers(void)
{
	scripted_setup();
	now_ns = 0;
	define_node(talker, "talker");
	define_timer(talker, 1);
	define_timer(talker, 2);
}

static uint16_t cpu_stream; /* of the kernel's only CPU */

/* The same with a trace of the kernel, 1. The tid of a thread of user space is its vtid. */
static inline void scripted_setup_kernel(void)
{
	scripted_setup_timers();
	recording_add_trace(recording, &(struct recording_trace_info){ .name = "kernel", .hostname = "host" });
	cpu_stream = recording_add_stream(recording, 1);
	recording_set_stream_cpu(recording, cpu_stream, 0);
}

static inline void scripted_teardown(void)
{
	destroy_session();
	g_clear_pointer(&script, g_array_unref);
	recording_teardown();
	g_clear_pointer(&kept_nodes, name_filter_destroy);
}

static inline void start_at(uint32_t thread, int64_t time_ns, uint64_t callback)
{
	feed(RECORD(CALLBACK_START, thread, BEGIN_NS + time_ns, callback, 0));
}

static inline void end_at(uint32_t thread, int64_t time_ns, uint64_t callback)
{
	feed(RECORD(CALLBACK_END, thread, BEGIN_NS + time_ns, callback));
}

/* Feeds what the script has and forgets it. */
static inline void feed_script(void)
{
	session_feed(session, (const struct event_record *)(const void *)script->data, script->len);
	g_array_set_size(script, 0);
}

/* The end of the recording: tables and diagnostics are complete. */
static inline void report(void)
{
	feed_script();
	cr_assert(session_finish(session, NULL));
}

#endif
