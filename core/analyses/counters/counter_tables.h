/* SPDX-License-Identifier: MIT */
/* The tables of the analysis counters: their columns, and how rows are written (see counters.c). */
#ifndef ROS2BT_COUNTER_TABLES_H
#define ROS2BT_COUNTER_TABLES_H

#include "core/analyses/counters/counter_counts.h"
#include "ros2bt/table.h"

enum counter_table {
	TABLE_COUNTERS,
	TABLE_COUNTER_INSTANCES,
};

extern const struct table_schema *const counter_tables[]; /* by enum counter_table, ended by NULL */

/* A row of counter_instances, if the report is about the callback. Only with an instance_writer. */
void counter_tables_write_instance(const struct counters *counters, const struct counter_row *row,
				   const struct counter *counter, const struct execution *execution, int64_t value);

/* Writes all tables except counter_instances. */
void counter_tables_write(const struct counters *counters, struct table_writer *const *writers);
void counter_tables_diagnose(const struct counters *counters, struct diagnostics *findings);

#endif
