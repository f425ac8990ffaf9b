/* SPDX-License-Identifier: MIT */
/* ros2-latency --each: several recordings of one system over time in one report. */
#ifndef ROS2BT_COMMAND_EACH_H
#define ROS2BT_COMMAND_EACH_H

#include "options.h"

/* Gives the exit status. */
int report_each(const struct command_options *options);

#endif
