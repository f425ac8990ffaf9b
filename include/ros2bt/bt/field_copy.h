/* SPDX-License-Identifier: MIT */
/*
 * Copies the value of a field to a field of a copied class (field_class_copy.h), by index, without look-ups by name or
 * allocations: the work of a mirror for each event. O(size of the value).
 */
#ifndef ROS2BT_FIELD_COPY_H
#define ROS2BT_FIELD_COPY_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

/* False if the type is unknown or memory is short. Members that only `to` has, behind those of `from`, stay unset. */
bool field_copy(const bt_field *from, bt_field *to);

#endif
