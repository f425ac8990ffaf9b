/* SPDX-License-Identifier: MIT */
/*
 * The events that belong to an earlier time, which their payload field `init_timestamp` holds: CARET's initialization
 * events. The field is a raw value of the clock of the trace (lttng_ust_trace_clock_get_read64_cb(), caret_trace
 * src/clock.cpp), so it is the value that the event's clock snapshot would have had. One look-up of a word per event.
 */
#ifndef ROS2BT_INIT_TIME_H
#define ROS2BT_INIT_TIME_H

#include <babeltrace2/babeltrace.h>
#include <stdint.h>

enum init_time_verdict {
	INIT_TIME_IN_PLACE, /* belongs to its own time */
	INIT_TIME_EARLIER,
	INIT_TIME_NONSENSE, /* init_timestamp is no time, or not before its own */
};

struct init_time {
	uint64_t clock_value; /* of the time it belongs to */
	int64_t time_ns;      /* the same, ns from the clock's origin */
	int64_t event_ns;     /* the event's own time */
};

struct init_times;

struct init_times *init_times_create(void);
void init_times_destroy(struct init_times *times);

/* Any message; *time is filled when the verdict is INIT_TIME_EARLIER. */
enum init_time_verdict init_times_judge(struct init_times *times, const bt_message *message, struct init_time *time);

#endif
