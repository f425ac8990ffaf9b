/* SPDX-License-Identifier: MIT */
/*
 * Who takes the records of a kind: a list of calls, which is made before the first record and gone through for each. So
 * who takes records says once which function takes those of which kind, and asks nothing of a record of another one.
 */
#ifndef ROS2BT_RECORD_CALLS_H
#define ROS2BT_RECORD_CALLS_H

#include "ros2bt/events/event_record.h"

typedef void (*record_taker)(void *data, const struct event_record *record);

struct record_call {
	record_taker take; /* NULL: the end of a list */
	void *data;
};

#endif
