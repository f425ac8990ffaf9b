/* SPDX-License-Identifier: MIT */
/*
 * Which stamps vote for the offset of a host: while nothing is known of it, all that wait; later those that wait and
 * are odd, and odd ones that have left the queue since a publication of the host was known to have its stamp. Where
 * messages are rare, too few wait at a time. Cost: that of stamp_vote.h.
 */
#ifndef ROS2BT_STAMP_VOTERS_H
#define ROS2BT_STAMP_VOTERS_H

#include "core/stamps/stamp_clock.h"
#include "core/stamps/stamp_vote.h"
#include "core/stamps/stamp_waiting.h"

void stamp_voters_add(struct stamp_vote *vote, const struct stamp_waiting *stamps, const struct stamp_clocks *clocks,
		      uint32_t host);

#endif
