/* SPDX-License-Identifier: MIT */
/*
 * Where the straight pieces of the offset of two clocks begin: a clock was set, slewed, or wandered further than one
 * line can follow. A piece lasts as long as there is a line that leaves each message time to travel (margin_ns of
 * clock_fit.h). Where two pieces overlap, because bounds there allow either, they meet where their lines cross, or
 * where the latencies by both have the smallest sum, whichever leaves more room between the bounds.
 *
 * A bound that no clock can obey together with its neighbours, while the next ones of its direction fit again, is left
 * out: its message was not what it seems.
 */
#ifndef ROS2BT_CLOCK_PIECES_H
#define ROS2BT_CLOCK_PIECES_H

#include "core/clocks/clock_fit.h"

/* Returns the indexes at which pieces begin, and `count` at the end (size_t). Sets bounds->is_left_out. */
GArray *clock_pieces_find(const struct clock_bounds *bounds, size_t count);

#endif
