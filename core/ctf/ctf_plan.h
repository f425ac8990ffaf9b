/* SPDX-License-Identifier: MIT */
/*
 * How to read the streams of a trace class, decided once: where an event header holds id and time, which contexts
 * identify the thread, and per event class which field goes to which word of a record. Part of the decoder.
 *
 *   ctf_stream_plan.c  plans a stream: header, context, packets, events  uses ctf_event_plan
 *   ctf_event_plan.c   plans an event, and each member of it
 *   ctf_read.h         reads and skips by these plans
 *   usual_events.c     reads streams of the usual form by them
 *
 * A scope (context, payload) whose members all lie at fixed offsets is read by offset, any other member by member; both
 * give the same result. Which types fit a field of the table of events follows the rules of the babeltrace2 reader
 * (core/bt/decode/field_plan.c); the rest of the decision is shared with it (core/events/class_plan.h).
 */
#ifndef ROS2BT_CTF_PLAN_H
#define ROS2BT_CTF_PLAN_H

#include "core/ctf/comm_cache.h"
#include "core/ctf/ctf_cursor.h"
#include "core/ctf/ctf_point.h"
#include "core/events/class_plan.h"
#include "ros2bt/events/event_record.h"
#include "ros2bt/events/recording.h"
#include "ros2bt/base/u64_map.h"

/* A structure in an event. */
struct ctf_scope {
	const struct ctf_type *type; /* NULL: nothing */
	bool is_fixed;		     /* its size is known */
	uint32_t alignment;	     /* bits */
	uint64_t size;		     /* bits, if is_fixed */
};

enum ctf_load {
	CTF_LOAD_NONE, /* no such member, or its type cannot be read */
	CTF_LOAD_INTEGER,
	CTF_LOAD_TEXT,
	CTF_LOAD_GID,
	CTF_LOAD_ADDRESSES,
};

/* A member to be read. */
struct ctf_member {
	enum ctf_load load;
	uint8_t slot;
	bool is_fixed_integer; /* can be read by offset */
	bool is_signed;	       /* of is_fixed_integer, as the two below: what the word is extended by */
	bool is_big_endian;
	uint8_t bytes;
	uint32_t index;	 /* in its structure */
	uint64_t offset; /* bytes from the scope's beginning, if the scope is fixed */
	uint64_t mask;	 /* takes the sign extension off an address */
	const struct ctf_type *type;
};

/* How to extract an integer from the 8 bytes at its offset, where 8 bytes can be read. */
struct ctf_copy {
	uint64_t mask;	/* its own bits */
	uint64_t sign;	/* the highest of them if it is signed, else 0 */
	int32_t offset; /* bytes from the scope's beginning */
};

/* The same for two words of a record, one behind the other: one that the event does not have is 0. */
struct ctf_copy_pair {
	int32_t offsets[2]; /* bytes from the event's end, which is as far from its fields in all phases */
	uint64_t masks[2], signs[2];
};

/*
 * How much follows a header depends on the phase: whether it ends in the first or in the second half of 8 aligned
 * bytes. Both are the same where nothing is aligned; where it is, every header ends at a multiple of 4 bytes.
 */
#define CTF_PHASES 2
#define CTF_PHASE_BITS 32

/* A text for the comm_cache: the name of a thread in an event of a kernel. */
#define CTF_COMMS_MAX 2
struct ctf_comm_copy {
	int32_t offset; /* bytes from the event's end */
	uint8_t slot;
};

/* How an event is read where headers and contexts of its stream have the usual form (usual_events.h). */
enum ctf_usual {
	CTF_UNUSUAL,	   /* it is not: member by member (ctf_read.h) */
	CTF_SKIPPED,	   /* nobody wants it, and its size is known */
	CTF_COPIED,	   /* `pairs` read the whole payload, and the event has no context of its own */
	CTF_COPIED_SYSTEM, /* the same of a kernel: `pairs`, `comms` and the text of the class */
	CTF_JOINED_POLL,   /* it is copied, at most its timeout, and joined to others (poll.h) */
	CTF_JOINED_CALL,   /* the same of a system call, of which `call` is given (kernel_call.h) */
};

/* Bytes that must be readable behind such an event. */
#define CTF_USUAL_MARGIN 16

struct ctf_event_plan {
	enum ctf_usual usual;
	uint8_t pair_count, comm_count;
	uint8_t polls[2];	    /* enum poll_kind of a CTF_JOINED_POLL: of any other timeout, and of 0 */
	uint32_t sizes[CTF_PHASES]; /* bytes behind the header, if is_laid_out */
	uint64_t record_head;	    /* what its records have in event_record_head(), but for stream and thread; if it is
				       copied */
	struct ctf_copy_pair pairs[EVENT_SLOTS / 2]; /* of words 0 and 1, and so on; the first even if it is empty */
	const char *call;			     /* the text of a CTF_JOINED_CALL that begins; NULL: it ends */
	struct ctf_comm_copy comms[CTF_COMMS_MAX];
	struct class_plan class;
	uint64_t id;
	bool has_init_time;
	bool is_flat;	  /* context and payload are fixed and byte-aligned: flat_size is all that follows the header */
	bool is_laid_out; /* it is flat, or where its parts are aligned to depends on the phase only */
	bool is_by_offset;  /* all members are fixed integers */
	bool has_counters;  /* its context has some, and they are wanted */
	uint64_t flat_size; /* bits */
	struct ctf_scope context, payload;
	struct ctf_point_plan *point; /* owned; NULL: nobody chose the event (point_events.h) */
	struct ctf_member init_time;
	size_t member_count;
	struct ctf_member members[EVENT_FIELDS_MAX];
};

