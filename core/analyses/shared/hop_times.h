/* SPDX-License-Identifier: MIT */
/*
 * Where the time of a hop goes. The parts of all hops of a traversal add up to its latency; over many traversals they
 * are sums, which 64 bits need not hold.
 */
#ifndef ROS2BT_HOP_TIMES_H
#define ROS2BT_HOP_TIMES_H

#include "core/base/int128.h"

struct hop_times {
	int128 callback_ns;  /* in the callback before: from its start to the publication, or to its end if the message
				  was kept; in the last one: all of it */
	int128 kept_ns;	     /* the message was kept: from that callback's end to the publication */
	int128 transport_ns; /* from the publication to the take */
	int128 wait_ns;	     /* from the take to the callback's start */
};

static inline int128 hop_times_total(const struct hop_times *times)
{
	return times->transport_ns + times->wait_ns + times->callback_ns + times->kept_ns;
}

#endif
