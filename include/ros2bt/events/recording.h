/* SPDX-License-Identifier: MIT */
/*
 * The hosts, traces, streams, processes and threads of a recording, by the small dense indexes that records hold.
 * Readers add them, analyses look them up. Entries are never removed; indexes are in order of appearance.
 *
 * A host is identified by clock UUID and hostname; a trace that has neither is a host of its own. A process is
 * identified by host, pid namespace and vpid, and is the same in all traces of a host; events without a vpid share one
 * process per trace. A thread is identified by trace, process and vtid: a kernel thread in two traces is two threads
 * here, because each trace has its own sequence of events and its own gaps. Only events of programs add processes and
 * threads; the ids in the contexts of a kernel's events are kept apart (recording_ids()).
 *
 * Memory: the entries, the largest of which are streams (456 bytes). Texts are in the string pool.
 */
#ifndef ROS2BT_RECORDING_H
#define ROS2BT_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/events/stream_packets.h"
#include "ros2bt/base/string_pool.h"
#include "ros2bt/events/event_schema.h"

#define RECORDING_NONE UINT32_MAX
#define RECORDING_STREAM_MAX UINT16_MAX /* the last stream index; all further streams share it */

struct recording;

struct recording_host {
	const char *hostname; /* in the pool, "" if unknown */
};

struct recording_trace {
	uint32_t host;
	const char *name; /* in the pool, "" if unknown; for messages */
	bool is_kernel;	  /* of the kernel's events */
	bool has_vpid;	  /* of the events of this process alone */
	int32_t vpid;
};

struct recording_process {
	uint32_t host;
	bool has_vpid; /* false: the process of all events of a trace without vpids */
	int32_t vpid;
	uint64_t pid_ns;      /* 0: not recorded */
	const char *procname; /* in the pool; "" if unknown; see recording_name_process() */
	bool has_node;	      /* procname is final */
};

struct recording_thread {
	uint32_t trace;
	uint32_t process;
	bool has_vtid; /* false: all threads of the process are this one */
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
	bool is_kernel;	      /* env "domain" is "kernel" */
};

/* The context of an event. The has_* members are the same in all events of a stream. */
struct recording_context {
	bool has_vpid, has_vtid, has_pid_ns;
	int32_t vpid, vtid;
	uint64_t pid_ns;
};

/* The pool is borrowed and must outlive the recording. */
struct recording *recording_create(struct string_pool *pool);
void recording_destroy(struct recording *recording);

struct string_pool *recording_pool(struct recording *recording);

/* Memory that lives as long as the recording. */
struct arena *recording_arena(struct recording *recording);

uint32_t recording_add_trace(struct recording *recording, const struct recording_trace_info *info);
uint16_t recording_add_stream(struct recording *recording, uint32_t trace);

/* Sets the CPU that a packet of a stream names, UINT64_MAX if it names none; to be called for each packet. */
void recording_set_stream_cpu(struct recording *recording, uint16_t stream, uint64_t cpu);

/* A packet of a stream begins or ends; to be called for each, in the order of the stream. */
void recording_packet_begins(struct recording *recording, uint16_t stream, int64_t time_ns);
void recording_packet_ends(struct recording *recording, uint16_t stream, int64_t time_ns);
/*
 * Between two of them, packets that the tracer made are missing, or events were discarded there or in the second one:
 * only other streams show that tracing was off meanwhile.
 */
void recording_packets_are_lost(struct recording *recording, uint16_t stream);
/*
 * Whether another packet follows the last one that was read, as a reader knows that is told of the end of a stream, but
 * of a packet only when it begins. One that reads each stream up to its next event need not tell.
 */
void recording_set_stream_has_more(struct recording *recording, uint16_t stream, bool has);

/*
 * The first packet of a stream begins at begin_ns. If it is not the first that the tracer made of it, `packets` before
 * it are missing (overwrite mode, tracefile-count). To be called before the first record, if this is known.
 */
void recording_set_stream_lost_before(struct recording *recording, uint16_t stream, uint64_t packets, int64_t begin_ns);

/* The metadata of a stream has switches of threads (sched_switch). To be called before the first record, if at all. */
void recording_set_stream_has_switches(struct recording *recording, uint16_t stream);

/*
 * The kinds of events that no metadata has, by enum event_kind. To be called before the first record, by a reader that
 * knows all metadata by then; otherwise the recording may have any.
 */
