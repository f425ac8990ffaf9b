/* SPDX-License-Identifier: MIT */
/*
 * The component class filter.ros2.dedup, which drops the second and later copies of an initialization
 * event. All other messages are forwarded by reference. Memory grows with the number of distinct initialization
 * events. For users: docs/filter.ros2.dedup.md.
 */
#ifndef ROS2BT_DEDUP_H
#define ROS2BT_DEDUP_H

#include "ros2bt/base/params.h"
#include "ros2bt/bt/filter.h"

#define DEDUP_PARAMS(PARAM)                                                                                            \
	PARAM(window, DURATION, "1ms", "DURATION",                                                                     \
	      "The largest time between the first event and a copy without init_timestamp.")

#define DEDUP_HELP                                                                                                     \
	"Drops the second and later copies of an initialization event: same host, process, event name and "            \
	"payload.\n\n"                                                                                                 \
	"Parameters:\n\n" DEDUP_PARAMS(PARAM_HELP) "Queries: parameters."

extern const struct filter_class dedup_class;

#endif
