/* SPDX-License-Identifier: MIT */
/*
 * struct event_record: one decoded item of a trace, in 64 bytes that depend neither on babeltrace2 nor on a file. Every
 * reader produces records, and every analysis is fed with them in the order of the merged trace.
 *
 * A record is an event of the table (record->kind < EVENT_KIND_COUNT, with words by slot) or describes the recording
 * itself (the kinds below).
 *
 * A word holds an integer or an address; signed integers are sign-extended, so a cast to int64_t restores them. A
 * STRING or GID word is a pointer into the session's string pool (string_pool.h): equal contents have equal pointers,
 * which are valid as long as the pool. An ADDRESSES word points to a struct address_list.
 */
#ifndef ROS2BT_EVENT_RECORD_H
#define ROS2BT_EVENT_RECORD_H

#include <stddef.h>
#include <string.h>

#include "core/events/points/point_events.h"
#include "ros2bt/events/event_schema.h"

enum record_kind {
	/*
	 * Events of a stream were lost between time_ns (the end of the previous packet) and RECORD__end_ns (the end of
	 * the packet that begins now, where a RECORD_GAP follows). RECORD__count is their number, RECORD_COUNT_UNKNOWN
	 * if the trace does not record it or if it is absurd. With LTTng in discard mode the loss is at the end of the
	 * packet: an event that no longer fits is dropped until the reader frees another buffer, and the counter is
	 * written when the first event of the next packet closes this one (lttng-ust, ring_buffer_frontend.c,
	 * template.h). From the first loss to the end of the packet everything is lost, except events small enough to
	 * fit the remaining bytes.
	 * A packet that is filled to its last byte is closed at once. Later losses are then counted in the next packet
	 * although they precede its start, where there is another RECORD_GAP.
	 * A stream without packets has no RECORD_GAP, and the loss may be anywhere in the range.
	 */
	RECORD_DISCARDED_EVENTS = EVENT_KIND_COUNT,
	/* Whole packets were lost between time_ns and RECORD__end_ns (RECORD__count of them). */
	RECORD_DISCARDED_PACKETS,
	/*
	 * The end of a packet with lost events, or the start of one that does not directly follow its predecessor:
	 * something is missing between the stream's last event and here.
	 */
	RECORD_GAP,
	/* The stream has no more records. */
	RECORD_STREAM_END,
	/*
	 * RECORD__count successive polls (poll.h) of a thread; time_ns is that of the first. The others may be later
	 * than following records of other streams. RECORD__polls points to them; they are valid as long as the batch of
	 * records. Only readers whose event_interest joins polls make these records.
	 */
	RECORD_POLLS,
	/*
	 * RECORD__count successive beginnings and ends of system calls in a stream of a kernel (kernel_call.h); time_ns
	 * is that of the first. No record of another stream is due between them. RECORD__calls points to them; they are
	 * valid as long as the batch of records. Only readers whose event_interest joins calls make these records.
	 */
	RECORD_CALLS,
	/*
	 * An event that the user chose to measure by (point_events.h): RECORD__point is its index in the reader's
	 * event_interest, RECORD__values points to its struct point_values, which is valid as long as the batch of
	 * records. An event of a kernel has RECORD__ids instead of a thread (see below).
	 */
	RECORD_POINT,
	/*
	 * The value of a counter in the context of an event (LTTng's `perf:thread:NAME`, a count of the thread):
	 * RECORD__counter_value of RECORD__counter_name, a text in the pool, such as "task_clock" for the field
	 * perf_thread_task_clock. The counters of an event precede it, with its thread, stream and time. Only readers
	 * whose event_interest wants the counters of a kind make these records, at most RECORD_COUNTERS_MAX per event.
	 */
	RECORD_COUNTER,
	RECORD_KIND_COUNT,
};

