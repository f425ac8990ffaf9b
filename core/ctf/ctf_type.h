/* SPDX-License-Identifier: MIT */
/*
 * What the metadata of a trace declares: types of fields, event classes, stream classes, the clock and the environment.
 * Made by tsdl_parse() (CTF 1.8, ctf_tsdl.h) or ctf2_parse() (CTF 2, ctf2_metadata.h), immutable afterwards, everything
 * is owned by the trace class.
 *
 * Sizes and alignments are in bits; an alignment is a power of two and counts from the beginning of the packet.
 * Names are those of the metadata: in CTF 1.8 without the one leading underscore that LTTng adds, in CTF 2 those of
 * LTTng for what is known by its role.
 * Source: Common Trace Format 1.8.3 (diamon.org/ctf); alignment rules as babeltrace2 2.0.4 applies them.
 */
#ifndef ROS2BT_CTF_TYPE_H
#define ROS2BT_CTF_TYPE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/ctf/ctf_tracer.h"

enum ctf_kind {
	CTF_INTEGER,
	CTF_FLOAT, /* of 32 or 64 bits */
	CTF_STRING,
	CTF_STRUCTURE,
	CTF_VARIANT,
	CTF_ARRAY,
	CTF_SEQUENCE,
};

struct ctf_type;

/* One label of an enumeration, [lower, upper] in the integer's own signedness. */
struct ctf_label {
	const char *name;
	uint64_t lower, upper;
};

#define CTF_NO_VALUE UINT32_MAX

/* A member of a structure or an option of a variant. */
struct ctf_field {
	const char *name;
	const char *declared_name; /* as in the metadata */
	const struct ctf_type *type;
	uint32_t value; /* where the decoder keeps it for a variant or sequence that depends on it, or CTF_NO_VALUE */
};

struct ctf_type {
	enum ctf_kind kind;
	uint32_t alignment;
	/* CTF_INTEGER; CTF_FLOAT has the size and the byte order */
	uint32_t size;
	bool is_signed;
	bool has_own_byte_order; /* false: the trace's */
	bool is_big_endian;
	bool is_character;   /* encoding UTF8 or ASCII, 8 bits, byte-aligned: an array of it is text */
	bool is_clock_value; /* updates the clock */
	GArray *labels;	     /* struct ctf_label, NULL unless an enumeration */
	/* CTF_STRUCTURE, CTF_VARIANT */
	GArray *fields; /* struct ctf_field */
	/* CTF_VARIANT: index of the tag, CTF_SEQUENCE: of the length, see ctf_field.value */
	uint32_t depends_on;
	const struct ctf_type *tag; /* CTF_VARIANT: the enumeration */
	/* CTF_ARRAY, CTF_SEQUENCE */
	const struct ctf_type *element;
	uint64_t length; /* CTF_ARRAY */
};

struct ctf_event_class {
	uint64_t id;
	uint64_t stream_id;
	const char *name;		/* "provider:name" */
	const struct ctf_type *context; /* NULL: none; so with all others */
	const struct ctf_type *payload;
};

struct ctf_stream_class {
	uint64_t id;
	const struct ctf_type *packet_context;
	const struct ctf_type *event_header;
	const struct ctf_type *event_context;
};

struct ctf_clock {
	const char *name;
	bool has_uuid;
	uint8_t uuid[16];
	uint64_t frequency; /* Hz */
	int64_t offset_s;
	uint64_t offset_cycles; /* less than a second */
	bool is_since_epoch;
};

struct ctf_trace_class {
	uint8_t uuid[16]; /* that of the packets */
	bool is_big_endian;
	const struct ctf_type *packet_header;
	struct ctf_clock clock;
	GArray *streams;      /* struct ctf_stream_class, by id */
	GArray *events;	      /* struct ctf_event_class, by (stream_id, id) */
	uint32_t value_count; /* of ctf_field.value */
	/* environment */
	const char *hostname; /* NULL: not recorded */
	const char *procname; /* NULL: not recorded */
	bool has_vpid;
	int64_t vpid;
	bool is_kernel; /* domain "kernel" */
	struct ctf_tracer tracer;
	/* ownership */
	GStringChunk *strings;
	GPtrArray *types; /* struct ctf_type * */
};

struct ctf_trace_class *ctf_trace_class_create(void);
void ctf_trace_class_destroy(struct ctf_trace_class *trace_class);

/* A new type, owned by the trace class. */
struct ctf_type *ctf_trace_class_add_type(struct ctf_trace_class *trace_class, enum ctf_kind kind);

/*
 * Adds a label to an enumeration. Returns NULL, or why it cannot have it: two labels of one value are legal, but it
 * would be ambiguous which one a variant takes.
 */
const char *ctf_type_add_label(struct ctf_type *type, const struct ctf_label *label);

/* Puts streams and events in their order, when all are there. Returns NULL, or why they are no trace. */
const char *ctf_trace_class_sort(struct ctf_trace_class *trace_class);

const struct ctf_stream_class *ctf_trace_class_find_stream(const struct ctf_trace_class *trace_class, uint64_t id);

static inline const struct ctf_field *ctf_type_field(const struct ctf_type *type, guint index)
{
	return &g_array_index(type->fields, struct ctf_field, index);
}

/* The member of a structure, NULL if there is none (or no structure). */
const struct ctf_field *ctf_type_find_field(const struct ctf_type *type, const char *name);

/* An array or sequence of characters. */
bool ctf_type_is_text(const struct ctf_type *type);

/* Ticks of the clock to ns since the Unix epoch, as libbabeltrace2 does it; false on overflow. */
bool ctf_clock_to_ns(const struct ctf_clock *clock, uint64_t ticks, int64_t *time_ns);

#endif
