/* SPDX-License-Identifier: MIT */
/*
 * Where the relation of two clocks changed, by messages of one direction only. They bound the offset from one side, so
 * nothing proves that a clock was set. But of many messages some are fast, so where the fastest of WINDOW_COUNT in a
 * row are all slower, or faster, than the fastest before, by several times what they scatter, the clock or the way of
 * the messages changed, and one line would describe neither part.
 */
#ifndef ROS2BT_CLOCK_ONE_WAY_H
#define ROS2BT_CLOCK_ONE_WAY_H

#include "core/clocks/clock_fit.h"

/* As clock_pieces_find(), for `count` bounds of one direction. */
GArray *clock_one_way_find(const struct clock_bounds *bounds, size_t count);

#endif