enum record_slot {
	RECORD__count = 0,
	RECORD__end_ns = 1,
	RECORD__polls = 1,
	RECORD__calls = 1,
	RECORD__point = 0,
	RECORD__values = 1,
	RECORD__counter_name = 0,
	RECORD__counter_value = 1,
	RECORD__ids = 2,
};
#define RECORD_COUNTERS_MAX 64 /* LTTng-UST has 37 names */
#define RECORD_COUNTER_PREFIX "perf_thread_"
#define RECORD_COUNT_UNKNOWN UINT64_MAX
#define RECORD_COUNT_MAX INT64_MAX /* a larger count is that of a counter that went backwards: unknown */

/*
 * Times of records lie within this distance of the Unix epoch (years 1823 to 2116), so the difference of any two fits
 * 64 bits.
 */
#define RECORD_TIME_MAX_NS ((INT64_C(1) << 62) - 1)

enum record_flag {
	RECORD_FROM_CARET = 1, /* provider ros2_caret */
	RECORD_HAS_INIT_TIME =
		2, /* word[EVENT_SLOT_INIT_TIME] is the time of initialization, ns since the Unix epoch */
};

/*
 * In events of class SYSTEM, `thread` is not a thread of the recording but the index of the ids of the thread that ran
 * on the CPU (recording_ids(): vpid, vtid, and pid_ns if recorded), or RECORDING_NONE if vpid or vtid is not among the
 * contexts of the kernel's events. The idle thread of a CPU has vpid and vtid 0. See kernel_threads.h.
 */

/* The word with the init_timestamp of an INIT event of CARET, converted like any time of the trace. */
#define EVENT_SLOT_INIT_TIME (EVENT_SLOTS - 1)

struct event_record {
	int64_t time_ns;   /* since the Unix epoch, as babeltrace2 computes it */
	uint32_t thread;   /* index, see recording.h and above; RECORDING_NONE in records about the recording itself */
	uint16_t stream;   /* index, see recording.h */
	uint8_t kind;	   /* enum event_kind or enum record_kind */
	uint8_t flags : 2; /* enum record_flag */
	uint8_t present : 6; /* bit i: word i is present */
	uint64_t word[EVENT_SLOTS];
};

_Static_assert(sizeof(struct event_record) == 64, "a record fills a cache line");
_Static_assert(RECORD_KIND_COUNT <= 256, "kinds fit");

/* The 8 bytes behind the time: a reader knows a part of them by the event's class, and the rest by its thread. */
static inline uint64_t event_record_head(const struct event_record *record)
{
	uint64_t head;

	memcpy(&head, (const uint8_t *)record + offsetof(struct event_record, thread), sizeof(head));
	return head;
}

/* The same of a record that is nothing but its thread, which comes first. Not by way of memory: the processor would
 * wait for what it has stored in parts. */
static inline uint64_t event_record_thread_head(uint32_t thread)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? thread : (uint64_t)thread << 32;
}

static inline void event_record_set_head(struct event_record *record, uint64_t head)
{
	memcpy((uint8_t *)record + offsetof(struct event_record, thread), &head, sizeof(head));
}

struct address_list {
	uint64_t count;
	uint64_t address[];
};

/* Of a RECORD_POINT. */
static inline const struct point_values *record_point_values(const struct event_record *record)
{
	return (const struct point_values *)(uintptr_t)record->word[RECORD__values];
}

static inline bool record_time_fits(int64_t time_ns)
{
	return time_ns >= -RECORD_TIME_MAX_NS && time_ns <= RECORD_TIME_MAX_NS;
}

static inline bool record_has(const struct event_record *record, unsigned int slot)
{
	return record->present >> slot & 1;
}

/* The time from which a definition holds: its init_timestamp, else the time of the event. */
static inline int64_t record_since_ns(const struct event_record *record)
{
	return record->flags & RECORD_HAS_INIT_TIME ? (int64_t)record->word[EVENT_SLOT_INIT_TIME] : record->time_ns;
}

static inline const char *record_string(const struct event_record *record, unsigned int slot)
{
	return record_has(record, slot) ? (const char *)(uintptr_t)record->word[slot] : NULL;
}

#endif
