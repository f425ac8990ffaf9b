/* SPDX-License-Identifier: MIT */
/*
 * The table `frequencies`: how many flows along a named path began in each second, as CARET counts events
 * (plot/timeseries/frequency_timeseries.py): from half a period after the first one on, so that the bins of a steady
 * series do not begin at its events; only whole seconds before the last one. O(n + bins).
 */
#ifndef ROS2BT_FREQUENCY_H
#define ROS2BT_FREQUENCY_H

#include <glib.h>
#include <stdint.h>

#include "core/tables/table.h"

extern const struct table_schema frequency_schema;

/*
 * Writes the rows of a path, or of an element of it. `times`: int64_t, which must not decrease. Does nothing without a
 * writer.
 */
void frequency_write(struct table_writer *writer, uint32_t path_id, struct cell element, const GArray *times);

#endif
