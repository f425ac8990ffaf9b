/* SPDX-License-Identifier: MIT */
/* How an execution spent its time, in one line. */
#ifndef ROS2BT_SCHEDULE_TEXT_H
#define ROS2BT_SCHEDULE_TEXT_H

#include "core/model/execution_schedules.h"

/*
 * "40.2 ms: 3.10 ms on CPU, 36.9 ms preempted by kworker/1:2 (tid 51, 2 times), 191 µs blocked in futex": the states
 * from the one that took most, with the one or the system call that did most of it. Owned by the caller.
 */
char *schedule_text(const struct execution_schedule *schedule);

#endif
