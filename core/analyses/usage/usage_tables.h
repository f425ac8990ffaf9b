/* SPDX-License-Identifier: MIT */
/* The table of the analysis usage: its columns, and how rows are written (see usage.c). */
#ifndef ROS2BT_USAGE_TABLES_H
#define ROS2BT_USAGE_TABLES_H

#include "core/analyses/usage/usage_counts.h"
#include "ros2bt/table.h"

extern const struct table_schema *const usage_tables[]; /* ended by NULL */

void usage_tables_write(const struct usage *usage, struct table_writer *const *writers);

#endif
