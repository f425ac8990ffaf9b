/* SPDX-License-Identifier: MIT */
/*
 * Series: the numbers of a field, together or for each value of another field; for a list, the numbers of its elements,
 * and their count; for an enumeration or a text, how often each value occurred. O(1) per event and element. Memory: a
 * row for each name (point_names.h).
 */
#ifndef ROS2BT_POINT_SERIES_H
#define ROS2BT_POINT_SERIES_H

#include "core/analyses/points/points_state.h"

/* Adds the series of the file. */
void point_series_open(struct points *points);

/* Adds an event of the series. */
void point_series_add(const struct points *points, struct point_series_state *state, const struct event_record *record);

#endif
