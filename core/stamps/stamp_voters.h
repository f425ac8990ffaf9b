/* SPDX-License-Identifier: MIT */
/*
 * Which stamps vote for the offset of a host: while nothing is known of it, all that wait; later those that wait and
 * are odd, and odd ones that have left the queue since a publication of the host was known to have its stamp. Where
 * messages are rare, too few wait at a time.
 *
 * A take on another host, whose clock may be behind, can precede the publication of its message. Its stamp votes only
 * when the trace has gone on behind the publication by the expected offset (the one that is known, or zero), and behind
 * those by any offset that would be a rival of the one elected: until then, earlier publications are its only choice,
 * and may all lead to the same wrong offset. It waits no longer than VOTER_WAIT_NS, since an offset of seconds would
 * never be elected otherwise: stamps are given up before. Cost: that of stamp_vote.h, twice.
 */
#ifndef ROS2BT_STAMP_VOTERS_H
#define ROS2BT_STAMP_VOTERS_H

#include "core/stamps/stamp_clock.h"
#include "core/stamps/stamp_vote.h"
#include "core/stamps/stamp_waiting.h"

/* A guess at how far apart the clocks of traces are. Messages of 9 Hz have 8 that have waited so long, and still wait.
 */
#define VOTER_WAIT_NS (100 * NS_PER_MS)

/* False if no offset is clear; `voters` is how many stamps had a vote. */
bool stamp_voters_elect(const struct stamp_waiting *stamps, const struct stamp_clocks *clocks, uint32_t host,
			struct stamp_elected *elected, guint *voters);

#endif
