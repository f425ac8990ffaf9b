/* SPDX-License-Identifier: MIT */
/*
 * How the clock of one host (the other) relates to that of a second one (the reference), from the messages between
 * them: no message arrives before it was sent. With offset = other - reference,
 *
 *   reference → other, published at p, taken at t: offset(p) <= t - p   (an upper bound)
 *   other → reference, published at p, taken at t: offset(t) >= p - t   (a lower bound)
 *
 * In a piece the offset is a line over the time of the reference. All lines that contradict no bound are a convex
 * polygon (offset at the begin, drift), and the estimate is their mean: the centroid, moved up or down until the bounds
 * above and below are equally near. Where bounds contradict every line, a clock was set, or runs at another rate: a new
 * piece begins. A bound that only contradicts by itself, while the next ones of its direction do not, is counted and
 * left out.
 *
 * Bounds of one direction only give the line that leaves the least latencies in sum, so that the fastest message takes
 * no time: all latencies are too small by what that one took, which nobody knows.
 *
 * Times in ns. Cost: O(bounds x corners of the polygon, 10 or so). The method is that of convex hulls between two
 * clouds of messages (Duda, Harrus, Haddad, Bernard: Estimating global time in distributed systems, 1987).
 */
#ifndef ROS2BT_CLOCK_RELATION_H
#define ROS2BT_CLOCK_RELATION_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Clocks of computers differ by at most some 100 ppm, and by as much more while one is being slewed. */
#define CLOCK_DRIFT_MAX 1e-3
#define CLOCK_UNKNOWN_NS INT64_MAX

struct clock_bound {
	int64_t at_ns; /* time of the reference */
	int64_t offset_ns;
	bool is_upper;
};

struct clock_piece {
	int64_t begin_ns, end_ns; /* the first and last bound, time of the reference */
	int64_t from_ns,
		from_other_ns;	  /* from where it holds, in both clocks; those of the first piece do not matter */
	int64_t at_ns, offset_ns; /* the offset is offset_ns + drift * (t - at_ns) */
	double drift;
	uint64_t upper_count, lower_count;
	/* Half the least round trip as the aligned clocks show it; CLOCK_UNKNOWN_NS with bounds of one direction. */
	int64_t uncertainty_ns;
	/* No line that contradicts no bound is further away, at any time from begin_ns to end_ns; or as above. */
	int64_t error_ns;
};

struct clock_relation {
	GArray *pieces; /* struct clock_piece, at least one, in order of time */
	uint64_t upper_count, lower_count;
	uint64_t contradiction_count; /* bounds that were left out */
};

static inline const struct clock_piece *clock_relation_piece(const struct clock_relation *relation, guint index)
{
	return &g_array_index(relation->pieces, struct clock_piece, index);
}

/* At least one bound; they are sorted here. */
struct clock_relation *clock_relation_create(struct clock_bound *bounds, size_t count);
void clock_relation_destroy(struct clock_relation *relation); /* NULL is allowed */

/*
 * Time of the other clock to time of the reference. O(pieces). A clock was set somewhere between two messages: events
 * of the other host between these may be off by as much, and so seem to go back.
 */
int64_t clock_relation_to_reference(const struct clock_relation *relation, int64_t other_ns);

/* The offset that holds at a time of the reference. */
int64_t clock_relation_offset(const struct clock_relation *relation, int64_t reference_ns);

/* The largest uncertainty of the pieces; CLOCK_UNKNOWN_NS if one of them has none. */
int64_t clock_relation_uncertainty(const struct clock_relation *relation);

/* How far the clock was set where the piece with this index, from 1, begins: forwards is positive. */
int64_t clock_relation_step(const struct clock_relation *relation, guint piece);

#endif
