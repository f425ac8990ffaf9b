/* SPDX-License-Identifier: MIT */
/*
 * The clocks of all hosts relative to the clock of one, from the messages between them. The reference is the host that
 * exchanges messages with the most other hosts, the first by name if there are several. Every other host refers to the
 * neighbour over which its uncertainty is least. A pair with messages in one direction only is used if no better way
 * connects its hosts.
 *
 * Cost: O(messages x pairs with messages).
 */
#ifndef ROS2BT_HOST_CLOCKS_H
#define ROS2BT_HOST_CLOCKS_H

#include "core/clocks/clock_alignment.h"
#include "ros2bt/events/recording.h"

/* `messages`: struct host_message, between hosts of the recording. Returns a new alignment. */
struct clock_alignment *host_clocks_align(const GArray *messages, const struct recording *recording);

#endif
