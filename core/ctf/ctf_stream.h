/* SPDX-License-Identifier: MIT */
/*
 * One stream of a trace, packet after packet, as a sequence of records: the time of the next one (the head) is always
 * known, and it is read when its turn comes. Whatever gives no record is skipped on the way to the next head. Order,
 * times and counts are those of the messages of babeltrace2 2.0.4 (source.ctf.fs): discarded events, discarded packets,
 * events, end of packet. Part of the decoder.
 */
#ifndef ROS2BT_CTF_STREAM_H
#define ROS2BT_CTF_STREAM_H

#include "core/ctf/ctf_packet.h"
#include "core/ctf/ctf_window.h"

/* Where a packet is, and what identifies it. */
struct ctf_packet_place {
	struct trace_file *file; /* borrowed */
	uint64_t offset;	 /* bytes, in the file */
	uint64_t content;	 /* bytes, up to its last event */
	int64_t begin_ns;
	uint64_t begin, end, sequence_number, packet_size; /* sequence_number only if an index file holds it */
};

enum ctf_head {
	CTF_HEAD_UNKNOWN, /* an event that cannot be decoded: ctf_stream_pass() instead of ctf_stream_read() */
	CTF_HEAD_DISCARDED_EVENTS,
	CTF_HEAD_DISCARDED_PACKETS,
	CTF_HEAD_EVENT,
	CTF_HEAD_GAP,
	CTF_HEAD_STREAM_END,
	CTF_HEAD_NONE, /* after the end */
};

enum ctf_packet_step {
	CTF_STEP_PACKET, /* the next packet is to be opened */
	CTF_STEP_DISCARDED_EVENTS,
	CTF_STEP_DISCARDED_PACKETS,
	CTF_STEP_EVENTS_BEGIN,
	CTF_STEP_EVENTS,
	CTF_STEP_END,
};

/* The threads of usual events, each at the place of its vtid: streams take turns with them. A struct of zeros is empty.
 */
#define THREAD_CACHE_SIZE 1024
/* What events of a kernel have in place of a thread is the same in all traces (recording_add_ids()). */
#define KNOWN_IDS UINT32_MAX
#define KNOWN_IDS_OF_PID_NS (UINT32_MAX - 1) /* pid_ns is recorded, and may be 0 */
struct known_thread {
	int32_t vpid, vtid;
	uint64_t pid_ns; /* 0 if it is not recorded */
	uint32_t source; /* the trace, or one of those above */
	uint32_t thread;
	bool is_known;
};
struct thread_cache {
	struct known_thread threads[THREAD_CACHE_SIZE];
};

/* Packets that were missing when the next one was read: the sequence numbers around them. */
struct ctf_stream_gap {
	uint64_t before, after;
};

/* It begins a cache line: what each turn with other streams uses is on the first two. */
struct ctf_stream {
	const struct ctf_stream_plan *plan; /* borrowed */

	/* the head */
	const struct ctf_event_plan *event;
	struct ctf_cursor cursor;    /* in the window, behind the head's event header; ends where one of both ends */
	enum ctf_header_shape usual; /* unless ANY, usual_events_read() can read the head */
	uint32_t rank;		     /* the order on equal times */
	uint64_t usual_end;	     /* bytes, in the window: events that it reads end there at the latest */
	int64_t head_ns;

	uint64_t clock;	     /* of the last item that has a time */
	uint64_t last_ticks; /* of the last message of babeltrace2 */
	/* ns = ticks + offset_ns up to ticks_max, if the clock counts ns */
	int64_t offset_ns;
	uint64_t usual_ticks_end; /* before it, short times cannot pass ticks_max in a window; 0: not in ns */
	uint64_t record_head;	  /* index_head and the thread, as they are in event_record_head() */
	struct recording_context last_context;
	uint64_t index_head; /* the same of the index alone */
	uint32_t thread;     /* of last_context, RECORDING_NONE at first */

	enum ctf_head head;
	bool is_clock_in_ns;
	uint64_t ticks_max;

