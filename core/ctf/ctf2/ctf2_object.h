/* SPDX-License-Identifier: MIT */
/*
 * The state of the reader of CTF 2 metadata, and the objects of JSON in it: which properties one may have, and which
 * it must have.
 *
 *   ctf2_metadata.c   fragments: preamble, classes of traces, clocks, streams, events   uses all below
 *   ctf2_types.c      field classes: structures, variants, arrays
 *   ctf2_scalars.c    field classes: numbers, strings
 *   ctf2_object.c     this
 *   json_text.h       JSON
 *
 * A function that returns false or NULL has refused the metadata: the first reason is kept.
 */
#ifndef ROS2BT_CTF2_OBJECT_H
#define ROS2BT_CTF2_OBJECT_H

#include <stdbool.h>

#include "core/ctf/ctf2/json_text.h"
#include "core/ctf/ctf_type.h"

struct ctf2_reader {
	struct ctf_trace_class *trace_class;
	bool has_preamble, has_trace_class;
	const char *clock_id; /* of the only clock; NULL: none */
	unsigned int depth;   /* of field classes */
	char *reason;
};

/* A property that an object may have. */
struct ctf2_property {
	const char *name;
	enum json_kind kind;
	bool is_required;
};

#define CTF2_PROPERTIES_MAX 12

/* Keeps the reason, with the line of the value, unless there is one; false. */
bool ctf2_refuse(struct ctf2_reader *reader, const struct json_value *value, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/*
 * The properties of an object by their place in the list; NULL if it does not have one. Refused: a value that is no
 * object, and a property that is missing, unknown or of another kind. `type` is known in every object, `attributes` are
 * the writer's own and `extensions` must be empty.
 */
bool ctf2_take(struct ctf2_reader *reader, const struct json_value *object, const struct ctf2_property *properties,
	       size_t count, const struct json_value *found[CTF2_PROPERTIES_MAX]);

/* The value of `type`, which an object of CTF 2 must have; NULL: refused. */
const char *ctf2_type_of(struct ctf2_reader *reader, const struct json_value *object);

/* An integer from min to max. */
bool ctf2_unsigned(struct ctf2_reader *reader, const struct json_value *value, uint64_t min, uint64_t max,
		   uint64_t *result);

/* An array of 16 bytes. */
bool ctf2_uuid_bytes(struct ctf2_reader *reader, const struct json_value *value, uint8_t uuid[16]);

#endif
