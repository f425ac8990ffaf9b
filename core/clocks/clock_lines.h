/* SPDX-License-Identifier: MIT */
/*
 * The straight lines of the offset of two clocks, and which messages belong to each: the pieces of clock_pieces.h, with
 * the shortest round trip that they and the messages show. Where the messages next to a boundary may be of either line,
 * and a clock was set rather than changed its rate, they are a part of their own, between both lines.
 *
 * Pieces and the shortest round trip depend on each other, so both are found several times. Times are in ns. Cost:
 * O(bounds x corners of a polygon), some dozen times.
 */
#ifndef ROS2BT_CLOCK_LINES_H
#define ROS2BT_CLOCK_LINES_H

#include "core/clocks/clock_fit.h"

/* Messages of one line, or between two lines that may both be theirs. */
struct clock_part {
	size_t begin, end; /* bounds */
	guint line;	   /* the first one with `is_between` */
	bool is_between;   /* this line and the next */
	double apart_ns;   /* the largest distance of both lines */
};

struct clock_lines {
	struct clock_bounds bounds;
	size_t count, upper_count;
	GArray *boundaries; /* size_t: where the bounds of each line begin, and `count` */
	GArray *fits;	    /* struct clock_fit */
	GArray *doubts;	    /* double: by how much a time may be off by each line; infinite if unknown */
	GArray *parts;	    /* struct clock_part, at least one, in order of time */
	double round_ns;    /* the shortest round trip; 0 with messages of one direction only */
};

/* Of at least one bound, in order of time, which is borrowed. */
void clock_lines_init(struct clock_lines *lines, const struct clock_bound *bounds, size_t count);
void clock_lines_clear(struct clock_lines *lines);

static inline size_t clock_lines_boundary(const struct clock_lines *lines, guint index)
{
	return g_array_index(lines->boundaries, size_t, index);
}

static inline const struct clock_fit *clock_lines_fit(const struct clock_lines *lines, guint index)
{
	return &g_array_index(lines->fits, struct clock_fit, index);
}

static inline double clock_lines_doubt(const struct clock_lines *lines, guint index)
{
	return g_array_index(lines->doubts, double, index);
}

static inline const struct clock_part *clock_lines_part(const struct clock_lines *lines, guint index)
{
	return &g_array_index(lines->parts, struct clock_part, index);
}

/* The offset by a line. */
int64_t clock_lines_offset(const struct clock_lines *lines, guint line, const struct clock_bound *at);

/* By how much the other clock goes ahead where a line begins, from 1. */
int64_t clock_lines_step(const struct clock_lines *lines, guint line);

/* Whether two bounds on either side of where a line begins, from 1, prove that a clock was set there. */
bool clock_lines_is_set(const struct clock_lines *lines, guint index);

/* By how much a time may be off next to where a line meets no other: the clock may have been slewed. 0 elsewhere. */
double clock_lines_slew(const struct clock_lines *lines, guint line);

#endif
