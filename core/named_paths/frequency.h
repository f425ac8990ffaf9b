/* SPDX-License-Identifier: MIT */
/*
 * How many events happened in each second, as CARET counts them (plot/timeseries/frequency_timeseries.py): from half a
 * period after the first event on, so that the bins of a steady series do not begin at its events; only whole seconds
 * before the last event. O(n + bins).
 */
#ifndef ROS2BT_FREQUENCY_H
#define ROS2BT_FREQUENCY_H

#include <stddef.h>
#include <stdint.h>

/* Of a longer run of empty bins (a day), only the first bin is visited. */
#define FREQUENCY_EMPTY_BINS_MAX 86400

typedef void (*frequency_visitor)(void *data, int64_t start_ns, uint64_t count);

/* Visits the bins in order. `times_ns` must not decrease. */
void frequency_visit(const int64_t *times_ns, size_t count, frequency_visitor visit, void *data);

#endif
