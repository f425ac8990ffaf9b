/* SPDX-License-Identifier: MIT */
/*
 * The relation of the clocks of two hosts, the reference and the other one, from the messages between them: no message
 * arrives before it was sent. With offset = other - reference,
 *
 *   reference → other, published at p, taken at t: offset(p) <= t - p   (an upper bound)
 *   other → reference, published at p, taken at t: offset(t) >= p - t   (a lower bound)
 *
 * Within a piece the offset is a linear function of the time of the reference. The lines that contradict no bound form
 * a convex polygon (offset at the begin, drift). The estimate is its centroid, moved up or down until the bounds above
 * and below are equally near. A new piece begins where bounds contradict every line: a clock was set, or its rate
 * changed. A single bound that contradicts, while the next ones of its direction do not, is counted and left out.
 *
 * If there are bounds of one direction only, the estimate is the line with the least sum of latencies, on which the
 * fastest message takes no time. All latencies are then too small by the unknown latency of that message.
 *
 * Times are in ns. Cost: O(bounds x corners of the polygon, about 10). Memory: the pieces. The method is that of convex
 * hulls between two clouds of messages (Duda, Harrus, Haddad, Bernard: Estimating global time in distributed systems,
 * 1987).
 */
#ifndef ROS2BT_CLOCK_RELATION_H
#define ROS2BT_CLOCK_RELATION_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Rates of computers' clocks differ by at most some 100 ppm, and by 500 ppm more while NTP slews one. */
#define CLOCK_DRIFT_MAX 1e-3
#define CLOCK_UNKNOWN_NS INT64_MAX

struct clock_bound {
	int64_t at_ns; /* time of the reference */
	int64_t offset_ns;
	bool is_upper;
};

struct clock_piece {
	int64_t begin_ns, end_ns;	/* the first and last bound, time of the reference */
	int64_t from_ns, from_other_ns; /* where it begins to hold, in both clocks; meaningless in the first piece */
	int64_t at_ns, offset_ns;	/* the offset is offset_ns + drift * (t - at_ns) */
	double drift;
	uint64_t upper_count, lower_count;
	/* Half the shortest round trip on the aligned clocks; CLOCK_UNKNOWN_NS with bounds of one direction only. */
	int64_t uncertainty_ns;
	/* The largest distance of any line in the polygon, from begin_ns to end_ns; CLOCK_UNKNOWN_NS as above. */
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

/* From at least one bound. Sorts the bounds. */
struct clock_relation *clock_relation_create(struct clock_bound *bounds, size_t count);
void clock_relation_destroy(struct clock_relation *relation); /* NULL is allowed */

/*
 * Converts a time of the other clock to a time of the reference. O(pieces). Where a clock was set is only known to lie
 * between two messages; events of the other host between these may be off by the step, and seem to go back in time.
 */
int64_t clock_relation_to_reference(const struct clock_relation *relation, int64_t other_ns);

/* The offset at a time of the reference. */
int64_t clock_relation_offset(const struct clock_relation *relation, int64_t reference_ns);

/* The largest uncertainty of the pieces; CLOCK_UNKNOWN_NS if that of any piece is unknown. */
int64_t clock_relation_uncertainty(const struct clock_relation *relation);

/* How far the other clock was set where a piece begins, forwards positive; `piece` is its index, from 1. */
int64_t clock_relation_step(const struct clock_relation *relation, guint piece);

#endif
