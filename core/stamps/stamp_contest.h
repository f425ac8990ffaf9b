/* SPDX-License-Identifier: MIT */
/*
 * A publication leaves the matcher: those of its topic that may be mistaken for it are contested from now on, because a
 * stamp that fits one of them may be its stamp. Rivals are publications without stamps whose intervals, moved by the
 * bounds of their hosts' clocks, overlap its own, or contain its stamp if it has one.
 *
 * Cost: O(publications at the time of the interval + long intervals).
 */
#ifndef ROS2BT_STAMP_CONTEST_H
#define ROS2BT_STAMP_CONTEST_H

#include "core/stamps/stamp_clock.h"
#include "core/stamps/stamp_interval.h"

/* The interval leaves now. */
void stamp_contest_rivals(const struct stamp_clocks *clocks, const struct stamp_interval *leaving);

/* Whether it has no rival, nor may have one among the publications to come. */
bool stamp_contest_is_needless(const struct stamp_clocks *clocks, const struct stamp_interval *leaving);

#endif
