/* SPDX-License-Identifier: MIT */
/*
 * A field as bytes: equal if and only if type, member names and values are equal, even of fields of different traces.
 * O(size of the field); not for the hot path.
 */
#ifndef ROS2BT_FIELD_BYTES_H
#define ROS2BT_FIELD_BYTES_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>

/* Appends the bytes of a field; false if it has an unknown type (the bytes are then incomplete). */
bool field_bytes_append(GByteArray *bytes, const bt_field *field);

#endif
