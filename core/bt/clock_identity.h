/* SPDX-License-Identifier: MIT */
/*
 * The identity of a clock class: its UUID, or under message interchange protocol 1 its UID.
 */
#ifndef ROS2BT_CLOCK_IDENTITY_H
#define ROS2BT_CLOCK_IDENTITY_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

/* False if the class has none. A UID, which is any text, gives 16 bytes of digest. */
bool clock_identity(const bt_clock_class *clock_class, uint64_t mip_version, uint8_t identity[16]);

/*
 * Whether times of the two can be compared: both count from the Unix epoch, or neither does and they are one clock, or
 * both have no identity (as in filter.utils.muxer of 2.0.4).
 */
bool clocks_have_same_origin(const bt_clock_class *one, const bt_clock_class *other, uint64_t mip_version);

#endif
