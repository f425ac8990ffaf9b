/* SPDX-License-Identifier: MIT */
/*
 * The straight lines on which the offset of two clocks may lie: those that contradict no bound (clock_bound.h). A
 * line is a point (offset at an origin, drift), so each bound cuts off a half-plane, and what is left is a convex
 * polygon with ten corners or so, whatever the number of bounds.
 *
 * With a margin, a line is the middle of a strip of that height, which must fit between the bounds: no message takes
 * less time than the fastest one, so lines by which some would have taken less are left out.
 *
 * Offsets are ns from that of the origin, times seconds from it. Cost of a cut: O(corners).
 */
#ifndef ROS2BT_CLOCK_POLYGON_H
#define ROS2BT_CLOCK_POLYGON_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct clock_bound;

/* A line relative to an origin: ns, ns per second. */
struct clock_line {
	double offset, drift;
};

struct clock_polygon {
	const struct clock_bound *origin; /* borrowed */
	double margin_ns, reach_ns;
	GArray *corners; /* struct clock_line, in order around the polygon */
	GArray *next;	 /* the corners after the cut in progress */
};

void clock_polygon_init(struct clock_polygon *polygon);
void clock_polygon_clear(struct clock_polygon *polygon);

/* To all lines that no clock's rate excludes, and that are at most reach_ns from the origin. */
void clock_polygon_reset(struct clock_polygon *polygon, const struct clock_bound *origin, double margin_ns,
			 double reach_ns);

/* False if the bound contradicts every line; the polygon is then unchanged. */
bool clock_polygon_cut(struct clock_polygon *polygon, const struct clock_bound *bound);

/* Whether any line satisfies the bound as well. */
bool clock_polygon_allows(struct clock_polygon *polygon, const struct clock_bound *bound);

/* The mean of all lines. */
struct clock_line clock_polygon_centre(const struct clock_polygon *polygon);

/* The line with the least sum of latencies about a moment, for bounds of one direction. */
struct clock_line clock_polygon_tightest(const struct clock_polygon *polygon, double at_s, bool is_upper);

/* Of all lines at a moment, the lowest and the highest offset, relative to a line. */
struct clock_range {
	double low, high;
};
struct clock_range clock_polygon_range(const struct clock_polygon *polygon, const struct clock_line *line, double at_s);

/* The largest distance of any line from a line at a moment. */
double clock_polygon_extent(const struct clock_polygon *polygon, const struct clock_line *line, double at_s);

#endif
