/* SPDX-License-Identifier: MIT */
/*
 * struct event_record: one decoded thing of a trace. Self-contained (nothing of babeltrace2 or of a file), 64 bytes.
 * Every reader makes records, every analysis is fed with them, in the order of the merged trace.
 *
 * A record is an event of the table (record->kind < EVENT_KIND_COUNT; words by slot) or tells of the
 * recording itself (the kinds below).
 *
 * Words: integers and addresses as they are (signed ones sign-extended, so a cast to int64_t gives the value
 * back). A STRING or GID word is a pointer into the string pool of the session (see string_pool.h): equal
 * contents are equal pointers, valid as long as the pool. An ADDRESSES word points to a struct address_list.
 */
#ifndef ROS2BT_EVENT_RECORD_H
#define ROS2BT_EVENT_RECORD_H

#include "ros2bt/event_schema.h"

enum record_kind {
	/*
	 * Events of a stream were lost between time_ns (the end of the packet before) and RECORD__end_ns (the end of
	 * the packet that begins now; RECORD_GAP follows there). RECORD__count is how many, RECORD_COUNT_UNKNOWN if
	 * not told or absurd. With LTTng in discard mode the loss is at the end of that packet: an event that does not
	 * fit any more is dropped as long as the reader has freed no other buffer, and the counter is written when
	 * the buffer is closed, by the first event of the next (lttng-ust, ring_buffer_frontend.c, template.h). So
	 * all events from the first lost one on are lost, but for those small enough for the bytes that are left.
	 * A packet that its last event filled to the last byte is closed at once; what is lost then is counted in the
	 * next one, lies before that one's beginning, and has a RECORD_GAP there, too.
	 * In a stream without packets there is no RECORD_GAP and the loss is anywhere in the range.
	 */
	RECORD_DISCARDED_EVENTS = EVENT_KIND_COUNT,
	/* Whole packets were lost between time_ns and RECORD__end_ns (RECORD__count of them). */
	RECORD_DISCARDED_PACKETS,
	/*
	 * The end of a packet with lost events, or the beginning of one that does not follow at once: between the
	 * stream's last event and here something is missing.
	 */
	RECORD_GAP,
	/* No more records of the stream. */
	RECORD_STREAM_END,
	RECORD_KIND_COUNT,
};

enum record_slot {
	RECORD__count = 0,
	RECORD__end_ns = 1,
};
#define RECORD_COUNT_UNKNOWN UINT64_MAX

/* Times of records lie within this distance of the Unix epoch (years 1823 to 2116), so a difference of any two fits. */
#define RECORD_TIME_MAX_NS ((INT64_C(1) << 62) - 1)

enum record_flag {
	RECORD_FROM_CARET = 1, /* provider ros2_caret */
	RECORD_HAS_INIT_TIME =
		2, /* word[EVENT_SLOT_INIT_TIME] is the time of initialization, ns since the Unix epoch */
};

/* Where an INIT event of CARET keeps its init_timestamp, converted like any time of the trace. */
#define EVENT_SLOT_INIT_TIME (EVENT_SLOTS - 1)

struct event_record {
	int64_t time_ns;     /* since the Unix epoch, as babeltrace2 computes it */
	uint32_t thread;     /* index, see recording.h; RECORDING_NONE in records that tell of the recording */
	uint16_t stream;     /* index, see recording.h */
	uint8_t kind;	     /* enum event_kind or enum record_kind */
	uint8_t flags : 2;   /* enum record_flag */
	uint8_t present : 6; /* bit i: word i is there */
	uint64_t word[EVENT_SLOTS];
};

_Static_assert(sizeof(struct event_record) == 64, "a record fills a cache line");
_Static_assert(RECORD_KIND_COUNT <= 256, "kinds fit");

struct address_list {
	uint64_t count;
	uint64_t address[];
};

static inline bool record_time_fits(int64_t time_ns)
{
	return time_ns >= -RECORD_TIME_MAX_NS && time_ns <= RECORD_TIME_MAX_NS;
}

static inline bool record_has(const struct event_record *record, unsigned int slot)
{
	return record->present >> slot & 1;
}

/* The time from which on a definition holds: its init_timestamp, or the event's time. */
static inline int64_t record_since_ns(const struct event_record *record)
{
	return record->flags & RECORD_HAS_INIT_TIME ? (int64_t)record->word[EVENT_SLOT_INIT_TIME] : record->time_ns;
}

static inline const char *record_string(const struct event_record *record, unsigned int slot)
{
	return record_has(record, slot) ? (const char *)(uintptr_t)record->word[slot] : NULL;
}

#endif
