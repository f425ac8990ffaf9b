/* SPDX-License-Identifier: MIT */
/* ros2-latency --each: several recordings of one system over time in one report. */
#ifndef ROS2BT_COMMAND_EACH_H
#define ROS2BT_COMMAND_EACH_H

#include "command/command.h"

/* Returns the exit status. */
int report_each(const struct command_options *options, GError **error);

#endif
