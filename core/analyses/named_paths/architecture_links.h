/* SPDX-License-Identifier: MIT */
/* Which messages the nodes on named paths keep, by an architecture: see named_flows.h. */
#ifndef ROS2BT_ARCHITECTURE_LINKS_H
#define ROS2BT_ARCHITECTURE_LINKS_H

#include <glib.h>

#include "core/architecture/named_path_options.h"

/* An array of struct link_rule, to be freed. O(nodes on paths × callbacks and passings of the node). */
GArray *architecture_links_of(const struct named_path_options *options);

#endif
