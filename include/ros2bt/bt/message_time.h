/* SPDX-License-Identifier: MIT */
/*
 * The time of a message in the order of its iterator: ns from the clock's origin of its default clock snapshot (of
 * discarded events and packets: of their beginning), if it has one.
 */
#ifndef ROS2BT_MESSAGE_TIME_H
#define ROS2BT_MESSAGE_TIME_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>
#include <stdint.h>

enum message_time {
	MESSAGE_TIME_NONE,
	MESSAGE_TIME_KNOWN,
	MESSAGE_TIME_BEYOND, /* 64-bit ns */
};

/*
 * False if it does not fit 64-bit ns. bt_clock_snapshot_get_ns_from_origin() of 2.0.4 is different: it leaves an error
 * on the thread, and keeps failing for a reused snapshot after one that did not fit.
 */
bool snapshot_time(const bt_clock_snapshot *snapshot, int64_t *time_ns);

/* *time_ns is set if it is known. */
enum message_time message_time(const bt_message *message, int64_t *time_ns);

#endif
