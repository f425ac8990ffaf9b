/* SPDX-License-Identifier: MIT */
/* The tables of callbacks: their columns, a row of callback_instances, and the rows of the others. */
#ifndef ROS2BT_CALLBACK_TABLES_H
#define ROS2BT_CALLBACK_TABLES_H

#include "core/analyses/callbacks/callback_counts.h"
#include "ros2bt/table.h"

enum { TABLE_CALLBACKS, TABLE_INSTANCES, TABLE_BUSIEST, TABLE_LONGEST, TABLE_WORST };

extern const struct table_schema *const callback_tables[]; /* by the enumerators; ended by NULL */

/* Writes nothing if the report is not about the callback. Only if somebody asked for it. */
void callback_tables_write_instance(const struct callbacks *callbacks, const struct callback_row *row,
				    const struct execution *execution, enum execution_outcome outcome);

/* The same for a take that stands for a callback: its end is not known. */
void callback_tables_write_inferred(const struct callbacks *callbacks, const struct callback_row *row,
				    const struct inferred_execution *execution);

/* All but the instances. Changes nothing, so it may be called while executions are under way. */
void callback_tables_write(const struct callbacks *callbacks, struct table_writer *const *writers);

#endif
