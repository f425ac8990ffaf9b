/* SPDX-License-Identifier: MIT */
/*
 * Who is recorded: hosts, traces, streams, processes and threads, as small dense indexes that records carry.
 * Readers add to it, analyses look things up. Entries are never removed; index order is order of appearance.
 *
 * Identity: a host is (clock UUID, hostname), or the trace itself where it tells neither. A process is (host, pid
 * namespace, vpid), the same in all traces of a host; one process per trace where the events have no vpid. A
 * thread is (trace, process, vtid): the same kernel thread in two traces is two threads here, because each
 * trace has its own sequence of events and its own gaps.
 */
#ifndef ROS2BT_RECORDING_H
#define ROS2BT_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/string_pool.h"

#define RECORDING_NONE UINT32_MAX
#define RECORDING_STREAM_MAX UINT16_MAX /* the last stream index stands for all further streams */

struct recording;

struct recording_host {
	const char *hostname; /* in the pool, "" if unknown */
};

struct recording_trace {
	uint32_t host;
	const char *name; /* in the pool, for messages */
};

struct recording_process {
	uint32_t host;
	bool has_vpid; /* false: all events of a trace whose events do not tell their process */
	int32_t vpid;
	uint64_t pid_ns;      /* 0: not recorded */
	const char *procname; /* in the pool, that of the main thread if seen, "" if unknown */
};

struct recording_thread {
	uint32_t trace;
	uint32_t process;
	bool has_vtid; /* false: all threads of the process in one */
	int32_t vtid;
};

/* An event class that could not be decoded. */
struct recording_unknown_class {
	const char *name;   /* in the pool */
	const char *reason; /* in the pool */
	uint64_t count;	    /* events */
};

struct recording_trace_info {
	const char *name;	   /* path or name of the trace, may be NULL */
	const char *hostname;	   /* env "hostname", may be NULL */
	const uint8_t *clock_uuid; /* 16 bytes, or NULL */
	bool has_vpid;		   /* env "vpid" of a per-process trace */
	int32_t vpid;
	const char *procname; /* env "procname", may be NULL */
};

/* What an event tells of its thread; the has_* are properties of the stream. */
struct recording_context {
	bool has_vpid, has_vtid, has_pid_ns;
	int32_t vpid, vtid;
	uint64_t pid_ns;
};

/* The pool is borrowed and must outlive the recording. */
struct recording *recording_create(struct string_pool *pool);
void recording_destroy(struct recording *recording);

struct string_pool *recording_pool(struct recording *recording);

/* Memory for what is told of the recording and lives as long as it. */
struct arena *recording_arena(struct recording *recording);

uint32_t recording_add_trace(struct recording *recording, const struct recording_trace_info *info);
uint16_t recording_add_stream(struct recording *recording, uint32_t trace);

/*
 * The thread of an event, RECORDING_NONE if it is new (then add it). One hash of one word; readers should
 * remember the last thread of each stream and not even call this.
 */
uint32_t recording_find_thread(struct recording *recording, uint32_t trace, const struct recording_context *context);
uint32_t recording_add_thread(struct recording *recording, uint32_t trace, const struct recording_context *context,
			      const char *procname);

/* The entry of an unknown event class (made at the first call); count up entry.count by recording_count_unknown(). */
uint32_t recording_add_unknown_class(struct recording *recording, const char *name, const char *reason);
void recording_count_unknown(struct recording *recording, uint32_t unknown_class);

size_t recording_host_count(const struct recording *recording);
size_t recording_trace_count(const struct recording *recording);
size_t recording_stream_count(const struct recording *recording);
size_t recording_process_count(const struct recording *recording);
size_t recording_thread_count(const struct recording *recording);
size_t recording_unknown_class_count(const struct recording *recording);

/* Borrowed; pointers are invalid after the next recording_add_*(). */
const struct recording_host *recording_host(const struct recording *recording, uint32_t index);
const struct recording_trace *recording_trace(const struct recording *recording, uint32_t index);
uint32_t recording_stream_trace(const struct recording *recording, uint16_t stream);
const struct recording_process *recording_process(const struct recording *recording, uint32_t index);
/* A process for people: "talker (vpid 42)", with its host if there are several; to be freed by g_free(). */
char *recording_process_text(const struct recording *recording, uint32_t index);
const struct recording_thread *recording_thread(const struct recording *recording, uint32_t index);
const struct recording_unknown_class *recording_unknown_class(const struct recording *recording, uint32_t index);

#endif