/* An unusual event of no class, which ends behind any window. */
extern const struct ctf_event_plan ctf_event_undeclared;

/* One of the forms of an event header: what follows the tag. */
struct ctf_header_form {
	uint64_t lower, upper; /* of the tag */
	uint32_t alignment;
	const struct ctf_type *first, *second; /* in order; second may be NULL */
	bool is_id_first;		       /* of two, first is the id; the other one is the time */
};

#define CTF_HEADER_FORMS 4

/* As LTTng writes it: a tag that is either the id, or announces a longer id and a longer time. */
struct ctf_header_plan {
	enum ctf_header_shape {
		CTF_HEADER_ANY,
		CTF_HEADER_COMPACT, /* 5 + 27 bits, little endian, byte-aligned */
		CTF_HEADER_LARGE,   /* 16 + 32 bits, the same */
		/* The same as machines that do not pack write them, such as aarch64: naturally aligned, but for the
		   bits of COMPACT, which are aligned together. */
		CTF_HEADER_ALIGNED_COMPACT,
		CTF_HEADER_ALIGNED_LARGE,
	} shape;
	/* Unless ANY: the largest tag, then an id of 32 bits and a time of 64, little endian, aligned as the shape. */
	bool has_long_form;
	uint32_t alignment;
	const struct ctf_type *tag;
	size_t form_count;
	struct ctf_header_form forms[CTF_HEADER_FORMS];
};

/* A context that is a counter. */
struct ctf_counter {
	const char *name; /* in the pool */
	struct ctf_member member;
};

/* The event context: which of the contexts that LTTng can add are there. */
struct ctf_context_plan {
	struct ctf_scope scope;
	bool is_by_offset;
	uint32_t begins[CTF_PHASES]; /* bytes from the header's end */
	bool is_copied;	    /* vpid and vtid are 32 bits at the offsets of their copies, and there is no pid_ns */
	bool has_ids;	    /* vpid and vtid are there */
	bool is_ids_copied; /* without ids, or vpid, vtid and, if it is there, pid_ns can be read by copies */
	struct ctf_copy vpid_copy, vtid_copy, pid_ns_copy;
	struct ctf_member vpid, vtid, pid_ns, procname;
	GArray *counters; /* struct ctf_counter, owned, in the order of their fields */
	bool has_counters_by_offset;
};

/*
 * The head of a packet: its header and its context, which are integers and a UUID, so that each is at a fixed place.
 * All streams of a trace have the same header.
 */
struct ctf_packet_member {
	const struct ctf_type *type; /* unsigned; NULL: not there */
	uint64_t at;		     /* bits */
};
struct ctf_packet_plan {
	uint64_t header_size, size; /* bits */
	struct ctf_packet_member magic, uuid, stream_id, instance_id;
	struct ctf_packet_member timestamp_begin, timestamp_end, content_size, packet_size, packet_seq_num,
		events_discarded, cpu_id;
};

struct ctf_stream_plan {
	const struct ctf_stream_class *class;
	struct ctf_header_plan header;
	struct ctf_context_plan context;
	GPtrArray *events;    /* struct ctf_event_plan *, owned */
	struct u64_map by_id; /* id → one of them */
	/* By id, with ctf_event_undeclared in gaps and for unusual events, if the stream is as LTTng writes it for
	   most machines: short headers, and a context that is all copies. NULL: it is not. Owned. */
	const struct ctf_event_plan **usual;
	uint64_t usual_short, usual_long; /* how many of these ids a short header can have, and a long one */
	bool is_system;			  /* of a kernel: all events that are decoded are of the class SYSTEM */
	bool is_ignored;		  /* none of its events is wanted: they are not read at all */
	bool has_switches;		  /* some event is sched_switch, which is wanted */
	bool has_definitions_only;
	struct ctf_packet_plan packet;
};

static inline bool ctf_header_is_aligned(const struct ctf_header_plan *plan)
{
	return plan->shape == CTF_HEADER_ALIGNED_COMPACT || plan->shape == CTF_HEADER_ALIGNED_LARGE;
}

/* NULL with the reason in *reason. The trace class is borrowed; the pool is that of the records. */
struct ctf_stream_plan *ctf_stream_plan_create(const struct ctf_trace_class *trace_class,
					       const struct ctf_stream_class *stream_class,
					       const struct event_interest *interest, struct string_pool *pool,
					       char **reason);
void ctf_stream_plan_destroy(struct ctf_stream_plan *plan);

/* The plan (of `plans`) of a stream class; NULL: there is none. */
const struct ctf_stream_plan *ctf_stream_plan_of(const GPtrArray *plans, uint64_t class_id);

/* Clears lacks[kind] for each enum event_kind that the plan has a class of. */
void ctf_stream_plan_note_kinds(const struct ctf_stream_plan *plan, bool *lacks);

/* ctf_event_undeclared if there is none of the id. */
const struct ctf_event_plan *ctf_stream_plan_event(const struct ctf_stream_plan *plan, uint64_t id);

/* The clock, advanced to the next value that ends in the given bits, which have wrapped at most once. */
static inline uint64_t ctf_clock_update(uint64_t clock, uint64_t value, uint32_t size)
{
	uint64_t mask;

	if (size == 64) {
		return value;
	}
	mask = (UINT64_C(1) << size) - 1;
	if (value < (clock & mask)) {
		clock += mask + 1;
	}
	return (clock & ~mask) | value;
}

#endif
