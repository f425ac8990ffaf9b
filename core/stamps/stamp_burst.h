/* SPDX-License-Identifier: MIT */
/*
 * Publications in quick succession, whose intervals do not overlap: each offset within the bounds of the clock explains
 * the waiting stamps by other publications. The offsets that explain the most of the stamps, each by a publication of
 * its own, decide. See stamp_matcher.h for the rule. Cost: O(offsets x stamps x intervals), for 32 stamps at most.
 */
#ifndef ROS2BT_STAMP_BURST_H
#define ROS2BT_STAMP_BURST_H

#include "core/stamps/stamp_candidates.h"

#define BURST_MAX 32

/* Stamps of a topic whose candidates do not overlap, and the offsets at which any of them changes its interval. */
struct stamp_burst {
	int64_t stamps[BURST_MAX];
	guint count;
	GPtrArray *intervals; /* struct stamp_interval *, the candidates of all */
	GArray *offsets;      /* int64_t */
};

void stamp_burst_init(struct stamp_burst *burst);
void stamp_burst_clear(struct stamp_burst *burst);

/* One more stamp, BURST_MAX at most; its candidates are disjoint. */
void stamp_burst_add(struct stamp_burst *burst, const struct stamp_clock *clock,
		     const struct stamp_candidates *candidates, int64_t stamp);

/* The publication that all offsets which explain every stamp give to this one; NULL if they differ or none does. */
struct stamp_interval *stamp_burst_find(const struct stamp_burst *burst, int64_t stamp);

#endif
