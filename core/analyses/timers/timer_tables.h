/* SPDX-License-Identifier: MIT */
/* The tables of the analysis timers: their columns, and how rows are written (see timers.c). */
#ifndef ROS2BT_TIMER_TABLES_H
#define ROS2BT_TIMER_TABLES_H

#include "core/analyses/timers/timer_counts.h"
#include "core/tables/table.h"

enum { TABLE_TIMERS, TABLE_TIMER_INSTANCES, TABLE_LATE_TIMERS };

extern const struct table_schema *const timer_tables[]; /* by the enumerators; ended by NULL */

/* A row of timer_instances, if the report is about the timer. Only if that table is written. */
void timer_tables_write_instance(const struct timers *timers, const struct timer_row *row,
				 const struct timer_call *call);

/* For analysis_class. Executions may be under way. */
void timer_tables_write(const void *data, struct table_writer *const *writers);

/* The same: adds what the trace does not record about timers. */
void timer_tables_diagnose(const void *data, struct diagnostics *findings);

#endif
