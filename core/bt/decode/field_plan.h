/* SPDX-License-Identifier: MIT */
/*
 * How to read a member of a structure: decided once from its field class, applied by index to each event. Part of the
 * decoder; the plans of events and of contexts are made of these.
 */
#ifndef ROS2BT_FIELD_PLAN_H
#define ROS2BT_FIELD_PLAN_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>

#include "ros2bt/base/string_pool.h"
#include "ros2bt/events/event_schema.h"

enum field_reader {
	FIELD_READER_NONE, /* no such member, or its type cannot be read */
	FIELD_READER_UNSIGNED,
	FIELD_READER_SIGNED,
	FIELD_READER_BOOL,
	FIELD_READER_BITS,
	FIELD_READER_STRING,
	FIELD_READER_GID,
	FIELD_READER_ADDRESSES,
};

struct field_plan {
	uint64_t mask;	/* of integers: removes the sign extension of an address */
	uint32_t index; /* in its structure */
	enum field_reader reader : 8;
	enum field_reader element : 8; /* of GID and ADDRESSES */
	uint8_t slot;
};

/* The plan for a member; FIELD_READER_NONE if the structure class (NULL: none) lacks it, or if its type does not fit
 * `type`. */
struct field_plan field_plan_create(const bt_field_class *structure, const char *name, enum field_type type);

/* An integer with a sign or without: no boolean, no bit array. */
static inline bool field_reader_is_integer(enum field_reader reader)
{
	return reader == FIELD_READER_UNSIGNED || reader == FIELD_READER_SIGNED;
}

/* What field_plan_integer() reads. */
static inline bool field_reader_is_word(enum field_reader reader)
{
	return field_reader_is_integer(reader) || reader == FIELD_READER_BOOL || reader == FIELD_READER_BITS;
}

/* The planned member of a field of the structure class. */
static inline const bt_field *field_plan_member(const struct field_plan *plan, const bt_field *structure)
{
	return bt_field_structure_borrow_member_field_by_index_const(structure, plan->index);
}

/* A word, before the plan's mask. */
static inline uint64_t field_reader_word(enum field_reader reader, const bt_field *field)
{
	if (G_LIKELY(reader == FIELD_READER_UNSIGNED)) {
		return bt_field_integer_unsigned_get_value(field);
	}
	if (G_LIKELY(reader == FIELD_READER_SIGNED)) {
		return (uint64_t)bt_field_integer_signed_get_value(field);
	}
	if (reader == FIELD_READER_BOOL) {
		return bt_field_bool_get_value(field) ? 1 : 0;
	}
	return reader == FIELD_READER_BITS ? bt_field_bit_array_get_value_as_integer(field) : 0;
}

static inline uint64_t field_plan_integer(const struct field_plan *plan, const bt_field *structure)
{
	return field_reader_word(plan->reader, field_plan_member(plan, structure)) & plan->mask;
}

/* Valid as long as the field. In libbabeltrace2 2.0.4 an empty string may still hold its previous text. */
static inline const char *field_string(const bt_field *field)
{
	return bt_field_string_get_length(field) > 0 ? bt_field_string_get_value(field) : "";
}

/* A gid in the pool; NULL if the array is too short. */
const void *field_plan_gid(const struct field_plan *plan, const bt_field *field, struct string_pool *pool);

/* A struct address_list in the pool; the scratch is overwritten. */
const void *field_plan_addresses(const struct field_plan *plan, const bt_field *field, struct string_pool *pool,
				 GByteArray *scratch);

#endif
