/* SPDX-License-Identifier: MIT */
/* The tables of the analysis scheduling: their columns, and how rows are written (see scheduling.c). */
#ifndef ROS2BT_SCHEDULING_TABLES_H
#define ROS2BT_SCHEDULING_TABLES_H

#include "core/analyses/scheduling/scheduling_counts.h"

enum {
	TABLE_SCHEDULING,
	TABLE_SCHEDULING_INSTANCES,
	TABLE_WORST_SCHEDULING,
	TABLE_WHY,
};

extern const struct table_schema *const scheduling_tables[]; /* by the enumerators; ended by NULL */

/* A row of scheduling_instances. Only with an instance_writer. */
void scheduling_tables_write_instance(const struct scheduling *scheduling, const struct scheduling_row *row,
				      const struct execution_schedule *schedule);

/* Writes all tables except scheduling_instances. */
void scheduling_tables_write(const struct scheduling *scheduling, struct table_writer *const *writers);

#endif
