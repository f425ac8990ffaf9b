/* SPDX-License-Identifier: MIT */
/*
 * How often something happens: its events counted in bins of one second.
 *
 * There are two ways to lay the bins, both CARET's (record/records_service/frequency.py and
 * plot/timeseries/frequency_timeseries.py):
 *
 *   FREQUENCY_FROM_FIRST     from the first event on; all events count, and the last bin is not over when the last
 * event happens FREQUENCY_WHOLE_SECONDS  from half a period after the first event on, so that the bins of a steady
 * series do not begin where its events are; whole seconds before the last event only
 *
 * O(n + bins).
 */
#ifndef ROS2BT_FREQUENCY_H
#define ROS2BT_FREQUENCY_H

#include <stddef.h>
#include <stdint.h>

/* More bins without events in a row than this (a day) are left out, but for the first of them. */
#define FREQUENCY_EMPTY_BINS_MAX 86400

enum frequency_bins {
	FREQUENCY_FROM_FIRST,
	FREQUENCY_WHOLE_SECONDS,
};

typedef void (*frequency_visitor)(void *data, int64_t start_ns, uint64_t count);

/* Visits the bins in order. `times_ns` must not decrease. */
void frequency_visit(const int64_t *times_ns, size_t count, enum frequency_bins bins, frequency_visitor visit,
		     void *data);

#endif