void recording_set_lacks(struct recording *recording, const bool *lacks);
bool recording_lacks(const struct recording *recording, enum event_kind kind);
/* Whether it lacks all of these kinds, ended by EVENT_KIND_COUNT; NULL: no. */
static inline bool recording_lacks_all(const struct recording *recording, const enum event_kind *kinds)
{
	while (kinds && *kinds != EVENT_KIND_COUNT && recording_lacks(recording, *kinds)) {
		kinds++;
	}
	return kinds && *kinds == EVENT_KIND_COUNT;
}

/*
 * The metadata of a stream has definitions only: a session of its own records them, and goes on while another one is
 * stopped. To be called before the first record, if at all.
 */
void recording_set_stream_has_definitions_only(struct recording *recording, uint16_t stream, bool has);

/*
 * The thread of an event, RECORDING_NONE if it is new (then add it). One hash of one word; readers remember the last
 * thread of each stream and rarely call this.
 */
uint32_t recording_find_thread(struct recording *recording, uint32_t trace, const struct recording_context *context);
uint32_t recording_add_thread(struct recording *recording, uint32_t trace, const struct recording_context *context,
			      const char *procname);

/*
 * To be called at each rcl_node_init, with the name in its context (`length` bytes at most; NULL: not recorded). A
 * process is named after its first thread seen, then after its main thread, and finally by the name that the main
 * thread has when it creates its first node: a program that replaces another one (exec, as after `nice`) has the ids of
 * that one, which may have recorded events of its own, such as allocations.
 */
void recording_name_process(struct recording *recording, uint32_t thread, const char *procname, size_t length);

/* The index of the ids in an event of a kernel; equal ids have equal indexes. One hash. */
uint32_t recording_add_ids(struct recording *recording, const struct recording_context *context);

/* The index of an unknown event class, which the first call adds. recording_count_unknown() counts an event of it. */
uint32_t recording_add_unknown_class(struct recording *recording, const char *name, const char *reason);
void recording_count_unknown(struct recording *recording, uint32_t unknown_class);

size_t recording_host_count(const struct recording *recording);
size_t recording_trace_count(const struct recording *recording);
size_t recording_stream_count(const struct recording *recording);
size_t recording_process_count(const struct recording *recording);
size_t recording_thread_count(const struct recording *recording);
size_t recording_ids_count(const struct recording *recording);
size_t recording_unknown_class_count(const struct recording *recording);

/* Borrowed; valid until the next recording_add_*(). */
const struct recording_host *recording_host(const struct recording *recording, uint32_t index);
const struct recording_trace *recording_trace(const struct recording *recording, uint32_t index);
uint32_t recording_stream_trace(const struct recording *recording, uint16_t stream);

/*
 * The CPU on which the events of a stream were recorded, according to the packets read so far; RECORDING_NONE if they
 * name none or several, and for the last stream index, which several streams may share. O(1).
 */
uint32_t recording_stream_cpu(const struct recording *recording, uint16_t stream);
/* When a stream was in a packet, as far as it has been read; borrowed, valid until the next recording_add_stream().
 * O(1). */
const struct stream_packets *recording_stream_packets(const struct recording *recording, uint16_t stream);
/* The number of streams with packets missing before the first one: borrowed, and changed when there are more. */
const size_t *recording_late_streams(const struct recording *recording);
/* Whether a packet of any stream has been read. O(streams). */
bool recording_has_packets(const struct recording *recording);
/*
 * Whether tracing was off (`lttng stop`) at some moment between two times, that is, no stream of more than definitions
 * was in a packet, and not only because packets are missing. The streams must have been read up to `to_ns`. O(streams).
 */
bool recording_was_off(const struct recording *recording, int64_t from_ns, int64_t to_ns);
/* The same, and the first time in which it was off. False: there is none. */
bool recording_find_off(const struct recording *recording, int64_t from_ns, int64_t to_ns, struct apart *off);
const struct recording_process *recording_process(const struct recording *recording, uint32_t index);
/* A process in messages: "talker (vpid 42)", with its host if there are several. To be freed with g_free(). */
char *recording_process_text(const struct recording *recording, uint32_t index);
const struct recording_thread *recording_thread(const struct recording *recording, uint32_t index);
const struct recording_context *recording_ids(const struct recording *recording, uint32_t index);
const struct recording_unknown_class *recording_unknown_class(const struct recording *recording, uint32_t index);

#endif
