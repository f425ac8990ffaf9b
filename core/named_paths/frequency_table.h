/* SPDX-License-Identifier: MIT */
/* The table `frequencies` of named paths: a row for each second (frequency.h). */
#ifndef ROS2BT_FREQUENCY_TABLE_H
#define ROS2BT_FREQUENCY_TABLE_H

#include <glib.h>
#include <stdint.h>

#include "core/tables/table.h"

extern const struct table_schema frequency_schema;

/*
 * Writes the rows of a path, or of an element of it. `times`: int64_t, which must not decrease. Does nothing without a
 * writer.
 */
void frequency_table_write(struct table_writer *writer, uint32_t path_id, struct cell element, const GArray *times);

#endif
