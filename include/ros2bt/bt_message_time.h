/* SPDX-License-Identifier: MIT */
/*
 * The time of a message in the order of its iterator: ns from the clock's origin of its default clock snapshot (of
 * discarded events and packets: of their beginning), if it has one.
 */
#ifndef ROS2BT_BT_MESSAGE_TIME_H
#define ROS2BT_BT_MESSAGE_TIME_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

/* False if the message has no time, or one that does not fit. */
bool bt_message_time(const bt_message *message, int64_t *time_ns);

#endif
