/* SPDX-License-Identifier: MIT */
/*
 * By how much the line of a piece (clock_fit.h) may be off, with the assumptions of clock_relation.h. In ns. What is
 * compared, and why, is explained in docs/internals/clocks.md, "The uncertainty".
 */
#ifndef ROS2BT_CLOCK_DOUBT_H
#define ROS2BT_CLOCK_DOUBT_H

#include "core/base/clock_fit.h"

/*
 * The most that a time may be off in the piece from `begin` to before `end`, apart from where it meets its neighbours.
 * `round_ns`: the shortest round trip. For messages both ways. O(messages).
 */
double clock_doubt_piece(const struct clock_bounds *bounds, size_t begin, size_t end, const struct clock_fit *fit,
			 double round_ns);

/*
 * How far two lines are from each other where a message of the one (`own`) may belong to the other piece, next to their
 * boundary `at`; `begin` and `end` are those of both: as long as no message would take less than is possible by the
 * other line, and none would be so slow that it is implausible.
 */
double clock_doubt_boundary(const struct clock_bounds *bounds, size_t begin, size_t at, size_t end,
			    const struct clock_fit *own, const struct clock_fit *other);

#endif
