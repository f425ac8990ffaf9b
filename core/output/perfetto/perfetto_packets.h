/* SPDX-License-Identifier: MIT */
/*
 * The packets of a Perfetto trace (protos/perfetto/trace of google/perfetto), in one sequence. A file is a message of
 * packets. The packets that define a track or an interned string precede those that use it; otherwise their times may
 * be in any order. Only fields older than 2025 are used.
 *
 * Arrows: the trace processor joins the events of a flow id in order of time.
 */
#ifndef ROS2BT_PERFETTO_PACKETS_H
#define ROS2BT_PERFETTO_PACKETS_H

#include <glib.h>
#include <stdbool.h>

#include "core/output/perfetto/protobuf.h"
#include "core/tables/table.h"

struct output_stream;

enum perfetto_string {
	PERFETTO_CATEGORY,
	PERFETTO_EVENT_NAME,
	PERFETTO_PROPERTY_NAME,
	PERFETTO_PROPERTY_VALUE,
	PERFETTO_KERNEL_SYMBOL,
	PERFETTO_STRING_KINDS,
};

struct perfetto_packets {
	struct output_stream *stream;			/* borrowed */
	GHashTable *interned[PERFETTO_STRING_KINDS];	/* owned text → id, from 1 */
	struct protobuf new_strings;			/* definitions not yet written */
	struct protobuf packet, inner, innermost, head; /* scratch */
};

/* The part of the encoding that events of one label share. Embedded: zeros, perfetto_label_clear(). */
struct perfetto_label {
	struct protobuf event;
	uint64_t value_name; /* id of the property that their value is; 0: it is not shown */
	uint32_t reason;     /* of a state of threads: PERFETTO_KERNEL_SYMBOL; 0: none */
	char state;	     /* its first letter; else 0 */
};

struct perfetto_track {
	uint64_t uuid, parent_uuid; /* uuid not 0; parent 0: none */
	const char *kind;	    /* as in timeline_tables.h */
	const char *name;	    /* any bytes */
	uint64_t rank;
	int64_t pid, tid;
};

enum perfetto_event_type {
	PERFETTO_SLICE_BEGIN = 1,
	PERFETTO_SLICE_END = 2,
	PERFETTO_INSTANT = 3,
	PERFETTO_COUNTER = 4,
};

void perfetto_packets_init(struct perfetto_packets *packets, struct output_stream *stream);
void perfetto_packets_clear(struct perfetto_packets *packets);

/* Writes the clock, which is the time of day. First. */
void perfetto_write_head(struct perfetto_packets *packets, int64_t begin_ns);

/* A row of timeline_label_columns. */
void perfetto_label_add(struct perfetto_packets *packets, struct perfetto_label *label, const char *key,
			const struct cell *value);
void perfetto_label_clear(struct perfetto_label *label);

/* After all labels. */
void perfetto_write_strings(struct perfetto_packets *packets);

/* The id of a text, to be asked for before perfetto_write_strings(). */
uint64_t perfetto_string_id(struct perfetto_packets *packets, enum perfetto_string kind, const char *text);

/* Writes a packet with one message, the field of TracePacket. */
void perfetto_write_message(struct perfetto_packets *packets, unsigned int field, const struct protobuf *message);

void perfetto_write_track(struct perfetto_packets *packets, const struct perfetto_track *track);

/* An event: begin it, add what it has besides label and track, write it. `label` may be NULL. */
void perfetto_begin_event(struct perfetto_packets *packets, enum perfetto_event_type type, uint64_t track,
			  const struct perfetto_label *label);
void perfetto_add_value(struct perfetto_packets *packets, const struct perfetto_label *label, int64_t value);
void perfetto_add_counter_value(struct perfetto_packets *packets, int64_t value);
void perfetto_add_arrow(struct perfetto_packets *packets, uint64_t id);
void perfetto_write_event(struct perfetto_packets *packets, int64_t time_ns);

#endif
