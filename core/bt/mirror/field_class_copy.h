/* SPDX-License-Identifier: MIT */
/*
 * Copies field classes into another trace class: every type with all its properties (ranges, display bases, mappings,
 * user attributes). Length and selector references lead to the copies of their targets; if the target was not copied (a
 * member that was left out), the copy has none. O(size of the class).
 */
#ifndef ROS2BT_FIELD_CLASS_COPY_H
#define ROS2BT_FIELD_CLASS_COPY_H

#include <babeltrace2/babeltrace.h>

struct field_class_copier;

/* The scopes that a field path of an original can start from; NULL if there is none (yet). */
struct field_scopes {
	const bt_field_class *packet_context;
	const bt_field_class *event_common_context;
	const bt_field_class *event_specific_context;
	const bt_field_class *event_payload;
};

/* Copies into `to`, which is borrowed and must outlive the copier. */
struct field_class_copier *field_class_copier_create(bt_trace_class *to, uint64_t mip_version);
void field_class_copier_destroy(struct field_class_copier *copier);

/* A copy, owned by the caller; NULL if the type is not known or memory is short. */
bt_field_class *field_class_copy(struct field_class_copier *copier, const bt_field_class *original,
				 const struct field_scopes *scopes);

#endif
