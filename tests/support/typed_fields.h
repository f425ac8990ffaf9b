/* SPDX-License-Identifier: MIT */
/*
 * A payload that has a member for each type of field, and for each way in which a field can refer to another one, with
 * all properties that a field class can have. Each member can be set to a first and to a second value.
 */
#ifndef ROS2BT_TESTS_TYPED_FIELDS_H
#define ROS2BT_TESTS_TYPED_FIELDS_H

#include <babeltrace2/babeltrace.h>
#include <stddef.h>

/* The target of a reference lies in the payload member (a structure), or in one of the contexts. */
enum typed_fields_place {
	IN_MEMBER,
	IN_PACKET,
	IN_COMMON,
	IN_SPECIFIC,
	PLACE_COUNT,
};

struct typed_fields {
	bt_trace_class *trace_class; /* borrowed */
	uint64_t mip_version;
	const char *member;		   /* the payload member being made */
	bt_field_class *keys[PLACE_COUNT]; /* those in contexts, borrowed */
};

/* A context, which has a key that members of the payload refer to; all contexts are made before the payload. */
bt_field_class *typed_fields_make_context(struct typed_fields *fields, enum typed_fields_place place);
void typed_fields_set_context(bt_field *context);

bt_field_class *typed_fields_make_payload(struct typed_fields *fields);

/* How many members the payload has under a protocol version. */
size_t typed_fields_count(uint64_t mip_version);

/* The second value for as many members from the first on, the first value for the others. */
void typed_fields_set_payload(bt_field *payload, uint64_t mip_version, size_t second_count);

/* Some user attributes. */
bt_value *typed_fields_create_attributes(void);

#endif
