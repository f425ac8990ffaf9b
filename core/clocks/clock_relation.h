/* SPDX-License-Identifier: MIT */
/*
 * The relation of the clocks of two hosts, the reference and the other one, from the messages between them: no message
 * arrives before it was sent. With offset = other - reference,
 *
 *   reference → other, published at p, taken at t: offset(p) <= t - p   (an upper bound)
 *   other → reference, published at p, taken at t: offset(t) >= p - t   (a lower bound)
 *
 * The offset consists of straight pieces (clock_pieces.h), each with the line in the middle of those that contradict no
 * bound and leave every message time to travel (clock_fit.h). A new piece begins where no line does: a clock was set,
 * is slewed, or wanders. was_set tells the first from the others: it is true only where two bounds contradict each
 * other at any rate up to CLOCK_DRIFT_MAX. Bounds that nothing explains are counted and left out. Messages next to a
 * step that may be of either line are a piece half-way between both (clock_lines.h).
 *
 * uncertainty_ns is the most by which a time may be off that is converted: half the shortest round trip at least, more
 * where the line cannot be told from others that bend once, where the clock left its line, and where a message may
 * belong to either of two lines. It holds under these assumptions; without any, no bound exists:
 * - The rate of a clock changes once in a piece at most, about when a message is exchanged, not by more than 0.2 ppm
 *   besides, or as the messages show.
 * - A clock does not leave its piece and return within a few messages of either direction.
 * - The fastest messages of a direction take as long after a step as before it.
 * - Messages about a step were not all together slower than others by twelve times the usual scatter.
 *
 * If there are bounds of one direction only, the estimate is the line with the least sum of latencies, on which the
 * fastest message takes no time; where that changes abruptly, a piece ends (clock_one_way.h). There is no uncertainty.
 *
 * Times are in ns. Cost: O(bounds x corners of a polygon), some dozen times; conversions O(log pieces). Memory: the
 * pieces; while the relation is found, 60 bytes for each bound. The method is that of convex hulls between two clouds
 * of messages (Duda, Harrus, Haddad, Bernard: Estimating global time in distributed systems, 1987).
 */
#ifndef ROS2BT_CLOCK_RELATION_H
#define ROS2BT_CLOCK_RELATION_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/clocks/clock_bound.h"

#define CLOCK_UNKNOWN_NS INT64_MAX

struct clock_piece {
	int64_t begin_ns, end_ns;	/* the first and last bound, time of the reference */
	int64_t from_ns, from_other_ns; /* where it begins to hold, in both clocks; meaningless in the first piece */
	int64_t at_ns, offset_ns;	/* the offset is offset_ns + drift * (t - at_ns) */
	double drift;
	uint64_t upper_count, lower_count;
	int64_t uncertainty_ns; /* CLOCK_UNKNOWN_NS with fewer than eight bounds of a direction */
	/* The largest distance of any line that would do, from begin_ns to end_ns; CLOCK_UNKNOWN_NS as above. */
	int64_t error_ns;
	int64_t step_ns; /* by how much the other clock goes ahead where the piece begins; with doubt, behind it */
	bool was_set;	 /* a clock was set where the piece begins; false: its rate changed, or nothing proves it */
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
 * Converts a time of the other clock to a time of the reference. Where a clock was set is only known to lie between two
 * messages; events of the other host between these may be off by the step, and seem to go back in time.
 */
int64_t clock_relation_to_reference(const struct clock_relation *relation, int64_t other_ns);

/* The offset at a time of the reference. */
int64_t clock_relation_offset(const struct clock_relation *relation, int64_t reference_ns);

/* The largest uncertainty of the pieces; CLOCK_UNKNOWN_NS if that of any piece is unknown. */
int64_t clock_relation_uncertainty(const struct clock_relation *relation);

/* How far the other clock goes ahead where a piece begins, forwards positive; `piece` is its index, from 1. */
int64_t clock_relation_step(const struct clock_relation *relation, guint piece);

/* How often a clock was set. */
guint clock_relation_times_set(const struct clock_relation *relation);

#endif
