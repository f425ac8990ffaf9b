/* SPDX-License-Identifier: MIT */
/*
 * Publications in quick succession, whose intervals do not overlap: each offset within the bounds of the clock explains
 * the waiting stamps by other publications. The offsets that explain the most stamps, each by a publication of its own,
 * decide. Only stamps count that no other host can have made, since an offset is that of one host. Some may be of
 * publications that are not recorded (stamp_losses.h), which none of these offsets explains: without any single one of
 * those, the others have to decide the same. stamp_matcher.h describes the rule.
 *
 * What an offset explains changes only where a stamp enters or leaves an interval: these offsets are tried, and one
 * between each two of them, as a stamp that is right between two writes is not told to be of one of them.
 *
 * Cost: O(offsets x stamps x intervals), for at most BURST_MAX stamps; once more for each that may not be recorded.
 */
#ifndef ROS2BT_STAMP_BURST_H
#define ROS2BT_STAMP_BURST_H

#include "core/stamps/stamp_candidates.h"
#include "core/stamps/stamp_losses.h"
#include "core/stamps/stamp_waiting.h"

/*
 * The publication of this stamp at all offsets that explain every stamp of the topic and the host; NULL: they differ,
 * or there is none, or the stamp is not one of them, or another one that is doubtful decides.
 */
struct stamp_interval *stamp_burst_find(const struct stamp_waiting *waiting, const struct stamp_clocks *clocks,
					const struct stamp_losses *losses, const struct stamp_topic *topic,
					uint32_t host, int64_t stamp);

#endif
