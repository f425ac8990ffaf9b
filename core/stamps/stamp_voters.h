/* SPDX-License-Identifier: MIT */
/*
 * Which stamps vote for the offset of a host: while nothing is known of it, all that wait; later those that wait and
 * are odd, and odd ones that have left the queue since a publication of the host was known to have its stamp. Where
 * messages are rare, too few wait at a time.
 *
 * A take on another host, whose clock may be behind, can precede the publication of its message. Its stamp votes only
 * when the trace has gone on behind the publication by the expected offset (the one that is known, or zero), and behind
 * those by any offset that would be a rival of the one elected: until then, earlier publications are its only choice,
 * and may all lead to the same wrong offset. Cost: that of stamp_vote.h, twice.
 */
#ifndef ROS2BT_STAMP_VOTERS_H
#define ROS2BT_STAMP_VOTERS_H

#include "core/stamps/stamp_clock.h"
#include "core/stamps/stamp_vote.h"
#include "core/stamps/stamp_waiting.h"

/* False if no offset is clear; `voters` is how many stamps had a vote. */
bool stamp_voters_elect(const struct stamp_waiting *stamps, const struct stamp_clocks *clocks, uint32_t host,
			struct stamp_elected *elected, guint *voters);

#endif
