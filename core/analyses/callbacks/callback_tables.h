/* SPDX-License-Identifier: MIT */
/* The tables of the analysis callbacks: their columns, and how rows are written (see callbacks.c). */
#ifndef ROS2BT_CALLBACK_TABLES_H
#define ROS2BT_CALLBACK_TABLES_H

#include "core/analyses/callbacks/callback_counts.h"
#include "core/tables/table.h"

enum { TABLE_CALLBACKS, TABLE_INSTANCES, TABLE_BUSIEST, TABLE_LONGEST, TABLE_WORST };

extern const struct table_schema *const callback_tables[]; /* by the enumerators; ended by NULL */

/* A row of callback_instances, if the report is about the callback and somebody asked for them. */
void callback_tables_write_instance(const struct callbacks *callbacks, const struct callback_row *row,
				    const struct execution *execution, enum execution_outcome outcome);

/* The same for an inferred execution, whose end is not known. */
void callback_tables_write_inferred(const struct callbacks *callbacks, const struct callback_row *row,
				    const struct inferred_execution *execution);

/* For analysis_class. It changes nothing, so that executions may be under way. */
void callback_tables_write(const void *data, struct table_writer *const *writers);

#endif
