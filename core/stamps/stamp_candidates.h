/* SPDX-License-Identifier: MIT */
/*
 * The publications of a topic that may have a stamp: those whose interval, moved by an offset within the bounds of
 * their host's clock, holds the stamp. See stamp_matcher.h for the rule. Cost: O(candidates + long intervals).
 */
#ifndef ROS2BT_STAMP_CANDIDATES_H
#define ROS2BT_STAMP_CANDIDATES_H

#include "core/stamps/stamp_clock.h"
#include "core/stamps/stamp_interval.h"

#define CANDIDATES_MAX 8 /* more are counted only */

struct stamp_candidates {
	struct stamp_interval *all[CANDIDATES_MAX];
	guint count;
	struct stamp_interval *near; /* one right at its write event */
	guint near_count;
	bool is_taken;	       /* another take has had the stamp */
	bool is_open;	       /* a later publication may have it */
	bool is_unsure;	       /* the offset of one is not known */
	bool has_unknown_host; /* of the topic, even if nothing of it is a candidate */
};

struct stamp_candidates stamp_candidates_find(const struct stamp_clocks *clocks, const struct stamp_topic *topic,
					      int64_t stamp);

/* Whether one candidate is near, and no other one that is not loose overlaps it. */
bool stamp_candidates_prefer_near(const struct stamp_candidates *candidates);

/* Whether it is only the uncertain offset that makes more than one fit. */
bool stamp_candidates_are_disjoint(const struct stamp_candidates *candidates);

#endif
