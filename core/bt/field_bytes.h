/* SPDX-License-Identifier: MIT */
/*
 * A field as bytes: equal bytes exactly when type, names of members and values are equal, whatever trace the fields are
 * of. O(size of the field); not for the hot path.
 */
#ifndef ROS2BT_FIELD_BYTES_H
#define ROS2BT_FIELD_BYTES_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>

/* Appends the bytes of a field; false if it has a type this library does not know (the bytes are then incomplete). */
bool field_bytes_append(GByteArray *bytes, const bt_field *field);

#endif
