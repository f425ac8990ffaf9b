/* SPDX-License-Identifier: MIT */
/*
 * Lanes of a row of a timeline, for slices that may overlap: each goes to the first lane that is free from its begin
 * on. Slices may arrive in any order; a late one gets a new lane rather than a gap between others. O(lanes); memory:
 * the lanes, as many as slices overlap.
 */
#ifndef ROS2BT_TIMELINE_LANES_H
#define ROS2BT_TIMELINE_LANES_H

#include <glib.h>
#include <stdint.h>

/* Slices beyond these lanes are not drawn. */
#define TIMELINE_LANES_MAX 1000

struct timeline_lanes {
	GArray *ends; /* int64_t: of the last slice of each lane; NULL: none */
};

void timeline_lanes_clear(struct timeline_lanes *lanes);

/* The lane of a slice; TIMELINE_LANES_MAX if none is free. */
unsigned int timeline_lanes_take(struct timeline_lanes *lanes, int64_t begin_ns, int64_t end_ns);

static inline unsigned int timeline_lanes_count(const struct timeline_lanes *lanes)
{
	return lanes->ends ? lanes->ends->len : 0;
}

#endif
