/* SPDX-License-Identifier: MIT */
#include "ros2bt/bt/normalized_class.h"

#include <stddef.h>

/* The only label of a member that is an enumeration, else NULL. */
static const char *only_label(const bt_field_class *structure, const char *name)
{
	const bt_field_class_structure_member *member =
		bt_field_class_structure_borrow_member_by_name_const(structure, name);
	const bt_field_class *enumeration;

	if (!member) {
		return NULL;
	}
	enumeration = bt_field_class_structure_member_borrow_field_class_const(member);
	if (bt_field_class_get_type(enumeration) != BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION ||
	    bt_field_class_enumeration_get_mapping_count(enumeration) != 1) {
		return NULL;
	}
	return bt_field_class_enumeration_mapping_get_label(
		bt_field_class_enumeration_unsigned_mapping_as_mapping_const(
			bt_field_class_enumeration_unsigned_borrow_mapping_by_index_const(enumeration, 0)));
}

struct normalized_mark normalized_class_mark(const bt_event_class *event_class)
{
	const bt_field_class *context = bt_event_class_borrow_specific_context_field_class_const(event_class);

	if (!context) {
		return (struct normalized_mark){ .how = NORMALIZED_KEPT };
	}
	return normalized_mark_of_labels(only_label(context, NORMALIZED_MARK),
					 only_label(context, NORMALIZED_RECORDED_AS));
}

const char *normalized_class_recorded_name(const bt_event_class *event_class)
{
	struct normalized_mark mark = normalized_class_mark(event_class);

	return mark.recorded_as ? mark.recorded_as : bt_event_class_get_name(event_class);
}
