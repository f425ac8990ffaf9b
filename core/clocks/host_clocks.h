/* SPDX-License-Identifier: MIT */
/*
 * The clocks of all hosts on that of one, from the messages between them. The reference is the host that exchanges
 * messages with most others, the first by name if there are several; every other host refers to the one over which its
 * uncertainty is the least. Where a pair has messages of one direction only, it is used if nothing better connects it.
 *
 * Cost: O(messages + pairs x hosts).
 */
#ifndef ROS2BT_HOST_CLOCKS_H
#define ROS2BT_HOST_CLOCKS_H

#include "core/base/clock_alignment.h"
#include "ros2bt/recording.h"

/* `messages`: struct host_message; the hosts are those of the recording. */
struct clock_alignment *host_clocks_align(const GArray *messages, const struct recording *recording);

#endif
