/* SPDX-License-Identifier: MIT */
/*
 * A take as the matcher sees it: a stamp, and what limits the publications that it can be of. A message is published
 * before it is taken; the clock of the trace proves the order if both are of one host. Times in ns.
 */
#ifndef ROS2BT_STAMP_TAKE_H
#define ROS2BT_STAMP_TAKE_H

#include <stdint.h>

struct stamp_take {
	int64_t stamp;
	int64_t taken_ns; /* in the clock of the trace */
	uint32_t host;	  /* of the process that took it */
};

#endif