	const struct ctf_trace_class *trace_class; /* borrowed, as the plans */
	GPtrArray *plans;
	uint64_t instance_id;
	GArray *places; /* struct ctf_packet_place, in order of reading */
	GArray *gaps;	/* struct ctf_stream_gap, if it is followed */
	guint next_place;
	bool has_begun;				      /* a packet was opened */
	uint64_t first_begin;			      /* of that packet */
	bool is_followed;			      /* more packets may come behind the last one */
	bool ends_packets_early, leaves_packets_open; /* known faults of the tracer (ctf_tracer.h) */
	struct ctf_window window;
	size_t window_size; /* bytes, at least CTF_PACKET_HEAD_MAX; set it before the first head */

	/* the current packet */
	enum ctf_packet_step step;
	struct ctf_packet packet, previous;
	bool has_loss;

	struct comm_cache *comms; /* borrowed, as the next three */
	struct thread_cache *threads;
	struct point_builder *points; /* for the values of events that the user chose */
	struct recording *recording;
	uint32_t trace;
	uint16_t index;

	bool has_point; /* the last event gave this record, too */
	struct event_record point;

	uint64_t bytes_read;
	const char *error; /* why the stream cannot be read further, static */
};

struct ctf_stream *ctf_stream_create(const struct ctf_trace_class *trace_class, GPtrArray *plans,
				     const struct ctf_stream_plan *plan, uint64_t instance_id);
void ctf_stream_destroy(struct ctf_stream *stream);

/* A stream of a trace of the recording, which is borrowed. */
void ctf_stream_set_recording(struct ctf_stream *stream, struct recording *recording, uint32_t trace);

/* From now on it is read by another trace class and its plans, which declare at least what those before did. */
void ctf_stream_replan(struct ctf_stream *stream, const struct ctf_trace_class *trace_class, GPtrArray *plans,
		       const struct ctf_stream_plan *plan);

/* Finds the next head. False: stream->error. Call once before the first head. A stream that is followed has none behind
 * its last packet, until it gets more of them, or is not followed any more. */
bool ctf_stream_advance(struct ctf_stream *stream);

/*
 * The head as a record; *last_ns is the time of the last record of any stream. False: stream->error.
 * ctf_stream_advance() must follow.
 */
bool ctf_stream_read(struct ctf_stream *stream, struct recording *recording, GByteArray *scratch, int64_t *last_ns,
		     struct event_record *record);

/* The second record of the head that was read last, if the user chose an event that is also in the table. */
bool ctf_stream_take_point(struct ctf_stream *stream, struct event_record *record);

/*
 * The counters of the head, a record each, if they are wanted: to be called before ctf_stream_read(); the caller sets
 * their thread to that of its record. At most RECORD_COUNTERS_MAX. False: stream->error.
 */
bool ctf_stream_read_counters(struct ctf_stream *stream, struct event_record *records, size_t *count);

/* Finds the thread of an event, for ctf_stream_set_thread(). The name may be NULL, or need no NUL at its end. */
uint32_t ctf_stream_find_thread(struct ctf_stream *stream, const struct recording_context *context,
				const char *procname, size_t procname_length);
/* Notes the thread of the last event, that of last_context. */
static inline void ctf_stream_set_thread(struct ctf_stream *stream, uint32_t thread)
{
	stream->thread = thread;
	stream->record_head = stream->index_head | event_record_thread_head(thread);
}
/* What events of a kernel have in place of the thread (event_record.h). */
uint32_t ctf_stream_ids(const struct ctf_stream *stream, const struct recording_context *context);

/* Counts a head that gives no record. False: stream->error is set. */
bool ctf_stream_pass(struct ctf_stream *stream, struct recording *recording);

/* Where the stream is in its file (window.file), bytes: after a failure the place of what could not be read. */
uint64_t ctf_stream_offset(const struct ctf_stream *stream);

/* Time of the trace's clock to ns since the Unix epoch; false on overflow. */
bool ctf_stream_time_ns(const struct ctf_stream *stream, uint64_t ticks, int64_t *time_ns);

#endif
