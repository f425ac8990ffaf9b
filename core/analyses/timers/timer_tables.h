/* SPDX-License-Identifier: MIT */
/* The tables of timers: their columns, a row of timer_instances, and the rows of the others. */
#ifndef ROS2BT_TIMER_TABLES_H
#define ROS2BT_TIMER_TABLES_H

#include "core/analyses/timers/timer_counts.h"
#include "ros2bt/table.h"

enum { TABLE_TIMERS, TABLE_TIMER_INSTANCES, TABLE_LATE_TIMERS };

extern const struct table_schema *const timer_tables[]; /* by the enumerators; ended by NULL */

/* Writes nothing if the report is not about the timer. Only if somebody asked for it. */
void timer_tables_write_instance(const struct timers *timers, const struct timer_row *row,
				 const struct timer_call *call);

/* All but the instances. Changes nothing, so it may be called while executions are under way. */
void timer_tables_write(const struct timers *timers, struct table_writer *const *writers);

/* Adds what the trace does not record of timers. */
void timer_tables_diagnose(const struct timers *timers, struct diagnostics *findings);

#endif
