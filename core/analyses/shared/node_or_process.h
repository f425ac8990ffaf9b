/* SPDX-License-Identifier: MIT */
/* The name by which reports call a node, known or not. */
#ifndef ROS2BT_NODE_OR_PROCESS_H
#define ROS2BT_NODE_OR_PROCESS_H

#include "ros2bt/events/recording.h"

/* The node; if it is not known (NULL), its process as "[PROCNAME]", or "[?]" if that has no name. To be freed.
 */
char *node_or_process(const char *node, const struct recording_process *process);

#endif
