/* SPDX-License-Identifier: MIT */
/*
 * Was system time set? A stamp that no publication can have (an odd one) is of a publication that is not recorded, or
 * the offset of a clock is not what it was. Until that is known, another stamp with one candidate is certain only if no
 * other offset explains both: the odd stamp by one publication, and this one by another than its candidate. If system
 * time was set, the offset that is right now explains both, provided that both publications are recorded.
 *
 * Cost: nothing while no odd stamp waits; O(odd stamps x publications^2) while some do, each at most DOUBT_…_MAX.
 */
#ifndef ROS2BT_STAMP_DOUBT_H
#define ROS2BT_STAMP_DOUBT_H

#include "core/stamps/stamp_clock.h"
#include "core/stamps/stamp_interval.h"

#define DOUBT_STEPS_MAX 256	  /* of a walk over the publications of a topic, most of which have their stamps */
#define DOUBT_ODD_MAX 8		  /* odd stamps that are asked, the newest; a limit of cost */
#define DOUBT_PUBLICATIONS_MAX 32 /* publications of a topic that are tried; a limit of cost */

struct stamp_doubt {
	const struct stamp_topic *topics[DOUBT_ODD_MAX];
	struct stamp_take takes[DOUBT_ODD_MAX];
	guint count;
};

/*
 * Whether the offset by which a stamp has its only candidate is known to be the one of that time. Publications whose
 * stamps lie right behind the beginnings of their writes confirm it. A stamp that does so, too, needs one before it;
 * any other one that was written after the take: when the clock was set, the first stamps may lie anywhere. Or it does
 * not matter, since no other publication without a stamp may have been written while nothing confirms the offset. Never
 * if the offset is not about zero, as it is when recorders begin, and another publication of the host has the stamp at
 * that: the stamp may be older than the setting.
 */
bool stamp_doubt_is_confirmed(const struct stamp_clocks *clocks, const struct stamp_topic *topic,
			      const struct stamp_take *take, const struct stamp_interval *candidate);

/* Whether another offset explains an odd stamp and, by another publication than the candidate, this one. */
bool stamp_doubt_is_justified(const struct stamp_doubt *doubt, const struct stamp_topic *topic,
			      const struct stamp_take *take, const struct stamp_interval *candidate);

#endif
