/* SPDX-License-Identifier: MIT */
/* How an execution spent its time, as one line of text. */
#ifndef ROS2BT_SCHEDULE_TEXT_H
#define ROS2BT_SCHEDULE_TEXT_H

#include "core/model/execution_schedules.h"

/*
 * As "40.2 ms: 3.10 ms on CPU, 36.9 ms preempted by kworker/1:2 (tid 51, 2 times), 191 µs blocked in futex": the states
 * in order of their times, the longest first, and the thread or system call that caused most of it. States that took
 * less than a thousandth of the duration are left out. To be freed.
 */
char *schedule_text(const struct execution_schedule *schedule);

#endif
