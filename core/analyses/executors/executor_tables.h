/* SPDX-License-Identifier: MIT */
/* The tables of the analysis executors: their columns, and how rows are written (see executors.c). */
#ifndef ROS2BT_EXECUTOR_TABLES_H
#define ROS2BT_EXECUTOR_TABLES_H

#include "core/analyses/executors/executor_counts.h"
#include "core/tables/table.h"

enum { TABLE_EXECUTORS, TABLE_BUSY_EXECUTORS };

extern const struct table_schema *const executor_tables[]; /* by the enumerators; ended by NULL */

void executor_tables_write(const void *data, struct table_writer *const *writers);

#endif
