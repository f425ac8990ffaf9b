/* SPDX-License-Identifier: MIT */
/*
 * The publications of a topic that may have a stamp: those whose interval contains the stamp, when moved by an offset
 * within the bounds of their host's clock, and which were published before the take as far as the clock of the trace
 * tells (stamp_take.h). stamp_matcher.h describes the rule. Cost: O(candidates + long intervals).
 */
#ifndef ROS2BT_STAMP_CANDIDATES_H
#define ROS2BT_STAMP_CANDIDATES_H

#include "core/stamps/stamp_clock.h"
#include "core/stamps/stamp_interval.h"

#define CANDIDATES_MAX 8 /* a limit of cost; more are only counted */

struct stamp_candidates {
	struct stamp_interval *all[CANDIDATES_MAX];
	guint count;
	struct stamp_interval *near; /* one that is written right before the stamp */
	guint near_count;
	bool is_near_early;    /* only an offset that nothing confirms puts `near` before the stamp */
	bool is_taken;	       /* a publication has the stamp already */
	bool is_contested;     /* one that has left may have it as well */
	bool is_open;	       /* a later publication may have it */
	bool is_unsure;	       /* the offset of one is not known */
	bool has_unknown_host; /* of the topic, even if none of its publications is a candidate */
};

/*
 * Whether the stamp lies within INTERVAL_NEAR_NS of the beginning of the write, by the highest offset: of the event
 * before it, of its own, or between these, if the thread was preempted there.
 */
bool stamp_candidate_is_near(const struct stamp_clock *clock, const struct stamp_interval *interval,
			     const struct stamp_take *take);

/* Whether a recorded publication may have the stamp at all, now or later. O(1). */
bool stamp_candidates_are_possible(const struct stamp_topic *topic, int64_t stamp);

struct stamp_candidates stamp_candidates_find(const struct stamp_clocks *clocks, const struct stamp_topic *topic,
					      const struct stamp_take *take);

/* Whether exactly one candidate is near and begins before the stamp, and no other one overlaps it except loose ones. */
bool stamp_candidates_prefer_near(const struct stamp_candidates *candidates);

/* Whether no two candidates overlap, so that several fit only because the offset is uncertain. */
bool stamp_candidates_are_disjoint(const struct stamp_candidates *candidates);

/* Whether all of them were published on the host. */
bool stamp_candidates_are_of(const struct stamp_candidates *candidates, uint32_t host);

#endif
