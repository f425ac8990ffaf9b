/* SPDX-License-Identifier: MIT */
/*
 * Series: the numbers of a field, in all or for each value of another one; of a list, those of its elements, and of
 * their count; of an enumeration or a text, how often it had each value. O(1) per event and element.
 */
#ifndef ROS2BT_POINT_SERIES_H
#define ROS2BT_POINT_SERIES_H

#include "core/analyses/points/point_counts.h"

/* An array of struct point_series_state. */
GArray *point_series_create(void);
/* The series of the file. */
void point_series_open(struct points *points);

/* Takes an event of the series. */
void point_series_add(const struct points *points, struct point_series_state *state, const struct event_record *record);

#endif
